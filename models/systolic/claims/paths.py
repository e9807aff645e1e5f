"""The exact least number of rounds of a systolic gossip on a path, by a dynamic program over its edges.

1. A gossip on a path is complete if and only if the items of its two ends have crossed it. Let the
   item of the left end cross edge i in round t_i and that of the right end in round t'_i; then t_1 <
   t_2 < ... and t'_1 > t'_2 > ..., and no other calls are needed.
2. With period p the calls are compatible if and only if, at every node, the slots (rounds mod p) of t
   and t' on its one edge differ from those on its other edge, and with one-way calls t_i and t'_i
   have different slots.
3. Given its slot, every crossing is as early as it can be (or for t', which is counted back from
   t'_1, as late). So what matters of the edges up to i is: the slots on edge i, t_i, and t'_1 - t'_i;
   and for every pair of slots and every t_i only the least t'_1 - t'_i.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from schedsolve.modelkit.problem import Problem
from schedsolve.models.matching.rules import is_two_way
from schedsolve.network.named.trees import is_path

from ..rules import is_edge_colouring, period_of
from .formula import horizon
from .path_theorem import is_one_way_path

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LONGEST_PERIOD = 24
LARGEST_SWEEP = 1_000_000
"""The most pairs of slots times nodes for which the program is run."""
LONGEST_CONFIRMED_PATH = 200
"""The most nodes for which it is run if the theorem on one-way paths yields the same value."""
NEVER = 10**6
"""A round that is never reached."""


@dataclass(frozen=True)
class _EdgeTable:
    """The table of the edges up to one of them (step 3 above).

    For slots r of t and q of t', and t = slot + p (first + j), least[r, q, j] is the least t'_1 - t',
    and came_from[r, q, j] encodes the slots r p + q on the edge before with which it is reached.
    """

    first: int
    least: NDArray[np.int32]
    came_from: NDArray[np.int32]


@dataclass
class PathSweep:
    """The tables of the edges of a path, from the left, each computed when it is first needed.

    `one_slot`: both directions of an edge use one slot (edge colouring). `two_slots`: they use
    different slots (one-way calls).
    """

    period: int
    one_slot: bool
    two_slots: bool
    tables: list[_EdgeTable] = field(default_factory=list)

    def least_rounds(self, node_count: int) -> int | None:
        """Return the least number of rounds of a gossip on a path of >= 2 nodes; None if none suffices."""
        best = self._last(node_count)
        return None if best is None else best[0]

    def crossings(self, node_count: int) -> list[tuple[int, int]]:
        """Return for every edge from the left the rounds (t, t') of an optimal gossip, which must exist."""
        best = self._last(node_count)
        assert best is not None
        _, r, q, j = best
        p = self.period
        backwards = q + 1
        found = []
        for edge in range(node_count - 2, -1, -1):
            table = self.tables[edge]
            found.append((r + 1 + p * (table.first + j), backwards))
            if edge:
                s, u = divmod(table.came_from[r, q, j].item(), p)
                j += table.first - (1 if s > r else 0) - self.tables[edge - 1].first
                backwards += (u - q) % p
                r, q = s, u
        return found[::-1]

    def _last(self, node_count: int) -> tuple[int, int, int, int] | None:
        """Return the least number of rounds, and its place in the last edge's table."""
        import numpy as np

        while len(self.tables) < node_count - 1:
            self.tables.append(self._next_table())
        table, p = self.tables[node_count - 2], self.period
        r, q, j = np.indices(table.least.shape)
        rounds = np.maximum(r + 1 + p * (table.first + j), table.least + q + 1)
        rounds[table.least >= NEVER] = NEVER
        if rounds.size == 0 or rounds.min() >= NEVER:
            return None
        r, q, j = (at.item() for at in np.unravel_index(rounds.argmin(), rounds.shape))
        return rounds.min().item(), r, q, j

    def _slots_fit(self) -> NDArray[np.bool_]:
        """Return which pairs of slots the two directions of an edge may use."""
        import numpy as np

        same = np.eye(self.period, dtype=bool)
        allowed = np.ones_like(same)
        if self.one_slot:
            allowed &= same
        return allowed & ~same if self.two_slots else allowed

    def _next_table(self) -> _EdgeTable:
        import numpy as np

        p, fits = self.period, self._slots_fit()
        if not self.tables:
            least = np.where(fits, 0, NEVER).astype(np.int32)[:, :, None]
            return _EdgeTable(0, least, np.zeros_like(least))
        before = self.tables[-1]
        columns = before.least.shape[2] + 1
        least = np.full((p, p, columns), NEVER, np.int32)
        came_from = np.zeros((p, p, columns), np.int32)
        slot = np.arange(p)
        for r in range(p):
            reached = np.full((p, p, columns), NEVER, np.int32)
            reached[:r, :, :-1] = before.least[:r]
            reached[r + 1 :, :, 1:] = before.least[r + 1 :]
            reached[:, r] = NEVER
            for q in np.flatnonzero(fits[r]):
                candidates = reached + ((slot - q) % p).astype(np.int32)[None, :, None]
                candidates[q], candidates[:, q] = NEVER, NEVER
                flat = candidates.reshape(p * p, columns)
                came_from[r, q] = best = flat.argmin(axis=0)
                least[r, q] = flat[best, np.arange(columns)]
        least[least > NEVER] = NEVER
        # A later t is useful only with a smaller t'_1 - t'.
        least[:, :, 1:][least[:, :, 1:] >= np.minimum.accumulate(least, axis=2)[:, :, :-1]] = NEVER
        used = np.flatnonzero((least < NEVER).any(axis=(0, 1)))
        low, high = (used[0].item(), used[-1].item() + 1) if used.size else (0, 0)
        return _EdgeTable(before.first + low, least[:, :, low:high], came_from[:, :, low:high])


@cache
def path_sweep(period: int, one_slot: bool, two_slots: bool) -> PathSweep:
    """Return the sweep for a period; it is cached, so that many paths share it."""
    return PathSweep(period, one_slot, two_slots)


def sweep_of(problem: Problem) -> PathSweep | None:
    """Return the sweep that answers a problem; None if it is no gossip on a path or too large.

    The path has at least two nodes. Without edge colouring, a period as long as the optimum without a
    period requires nothing, and longer periods are reduced to it.
    """
    network, n = problem.network, problem.network.node_count
    if problem.task != "gossip" or n < 2 or not is_path(network):
        return None
    two_way, colouring = is_two_way(problem), is_edge_colouring(problem)
    period = period_of(problem)
    if not colouring:
        period = min(period, n + n % 2 - (1 if two_way else 0))
    settled = n > LONGEST_CONFIRMED_PATH and period >= 4 and is_one_way_path(problem)
    if settled or period > LONGEST_PERIOD or period * period * n > LARGEST_SWEEP:
        return None
    return path_sweep(period, colouring, not two_way)


def path_gossip(problem: Problem) -> int | None:
    """Return the exact least number of rounds of a gossip on a path; None for other problems.

    It is p (n - 1) + 1 if no number of rounds suffices.
    """
    sweep = sweep_of(problem)
    if sweep is None:
        return None
    rounds = sweep.least_rounds(problem.network.node_count)
    return horizon(problem) + 1 if rounds is None else rounds
