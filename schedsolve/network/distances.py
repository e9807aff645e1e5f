"""Distances in a graph given by the lists of nodes that each node can send to."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence


def breadth_first(successors: Sequence[Sequence[int]], sources: Iterable[int]) -> list[int | None]:
    """For every node the least number of arcs on a path from the nearest source; None where there is none.

    successors: for every node the nodes it can send to.
    """
    distance: list[int | None] = [None] * len(successors)
    queue = deque(dict.fromkeys(sources))
    for s in queue:
        distance[s] = 0
    while queue:
        u = queue.popleft()
        step = distance[u]
        assert step is not None
        for v in successors[u]:
            if distance[v] is None:
                distance[v] = step + 1
                queue.append(v)
    return distance


def farthest(successors: Sequence[Sequence[int]]) -> tuple[int | None, ...]:
    """For every node the greatest distance to any node; None when there is one it cannot reach.

    successors: for every node the nodes it can send to. All nodes at once: the nodes within distance d of a
    node are those within distance d - 1 of its successors and itself.
    """
    n = len(successors)
    everything = (1 << n) - 1
    reach = [1 << v for v in range(n)]
    found: list[int | None] = [0 if n == 1 else None] * n
    for distance in range(1, n):
        step = []
        for v in range(n):
            nodes = reach[v]
            if nodes != everything:
                for w in successors[v]:
                    nodes |= reach[w]
                if nodes == everything:
                    found[v] = distance
            step.append(nodes)
        if step == reach:
            break
        reach = step
    return tuple(found)
