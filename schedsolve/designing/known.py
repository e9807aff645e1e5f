"""Networks of known families, as first candidates for a design."""

from __future__ import annotations

from collections.abc import Iterator

from schedsolve.errors import InputError
from schedsolve.network.canonical_form import Rows
from schedsolve.network.design_classes import NetworkClass, rows_of
from schedsolve.network.graph import Network

FEWEST_NODES = 9
"""With fewer nodes all networks are decided in no time."""


def known_networks(members: NetworkClass) -> Iterator[tuple[Rows, int]]:
    """Yield known networks of a class, each with its number of links."""
    for spec in _names(members.nodes):
        try:
            network = Network.from_spec(spec)
        except InputError:
            continue
        if members.directed:
            network = Network(network.node_count, tuple(network.arcs), directed=True)
        if members.why_not(network) is None:
            yield rows_of(network), len(network.edges)


def _names(n: int) -> Iterator[str]:
    """Yield names of families with n nodes, those with fewer links first."""
    if n < FEWEST_NODES:
        return
    yield from (f"path:{n}", f"star:{n}", f"cycle:{n}")
    for degree in range(2, n.bit_length()):
        yield f"knodel:{degree},{n}"
    if n & (n - 1) == 0:
        yield f"hypercube:{n.bit_length() - 1}"
