"""Linear programs with exact coefficients, as data, and what a dual solution proves about one, computed
exactly and without a solver.

Weak duality: multiply every row with a multiplier of the right sign and add up. What then remains of the
costs, the reduced costs, is bounded by the bounds of the variables: a dual need not be feasible to prove
something, only its violations need bounded variables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from schedsolve.errors import ClaimError

Number = int | Fraction
Sense = Literal[">=", "<=", "="]


@dataclass(frozen=True)
class Row:
    """One constraint: the sum of coefficients times variables, compared with the right side."""

    coefficients: Mapping[int, Number]
    sense: Sense
    right: Number


@dataclass
class LinearProgram:
    """Minimise the sum of costs times variables, subject to the rows; every variable lies between 0 and its
    upper bound.

    costs, upper: one entry for every variable, numbered from 0; an upper bound of None is no bound.
    """

    costs: list[Number] = field(default_factory=list)
    upper: list[Number | None] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    def variable(self, cost: Number = 0, upper: Number | None = None) -> int:
        """A fresh variable, at least 0; gives its number."""
        self.costs.append(cost)
        self.upper.append(upper)
        return len(self.costs) - 1

    def add(self, coefficients: Mapping[int, Number], sense: Sense, right: Number) -> int:
        """A fresh constraint; gives its number, from 0."""
        self.rows.append(Row({j: a for j, a in coefficients.items() if a}, sense, right))
        return len(self.rows) - 1


def dual_bound(program: LinearProgram, multipliers: Mapping[int, Number]) -> Fraction:
    """The lower bound on the program's value that the multipliers prove.

    multipliers: by number of the row; rows that are left out have 0. A row >= takes a multiplier >= 0, a row
    <= one <= 0.
    Raises ClaimError for a multiplier of the wrong sign or of no row, and where a negative reduced cost meets
    an unbounded variable.
    """
    reduced = list(program.costs)
    bound: Number = 0
    for i, weight in multipliers.items():
        if not 0 <= i < len(program.rows):
            raise ClaimError(f"a multiplier for row {i}, of {len(program.rows)}")
        row = program.rows[i]
        if (row.sense == ">=" and weight < 0) or (row.sense == "<=" and weight > 0):
            raise ClaimError(f"the multiplier {weight} of row {i}, which is {row.sense}, has the wrong sign")
        bound += weight * row.right
        for j, a in row.coefficients.items():
            reduced[j] -= weight * a
    for j, rest in enumerate(reduced):
        limit = program.upper[j]
        if rest < 0 and limit is None:
            raise ClaimError(f"variable {j} has the reduced cost {rest} and no upper bound")
        if rest < 0 and limit is not None:
            bound += rest * limit
    return Fraction(bound)
