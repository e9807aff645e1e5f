"""The least numbers of rounds of tiny networks, by breadth-first search over all that can be known; no code
of the package is used.

A state says what every node knows: one bit mask for every node, bit i for item i. A round is a set of arcs
that share no node; in the two-way mode both ends of an arc learn what the other knows, else only the head
does. Knowing more never hurts and neither does one more call, so it is enough to try rounds to which no call
can be added, and to go on from states that no other state of the same round contains.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import permutations, product

import networkx as nx
import numpy as np

Arc = tuple[int, int]
State = tuple[int, ...]


def arcs_of(graph: nx.Graph) -> tuple[Arc, ...]:
    """The arcs of a graph on the nodes 0..n-1, both directions of every edge when it is undirected."""
    arcs = (
        set(graph.edges())
        if graph.is_directed()
        else {arc for u, v in graph.edges() for arc in ((u, v), (v, u))}
    )
    return tuple(sorted(arcs))


def broadcast_rounds(graph: nx.Graph, two_way: bool, sources: Collection[int]) -> int:
    """The least number of rounds until the message of the sources is everywhere."""
    return multicast_rounds(graph, two_way, sources, [range(graph.number_of_nodes())])[0]


def multicast_rounds(
    graph: nx.Graph, two_way: bool, sources: Collection[int], target_sets: Sequence[Collection[int]]
) -> list[int]:
    """For every set of targets the least number of rounds until the message of the sources is at all of
    them.
    """
    n = graph.number_of_nodes()
    start = tuple(int(v in sources) for v in range(n))
    goals = tuple(tuple(int(v in targets) for v in range(n)) for targets in target_sets)
    return _known(least_rounds(n, arcs_of(graph), two_way, start, goals))


def gossip_rounds(graph: nx.Graph, two_way: bool) -> int:
    """The least number of rounds until every node has the items of all nodes."""
    return _items_rounds(graph.number_of_nodes(), arcs_of(graph), two_way)[-1]


def accumulation_rounds(graph: nx.Graph, two_way: bool) -> list[int]:
    """For every root the least number of rounds until it has the items of all nodes."""
    return _items_rounds(graph.number_of_nodes(), arcs_of(graph), two_way)[:-1]


@cache
def _items_rounds(n: int, arcs: tuple[Arc, ...], two_way: bool) -> list[int]:
    """The rounds of the accumulation at every root, and at the end those of the gossip: one search serves
    them all.
    """
    everything = (1 << n) - 1
    goals = [tuple(everything if v == root else 0 for v in range(n)) for root in range(n)]
    return _known(
        least_rounds(n, arcs, two_way, tuple(1 << v for v in range(n)), (*goals, (everything,) * n))
    )


def _known(rounds: Sequence[int | None]) -> list[int]:
    found = [value for value in rounds if value is not None]
    assert len(found) == len(rounds), "some goal is out of reach"
    return found


def least_rounds(
    n: int,
    arcs: Sequence[Arc],
    two_way: bool,
    start: State,
    goals: Sequence[State],
    *,
    shortcuts: bool = True,
) -> list[int | None]:
    """For every goal, a state, the least number of rounds after which all of it can be known; None when it is
    out of reach.

    shortcuts: try maximal rounds and maximal states only.
    """
    rounds = [r for r in all_rounds(arcs, two_way) if not shortcuts or _is_maximal(r, arcs)]
    level = {start}
    found: list[int | None] = [None] * len(goals)
    depth = 0
    while True:
        for place, goal in enumerate(goals):
            if found[place] is None and any(
                all(g & ~s == 0 for g, s in zip(goal, state, strict=True)) for state in level
            ):
                found[place] = depth
        if None not in found:
            return found
        following = {_after(state, calls, two_way) for state in level for calls in rounds}
        following = maximal_states(following) if shortcuts else following
        if following <= level:
            return found
        level, depth = following, depth + 1


def all_rounds(arcs: Sequence[Arc], two_way: bool) -> Iterator[tuple[Arc, ...]]:
    """Every set of arcs that share no node, the empty one too; in the two-way mode just one arc of an edge is
    used.
    """
    links = sorted({(min(arc), max(arc)) for arc in arcs}) if two_way else sorted(arcs)
    return _disjoint(links, frozenset())


def _disjoint(links: Sequence[Arc], busy: frozenset[int]) -> Iterator[tuple[Arc, ...]]:
    yield ()
    for place, link in enumerate(links):
        if busy.isdisjoint(link):
            for others in _disjoint(links[place + 1 :], busy.union(link)):
                yield (link, *others)


def _is_maximal(calls: Sequence[Arc], arcs: Sequence[Arc]) -> bool:
    busy = {end for call in calls for end in call}
    return not any(busy.isdisjoint(arc) for arc in arcs)


def _after(state: State, calls: Sequence[Arc], two_way: bool) -> State:
    held = list(state)
    for u, v in calls:
        held[v] = state[u] | state[v]
        if two_way:
            held[u] = held[v]
    return tuple(held)


def maximal_states(states: set[State]) -> set[State]:
    """The states that no other one contains."""
    bits = max((max(state) for state in states), default=0).bit_length()
    ranked = sorted(states, key=lambda state: (-sum(items.bit_count() for items in state), state))
    numbers = []
    for state in ranked:
        number = 0
        for items in state:
            number = number << bits | items
        numbers.append(number)
    left, places = np.array(numbers, dtype=np.int64), np.arange(len(ranked))
    maximal: set[State] = set()
    while len(left):
        # No state after it has more items; those that it contains go.
        maximal.add(ranked[places[0]])
        others = (left & ~left[0]) != 0
        left, places = left[others], places[others]
    return maximal


@cache
def atlas() -> tuple[nx.Graph, ...]:
    """All graphs with up to seven nodes, one for every isomorphism class, read once."""
    return tuple(nx.graph_atlas_g())


def connected_graphs(most_nodes: int = 5) -> list[nx.Graph]:
    """All connected graphs with so many nodes (7 at the most) or fewer, one for every isomorphism class."""
    return [g for g in atlas() if 1 <= g.number_of_nodes() <= most_nodes and nx.is_connected(g)]


def strongly_connected_digraphs(n: int) -> list[nx.DiGraph]:
    """All strongly connected digraphs with n nodes (4 at the most, for the time it takes), one for every
    isomorphism class.
    """
    return list(_strongly_connected_digraphs(n))


@cache
def _strongly_connected_digraphs(n: int) -> tuple[nx.DiGraph, ...]:
    pairs = list(permutations(range(n), 2))
    found: dict[tuple[Arc, ...], nx.DiGraph] = {}
    for chosen in product((False, True), repeat=len(pairs)):
        arcs = [pair for pair, taken in zip(pairs, chosen, strict=True) if taken]
        graph = nx.DiGraph()
        graph.add_nodes_from(range(n))
        graph.add_edges_from(arcs)
        if len(arcs) >= n - (n == 1) and nx.is_strongly_connected(graph):
            key = min(tuple(sorted((p[u], p[v]) for u, v in arcs)) for p in permutations(range(n)))
            found.setdefault(key, graph)
    return tuple(found.values())


def orbit_representatives(graph: nx.Graph) -> list[int]:
    """One node, the first, of every orbit of a tiny graph's nodes under its automorphisms."""
    matcher = (
        nx.algorithms.isomorphism.DiGraphMatcher
        if graph.is_directed()
        else nx.algorithms.isomorphism.GraphMatcher
    )
    first = {v: v for v in graph}
    for image in matcher(graph, graph).isomorphisms_iter():
        for v, w in image.items():
            first[w] = min(first[w], v)
    return sorted(set(first.values()))
