"""Distances in a graph given by the successors of every node."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence


def breadth_first(successors: Sequence[Sequence[int]], sources: Iterable[int]) -> list[int | None]:
    """Return the distance of every node from the nearest source, or None if no source reaches it.

    Parameters
    ----------
    successors
        For every node, the nodes that it can send to.
    sources
        The nodes at distance 0.
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
    """Return the greatest distance from every node, or None if it does not reach all nodes.

    All nodes are treated at once: the nodes within distance d of a node are those within distance d - 1 of
    its successors and itself.

    Parameters
    ----------
    successors
        For every node, the nodes that it can send to.
    """
    n = len(successors)
    if _is_cycle(successors):
        return (n // 2,) * n
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


def _is_cycle(successors: Sequence[Sequence[int]]) -> bool:
    """Return whether these are the neighbors in an undirected cycle, by one walk round it."""
    before, here = 0, successors[0][0] if successors[0] else 0
    for steps in range(1, len(successors) + 1):
        near = successors[here]
        if len(near) != 2 or before not in near or before == here:
            return False
        if here == 0:
            return steps == len(successors)
        before, here = here, near[0] + near[1] - before
    return False


def farthest_in_tree(successors: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return, for every node of an undirected tree, the greatest distance to any node."""
    # Farthest from any node of a tree is one of the ends of a longest path.
    found = [breadth_first(successors, [0])]
    for _ in range(2):
        found.append(
            breadth_first(successors, [max(range(len(successors)), key=lambda v: found[-1][v] or 0)])
        )
    return tuple(max(one or 0, other or 0) for one, other in zip(found[1], found[2], strict=True))
