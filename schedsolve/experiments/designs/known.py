"""Networks of known families, as first candidates for a design."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain, combinations
from math import comb, gcd

from schedsolve.network.classes.canonical_form import Rows
from schedsolve.network.classes.cayley import MOST_ELEMENTS
from schedsolve.network.classes.network_class import NetworkClass, rows_of
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

MOST_CIRCULANTS = 3000
"""With more sets of jumps no circulants with arcs are tried."""
FEWEST_NODES = 9
"""With fewer nodes all networks are decided in no time."""


def known_networks(members: NetworkClass) -> Iterator[tuple[Rows, int]]:
    """Yield known networks of a class, each with its number of links."""
    for known in chain(_named(members.nodes), _cycles_with_hubs(members.nodes), _with_arcs(members)):
        arcs = Network(known.node_count, tuple(known.arcs), directed=True)
        network = arcs if members.directed else known
        if members.why_not(network) is None:
            yield rows_of(network), len(network.edges)


def symmetric_networks(members: NetworkClass, edges: int) -> Iterator[tuple[Rows, int]]:
    """Yield the Cayley graphs of a class with at most so many links, of the two largest degrees possible.

    Circulants are Cayley graphs. There are none for directed classes or with more than 31 nodes.
    """
    if members.directed or members.nodes > MOST_ELEMENTS:
        return
    largest = min(members.largest_degree, 2 * edges // members.nodes)
    for degree in range(largest, max(0, largest - 2), -1):
        if members.regular in (None, degree) and degree * members.nodes % 2 == 0:
            kind = replace(members, cayley=not members.circulant, regular=degree, max_degree=None)
            links = degree * members.nodes // 2
            yield from ((rows, links) for rows in kind.members(links))


def _named(n: int) -> Iterator[Network]:
    for spec in _names(n):
        with suppress(InputError):
            yield Network.from_spec(spec)


def _with_arcs(members: NetworkClass) -> Iterator[Network]:
    """Yield networks with arcs of the largest degree: the generalised Kautz network, and circulants.

    Jumps that a factor takes to others give the same circulant.
    """
    n, degree = members.nodes, members.largest_degree
    if not members.directed or degree == n - 1 or comb(n - 1, degree) > MOST_CIRCULANTS:
        return
    with suppress(InputError):
        yield Network.from_spec(f"genkautz:{degree},{n}")
    factors = [factor for factor in range(2, n) if gcd(factor, n) == 1]
    for jumps in combinations(range(1, n), degree):
        if all(jumps <= tuple(sorted(factor * jump % n for jump in jumps)) for factor in factors):
            arcs = tuple(sorted((v, (v + jump) % n) for v in range(n) for jump in jumps))
            yield Network(n, arcs, directed=True)


def _cycles_with_hubs(n: int) -> Iterator[Network]:
    """Yield cycles whose node i has a link to hub i mod h, for h hubs of equal degree, most hubs first.

    Twelve nodes and three hubs are a minimum broadcast graph with 15 nodes.
    """
    for hubs in range(n // 4 if n >= FEWEST_NODES else 0, 1, -1):
        around = n - hubs
        if around % hubs == 0 and around // hubs <= n.bit_length():
            ring = [(min(v, (v + 1) % around), max(v, (v + 1) % around)) for v in range(around)]
            yield Network(n, tuple(sorted([*ring, *((v, around + v % hubs) for v in range(around))])))


def _names(n: int) -> Iterator[str]:
    """Yield names of families with n nodes, those with fewer links first."""
    if n < FEWEST_NODES:
        return
    yield from (f"path:{n}", f"star:{n}", f"cycle:{n}")
    for degree in range(2, n.bit_length()):
        yield f"knodel:{degree},{n}"
    if n & (n - 1) == 0:
        yield f"hypercube:{n.bit_length() - 1}"
