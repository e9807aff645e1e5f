"""Formulas in conjunctive normal form, as data."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from itertools import combinations, pairwise
from typing import overload


class Clauses(Sequence[list[int]]):
    """Clauses, kept as one array of literals: lists would take ten times the memory, more than a solver.

    Each is made when it is asked for, so that a change of it changes nothing here.
    """

    def __init__(self, clauses: Iterable[Iterable[int]] = ()) -> None:
        self._literals, self._ends = array("i"), array("q", [0])
        self.extend(clauses)

    def append(self, clause: Iterable[int]) -> None:
        """Add a clause at the end."""
        self._literals.extend(clause)
        self._ends.append(len(self._literals))

    def extend(self, clauses: Iterable[Iterable[int]]) -> None:
        """Add clauses at the end."""
        literals, ends = self._literals, self._ends
        for clause in clauses:
            literals.extend(clause)
            ends.append(len(literals))

    def clear(self) -> None:
        """Remove all clauses, and give their memory back."""
        self._literals, self._ends = array("i"), array("q", [0])

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __iter__(self) -> Iterator[list[int]]:
        literals = self._literals
        return (literals[first:end].tolist() for first, end in pairwise(self._ends))

    @overload
    def __getitem__(self, at: int) -> list[int]: ...
    @overload
    def __getitem__(self, at: slice) -> list[list[int]]: ...
    def __getitem__(self, at: int | slice) -> list[int] | list[list[int]]:
        if isinstance(at, slice):
            return [self[i] for i in range(len(self))[at]]
        i = range(len(self))[at]
        return self._literals[self._ends[i] : self._ends[i + 1]].tolist()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Clauses):
            return (self._literals, self._ends) == (other._literals, other._ends)
        return list(self) == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Clauses({list(self)})"


@dataclass
class Cnf:
    """Clauses over the variables 1..variable_count; a literal is a variable or its negative.

    The `given` clauses are the first. `names` returns the names of variables, for readers; auxiliary
    variables need none.
    """

    variable_count: int = 0
    given: InitVar[Iterable[Iterable[int]]] = ()
    names: Callable[[], Mapping[int, str]] = field(default=dict, compare=False, repr=False)
    clauses: Clauses = field(init=False)

    def __post_init__(self, given: Iterable[Iterable[int]]) -> None:
        self.clauses = Clauses(given)

    def new(self) -> int:
        """Return a fresh variable."""
        self.variable_count += 1
        return self.variable_count

    def add(self, *literals: int) -> None:
        """Require that at least one of the literals holds."""
        self.clauses.append(literals)

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
