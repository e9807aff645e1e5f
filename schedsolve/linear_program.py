"""Linear programs with exact coefficients, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

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
    """Minimise the sum of costs times variables, subject to the rows and to bounds on every variable.

    costs, lower, upper: one entry for every variable, numbered from 0; a bound of None is no bound.
    """

    costs: list[Number] = field(default_factory=list)
    lower: list[Number | None] = field(default_factory=list)
    upper: list[Number | None] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    def variable(self, cost: Number = 0, lower: Number | None = 0, upper: Number | None = None) -> int:
        """A fresh variable, at least 0 unless said otherwise; gives its number."""
        self.costs.append(cost)
        self.lower.append(lower)
        self.upper.append(upper)
        return len(self.costs) - 1

    def add(self, coefficients: Mapping[int, Number], sense: Sense, right: Number) -> int:
        """A fresh constraint; gives its number, from 0. Raises ValueError for a variable that there is not, or another sense."""
        if any(not 0 <= j < len(self.costs) for j in coefficients):
            raise ValueError("a coefficient of a variable that the linear program does not have")
        if sense not in (">=", "<=", "="):
            raise ValueError(f"a constraint compares with >=, <= or =; not {sense!r}")
        self.rows.append(Row({j: a for j, a in coefficients.items() if a}, sense, right))
        return len(self.rows) - 1

    def value(self, values: list[Fraction]) -> Fraction:
        """The cost of these values of the variables."""
        return sum((Fraction(c) * x for c, x in zip(self.costs, values, strict=True) if c and x), Fraction(0))

    def is_feasible(self, values: list[Fraction]) -> bool:
        """Whether these values of the variables meet every bound and every row, exactly."""
        for x, low, high in zip(values, self.lower, self.upper, strict=True):
            if (low is not None and x < low) or (high is not None and x > high):
                return False
        for row in self.rows:
            left = sum((a * values[j] for j, a in row.coefficients.items()), Fraction(0))
            if (row.sense != "<=" and left < row.right) or (row.sense != ">=" and left > row.right):
                return False
        return True
