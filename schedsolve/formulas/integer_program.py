"""Integer and linear programmes with named variables and named families of constraints, as data.

A programme minimises a sum, subject to rows; each row belongs to a family, whose rule is one sentence. The
functions that make the rows of a family carry its name and, as their docstring, its rule.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import TypeVar

from schedsolve.errors import InputError
from schedsolve.formulas.linear_program import Number, Row, Sense

Terms = Iterable[int] | Mapping[int, Number]
"""Variables that are added up, one mentioned twice counting twice; or variables with their coefficients."""
Variables = TypeVar("Variables")
MOST_VARIABLES, MOST_TERMS = 5_000_000, 20_000_000
"""What a programme may have, to be made within minutes and a few gigabytes."""


@dataclass(frozen=True)
class Variable:
    """A variable from 0 to `upper`; None is no bound. integer: whether it takes whole numbers only."""

    name: str
    upper: Number | None = 1
    integer: bool = True

    @property
    def is_binary(self) -> bool:
        """Whether it is 0 or 1."""
        return self.integer and self.upper == 1


@dataclass(frozen=True)
class Family:
    """Constraints that say one thing. rule: the sentence. rows: one for every case of it."""

    name: str
    rule: str
    rows: tuple[Row, ...]


@dataclass
class IntegerProgram:
    """Minimise the sum of costs times variables, subject to the rows of all families.

    variables: numbered from 0, their names distinct. costs: by variable; without any it is a question of
    yes or no. terms: how many there are in all rows.
    """

    variables: list[Variable] = field(default_factory=list)
    families: list[Family] = field(default_factory=list)
    costs: dict[int, Number] = field(default_factory=dict)
    terms: int = 0

    def variable(self, name: str, *, upper: Number | None = 1, integer: bool = True) -> int:
        """A fresh variable; gives its number. Without more it is 0 or 1. Raises InputError for too many."""
        if len(self.variables) >= MOST_VARIABLES:
            raise InputError(f"the formulation would have more than {MOST_VARIABLES} variables")
        self.variables.append(Variable(name, upper, integer))
        return len(self.variables) - 1

    def require(self, families: Iterable[Callable[[Variables], Iterable[Row]]], variables: Variables) -> None:
        """Add families of constraints, each given by the function that makes its rows; those without rows
        are left out. Raises InputError for too many.
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
        """All rows, each with a name: that of its family, and its number within it from 1."""
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
        """Whether all variables are whole numbers with an upper bound."""
        return all(x.integer and x.upper is not None for x in self.variables)


def compare(left: Terms, sense: Sense, right: Terms = (), constant: Number = 0) -> Row:
    """The row "left compared with right + constant".

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
    """The row with whole numbers only: multiplied by the least common denominator."""
    factor = lcm(*(Fraction(a).denominator for a in (*row.coefficients.values(), row.right)))
    return Row({x: int(a * factor) for x, a in row.coefficients.items()}, row.sense, int(row.right * factor))


def whole_costs(costs: Mapping[int, Number]) -> tuple[dict[int, int], int]:
    """The costs as whole numbers, and what they were multiplied with."""
    factor = lcm(*(Fraction(a).denominator for a in costs.values()))
    return {x: int(a * factor) for x, a in costs.items()}, factor
