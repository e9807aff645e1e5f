"""The line that tells people how a machine's file was interpreted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from schedsolve.network.bandwidths import Bandwidth, bandwidth_to_data, merged_links
from schedsolve.network.graph import Label, Network
from schedsolve.network.hardware import Hardware
from schedsolve.network.partition import Partition
from schedsolve.runtime.errors import counted


def machine_of(
    nodes: Iterable[Label],
    links: Iterable[tuple[Label, Label, Bandwidth]],
    switches: Iterable[Label] = (),
    *,
    directed: bool = False,
    hardware: Hardware | None = None,
) -> Network:
    """Return the network of a machine's compute nodes, switches and links, of which parallel ones add up."""
    switches = list(switches)
    pairs, bandwidths = merged_links(links, directed=directed)
    network = Network.from_labels(
        [*nodes, *switches], pairs, directed=directed, bandwidths=bandwidths, switches=switches
    )
    return replace(network, hardware=hardware)


NO_SWITCHES = "no node is a switch (.topo can say which are)"
"""What a reader should know of a machine in a file that cannot mark switches."""


def understood(
    network: Network, form: str, left_out: Sequence[str] = (), also: str = "", *, whole: bool = True
) -> Network:
    """Return the network with the line that says how its file was interpreted.

    Parameters
    ----------
    network
        The network.
    form
        The kind of file.
    left_out
        What the file has that the network does not represent.
    also
        What else a reader should know.
    whole
        Whether to say that nothing was left out where that is so.
    """
    nodes, switches = len(network.compute_nodes), len(network.switches)
    parts = [counted(nodes, "compute node")]
    if switches:
        parts.append(counted(switches, "switch", "switches"))
    kind = "directed link" if network.directed else "link"
    parts.append(counted(len(network.edges), kind))
    bandwidths = network.bandwidths or ((1,) if network.edges else ())
    least, most = (bandwidth_to_data(f(bandwidths, default=0)) for f in (min, max))
    spread = f"bandwidth {least}" if least == most else f"bandwidths {least} to {most}"
    line = f"{form}: {', '.join(parts)}" + (f", {spread}" if bandwidths else "")
    apart = len(Partition(range(network.node_count), network.edges).firsts())
    said = f"not connected: {apart} parts" if apart > 1 else ""
    line += "".join(f"; {part}" for part in (also, said) if part)
    line += f"; left out: {', '.join(left_out)}" if left_out else "; nothing left out" if whole else ""
    return replace(network, understood=line)
