"""Lower bounds by the clock from linear programs on the processors that descendants of a message can inform.

They hold for broadcasts, and so for products and prefixes, and are recomputed from dual solutions.

1. Only the first message to a processor counts. Trace the message of a processor of a subtree of height
   i back until it came in from outside the subtree. The processors whose message came in by the same
   arrival, x steps ago, are at most L_i(x), the most processors that a broadcast in a tree of height i
   with the same capacities informs within x steps.
2. So all arrivals in subtrees of height i, each with what it can have brought about since, account for
   all informed processors.
3. This, and the capacities of the channels, bounds L_m(x) by a linear program when L_1, .., L_(m-1) are
   known or bounded; rounded down, it is the bound for the next height.
4. A message to height h takes 2h steps, so that L_m(x) = L_(m-1)(x) for x < 2m.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from schedsolve.modelkit.formulas.linear_program import LinearProgram, dual_bound
from schedsolve.modelkit.problem import Problem
from schedsolve.runtime.errors import ClaimError

from ..rules.tree import FatTree, in_rounds, tree_of

LARGEST_SCALE = 2**64
"""The greatest denominator of multipliers."""


class Lineages:
    """Bounds on L_i(x), found for one height and one time after the other, from height 1 on."""

    def __init__(self, tree: FatTree) -> None:
        self.tree = tree
        self.complete: list[list[int]] = [[1]]
        self.growing = [1, 1]

    @property
    def height(self) -> int:
        """The greatest height that is bounded for all times."""
        return len(self.complete) - 1

    def at(self, height: int, time: int) -> int:
        """Return the bound on L_height(time); the last one of a height holds for all later times."""
        row = self.complete[height]
        return row[min(time, len(row) - 1)]

    def next_program(self) -> LineageProgram:
        """Return the program for the next time."""
        return LineageProgram(self.tree, self.height + 1, len(self.growing), self)

    def add(self, bound: int) -> None:
        """Take the bound for the next time; a height is complete when all its processors can be informed."""
        self.growing.append(bound)
        if bound >= 1 << (self.height + 1):
            self.complete.append(self.growing)
            self.growing = [self.at(self.height, x) for x in range(2 * (self.height + 1))]


@dataclass
class LineageProgram:
    """The most processors that a broadcast informs within a time, as a linear program.

    It minimizes minus their number. Its variables, for j = 0..m-1 and t = 0..T, are arrivals[j, t], the
    number of messages that arrive at time t from a height above j, and reached[j, t], the number of
    subtrees of height j that the message has reached by then. The source counts as an arrival at time 0.
    """

    tree: FatTree
    height: int
    time: int
    lineages: Lineages
    program: LinearProgram = field(default_factory=LinearProgram)
    arrivals: dict[tuple[int, int], int] = field(default_factory=dict)
    reached: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        m, w = self.height, self.tree.capacities
        for t in range(self.time + 1):
            for j in range(m):
                most = 1 if t == 0 else 0 if t < 2 * m and j == m - 1 else w[j] << (m - j)
                self.arrivals[j, t] = self.program.variable(0, most)
                wanted = (j, t) == (0, self.time)
                self.reached[j, t] = self.program.variable(-1 if wanted else 0, 1 << (m - j))
        for t in range(self.time + 1):
            for j in range(m):
                heights_of_arrivals(self, j, t)
                channels_up(self, j, t)
                channels_down(self, j, t)
                reached_by_arrivals(self, j, t)
                informed_by_lineages(self, j, t)

    def at_most(self, left: Mapping[int, int], right: Mapping[int, int]) -> None:
        """Require that one sum is at most another."""
        row = dict(left)
        for x, a in right.items():
            row[x] = row.get(x, 0) - a
        self.program.add(row, "<=", 0)


def heights_of_arrivals(p: LineageProgram, j: int, t: int) -> None:
    """Messages that arrive from above j + 1 arrive from above j.

    Before time 2(j + 1) none arrives from height j + 1 itself.
    """
    if t and j + 1 < p.height:
        p.at_most({p.arrivals[j + 1, t]: 1}, {p.arrivals[j, t]: 1})
        if t < 2 * (j + 1):
            p.at_most({p.arrivals[j, t]: 1}, {p.arrivals[j + 1, t]: 1})


def channels_up(p: LineageProgram, j: int, t: int) -> None:
    """Messages sent at time t to heights above j leave subtrees of height j that the message has reached.

    Each such subtree sends at most w(2^j) messages, and one message if its height is 0.
    """
    sent: dict[int, int] = {}
    for h in range(j + 1, p.height + 1):
        arrival = t + 2 * h
        if arrival <= p.time:
            sent[p.arrivals[h - 1, arrival]] = 1
            if h < p.height:
                sent[p.arrivals[h, arrival]] = -1
    if sent:
        p.at_most(sent, {p.reached[j, t]: _capacity(p, j)})


def channels_down(p: LineageProgram, j: int, t: int) -> None:
    """Messages that arrive at time t from above j enter subtrees of height j that are reached by then.

    Each such subtree receives at most w(2^j) messages.
    """
    if t and j and _capacity(p, j) < 1 << j:
        p.at_most({p.arrivals[j, t]: 1}, {p.reached[j, t]: _capacity(p, j)})


def reached_by_arrivals(p: LineageProgram, j: int, t: int) -> None:
    """Arrivals from above are how the message reaches a subtree of height j."""
    p.at_most({p.reached[j, t]: 1}, {p.arrivals[j, u]: 1 for u in range(t + 1)})


def informed_by_lineages(p: LineageProgram, i: int, t: int) -> None:
    """Informed processors descend from arrivals in subtrees of height i (step 2 of the proof above).

    From an arrival x steps ago there descend at most L_i(x).
    """
    if 0 < i <= p.lineages.height:
        brought = {p.arrivals[i, u]: p.lineages.at(i, t - u) for u in range(t + 1)}
        p.at_most({p.reached[0, t]: 1}, brought)


def _capacity(p: LineageProgram, j: int) -> int:
    return p.tree.capacities[j] if j else 1


def proven_lineages(program: LineageProgram, multipliers: Mapping[int, int], scale: int) -> int:
    """Return the bound on L_m(T) that multipliers, in units of 1 / scale, prove (step 3 of the proof above).

    Raises
    ------
    ClaimError
        If they prove nothing.
    """
    scaled = replace(program.program, costs=[scale * cost for cost in program.program.costs])
    return -dual_bound(scaled, multipliers) // scale


def lineages(problem: Problem, evidence: Mapping[str, Any]) -> int:
    """Return the bound that the evidence proves, one more than a time that does not suffice.

    Parameters
    ----------
    problem
        The problem.
    evidence
        The evidence: "time", which does not suffice to inform all, and "proofs": those of the programs
        by which `Lineages` grows, in their order, and then the one of the whole tree for this time. A
        proof has the "scale" of its "multipliers", which are pairs of a row and a whole number.
    """
    tree, time, proofs = tree_of(problem), evidence.get("time"), evidence.get("proofs")
    if in_rounds(problem):
        raise ClaimError("the bound by lineages is one by the clock")
    if type(time) is not int or not 0 <= time < tree.height * (tree.height + 1):
        raise ClaimError("a bound by lineages says which time does not suffice")
    if not isinstance(proofs, list) or not proofs:
        raise ClaimError("a bound by lineages has a list of proofs")
    known = read_lineages(tree, proofs[:-1])
    whole = LineageProgram(tree, tree.height, time, known)
    if proven_lineages(whole, *_read_proof(proofs[-1])) >= tree.processors:
        raise ClaimError(f"the multipliers do not prove that time {time} is too little")
    return time + 1


def read_lineages(tree: FatTree, proofs: Sequence[Any]) -> Lineages:
    """Return the bounds that proofs prove for the heights below the root, in their order.

    Raises
    ------
    ClaimError
        If they prove nothing, or there are too many.
    """
    known = Lineages(tree)
    for proof in proofs:
        if known.height + 1 >= tree.height:
            raise ClaimError("there are more proofs than heights below the root")
        known.add(proven_lineages(known.next_program(), *_read_proof(proof)))
    return known


def _read_proof(proof: Any) -> tuple[dict[int, int], int]:
    """Return multipliers and scale of a proof; raise ClaimError if it is anything else."""
    scale, pairs = (proof.get("scale"), proof.get("multipliers")) if isinstance(proof, Mapping) else (0, 0)
    if type(scale) is not int or not 1 <= scale <= LARGEST_SCALE:
        raise ClaimError("the scale of multipliers is a whole number from 1 on")
    if not isinstance(pairs, list | tuple) or not all(_is_pair(pair) for pair in pairs):
        raise ClaimError("multipliers should be pairs of a row and a whole number")
    return dict(pairs), scale


def _is_pair(pair: Any) -> bool:
    return isinstance(pair, list | tuple) and len(pair) == 2 and all(type(x) is int for x in pair)
