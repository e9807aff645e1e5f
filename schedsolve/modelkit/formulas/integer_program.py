"""Integer and linear programs with named variables and named families of constraints, as data.

A program minimises a sum, subject to rows. Each row belongs to a family, whose rule is one sentence. A
function that makes the rows of a family bears the family's name and has the rule as its docstring.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import lcm
from typing import TypeVar

from schedsolve.modelkit.formulas.linear_program import Number, Row, Sense
from schedsolve.runtime.errors import InputError

Terms = Iterable[int] | Mapping[int, Number]
"""A sum of variables, each counted as often as it occurs; or variables with their coefficients."""
Variables = TypeVar("Variables")
MOST_VARIABLES, MOST_TERMS = 5_000_000, 20_000_000
"""The most variables and terms of a program, so that it takes minutes and a few gigabytes to make."""

NO_FRACTIONS = (
    "has whole numbers only, and nothing says beforehand how finely a message is best cut: --packets P does,"
    " and then all numbers are whole; without it write .lp or .mps"
)
"""Why a form cannot say what a program with fractions says."""


@dataclass(frozen=True)
class Variable:
    """A variable from 0 to `upper` (None for no bound); `integer` says whether it must be an integer."""

    name: str
    upper: Number | None = 1
    integer: bool = True

    @property
    def is_binary(self) -> bool:
        """Whether the variable is 0 or 1."""
        return self.integer and self.upper == 1


@dataclass(frozen=True)
class Family:
    """Constraints that express one rule: `rule` is its sentence, and `rows` has a row for every case."""

    name: str
    rule: str
    rows: tuple[Row, ...]


@dataclass
class IntegerProgram:
    """Minimise the sum of costs times variables, subject to the rows of all families.

    `variables` are numbered from 0 and have distinct names. `costs` maps variables to their costs; without
    any the program asks only for feasibility. `terms` is the number of terms in all rows.
    """

    variables: list[Variable] = field(default_factory=list)
    families: list[Family] = field(default_factory=list)
    costs: dict[int, Number] = field(default_factory=dict)
    terms: int = 0

    def variable(self, name: str, *, upper: Number | None = 1, integer: bool = True) -> int:
        """Return the number of a fresh variable, by default a 0/1 variable.

        Parameters
        ----------
        name
            Its name, which no other variable has.
        upper
            Its upper bound; None for no bound.
        integer
            Whether it must be an integer.

        Raises
        ------
        InputError
            If there would be more than MOST_VARIABLES variables.
        """
        if len(self.variables) >= MOST_VARIABLES:
            raise InputError(f"the formulation would have more than {MOST_VARIABLES} variables")
        self.variables.append(Variable(name, upper, integer))
        return len(self.variables) - 1

    def require(self, families: Iterable[Callable[[Variables], Iterable[Row]]], variables: Variables) -> None:
        """Add families of constraints, except those without rows.

        Parameters
        ----------
        families
            For each family the function that makes its rows from `variables`.
        variables
            The argument of these functions.

        Raises
        ------
        InputError
            If there would be more than MOST_TERMS terms.
        """
        for family in families:
            rows = tuple(self._counted(family(variables)))
            if rows:
                rule = " ".join((inspect.getdoc(family) or "").split("\n\n")[0].split())
                self.families.append(Family(family.__name__.lstrip("_"), rule, rows))

    def _counted(self, rows: Iterable[Row]) -> Iterator[Row]:
        for row in rows:
            self.terms += len(row.coefficients)
            if self.terms > MOST_TERMS:
                raise InputError(f"the formulation would have more than {MOST_TERMS} terms")
            yield row

    @property
    def rows(self) -> Iterator[tuple[str, Row]]:
        """All rows, each with a name: that of its family, and its number within the family from 1."""
        return (
            (f"{family.name}_{number}", row)
            for family in self.families
            for number, row in enumerate(family.rows, 1)
        )

    @property
    def row_count(self) -> int:
        """The number of rows."""
        return sum(len(family.rows) for family in self.families)

    @property
    def is_pure(self) -> bool:
        """Whether all variables are integers with an upper bound."""
        return all(x.integer and x.upper is not None for x in self.variables)


def compare(left: Terms, sense: Sense, right: Terms = (), constant: Number = 0) -> Row:
    """Return the row "left compared with right + constant".

    ```pycon
    >>> compare([0, 1], "<=", [2], 3)
    Row(coefficients={0: 1, 1: 1, 2: -1}, sense='<=', right=3)

    ```
    """
    coefficients: dict[int, Number] = {}
    for terms, sign in ((left, 1), (right, -1)):
        weighted = terms.items() if isinstance(terms, Mapping) else ((x, 1) for x in terms)
        for x, weight in weighted:
            coefficients[x] = coefficients.get(x, 0) + sign * weight
    return Row({x: a for x, a in coefficients.items() if a}, sense, constant)


def whole_row(row: Row) -> Row:
    """Return the row with integers only: multiplied by the least common denominator."""
    if isinstance(row.right, int) and all(isinstance(a, int) for a in row.coefficients.values()):
        return row
    factor = lcm(row.right.denominator, *(a.denominator for a in row.coefficients.values()))
    return Row({x: int(a * factor) for x, a in row.coefficients.items()}, row.sense, int(row.right * factor))


def whole_costs(costs: Mapping[int, Number]) -> tuple[dict[int, int], int]:
    """Return the costs as integers, and the factor by which they were multiplied."""
    factor = lcm(*(a.denominator for a in costs.values()))
    return {x: int(a * factor) for x, a in costs.items()}, factor
