"""Formulas in conjunctive normal form, as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations


@dataclass
class Cnf:
    """Clauses over the variables 1..variable_count; a literal is a variable or its negative."""

    variable_count: int = 0
    clauses: list[list[int]] = field(default_factory=list)

    def new(self) -> int:
        """A fresh variable."""
        self.variable_count += 1
        return self.variable_count

    def add(self, *literals: int) -> None:
        """At least one of the literals holds."""
        self.clauses.append(list(literals))

    def at_most_one(self, literals: Sequence[int]) -> None:
        """No two of the literals hold, said pair by pair."""
        self.clauses.extend([-a, -b] for a, b in combinations(literals, 2))

    def extend(self, clauses: Iterable[list[int]]) -> None:
        """All of the clauses hold."""
        self.clauses.extend(clauses)
