"""Formulas in conjunctive normal form, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations


@dataclass
class Cnf:
    """Clauses over the variables 1..variable_count; a literal is a variable or its negative.

    `names` returns the names of variables, for readers; auxiliary variables need none.
    """

    variable_count: int = 0
    clauses: list[list[int]] = field(default_factory=list)
    names: Callable[[], Mapping[int, str]] = field(default=dict, compare=False, repr=False)

    def new(self) -> int:
        """Return a fresh variable."""
        self.variable_count += 1
        return self.variable_count

    def add(self, *literals: int) -> None:
        """Require that at least one of the literals holds."""
        self.clauses.append(list(literals))

    def at_most_one(self, literals: Sequence[int]) -> None:
        """Require that no two of the literals hold, by a clause for every pair."""
        self.clauses.extend([-a, -b] for a, b in combinations(literals, 2))

    def at_most(self, literals: Sequence[int], most: int) -> None:
        """Require that at most `most` of the literals hold.

        For most = 1 this takes a clause for every pair, otherwise a counter of fresh variables: after the
        first i literals, counted[j] must hold if at least j + 1 of them do.

        Parameters
        ----------
        literals
            The literals, each counted as often as it occurs.
        most
            The largest number of them that may hold, at least 1.
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
        """Return fresh variables of which number k holds if and only if at least k of the literals do.

        They are numbered k = 1..most, or up to the number of literals if that is smaller. Within the loop,
        before[k - 1] says the same of the literals so far.

        Parameters
        ----------
        literals
            The literals, each counted as often as it occurs.
        most
            The largest k, at least 1.
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
        """Require that all of the clauses hold."""
        self.clauses.extend(clauses)
