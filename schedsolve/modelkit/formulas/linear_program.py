"""Linear programs with exact coefficients as data, and the bound that a dual solution proves.

The bound is computed exactly and without a solver, by weak duality:

1. Multiply every row by a multiplier of the right sign and add up: for every feasible point, the
   weighted sum of the left sides is at least that of the right sides.
2. The costs minus the weighted sum of the coefficients are the reduced costs. Every variable lies
   between 0 and its upper bound, so a reduced cost of at least 0 contributes at least 0, and a negative
   one at least itself times the upper bound.
3. So a dual solution need not be feasible to prove a bound; only the variables at which it is violated
   need upper bounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from schedsolve.runtime.errors import ClaimError

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
    """Minimise the sum of costs times variables, subject to the rows and the variables' bounds.

    Every variable lies between 0 and its upper bound. `costs` and `upper` have an entry for every variable,
    numbered from 0; an upper bound of None is no bound.
    """

    costs: list[Number] = field(default_factory=list)
    upper: list[Number | None] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    def variable(self, cost: Number = 0, upper: Number | None = None) -> int:
        """Return the number of a fresh variable between 0 and `upper` (None for no bound)."""
        self.costs.append(cost)
        self.upper.append(upper)
        return len(self.costs) - 1

    def add(self, coefficients: Mapping[int, Number], sense: Sense, right: Number) -> int:
        """Add a constraint and return its number, from 0."""
        self.rows.append(Row({j: a for j, a in coefficients.items() if a}, sense, right))
        return len(self.rows) - 1


def dual_bound(program: LinearProgram, multipliers: Mapping[int, Number]) -> Fraction:
    """Return the lower bound on the program's value that the multipliers prove (steps 1 and 2 above).

    Parameters
    ----------
    program
        The linear program.
    multipliers
        The multipliers of rows, by the row's number; of the other rows they are 0. A row >= takes a
        multiplier >= 0, a row <= one that is <= 0, a row = any.

    Raises
    ------
    ClaimError
        If a multiplier has the wrong sign or belongs to no row, or if the reduced cost of an unbounded
        variable is negative.
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
        if rest < 0:
            limit = program.upper[j]
            if limit is None:
                raise ClaimError(f"variable {j} has the reduced cost {rest} and no upper bound")
            bound += rest * limit
    return Fraction(bound)
