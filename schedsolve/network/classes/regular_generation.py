"""Connected regular graphs, one of every isomorphism class, by completing one node after the other.

A partial graph is a connected one and nodes without links, none with more links than the degree asked for. In
it a node that has links, but too few, is completed in every way. A regular graph that contains the partial
graph gives that node some neighbours, so it contains one of the graphs made; which node is completed does not
matter. Isomorphic partial graphs are contained in the same regular graphs up to isomorphism, so each is
continued once. On the way there are far fewer partial graphs than graphs with as many links.

References
----------
Meringer, Fast generation of regular graphs and construction of cages (1999), which completes nodes in the
same way and recognises isomorphic graphs by an order instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from schedsolve.network.classes.canonical_form import CanonicalForm, Rows, canonical_form, nodes_of
from schedsolve.network.classes.graph_generation import odd_distances


def connected_regular_graphs(
    nodes: int, degree: int, *, bipartite: bool = False, within: int | None = None
) -> Iterator[CanonicalForm]:
    """Yield the canonical form of every connected regular graph, one of each isomorphism class.

    Parameters
    ----------
    nodes
        The number of nodes, more than the degree.
    degree
        The degree of every node, 1 or more.
    bipartite
        Only graphs in which every link joins two sides.
    within
        Only graphs in which no node is farther than this from another.
    """
    if nodes * degree % 2 == 0:
        yield from _completed(canonical_form((0,) * nodes), degree, bipartite, within)


def _completed(
    partial: CanonicalForm, degree: int, bipartite: bool, within: int | None
) -> Iterator[CanonicalForm]:
    """Yield the regular graphs that contain a partial graph."""
    waiting, seen = [partial], set[Rows]()
    while waiting:
        form = waiting.pop()
        node = _node_to_complete(form.rows, degree)
        if node is None:
            if 0 not in form.rows:
                yield form
            continue
        for made in _with_node_completed(form.rows, node, degree, bipartite):
            if within is not None and not _are_near(made, degree, within):
                continue
            child = canonical_form(made)
            if child.rows not in seen:
                seen.add(child.rows)
                waiting.append(child)


def _node_to_complete(rows: Rows, degree: int) -> int | None:
    """Return the node with the most links of those that have too few; at first any; None if there is none."""
    if not any(rows):
        return 0
    begun = [v for v, row in enumerate(rows) if 0 < row.bit_count() < degree]
    return max(begun, key=lambda v: rows[v].bit_count(), default=None)


def _with_node_completed(rows: Rows, node: int, degree: int, bipartite: bool) -> Iterator[Rows]:
    """Yield the partial graphs in which a node has all its links, of new nodes the first ones only."""
    short = [v for v, row in enumerate(rows) if v != node and row.bit_count() < degree]
    new = [v for v in short if not rows[v]]
    allowed = ~rows[node] & (odd_distances(rows, node) if bipartite else ~0)
    old = [v for v in short if rows[v] and allowed >> v & 1]
    missing = degree - rows[node].bit_count()
    for fresh in range(max(0, missing - len(old)), min(missing, len(new)) + 1):
        for chosen in combinations(old, missing - fresh):
            made = list(rows)
            for v in (*chosen, *new[:fresh]):
                made[node] |= 1 << v
                made[v] |= 1 << node
            if _has_room(made, degree):
                yield tuple(made)


def _has_room(rows: list[int], degree: int) -> bool:
    """Whether every node that has too few links has enough others to which it may have one."""
    short = sum(1 << v for v, row in enumerate(rows) if row.bit_count() < degree)
    return all(
        degree - rows[v].bit_count() <= (short & ~rows[v] & ~(1 << v)).bit_count() for v in nodes_of(short)
    )


def _are_near(rows: Rows, degree: int, within: int) -> bool:
    """Whether every node may still come within a distance of all others.

    Every link that a node lacks leads to one more node at best, and that to degree - 1 more.
    """
    return all(_most_near(rows, v, degree, within) >= len(rows) for v in range(len(rows)))


def _most_near(rows: Rows, node: int, degree: int, within: int) -> int:
    """Return how many nodes may come within a distance of a node at most."""
    reached = layer = 1 << node
    more = 0
    for left in range(within, 0, -1):
        behind = sum((degree - 1) ** i for i in range(left))
        following = 0
        for v in nodes_of(layer):
            more += (degree - rows[v].bit_count()) * behind
            following |= rows[v]
        layer = following & ~reached
        reached |= layer
    return reached.bit_count() + more
