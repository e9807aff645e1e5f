"""The least costs of the rounds for which no cut is smaller than 1: the flow programme, its rows found one
after the other.

Between the source at the start and a node at the end, over time, a flow of 1 exists when no cut is smaller
(Ford and Fulkerson 1958). The variables are the costs of the rounds; a cut is a row, "the arcs of every round
in it, times the round's cost, add up to 1 at least".
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Protocol

from schedsolve.backends.lp import solve_lp
from schedsolve.formulas.linear_program import LinearProgram

UNIT = 10**7
"""The flow of 1 while costs are floats."""
UNLIMITED = 1 << 50
"""The capacity of memory."""
ROWS_A_TURN = 10
LARGEST_DENOMINATOR = 10**4
Cut = tuple[int, ...]
"""The number of arcs of every round in a cut."""


class Target(Protocol):
    """A node at the end, which a flow of 1 must reach."""

    def cut(self, capacities: Sequence[int]) -> tuple[int, Cut]:
        """The maximum flow to it with these capacities of the rounds' arcs, and a minimum cut."""


@dataclass(frozen=True)
class FlowOptimum:
    """The exact optimum of the flow programme.

    costs: of the rounds. cuts: the rows. multipliers: of the rows, those that are not 0; they add up to the
    value, and the weighted cuts to at most 1 in every round.
    """

    costs: tuple[Fraction, ...]
    cuts: tuple[Cut, ...]
    multipliers: dict[int, Fraction]

    @property
    def value(self) -> Fraction:
        """The sum of the costs."""
        return sum(self.costs, Fraction(0))


def least_costs(rounds: int, targets: Sequence[Target], end: float) -> FlowOptimum | None:
    """The optimum for these targets, in fractions; None when it is infinite, or is not found until `end` of
    the monotonic clock.
    """
    program = LinearProgram([1] * rounds, [1] * rounds)
    known: dict[Cut, None] = {}
    while time.monotonic() < end:
        solution = solve_lp(program)
        if solution is None:
            return None
        costs = [Fraction(x).limit_denominator(LARGEST_DENOMINATOR) for x in solution.values]
        exact = sum(costs, Fraction(0)) == solution.bound
        unit = lcm(*(cost.denominator for cost in costs)) if exact else UNIT
        capacities = [
            round((cost if exact else Fraction(x)) * unit)
            for cost, x in zip(costs, solution.values, strict=True)
        ]
        small = _small_cuts(targets, capacities, unit if exact else unit * (1 - 1e-5), known, end)
        if small is None:
            return None
        fresh = [cut for cut in small if cut not in known]
        if not fresh:
            # A small cut that is a row already shows that the fractions are not those of the floats' optimum.
            return (
                FlowOptimum(tuple(costs), tuple(known), dict(solution.multipliers))
                if exact and not small
                else None
            )
        for cut in fresh:
            known[cut] = None
            program.add(dict(enumerate(cut)), ">=", 1)
    return None


def _small_cuts(
    targets: Sequence[Target], capacities: Sequence[int], least: float, known: dict[Cut, None], end: float
) -> list[Cut] | None:
    """Distinct cuts with less than the least flow, up to ROWS_A_TURN that are not known; None when the time
    is up.
    """
    small: dict[Cut, None] = {}
    for target in targets:
        if time.monotonic() > end:
            return None
        flow, cut = target.cut(capacities)
        if flow < least:
            small[cut] = None
        if len(small.keys() - known.keys()) >= ROWS_A_TURN:
            break
    return list(small)
