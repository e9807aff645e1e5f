"""What the reader of a machine's file understood, in a line for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from schedsolve.network.bandwidths import bandwidth_to_data
from schedsolve.network.graph import Network


def understood(network: Network, form: str, left_out: Sequence[str] = (), also: str = "") -> Network:
    """The network with the line that says what was understood of its file.

    form: what the file is. left_out: what of it the network does not have. also: what else a reader should
    know.
    """
    nodes, switches = len(network.compute_nodes), len(network.switches)
    counted = [_counted(nodes, "compute node")]
    if switches:
        counted.append(_counted(switches, "switch", "switches"))
    kind = "directed link" if network.directed else "link"
    counted.append(_counted(len(network.edges), kind))
    bandwidths = network.bandwidths or ((1,) if network.edges else ())
    least, most = (bandwidth_to_data(f(bandwidths, default=0)) for f in (min, max))
    spread = f"bandwidth {least}" if least == most else f"bandwidths {least} to {most}"
    line = f"{form}: {', '.join(counted)}" + (f", {spread}" if bandwidths else "")
    line += "".join(f"; {part}" for part in (also,) if part)
    line += f"; left out: {', '.join(left_out)}" if left_out else "; nothing left out"
    return replace(network, understood=line)


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"
