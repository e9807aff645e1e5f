"""A simplex method in fractions, made to start at a basis that is nearly optimal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction

from schedsolve.linear_program import LinearProgram, Number

ZERO = Fraction(0)
System = list[dict[int, Fraction]]
Step = tuple[Fraction, int | None, bool]


class Ending(Enum):
    """How the method ended."""

    OPTIMAL = auto()
    INFEASIBLE = auto()
    UNBOUNDED = auto()


@dataclass
class Basis:
    """A basis: as many basic columns as there are rows.

    variables: the basic ones. rows: those whose slack is basic. at_upper: the variables outside that rest at their upper bounds.
    """

    variables: set[int]
    rows: set[int]
    at_upper: set[int]


def solve_square(system: System, right: Sequence[Fraction]) -> list[Fraction] | None:
    """The solution of as many equations as unknowns, given as sparse rows; None when the equations are not independent."""
    rows = [dict(row) for row in system]
    values = list(right)
    holders: list[set[int]] = [set() for _ in rows]
    for i, row in enumerate(rows):
        for j in row:
            holders[j].add(i)
    left = set(range(len(rows)))
    pivots: list[tuple[int, int]] = []
    while left:
        i = min(left, key=lambda i: len(rows[i]))
        if not rows[i]:
            return None
        j = min(rows[i], key=lambda j: len(holders[j]))
        left.remove(i)
        for other in rows[i]:
            holders[other].discard(i)
        for other in list(holders[j]):
            _subtract(rows[other], rows[i], rows[other][j] / rows[i][j], holders, other)
            values[other] -= values[i] * rows[other].pop(j) / rows[i][j] if values[i] else rows[other].pop(j) * 0
        holders[j].clear()
        pivots.append((i, j))
    solution = [ZERO] * len(rows)
    for i, j in reversed(pivots):
        rest = values[i] - sum((a * solution[x] for x, a in rows[i].items() if x != j and solution[x]), ZERO)
        solution[j] = rest / rows[i][j]
    return solution


def _subtract(row: dict[int, Fraction], pivot: dict[int, Fraction], factor: Fraction, holders: list[set[int]], number: int) -> None:
    """Take a multiple of the pivot row from another row, except in the pivot's column, where the two become equal."""
    for j, a in pivot.items():
        if number in holders[j] or j in row:
            entry = row[j] - factor * a
            if entry or not holders[j]:
                row[j] = entry
            else:
                del row[j]
                holders[j].discard(number)
        else:
            row[j] = -factor * a
            holders[j].add(number)
