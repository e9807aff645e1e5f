"""Equations solved by lifting from a prime, against elimination in fractions."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from schedsolve.modelkit.formulas.exact_equations import MOST_UNKNOWNS, PRIME, solve_exactly


@pytest.mark.parametrize("seed", range(40))
def test_random_equations(seed: int) -> None:
    """More equations than unknowns, made from a solution in fractions, which comes back."""
    rng = Random(seed)
    n = rng.randint(1, 12)
    solution = [Fraction(rng.randint(-30, 30), rng.randint(1, 9)) for _ in range(n)]
    rows = [[rng.randint(-3, 3) for _ in range(n)] for _ in range(n + 6)]
    right = [sum((a * x for a, x in zip(row, solution, strict=True)), Fraction(0)) for row in rows]
    scale = 2520
    found = solve_exactly(rows, [int(b * scale) for b in right])
    if found is not None:
        assert [x / scale for x in found] == solution
    assert found is not None or n == 1


def test_huge_right_sides() -> None:
    """Whole numbers of any size."""
    big = 10**60 + 7
    assert solve_exactly([[2, 1], [1, -1]], [big, 1]) == [Fraction(big + 1, 3), Fraction(big - 2, 3)]


@pytest.mark.parametrize(
    ("rows", "right"),
    [
        ([], []),
        ([[1, 1]], [1]),
        ([[1, 1], [2, 2]], [1, 2]),
        ([[1], [1]], [1, 2]),
        ([[PRIME]], [1]),
        ([[0]], [1]),
    ],
)
def test_no_single_solution(rows: list[list[int]], right: list[int]) -> None:
    """Too few equations, dependent or contradictory ones, and the prime itself."""
    assert solve_exactly(rows, right) is None


def test_too_many_unknowns() -> None:
    """Beyond the limit nothing is tried."""
    assert solve_exactly([[1] * (MOST_UNKNOWNS + 1)] * (MOST_UNKNOWNS + 1), [1] * (MOST_UNKNOWNS + 1)) is None
