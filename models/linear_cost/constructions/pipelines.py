"""Packets one after the other down a tree, on any network: over a chain, a ring, a spanning tree.

A node sends its packets to every child in their order, one a round. In a round the lowest links come first,
so that a node with one port hands a packet on before it takes the next.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

from .protocol import Message, Protocol

HAMILTONIAN_STEPS = 20_000


@dataclass(frozen=True)
class Tree:
    """Nodes from the root on, every parent before its children; the parents, -1 for the root."""

    order: tuple[int, ...]
    parent: tuple[int, ...]


def pipelined(tree: Tree, ports: int, rounds: int) -> Protocol:
    """Return the cheapest pipeline down the tree in at most so many rounds.

    Raises
    ------
    InputError
        If not even one packet gets through.
    """
    best: list[list[Message]] | None = None
    low, high = 1, max(1, rounds)
    while low <= high:
        packets = (low + high) // 2
        found = _run(tree, ports, packets, rounds)
        if found is None:
            high = packets - 1
        else:
            best, low = found, packets + 1
    if best is None:
        raise InputError(f"one packet takes more than {rounds} rounds this way")
    return Protocol(high, tuple(tuple(messages) for messages in best))


def _run(tree: Tree, ports: int, packets: int, rounds: int) -> list[list[Message]] | None:
    """Return the messages of so many packets; None when they take more than so many rounds."""
    links = [(tree.parent[v], v) for v in tree.order[1:]]
    height = [0] * len(tree.parent)
    for u, v in reversed(links):
        height[u] = max(height[u], height[v] + 1)
    depth = [0] * len(tree.parent)
    for u, v in links:
        depth[v] = depth[u] + 1
    owned = [0] * len(tree.parent)
    owned[tree.order[0]] = packets
    schedule: list[list[Message]] = []
    waiting = set(links)
    while waiting:
        if len(schedule) == rounds:
            return None
        used: dict[int, int] = {}
        messages: list[Message] = []
        ready = [(u, v) for u, v in waiting if owned[v] < owned[u]]
        for u, v in sorted(ready, key=lambda a: (-depth[a[0]], owned[a[1]], -height[a[1]], a[1])):
            if used.get(u, 0) < ports and used.get(v, 0) < ports:
                used[u], used[v] = used.get(u, 0) + 1, used.get(v, 0) + 1
                messages.append((u, v, (owned[v],)))
        for u, v, _ in messages:
            owned[v] += 1
            if owned[v] == packets:
                waiting.discard((u, v))
        schedule.append(messages)
    return schedule


def breadth_first_tree(network: Network, source: int, most_children: int) -> Tree:
    """Return a spanning tree of short ways.

    A node has `most_children` children at most where that is possible.
    """
    parent, order = [-2] * network.node_count, [source]
    parent[source] = -1
    grown = 0
    while True:
        while grown < len(order):
            u = order[grown]
            fresh = [v for v in network.successors[u] if parent[v] == -2]
            for v in fresh[:most_children]:
                parent[v] = u
                order.append(v)
            grown += 1
        if len(order) == network.node_count:
            return Tree(tuple(order), tuple(parent))
        # Somebody can only be reached by more children of a node.
        u, v = next((u, v) for u in order for v in network.successors[u] if parent[v] == -2)
        parent[v] = u
        order.append(v)


def long_path(network: Network, source: int, *, closed: bool = False) -> list[int] | None:
    """Return a path through all nodes from the source, with `closed` one whose end is a neighbour of it.

    None when none is found in a few steps.

    Always to the neighbour with the fewest ways on (Warnsdorff), back where there is none.
    """
    n = network.node_count
    if len(network.edges) == n * (n - 1) // 2:
        return [source, *(v for v in range(n) if v != source)]
    free = [len(s) for s in network.successors]
    path, on = [source], {source}
    for w in network.successors[source]:
        free[w] -= 1

    def ways(u: int) -> list[int]:
        return sorted((v for v in network.successors[u] if v not in on), key=lambda v: -free[v])

    left = [ways(source)]
    for _ in range(HAMILTONIAN_STEPS + 2 * n):
        if len(path) == n and (not closed or source in network.successors[path[-1]]):
            return path
        if left and left[-1]:
            v = left[-1].pop()
            path.append(v)
            on.add(v)
            for w in network.successors[v]:
                free[w] -= 1
            left.append(ways(v))
        else:
            left.pop()
            v = path.pop()
            on.discard(v)
            for w in network.successors[v]:
                free[w] += 1
            if not path:
                return None
    return None


def chain_tree(path: Sequence[int]) -> Tree:
    """Return the tree of one way through the nodes."""
    parent = [-1] * len(path)
    for u, v in itertools.pairwise(path):
        parent[v] = u
    return Tree(tuple(path), tuple(parent))


def ring_tree(ring: Sequence[int]) -> Tree:
    """Return the tree of two ways from the first node of a ring, each through half of the others."""
    half = len(ring) // 2 + 1
    one, other = ring[:half], [ring[0], *reversed(ring[half:])]
    parent = [-1] * len(ring)
    for u, v in (*itertools.pairwise(one), *itertools.pairwise(other)):
        parent[v] = u
    return Tree((*one, *other[1:]), tuple(parent))
