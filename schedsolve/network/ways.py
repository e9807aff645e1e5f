"""How messages between compute nodes get there when nobody says how: over the link between them, through
switches, or, where that is allowed, through other compute nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from schedsolve.network.graph import Network

Way = tuple[int, ...]


@lru_cache(maxsize=4096)
def ways_from(network: Network, start: int, *, through_all: bool = False) -> Mapping[int, Way]:
    """For every other compute node that `start` reaches over a link or through switches, the nodes from
    `start` to it: of the shortest ways one whose narrowest link is widest.

    through_all: whether ways may pass compute nodes too.
    """
    best: dict[int, tuple[float, Way]] = {start: (float("inf"), (start,))}
    frontier = [start]
    while frontier:
        found: dict[int, tuple[float, Way]] = {}
        for u in frontier:
            width, way = best[u]
            for v in network.successors[u]:
                narrow = min(width, float(network.bandwidth_of[u, v]))
                if v not in best and (v not in found or narrow > found[v][0]):
                    found[v] = narrow, (*way, v)
        best |= found
        frontier = [v for v in found if through_all or v in network.switches]
    return {v: way for v, (_, way) in best.items() if v != start and v not in network.switches}
