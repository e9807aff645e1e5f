"""The cheapest trees of sums that keep the order of the nodes.

Every node passes on the sum over a run of consecutive ranks, its own among them.

Dynamic programming over runs: left(v, a) is the least cost at which v gathers the contributions a .. v - 1,
as a run a .. c that some u of it has gathered, and the rest c + 1 .. v - 1; right(v, b) likewise. What u
gathers of a .. c costs left(u, a) + right(u, c).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf


class OrderedTrees:
    """The tables for nodes in their order. hops: the cost of passing a sum on, by the ends."""

    def __init__(self, nodes: Sequence[int], hops: Mapping[tuple[int, int], float]) -> None:
        self.nodes = list(nodes)
        count = len(self.nodes)
        self.hop = [[hops.get((u, v), inf) for v in self.nodes] for u in self.nodes]
        self.left = [[0.0] * count for _ in range(count)]
        self.right = [[0.0] * count for _ in range(count)]
        self.left_choice: dict[tuple[int, int], tuple[int, int]] = {}
        self.right_choice: dict[tuple[int, int], tuple[int, int]] = {}
        for length in range(1, count):
            for v in range(length, count):
                self._gather_left(v, v - length)
            for v in range(count - length):
                self._gather_right(v, v + length)

    def _gather_left(self, v: int, first: int) -> None:
        best, choice = inf, (first, first)
        for last in range(first, v):
            rest = self.left[v][last + 1]
            for u in range(first, last + 1):
                cost = self.left[u][first] + self.right[u][last] + self.hop[u][v] + rest
                if cost < best:
                    best, choice = cost, (u, last)
        self.left[v][first], self.left_choice[v, first] = best, choice

    def _gather_right(self, v: int, last: int) -> None:
        best, choice = inf, (last, last)
        for first in range(v + 1, last + 1):
            rest = self.right[v][first - 1]
            for u in range(first, last + 1):
                cost = self.left[u][first] + self.right[u][last] + self.hop[u][v] + rest
                if cost < best:
                    best, choice = cost, (u, first)
        self.right[v][last], self.right_choice[v, last] = best, choice

    def cost(self, root: int) -> float:
        """Return the least cost of the whole sum at a node; infinite when there is no such tree."""
        r = self.nodes.index(root)
        return self.left[r][0] + self.right[r][-1]

    def hops(self, root: int) -> list[tuple[int, int]]:
        """Return the hops of the cheapest tree, each after those that it sums up.

        The order keeps runs.
        """
        r = self.nodes.index(root)
        found: list[tuple[int, int]] = []
        self._gathered(r, 0, len(self.nodes) - 1, found)
        return found

    def _gathered(self, v: int, first: int, last: int, found: list[tuple[int, int]]) -> None:
        for u, run in reversed(self._children(v, first, self.left_choice, leftward=True)):
            self._gathered(u, *run, found)
            found.append((self.nodes[u], self.nodes[v]))
        for u, run in reversed(self._children(v, last, self.right_choice, leftward=False)):
            self._gathered(u, *run, found)
            found.append((self.nodes[u], self.nodes[v]))

    def _children(
        self, v: int, end: int, choice: Mapping[tuple[int, int], tuple[int, int]], *, leftward: bool
    ) -> list[tuple[int, tuple[int, int]]]:
        """Return what v adds on one side, the farthest run first.

        Pairs of a node that passes it on, and its run.
        """
        children = []
        while end != v:
            u, other = choice[v, end]
            children.append((u, (end, other) if leftward else (other, end)))
            end = other + 1 if leftward else other - 1
        return children
