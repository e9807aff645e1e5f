"""Broadcast times in trees, by the recursion that defines them.

Source: Slater, Cockayne, Hedetniemi, Information dissemination in trees (SIAM J. Comput. 10, 1981).
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from schedsolve.network.graph import Network
from schedsolve.network.named.trees import order_from


def tree_broadcast_time(network: Network, source: int, targets: Collection[int] | None = None) -> int:
    """Return the least number of rounds of a broadcast or multicast in a tree."""
    order, parent = order_from(network, source)
    wanted = set(range(network.node_count) if targets is None else targets)
    return subtree_times(order, parent, wanted)[0].get(source, 0)


@lru_cache(maxsize=4)
def least_tree_broadcast_time(network: Network) -> int:
    """Return min b of a tree: the least number of rounds of a broadcast, over all sources.

    Every arc v -> w of the tree has a time: rounds in which w, once informed, informs all behind the arc. A
    source takes the completion time of its arcs; the times are found from the leaves inwards, then from the
    first node outwards.
    """
    order, parent = order_from(network, 0)
    inward = subtree_times(order, parent, set(order))[0]
    outward = {0: -1}
    best = inward[0]
    for v in order:
        behind = [(inward[w], w) for w in network.successors[v] if w != parent[v]]
        if v:
            behind.append((outward[v], parent[v]))
        behind.sort(reverse=True)
        best = min(best, completion([time for time, _ in behind]))
        # Without its i-th part, the parts before it keep their places and the ones after it move up by one.
        early = late = 0
        head = []
        for i, (time, _) in enumerate(behind, 1):
            head.append(early)
            early = max(early, i + time)
        for i in range(len(behind), 0, -1):
            time, w = behind[i - 1]
            if w != parent[v]:
                outward[w] = max(head[i - 1], late)
            late = max(late, i - 1 + time)
    return best


def completion(times: list[int]) -> int:
    """Return the rounds until all parts are done, when one is started in each round.

    Those that take longest are started first.
    """
    return max((i + t for i, t in enumerate(sorted(times, reverse=True), 1)), default=0)


def subtree_times(
    order: list[int], parent: list[int], wanted: set[int]
) -> tuple[dict[int, int], list[list[int]]]:
    """Return the time of every subtree that holds a wanted node, and the order of calls.

    The order is every node's children with such subtrees.
    """
    time: dict[int, int] = {}
    children: list[list[int]] = [[] for _ in order]
    for v in reversed(order):
        children[v].sort(key=lambda child: -time[child])
        if children[v] or v in wanted:
            time[v] = completion([time[child] for child in children[v]])
            if parent[v] >= 0:
                children[parent[v]].append(v)
    return time, children
