"""A greedy broadcast by the clock: informed processors always send the message where it helps most."""

from __future__ import annotations

from collections import Counter
from heapq import heappop, heappush

from ..rules.tree import FatTree
from .associative import Planned

WEIGHTS = ((1, 2), (1, 0), (2, -1), (3, -2), (1, -3))
"""The weights of the height of an empty subtree and of the height of the way to it.

The capacities determine which pair is best.
"""


def greedy_broadcast(tree: FatTree) -> list[Planned]:
    """Return the fastest of the greedy broadcasts from processor 0 with different weights."""
    plans = (GreedyBroadcast(tree, weights).run() for weights in WEIGHTS)
    return min(plans, key=lambda plan: max((message.arrival for message in plan), default=0))


class GreedyBroadcast:
    """A greedy broadcast from processor 0 in progress.

    `weights` are those of the height of an empty subtree and of the height of the way to it when a
    processor chooses a receiver. `filled` has for every height the number of processors in each subtree
    that hold the message or are being sent it. `load` is what the channels carry, by height, subtree,
    direction and time.
    """

    def __init__(self, tree: FatTree, weights: tuple[int, int]) -> None:
        self.tree = tree
        self.weights = weights
        self.filled = [[0] * tree.subtrees(j) for j in range(tree.height + 1)]
        self.load: Counter[tuple[int, int, int]] = Counter()
        self.plan: list[Planned] = []

    def run(self) -> list[Planned]:
        """Return all messages, in the order of sending."""
        self._promise(0)
        holding = [(0, 0, -1)]
        while self.filled[-1][0] < self.tree.processors:
            time, p, informed_by = heappop(holding)
            target = self._target(p, time)
            if target is not None:
                q, height = target
                self._promise(q)
                for j in range(height):
                    self.load[j, p >> j, time] += 1
                    self.load[j, ~(q >> j), time + 2 * height] += 1
                needs = (informed_by,) if informed_by >= 0 else ()
                heappush(holding, (time + 2 * height, q, len(self.plan)))
                self.plan.append(Planned(p, q, time, time + 2 * height, (), needs))
            heappush(holding, (time + 1, p, informed_by))
        return self.plan

    def _promise(self, p: int) -> None:
        for j, row in enumerate(self.filled):
            row[p >> j] += 1

    def _target(self, p: int, time: int) -> tuple[int, int] | None:
        """Return the best receiver for p and the height of the way to it, or None.

        It lies in an empty subtree that free channels lead to; its size is weighed against the way.
        """
        best: tuple[tuple[int, int], int, int] | None = None
        for height in range(1, self.tree.height + 1):
            if self.load[height - 1, p >> (height - 1), time] >= self.tree.capacities[height - 1]:
                break
            arrival = time + 2 * height
            q, empty = self._emptiest(height - 1, (p >> (height - 1)) ^ 1, arrival)
            if q is not None:
                worth = self.weights[0] * empty + self.weights[1] * height, -height
                if best is None or worth > best[0]:
                    best = worth, q, height
        return None if best is None else best[1:]

    def _emptiest(self, height: int, subtree: int, arrival: int) -> tuple[int | None, int]:
        """Return the first leaf and the height of a largest empty subtree within a subtree.

        Only channels count that are free when a message arrives.
        """
        if (
            self.filled[height][subtree] == 1 << height
            or self.load[height, ~subtree, arrival] >= self.tree.capacities[height]
        ):
            return None, 0
        if not self.filled[height][subtree]:
            return subtree << height, height
        halves = sorted((2 * subtree, 2 * subtree + 1), key=lambda half: self.filled[height - 1][half])
        for half in halves:
            q, empty = self._emptiest(height - 1, half, arrival)
            if q is not None:
                return q, empty
        return None, 0
