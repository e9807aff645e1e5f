"""Linear programs with two or three variables and rows, solved exactly by trying every vertex of the dual."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

SmallRow = tuple[tuple[Fraction, ...], Fraction]
"""The coefficients and the right side of "the sum is at least"."""


def least_sum(rows: Sequence[SmallRow]) -> Fraction:
    """Return the least sum of variables >= 0 that meet the rows.

    The greatest value of a vertex of the dual program, by weak duality a bound.

    Parameters
    ----------
    rows
        Few, over few variables.
    """
    width = len(rows[0][0])
    best = Fraction(0)
    for size in range(1, min(width, len(rows)) + 1):
        for chosen in combinations(rows, size):
            for tight in combinations(range(width), size):
                weights = _solve([[coefficients[j] for coefficients, _ in chosen] for j in tight])
                if weights is not None and min(weights) >= 0 and _is_dual(chosen, weights, width):
                    best = max(
                        best,
                        sum((y * right for y, (_, right) in zip(weights, chosen, strict=True)), Fraction(0)),
                    )
    return best


def _is_dual(rows: Sequence[SmallRow], weights: Sequence[Fraction], width: int) -> bool:
    """Whether the rows, with these weights >= 0, add up to coefficients of at most 1."""
    return all(
        sum(y * coefficients[j] for y, (coefficients, _) in zip(weights, rows, strict=True)) <= 1
        for j in range(width)
    )


def _solve(matrix: list[list[Fraction]]) -> list[Fraction] | None:
    """Return the solution of the square system whose right sides are all 1; None when it has none or many."""
    rows = [[*row, Fraction(1)] for row in matrix]
    for i in range(len(rows)):
        pivot = next((j for j in range(i, len(rows)) if rows[j][i]), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for j, row in enumerate(rows):
            if j != i and row[i]:
                rows[j] = [x - row[i] * y for x, y in zip(row, rows[i], strict=True)]
    return [row[-1] for row in rows]
