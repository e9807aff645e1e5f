"""Default routes of messages between compute nodes.

A route uses the link between the two nodes, or passes switches or, where that is allowed, other compute
nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from schedsolve.network.graph import Network

Route = tuple[int, ...]


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
