"""The flow programme for call graphs that use one coordinate of Z_(k+1)^T in each round: which costs of the
rounds let the message through.

In round t the lines of coordinate order[t-1] are complete graphs, whose arcs carry cost[t] each way. A
broadcast sends a flow of 1 from the source at the start to every node at the end, through the nodes over
time; memory is free. So the least sum of costs for which all these flows exist is a lower bound for
broadcasts with these call graphs. The flows exist when no cut between the source and a node is smaller than
1: the cuts are rows, found one after the other.

Symmetry: permuting the k values other than 0 of a coordinate changes nothing. So only targets with
coordinates 0 and 1 matter, and for each of them the nodes fall into classes by whether a coordinate is 0, 1
or else (where the target's is 0: 0 or not): 3^T at most.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cached_property
from itertools import product
from typing import Any

from schedsolve.backends.max_flow import minimum_cut

from .cuts import UNLIMITED, FlowOptimum, least_costs


def least_flow_costs(ports: int, dimension: int, order: Sequence[int], seconds: float) -> FlowOptimum | None:
    """The optimum for call graphs with these coordinates, 1..T; None when it is not found in about so many
    seconds, or is infinite.
    """
    end = time.monotonic() + seconds
    targets = [
        _Target(ports, order, pattern) for pattern in product((0, 1), repeat=dimension) if any(pattern)
    ]
    targets.sort(key=lambda target: -sum(target.pattern))
    return least_costs(len(order), targets, end)


class _Target:
    """The classes of nodes over time for one target, as a network with capacities."""

    def __init__(self, ports: int, order: Sequence[int], pattern: tuple[int, ...]) -> None:
        self.ports = ports
        self.order = order
        self.pattern = pattern

    @cached_property
    def _sizes(self) -> list[list[int]]:
        """For every coordinate the number of values in each class: 0; 1 and the others, or all others."""
        values = ([1, 1, self.ports - 1] if self.ports > 1 else [1, 1], [1, self.ports])
        return [values[0] if wanted else values[1] for wanted in self.pattern]

    @cached_property
    def _class_sizes(self) -> Any:
        """The number of nodes in every class."""
        import numpy as np

        sizes = np.ones(1, dtype=np.int64)
        for values in reversed(self._sizes):
            sizes = np.outer(sizes, values).ravel()
        return sizes

    @cached_property
    def _arcs(self) -> Any:
        """The arcs as an array with the columns tail, head, multiplicity, round; memory has round 0 and no
        multiplicity.
        """
        import numpy as np

        sizes = self._class_sizes
        classes = len(sizes)
        every = np.arange(classes)
        parts = []
        for t, coordinate in enumerate(self.order, 1):
            before, after = (t - 1) * classes, t * classes
            parts.append(
                np.stack([before + every, after + every, np.zeros_like(every), np.zeros_like(every)], axis=1)
            )
            values = self._sizes[coordinate - 1]
            step = 1
            for earlier in self._sizes[: coordinate - 1]:
                step *= len(earlier)
            own = every // step % len(values)
            for value, size in enumerate(values):
                moved = every + (value - own) * step
                # A class of several values has arcs within itself; they go from the class to the same class,
                # as memory does.
                rows = np.stack([before + every, after + moved, sizes * size, np.full_like(every, t)], axis=1)
                parts.append(rows[own != value])
        return np.concatenate(parts)

    def cut(self, capacities: Sequence[int]) -> tuple[int, tuple[int, ...]]:
        """The maximum flow to the target with these capacities of the rounds' arcs, and a minimum cut's
        number of arcs by round.
        """
        import numpy as np

        tails, heads, multiplicity, rounds = self._arcs.T
        weights = np.where(
            rounds > 0, multiplicity * np.array([0, *capacities], dtype=np.int64)[rounds], UNLIMITED
        )
        place, step = len(self.order) * len(self._class_sizes), 1
        for wanted, values in zip(self.pattern, self._sizes, strict=True):
            place += wanted * step
            step *= len(values)
        flow, near = minimum_cut(tails, heads, weights, 0, place)
        side = np.zeros(len(self._class_sizes) * (len(self.order) + 1), dtype=bool)
        side[list(near)] = True
        crossing = side[tails] & ~side[heads] & (rounds > 0)
        counts = np.bincount(rounds[crossing], weights=multiplicity[crossing], minlength=len(self.order) + 1)
        return flow, tuple(int(x) for x in counts[1:])
