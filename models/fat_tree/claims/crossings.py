"""Lower bounds for prefixes by the messages that cross the root: every processor of the second half needs the
operand of every processor of the first half, and all that comes across is of few messages.

Follow an operand of the first half to a processor of the second half that needs it, and look at the first
message that brings it across the root and the last one that does. The first is sent by a processor that the
operand has reached within the first half; run backwards, this is a broadcast there, so that within so much
time a message has at most as many operands of the first half as a broadcast informs processors. After the
last one it spreads within the second half, to at most as many processors as a broadcast informs in the time
left. A message that is both accounts for at most the product of both numbers of pairs of an operand and a
processor, and so does every two messages of which the first is followed by one back across the root and then
by the second. All pairs are to be accounted for.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import count
from typing import Any

from schedsolve.errors import ClaimError
from schedsolve.modelkit.theorem_bounds import LowerBound
from schedsolve.problem import Problem

from ..rules.tree import FatTree, in_rounds, tree_of
from .lineages import Lineages, read_lineages
from .lower_bounds import after_round, undominated

TALLEST_CROSSED = 10
"""The greatest height of a tree for which sequences of heights with rounds across the root are gone
through.
"""


def crossings(problem: Problem, evidence: Mapping[str, Any]) -> int:
    """The bound for a prefix by the clock that lineages of all heights below the root prove.

    evidence: "proofs", as of `lineages.lineages`, without any of the whole tree's.
    """
    tree, proofs = tree_of(problem), evidence.get("proofs")
    if problem.task != "prefix" or in_rounds(problem):
        raise ClaimError("the bound by crossings with proofs is one for prefixes by the clock")
    if not isinstance(proofs, list):
        raise ClaimError("a bound by crossings has a list of proofs")
    known = read_lineages(tree, proofs)
    if known.height + 1 != tree.height:
        raise ClaimError("a bound by crossings has proofs for all heights below the root")
    return crossing_time(tree, known)


def crossing_time(tree: FatTree, known: Lineages) -> int:
    """The least time in which messages across the root can account for all pairs.

    A message takes 2m steps for the way across, and one that is followed by one back and one more across is
    sent 4m steps before that.
    """
    m = tree.height
    across, half = tree.capacities[m - 1], 1 << (m - 1)
    for left in count():
        reach = [across * known.at(m - 1, x) for x in range(left + 1)]
        pairs = sum(reach[s] * reach[left - s] // across for s in range(left + 1))
        returned = sum(reach[s] * sum(reach[: max(0, left - s - 4 * m + 1)]) for s in range(left + 1))
        if pairs + returned >= half * half:
            return 2 * m + left
    raise AssertionError


def round_crossings(problem: Problem) -> int | None:
    """The bound for a prefix in rounds.

    Of k rounds of the height of the root, i - 1 come before the i-th one and k - i after it; messages within
    the halves are sent in these too. The growth in a half is that of `lower_bounds.round_growth`.
    """
    tree = tree_of(problem)
    if problem.task != "prefix" or not in_rounds(problem) or tree.height > TALLEST_CROSSED:
        return None
    return 2 * least_crossing_sum(tree)


@cache
def least_crossing_sum(tree: FatTree) -> int:
    """The least sum of heights of rounds in which messages across the root can account for all pairs."""
    m, growth = tree.height, HalfGrowth(tree)
    across, half = tree.capacities[m - 1], 1 << (m - 1)

    def pairs(inside: int, before: int, after: int) -> int:
        return max(growth.most(x, before) * growth.most(inside - x, after) for x in range(inside + 1))

    def accounted(inside: int, crossing: int) -> int:
        once = sum(pairs(inside, i, crossing - 1 - i) for i in range(crossing))
        twice = sum(pairs(inside, i, crossing - 1 - j) for j in range(crossing) for i in range(j - 1))
        return across * once + across**2 * twice

    for total in count(m):
        if any(accounted(total - k * m, k) >= half * half for k in range(1, total // m + 1)):
            return total
    raise AssertionError


class HalfGrowth:
    """The most processors of a half of a tree that one of them informs, by the sum of the heights of the
    rounds below the root, and the number of those of its height.
    """

    def __init__(self, tree: FatTree) -> None:
        self.half = FatTree(tree.height - 1, tree.capacities[: tree.height])
        self.states: dict[tuple[int, int], set[tuple[int, ...]]] = {(0, 0): {(1,) * tree.height}}
        self.found: dict[tuple[int, int], int] = {}

    def most(self, inside: int, crossing: int) -> int:
        """After so many rounds of the root's height, and others whose heights add up to so much."""
        key = inside, crossing
        if key not in self.found:
            fewer = [self.most(inside - 1, crossing)] if inside else []
            fewer += [self.most(inside, crossing - 1)] if crossing else []
            self.found[key] = max(*(state[0] for state in self.after(*key)), *fewer, 1)
        return self.found[key]

    def after(self, inside: int, crossing: int) -> set[tuple[int, ...]]:
        """The undominated numbers of nonempty subtrees after these rounds."""
        key = inside, crossing
        if key not in self.states:
            top = self.half.height
            reached = {
                after_round(self.half, state, height)
                for height in range(1, min(top, inside) + 1)
                for state in self.after(inside - height, crossing)
            }
            if crossing:
                reached |= {after_round(self.half, state, top) for state in self.after(inside, crossing - 1)}
            self.states[key] = undominated(reached)
        return self.states[key]


ROUND_CROSSINGS = LowerBound(
    "round-crossings", "prefix in rounds: the messages across the root account for all pairs", round_crossings
)
