"""Default routes of messages between compute nodes.

A route uses the link between the two nodes, or passes switches or, where that is allowed, other compute
nodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from schedsolve.network.graph import Network

Route = tuple[int, ...]
MOST_PARALLEL = 64
"""Shortest routes between two compute nodes that are listed."""


@lru_cache(maxsize=4096)
def routes_from(network: Network, start: int, *, through_all: bool = False) -> Mapping[int, Route]:
    """Return a route from `start` to every compute node that it reaches over a link or through switches.

    A route is a sequence of nodes; among the shortest routes it is one whose narrowest link is widest.

    Parameters
    ----------
    network
        The network.
    start
        The compute node where the routes begin.
    through_all
        Whether routes may also pass compute nodes.
    """
    best: dict[int, tuple[float, Route]] = {start: (float("inf"), (start,))}
    frontier = [start]
    while frontier:
        found: dict[int, tuple[float, Route]] = {}
        for u in frontier:
            width, route = best[u]
            for v in network.successors[u]:
                narrow = min(width, float(network.bandwidth_of[u, v]))
                if v not in best and (v not in found or narrow > found[v][0]):
                    found[v] = narrow, (*route, v)
        best |= found
        frontier = [v for v in found if through_all or v in network.switches]
    return {v: route for v, (_, route) in best.items() if v != start and v not in network.switches}


@lru_cache(maxsize=8)
def parallel_routes(network: Network) -> Mapping[tuple[int, int], Sequence[Sequence[tuple[int, int]]]]:
    """Return the shortest routes of all pairs of compute nodes that have some, as the links they cross.

    The routes pass switches only; of one pair they are at most `MOST_PARALLEL`.
    """
    found: dict[tuple[int, int], list[Sequence[tuple[int, int]]]] = {}
    for start in network.compute_nodes:
        ways: dict[int, list[Route]] = {start: [(start,)]}
        frontier = [start]
        while frontier:
            reached: dict[int, list[Route]] = {}
            for u in frontier:
                for v in network.successors[u]:
                    if v not in ways:
                        reached.setdefault(v, []).extend((*way, v) for way in ways[u])
            ways |= {v: more[:MOST_PARALLEL] for v, more in reached.items()}
            frontier = [v for v in reached if v in network.switches]
        for v, routes in ways.items():
            if v != start and v not in network.switches:
                found[start, v] = [tuple(pairwise(route)) for route in routes]
    return found
