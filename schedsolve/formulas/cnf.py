"""Formulas in conjunctive normal form, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations


@dataclass
class Cnf:
    """Clauses over the variables 1..variable_count; a literal is a variable or its negative.

    names: gives names of variables, for people; auxiliary variables need none.
    """

    variable_count: int = 0
    clauses: list[list[int]] = field(default_factory=list)
    names: Callable[[], Mapping[int, str]] = field(default=dict, compare=False, repr=False)

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

    def at_most(self, literals: Sequence[int], most: int) -> None:
        """At most `most` >= 1 of the literals hold: pair by pair, or counted with fresh variables.

        counted[j] after the first i literals must hold when at least j + 1 of them do.
        """
        if most == 1:
            self.at_most_one(literals)
            return
        before: list[int] = []
        for literal in literals if len(literals) > most else ():
            counted = [self.new() for _ in range(min(len(before) + 1, most))]
            self.add(-literal, counted[0])
            for j, held in enumerate(before):
                self.add(-held, counted[j])
                self.add(-held, -literal, *counted[j + 1 : j + 2])
            before = counted

    def counted(self, literals: Sequence[int], most: int) -> list[int]:
        """Fresh variables of which number k = 1..most holds just when at least k of the literals do.

        before[k] tells it of the literals so far.
        """
        before: list[int] = []
        for literal in literals:
            now = [self.new() for _ in range(min(len(before) + 1, most))]
            for k, variable in enumerate(now):
                fewer, same = before[k - 1 : k] if k else [], before[k : k + 1]
                self.add(variable, -literal, *(-x for x in fewer))
                self.extend([variable, -x] for x in same)
                self.add(-variable, literal, *same)
                self.extend([-variable, *same, x] for x in fewer)
            before = now
        return before

    def extend(self, clauses: Iterable[list[int]]) -> None:
        """All of the clauses hold."""
        self.clauses.extend(clauses)
