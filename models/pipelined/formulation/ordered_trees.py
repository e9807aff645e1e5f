"""The cheapest trees of sums that keep the order of the nodes.

Every node passes on the sum over a run of consecutive ranks, its own among them.

Dynamic programming over runs: side(v, a) is the least cost at which v gathers the contributions a .. v - 1,
as a run a .. c that some u of it has gathered, and the rest c + 1 .. v - 1; behind v likewise, from the other
side. What u gathers of a .. c costs side(u, a) + side(u, c).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf


class OrderedTrees:
    """The tables for nodes in their order. hops: the cost of passing a sum on, by the ends."""

    def __init__(self, nodes: Sequence[int], hops: Mapping[tuple[int, int], float]) -> None:
        self.nodes = list(nodes)
        count = len(self.nodes)
        self.hop = [[hops.get((u, v), inf) for v in self.nodes] for u in self.nodes]
        self.side = [[0.0] * count for _ in range(count)]
        self.choice: dict[tuple[int, int], tuple[int, int]] = {}
        for length in range(1, count):
            for v in range(length, count):
                self._gather(v, v - length)
                self._gather(v - length, v)

    def _gather(self, v: int, end: int) -> None:
        """Find how v best gathers all from the end of a run to its neighbour."""
        best, choice, toward = inf, (end, end), 1 if end < v else -1
        for other in range(end, v, toward):
            rest = self.side[v][other + toward]
            for u in range(min(end, other), max(end, other) + 1):
                cost = self.side[u][end] + self.side[u][other] + self.hop[u][v] + rest
                if cost < best:
                    best, choice = cost, (u, other)
        self.side[v][end], self.choice[v, end] = best, choice

    def cost(self, root: int) -> float:
        """Return the least cost of the whole sum at a node; infinite when there is no such tree."""
        r = self.nodes.index(root)
        return self.side[r][0] + self.side[r][-1]

    def hops(self, root: int) -> list[tuple[int, int]]:
        """Return the hops of the cheapest tree, each after those that it sums up.

        The order keeps runs.
        """
        return list(self._gathered(self.nodes.index(root), 0, len(self.nodes) - 1))

    def _gathered(self, v: int, first: int, last: int) -> Iterator[tuple[int, int]]:
        for end in (first, last):
            added, left = [], end
            while left != v:
                u, other = self.choice[v, left]
                added.append((u, min(left, other), max(left, other)))
                left = other + (1 if left < v else -1)
            # The nearest run first.
            for run in reversed(added):
                yield from self._gathered(*run)
                yield self.nodes[run[0]], self.nodes[v]
