"""Lower bounds for prefixes by the messages that cross the root.

Every processor of the second half needs the operand of every processor of the first half; each such
pair must be accounted for by messages across the root, of which there are few:

1. Follow an operand of the first half to a processor of the second half that needs it, and consider the
   first message that brings it across the root and the last one that does.
2. The first message is sent by a processor that the operand has reached within the first half. Run
   backwards, this is a broadcast there; so a message has at most as many operands of the first half as
   a broadcast informs processors in the time before the message.
3. After the last message the operand spreads within the second half, to at most as many processors as a
   broadcast informs in the time left.
4. A message that is both the first and the last accounts for at most the product of the two numbers,
   which are pairs of an operand and a processor. So does every pair of messages of which the first is
   followed by a message back across the root, and that by the second.
5. These must account for all pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import count
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.theorem_bounds import LowerBound
from schedsolve.runtime.errors import ClaimError

from ..rules.tree import FatTree, in_rounds, tree_of
from .lineages import Lineages, read_lineages
from .lower_bounds import after_round, undominated

TALLEST_CROSSED = 10
"""The greatest height of a tree for which sequences of heights with crossing rounds are enumerated."""


def crossings(problem: Problem, evidence: Mapping[str, Any]) -> int:
    """Return the bound for a prefix by the clock that lineages of all heights below the root prove.

    Parameters
    ----------
    problem
        The problem.
    evidence
        The evidence; its "proofs" are those of `lineages.lineages`, without the one of the whole tree.
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
    """Return the least time in which messages across the root can account for all pairs.

    A message takes 2m steps across the root; in a pair of step 4 above, the second message is sent at least
    4m steps after the first.
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
    """Return the bound for a prefix in rounds.

    Of k rounds of the height of the root, i - 1 precede the i-th one and k - i follow it; these also send
    messages within the halves. The growth in a half is that of `lower_bounds.round_growth`.
    """
    tree = tree_of(problem)
    if problem.task != "prefix" or not in_rounds(problem) or tree.height > TALLEST_CROSSED:
        return None
    return 2 * least_crossing_sum(tree)


@cache
def least_crossing_sum(tree: FatTree) -> int:
    """Return the least sum of heights of rounds in which crossing messages can account for all pairs."""
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
    """The most processors of a half of a tree that one of them informs.

    It depends on the sum of the heights of the rounds below the root, and on the number of rounds of its
    height.
    """

    def __init__(self, tree: FatTree) -> None:
        self.half = FatTree(tree.height - 1, tree.capacities[: tree.height])
        self.states: dict[tuple[int, int], set[tuple[int, ...]]] = {(0, 0): {(1,) * tree.height}}
        self.found: dict[tuple[int, int], int] = {}

    def most(self, inside: int, crossing: int) -> int:
        """Return the most after `crossing` rounds of the root's height, and others of height `inside`.

        The latter is the sum of their heights.
        """
        key = inside, crossing
        if key not in self.found:
            fewer = [self.most(inside - 1, crossing)] if inside else []
            fewer += [self.most(inside, crossing - 1)] if crossing else []
            self.found[key] = max(*(state[0] for state in self.after(*key)), *fewer, 1)
        return self.found[key]

    def after(self, inside: int, crossing: int) -> set[tuple[int, ...]]:
        """Return the undominated numbers of nonempty subtrees after these rounds."""
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
