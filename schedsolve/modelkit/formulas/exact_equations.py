"""Linear equations with integer coefficients, solved exactly: modulo a prime, then lifted.

Each lifting step yields, for every unknown, another digit of its expansion in powers of the prime; when
there are enough digits, they determine the fractions.

Source: Dixon, Exact solution of linear equations using p-adic expansions (1982).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt
from typing import Any

PRIME = 33554393
"""Below 2^25, so that sums of 2^12 products fit in 64 bits."""
MOST_UNKNOWNS = 800
MOST_DIGITS = 1600


def solve_exactly(rows: Sequence[Sequence[int]], right: Sequence[int]) -> list[Fraction] | None:
    """Return the unique solution of the equations; None if it is not found.

    That is the case if there is no solution or more than one, if there are more than MOST_UNKNOWNS
    unknowns, if a numerator or denominator is too large for MOST_DIGITS digits, and in the rare case that
    the prime divides a determinant.

    Parameters
    ----------
    rows
        The coefficients, small integers, of at least as many equations as unknowns.
    right
        The right sides, integers of any size.

    References
    ----------
    Dixon 1982.
    """
    import numpy

    unknowns = len(rows[0]) if rows else 0
    if not 0 < unknowns <= min(MOST_UNKNOWNS, len(rows)):
        return None
    matrix = numpy.array(rows, dtype=numpy.int64)
    chosen = _independent_rows(matrix)
    if len(chosen) < unknowns:
        return None
    square = matrix[chosen]
    inverse = _inverse(square)
    rest = numpy.array([right[i] for i in chosen], dtype=object)
    digits: list[Any] = []
    tried = 4
    while len(digits) < MOST_DIGITS:
        digit = inverse @ numpy.array([int(b % PRIME) for b in rest], dtype=numpy.int64) % PRIME
        digits.append(digit)
        rest = (rest - (square @ digit).astype(object)) // PRIME
        if not rest.any():
            # All further digits are 0: these are the whole numbers that solve the chosen rows.
            whole = [Fraction(_number(expansion)) for expansion in zip(*digits, strict=True)]
            return whole if _holds(matrix, right, whole) else None
        if len(digits) == tried:
            solution = _fractions(digits)
            if solution is not None and _holds(matrix, right, solution):
                return solution
            tried = len(digits) * 3 // 2
    return None


def _independent_rows(matrix: Any) -> list[int]:
    """Return as many rows as columns, independent modulo the prime; fewer if the rank is smaller."""
    left = matrix % PRIME
    order = list(range(len(left)))
    for column in range(left.shape[1]):
        candidates = left[column:, column].nonzero()[0]
        if column >= len(left) or not len(candidates):
            return order[:column]
        pivot = column + int(candidates[0])
        left[[column, pivot]] = left[[pivot, column]]
        order[column], order[pivot] = order[pivot], order[column]
        scale = left[column + 1 :, column] * pow(int(left[column, column]), -1, PRIME) % PRIME
        left[column + 1 :] = (left[column + 1 :] - scale[:, None] * left[column]) % PRIME
    return order[: left.shape[1]]


def _inverse(square: Any) -> Any:
    """Return the inverse modulo the prime of a matrix that has one."""
    import numpy

    n = len(square)
    both = numpy.concatenate([square % PRIME, numpy.eye(n, dtype=numpy.int64)], axis=1)
    for column in range(n):
        pivot = column + int(both[column:, column].nonzero()[0][0])
        both[[column, pivot]] = both[[pivot, column]]
        both[column] = both[column] * pow(int(both[column, column]), -1, PRIME) % PRIME
        scale = both[:, column].copy()
        scale[column] = 0
        both = (both - scale[:, None] * both[column]) % PRIME
    return both[:, n:]


def _fractions(digits: Sequence[Any]) -> list[Fraction] | None:
    """Return the fractions of small numerator and denominator with these digits; None if there are none."""
    modulus = PRIME ** len(digits)
    common = 1
    found = []
    for expansion in zip(*digits, strict=True):
        # Usually the denominators so far contain most of this one, and what is left is small.
        pair = _reconstructed(_number(expansion) * common % modulus, modulus)
        if pair is None:
            return None
        found.append(Fraction(pair[0], pair[1] * common))
        common *= pair[1]
    return found


def _number(expansion: Sequence[Any]) -> int:
    """Return the whole number with these digits, the lowest first."""
    value = 0
    for digit in reversed(expansion):
        value = value * PRIME + int(digit)
    return value


def _reconstructed(value: int, modulus: int) -> tuple[int, int] | None:
    """Return numerator and denominator of the fraction that equals the value modulo `modulus` (Wang 1981).

    Both are at most the square root of half the modulus; None if there is no such fraction.
    """
    limit = isqrt(modulus // 2)
    a, b, x, y = modulus, value, 0, 1
    while b > limit:
        quotient = a // b
        a, b, x, y = b, a - quotient * b, y, x - quotient * y
    if not 0 < abs(y) <= limit:
        return None
    return (b, y) if y > 0 else (-b, -y)


def _holds(matrix: Any, right: Sequence[int], solution: Sequence[Fraction]) -> bool:
    return all(
        sum((int(row[j]) * solution[j] for j in row.nonzero()[0]), Fraction(0)) == b
        for row, b in zip(matrix, right, strict=True)
    )
