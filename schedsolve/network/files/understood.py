"""The line that tells people how a machine's file was interpreted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from schedsolve.network.assumptions import Assumption, distinct
from schedsolve.network.bandwidths import Bandwidth, bandwidth_to_data, merged_links
from schedsolve.network.graph import Label, Network
from schedsolve.network.hardware import Hardware
from schedsolve.network.partition import Partition
from schedsolve.runtime.errors import counted

Note = str | Assumption


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


def understood(
    network: Network, form: str, notes: Iterable[Note] = (), also: str = "", *, whole: bool = True
) -> Network:
    """Return the network with its assumptions, and the line that says how its file was interpreted.

    Parameters
    ----------
    network
        The network.
    form
        The kind of file.
    notes
        What was left out although it could carry data, and what was assumed, of which those that count 0 are
        none; as text, what was left out and carries no data, such as names.
    also
        What else a reader should know.
    whole
        Whether to say that nothing was left out where that is so.
    """
    notes = [note for note in notes if isinstance(note, str) or note.count]
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
    assumptions = [note for note in notes if isinstance(note, Assumption)]
    rules = [note for note in assumptions if note.kind == "assumed"]
    line += "".join(f"; {part}" for part in (also, *(note.words for note in rules), said) if part)
    gone = [note if isinstance(note, str) else note.words for note in notes if note not in rules]
    line += f"; left out: {', '.join(gone)}" if gone else "; nothing left out" if whole else ""
    return replace(network, understood=line, assumptions=distinct((*network.assumptions, *assumptions)))
