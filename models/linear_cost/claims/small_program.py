"""Linear programs with two or three variables and rows, solved exactly by trying every vertex of the dual."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import lcm

SmallRow = tuple[tuple[Fraction, ...], Fraction]
"""The coefficients and the right side of "the sum is at least"."""


def least_sum(rows: Sequence[SmallRow]) -> Fraction:
    """Return the least sum of variables >= 0 that meet the rows.

    The greatest value of a vertex of the dual program, by weak duality a bound. The vertices come from
    Cramer's rule in integers, as fractions take long.

    Parameters
    ----------
    rows
        Few, over few variables.
    """
    width = len(rows[0][0])
    best = Fraction(0)
    whole = [_in_integers(row) for row in rows]
    for size in range(1, min(width, len(rows)) + 1):
        for chosen in combinations(whole, size):
            for tight in combinations(range(width), size):
                weights, scale = _solve([[coefficients[j] for coefficients, _ in chosen] for j in tight])
                if scale > 0 and min(weights) >= 0 and _is_dual(chosen, weights, scale, width):
                    value = sum(y * right for y, (_, right) in zip(weights, chosen, strict=True))
                    best = max(best, Fraction(value, scale))
    return best


def _in_integers(row: SmallRow) -> tuple[list[int], int]:
    """Return the row times the least common multiple of its denominators."""
    scale = lcm(row[1].denominator, *(x.denominator for x in row[0]))
    *coefficients, right = (scale // x.denominator * x.numerator for x in (*row[0], row[1]))
    return coefficients, right


def _is_dual(rows: Sequence[tuple[list[int], int]], weights: Sequence[int], scale: int, width: int) -> bool:
    """Whether the rows, with these weights >= 0 over the scale, add up to coefficients of at most 1."""
    return all(
        sum(y * coefficients[j] for y, (coefficients, _) in zip(weights, rows, strict=True)) <= scale
        for j in range(width)
    )


def _solve(matrix: list[list[int]]) -> tuple[list[int], int]:
    """Return the solution of the square system whose right sides are all 1, as numerators and denominator.

    The denominator is 0 if there is none or there are many.
    """
    scale = _determinant(matrix)
    sign = -1 if scale < 0 else 1
    places = range(len(matrix)) if scale else ()
    return [sign * _determinant([[*row[:i], 1, *row[i + 1 :]] for row in matrix]) for i in places], abs(scale)


def _determinant(matrix: list[list[int]]) -> int:
    """Return the determinant, expanded along the first row."""
    first, *others = matrix
    if not others:
        return first[0]
    if len(others) == 1:
        return first[0] * others[0][1] - first[1] * others[0][0]
    minors = ([[*row[:i], *row[i + 1 :]] for row in others] for i in range(len(first)))
    return sum(
        (-1) ** i * x * _determinant(minor)
        for i, (x, minor) in enumerate(zip(first, minors, strict=True))
        if x
    )
