"""Formulas in conjunctive normal form."""

from __future__ import annotations

from itertools import combinations
from typing import Any


class Formula:
    """Clauses over the variables 1, 2, ...; a literal is a variable or its negative."""

    def __init__(self, variables: int = 0) -> None:
        self.variables = variables
        self.clauses: list[list[int]] = []

    def new(self) -> int:
        """Return a new variable."""
        self.variables += 1
        return self.variables

    def add(self, *literals: int) -> None:
        """Require that at least one of the literals holds."""
        self.clauses.append(list(literals))

    def at_most_one(self, literals: Any) -> None:
        """Require that no two of the literals hold."""
        for one, other in combinations(literals, 2):
            self.add(-one, -other)


def at_most(formula: Formula, literals: Any, most: int) -> None:
    """Require that at most `most` of the literals hold.

    After each literal, counted[j] must hold if at least j + 1 of the literals so far do.
    """
    if most == 1:
        formula.at_most_one(literals)
    before: list[int] = []
    for literal in literals if 1 < most < len(literals) else ():
        counted = [formula.new() for _ in range(min(len(before) + 1, most))]
        formula.add(-literal, counted[0])
        for j, held in enumerate(before):
            formula.add(-held, counted[j])
            formula.add(-held, -literal, *counted[j + 1 : j + 2])
        before = counted
