"""Lower bounds for broadcasts on the fat-tree that anyone can recompute.

They hold for a product and a prefix as well (`formula`). Every function takes a problem and returns a
bound on its least time, or None if it says nothing. `LOWER_BOUNDS` names them; a saved bound refers to
one by name, and checking it means calling it again.
"""

from __future__ import annotations

from functools import cache
from math import floor, log2

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.theorem_bounds import LowerBound

from ..rules.tree import FatTree, in_rounds, tree_of

TALLEST_SEQUENCES = 12
"""The greatest height of a tree for which sequences of heights are enumerated."""
MARGIN = 1e-9
"""The amount subtracted from a bound computed in floating point, so that rounding errors do not raise it."""


def empty_subtrees(problem: Problem) -> int | None:
    """Return the bound of Theorem 2, with our own recurrence for a subtree that the message has not entered.

    Let E(k) be the least time that passes until a subtree of height k is informed when no copy has crossed
    its channel yet. A leaf is not informed before k + 1 steps: until then no copy is made inside. Within
    these steps, what reached subtrees of height k - d came through the channel in the first k + 1 - d of
    them; so when 2^d > w(2^k) (k + 1 - d), one of these subtrees has not been entered, and E(k) >= k + 1 +
    E(k - d). The other half of the whole tree has not been entered when the message could have reached the
    root, so T(N) >= log N + E(log N - 1).
    """
    tree = tree_of(problem)
    return None if in_rounds(problem) else tree.height + empty_time(tree, tree.height - 1)


def empty_time(tree: FatTree, height: int) -> int:
    """Return E(k) of `empty_subtrees` for k = `height`."""
    times: list[int] = []
    for k in range(height + 1):
        later = [times[k - d] for d in range(1, k + 1) if 1 << d > tree.capacities[k] * (k + 1 - d)]
        times.append(k + 1 + max(later, default=0))
    return times[height]


def round_sum(problem: Problem) -> int | None:
    """Return the bound of Theorem 3, a sum over i < floor(log log N).

    In rounds T(N) > 1/2 log N times the sum of 2^i / log(w(2^(2^i)) + 1). The limit of the sum is rounded
    down, as its proof needs 2^i <= 1/2 log N.

    `round_heights` says at least as much: the r of a height h is at least (log N - h) / log(w(2^h) + 1), so
    for 2^(i-1) < h <= 2^i, where h <= 1/2 log N, it is at least 1/2 log N / log(w(2^(2^i)) + 1), and there
    are 2^(i-1) such heights, one for i = 0. Twice their sum is at least the sum here, and more by the
    height 0; both bounds are even.
    """
    tree = tree_of(problem)
    terms = [2**i / log2(tree.capacities[2**i] + 1) for i in range(tree.height.bit_length() - 1)]
    return _even_above(tree.height / 2 * sum(terms)) if in_rounds(problem) else None


def round_capacity(problem: Problem) -> int | None:
    """Return the bound of Corollary 4 with its constant: Theorem 3 with the largest capacity in place of all.

    Under the logarithm stands w(N) + 1.
    """
    tree = tree_of(problem)
    whole = (1 << tree.height.bit_length() - 1) - 1
    return (
        _even_above(tree.height / 2 * whole / log2(tree.capacities[-1] + 1)) if in_rounds(problem) else None
    )


def _even_above(value: float) -> int:
    """Return the least even number above an approximate number; 0 for 0, which stands for no bound."""
    return 2 * (floor((value - MARGIN) / 2) + 1) if value > 0 else 0


def round_heights(problem: Problem) -> int | None:
    """Return the bound by the number of rounds that must be higher than h, for every h.

    In a round of height above h, the nonempty subtrees of height h become at most w(2^h) + 1 times as many;
    other rounds add none. So at least r rounds have a height above h, r being the least with (w(2^h) + 1)^r
    >= N / 2^h, and the sum of the heights is the sum of these r over all h.
    """
    return 2 * needed_heights(tree_of(problem)) if in_rounds(problem) else None


def needed_heights(tree: FatTree) -> int:
    """Return the sum of heights in `round_heights`."""
    return sum(_growth_rounds(tree, h) for h in range(tree.height))


def _growth_rounds(tree: FatTree, height: int) -> int:
    rounds, nonempty = 0, 1
    while nonempty < tree.subtrees(height):
        nonempty *= min(tree.capacities[height], 1 << height) + 1
        rounds += 1
    return rounds


def round_growth(problem: Problem) -> int | None:
    """Return the bound by the same growth for all heights at once, over the best sequence of heights.

    Let Y_j be the number of nonempty subtrees of height j. A round of height H adds at most the messages
    that leave subtrees of height j to Y_j, for j < H: these are at most w(2^i) Y_i for every i <= j, as a
    message that leaves a subtree of height j leaves one of each smaller height; and Y_j stays at most 2
    Y_(j+1). More nonempty subtrees are never worse, so this determines the most there can be after a
    sequence of heights, and the bound is the least sum of heights after which all are nonempty.
    """
    tree = tree_of(problem)
    return 2 * least_height_sum(tree) if in_rounds(problem) and tree.height <= TALLEST_SEQUENCES else None


@cache
def least_height_sum(tree: FatTree) -> int:
    """Return the least sum of heights of rounds after which all subtrees can be nonempty."""
    m = tree.height
    full = tuple(1 << (m - j) for j in range(m + 1))
    at_sum: list[set[tuple[int, ...]]] = [{(1,) * (m + 1)}]
    while True:
        total = len(at_sum)
        reached: set[tuple[int, ...]] = set()
        for height in range(1, min(m, total) + 1):
            reached.update(after_round(tree, state, height) for state in at_sum[total - height])
        if full in reached:
            return total
        at_sum.append(undominated(reached))


def after_round(tree: FatTree, state: tuple[int, ...], height: int) -> tuple[int, ...]:
    """Return the most nonempty subtrees of every height after a round of a height."""
    after = list(state)
    leaving = state[0]
    for j in range(height):
        leaving = min(leaving, tree.capacities[j] * state[j])
        after[j] += leaving
        for i in range(j):
            after[i] = min(after[i], (state[j] << (j - i)) + leaving)
    for j in reversed(range(tree.height)):
        after[j] = min(after[j], 2 * after[j + 1])
    return tuple(after)


def undominated(states: set[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """Return the states that no other state dominates."""
    kept: list[tuple[int, ...]] = []
    for state in sorted(states, reverse=True):
        if not any(all(x <= y for x, y in zip(state, other, strict=True)) for other in kept):
            kept.append(state)
    return set(kept)


LOWER_BOUNDS = (
    LowerBound(
        "empty-subtrees",
        "Theorem 2, repaired: some subtree of a suitable size is still empty",
        empty_subtrees,
    ),
    LowerBound("round-sum", "Theorem 3: in rounds, a sum over doubling heights", round_sum, listed=False),
    LowerBound(
        "round-capacity", "Corollary 4: in rounds, by the capacity at the root", round_capacity, listed=False
    ),
    LowerBound(
        "round-heights", "in rounds, by how many of them must be higher than h, for every h", round_heights
    ),
    LowerBound(
        "round-growth",
        "in rounds, the growth of nonempty subtrees over the best sequence of heights",
        round_growth,
    ),
)
