"""The least numbers of rounds of tiny networks under the line model, by breadth-first search; no code of the
package is used.

A round is a set of simple paths that share no edge (of a digraph: no arc), no node being an end of more paths
than it has ports. All that counts of it is which pairs of nodes call each other. In a graph both ends learn
what the other knew before the round, in a digraph the end does. Knowing more never hurts and neither does one
more call, so it is enough to try largest rounds, and to go on from largest states.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache

import networkx as nx

Pair = tuple[int, int]
State = tuple[int, ...]


def call_paths(n: int, edges: Collection[Pair], directed: bool) -> Iterator[tuple[Pair, int]]:
    """The two ends of every simple path with an edge, and its edges as a bit mask; in a graph each path is
    given in one direction.
    """
    steps = [(u, v, 1 << i) for i, (u, v) in enumerate(edges)]
    if not directed:
        steps += [(v, u, bit) for u, v, bit in steps]

    def grown(path: tuple[int, ...], used: int) -> Iterator[tuple[Pair, int]]:
        if len(path) > 1 and (directed or path[0] < path[-1]):
            yield (path[0], path[-1]), used
        for u, v, bit in steps:
            if u == path[-1] and v not in path:
                yield from grown((*path, v), used | bit)

    for start in range(n):
        yield from grown((start,), 0)


@cache
def largest_rounds(
    n: int, edges: tuple[Pair, ...], directed: bool, ports: int | None
) -> list[tuple[Pair, ...]]:
    """The sets of pairs that can call each other in one round, those only that no other contains."""
    paths = sorted(set(call_paths(n, edges, directed)))
    pairs = sorted({pair for pair, _ in paths})
    number = {pair: i for i, pair in enumerate(pairs)}
    found = {(0, 0)}
    for pair, used in paths:
        bit = 1 << number[pair]
        for calls, busy in list(found):
            if not busy & used and not calls & bit:
                more = [p for i, p in enumerate(pairs) if (calls | bit) >> i & 1]
                if ports is None or all(sum(v in p for p in more) <= ports for v in pair):
                    found.add((calls | bit, busy | used))
    return [
        tuple(p for i, p in enumerate(pairs) if calls >> i & 1)
        for calls in largest({calls for calls, _ in found})
    ]


def largest(masks: Collection[int]) -> list[int]:
    """The bit masks that no other one contains."""
    kept: list[int] = []
    for mask in sorted(set(masks), key=lambda mask: (-mask.bit_count(), mask)):
        if all(mask & ~other for other in kept):
            kept.append(mask)
    return kept


def least_rounds(
    graph: nx.Graph, ports: int | None, start: State, goals: Sequence[State]
) -> list[int | None]:
    """For every goal the least number of rounds after which all of it can be known; None when it is out of
    reach.
    """
    n, directed = graph.number_of_nodes(), graph.is_directed()
    rounds = largest_rounds(n, tuple(sorted(graph.edges())), directed, ports)
    level = {packed(start)}
    found: dict[int, int] = {}
    aims = [packed(goal) for goal in goals]
    depth = 0
    while True:
        found |= {
            i: depth
            for i, aim in enumerate(aims)
            if i not in found and any(not aim & ~state for state in level)
        }
        if len(found) == len(aims):
            break
        following = set(
            largest(
                {packed(_after(unpacked(state, n), calls, directed)) for state in level for calls in rounds}
            )
        )
        if following <= level:
            break
        level, depth = following, depth + 1
    return [found.get(i) for i in range(len(aims))]


def _known(rounds: Sequence[int | None]) -> list[int]:
    found = [value for value in rounds if value is not None]
    assert len(found) == len(rounds), "some goal is out of reach"
    return found


def packed(state: State) -> int:
    """What all nodes know as one bit mask, as many bits a node as there are nodes."""
    return sum(items << len(state) * v for v, items in enumerate(state))


def unpacked(mask: int, n: int) -> State:
    """What each node knows."""
    return tuple(mask >> n * v & (1 << n) - 1 for v in range(n))


def _after(state: State, calls: Sequence[Pair], directed: bool) -> State:
    held = list(state)
    for u, v in calls:
        held[v] |= state[u]
        if not directed:
            held[u] |= state[v]
    return tuple(held)


def multicast_rounds(
    graph: nx.Graph, ports: int | None, sources: Collection[int], target_sets: Sequence[Collection[int]]
) -> list[int]:
    """For every set of targets the least number of rounds until the message of the sources is at all of
    them.
    """
    n = graph.number_of_nodes()
    goals = [tuple(int(v in targets) for v in range(n)) for targets in target_sets]
    return _known(least_rounds(graph, ports, tuple(int(v in sources) for v in range(n)), goals))


def broadcast_rounds(graph: nx.Graph, ports: int | None, source: int) -> int:
    """The least number of rounds until the message of the source is everywhere."""
    return multicast_rounds(graph, ports, [source], [range(graph.number_of_nodes())])[0]


def accumulation_rounds(graph: nx.Graph, ports: int | None, roots: Collection[int]) -> list[int]:
    """For every one of the roots the least number of rounds until it has the items of all nodes."""
    n = graph.number_of_nodes()
    goals = [tuple((1 << n) - 1 if v == root else 0 for v in range(n)) for root in roots]
    return _known(least_rounds(graph, ports, tuple(1 << v for v in range(n)), goals))


def gossip_rounds(graph: nx.Graph, ports: int | None) -> int:
    """The least number of rounds until every node has the items of all nodes."""
    n = graph.number_of_nodes()
    return _known(least_rounds(graph, ports, tuple(1 << v for v in range(n)), [((1 << n) - 1,) * n]))[0]
