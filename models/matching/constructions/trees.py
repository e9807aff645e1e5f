"""Optimal broadcasting in trees, and the broadcast centre of a tree.

Source: Slater, Cockayne, Hedetniemi, Information dissemination in trees (SIAM J. Comput. 10, 1981). Their
rule, each node calls the child whose subtree needs most rounds first, is optimal from every source, and their
labelling from the leaves finds a node of least time.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection

from schedsolve.network.graph import Network
from schedsolve.network.named.trees import order_from

from ..claims.trees import completion, subtree_times


def tree_broadcast(network: Network, source: int, targets: Collection[int]) -> list[list[tuple[int, int]]]:
    """Return an optimal broadcast (or multicast to `targets`) from `source` in a tree.

    For every round its (sender, receiver) pairs.
    """
    order, parent = order_from(network, source)
    wanted = set(targets)
    time, children = subtree_times(order, parent, wanted)
    informed_at = {source: 0}
    rounds: list[list[tuple[int, int]]] = [[] for _ in range(time.get(source, 0))]
    for v in order:
        if v in informed_at:
            for position, child in enumerate(children[v], 1):
                informed_at[child] = informed_at[v] + position
                rounds[informed_at[child] - 1].append((v, child))
    return rounds


def broadcast_centre(network: Network) -> int:
    """Return a node of a tree from which a broadcast takes the least number of rounds.

    Labelling from the leaves: of the nodes all of whose neighbours but one are labelled, the one with the
    least time for the part behind it is labelled next; the last node is a centre.
    """
    labels: list[list[int]] = [[] for _ in range(network.node_count)]
    open_degree = [len(near) for near in network.successors]
    done = [False] * network.node_count
    ready = [(0, v) for v in range(network.node_count) if open_degree[v] <= 1]
    heapq.heapify(ready)
    last = 0
    for _ in range(network.node_count):
        time, last = heapq.heappop(ready)
        done[last] = True
        for w in network.successors[last]:
            if not done[w]:
                labels[w].append(time)
                open_degree[w] -= 1
                if open_degree[w] == 1:
                    heapq.heappush(ready, (completion(labels[w]), w))
    return last
