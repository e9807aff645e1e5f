"""Linear programs: exact bounds and optima of random and small ones, and exact solutions of equations."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.backends.lp import solve_equations, solve_lp
from schedsolve.modelkit.formulas.linear_program import LinearProgram, dual_bound
from schedsolve.runtime.errors import ClaimError
from tests.models.linear_cost.test_bounds import assert_feasible


def random_program(rng: random.Random, most: int) -> LinearProgram:
    """A few variables between 0 and some bound, and rows of every kind with small coefficients, all of which
    some point meets.
    """
    width = rng.randint(1, 4)
    program = LinearProgram(
        [rng.randint(0, 6) for _ in range(width)], [rng.randint(1, 5) for _ in range(width)]
    )
    point = [Fraction(rng.randint(0, 6), 6) for _ in range(width)]
    for _ in range(rng.randint(1, most)):
        coefficients = {j: rng.randint(-4, 7) for j in range(width) if rng.random() < 0.8}
        total = sum((a * point[j] for j, a in coefficients.items()), Fraction(0))
        slack = Fraction(rng.randint(0, 3), 4)
        sense = rng.choice((">=", "<=", "="))
        right = total - slack if sense == ">=" else total + slack if sense == "<=" else total
        program.add(coefficients, sense, right)  # type: ignore[arg-type]
    return program


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.integers(0, 10**9))
def test_weak_duality(seed: int) -> None:
    """Any multipliers of the right signs prove a bound that no solution beats; those of `solve_lp` prove the
    optimum itself.
    """
    rng = random.Random(seed)
    program = random_program(rng, 6)
    solution = solve_lp(program)
    assert solution is not None
    assert dual_bound(program, solution.multipliers) == solution.bound
    values = [Fraction(x).limit_denominator(10**6) for x in solution.values]
    assert_feasible(program, values)
    assert sum((c * x for c, x in zip(program.costs, values, strict=True)), Fraction(0)) == solution.bound
    signs = {">=": (0, 9), "<=": (-9, 0), "=": (-9, 9)}
    for _ in range(5):
        weights = {
            i: Fraction(rng.randint(*signs[row.sense]), rng.randint(1, 4))
            for i, row in enumerate(program.rows)
        }
        assert dual_bound(program, weights) <= solution.bound
    for i, row in enumerate(program.rows):
        if row.sense != "=":
            with pytest.raises(ClaimError, match="wrong sign"):
                dual_bound(program, {i: -1 if row.sense == ">=" else Fraction(1, 7)})


def test_multipliers_that_prove_nothing() -> None:
    """Of a row that is not there, or with a negative reduced cost of a variable without an upper bound; a
    bound makes that one finite.
    """
    program = LinearProgram([1, 1], [None, Fraction(1, 2)])
    program.add({0: 1, 1: 3}, ">=", 2)
    for row in (1, -1):
        with pytest.raises(ClaimError, match=f"row {row}"):
            dual_bound(program, {row: 1})
    with pytest.raises(ClaimError, match="no upper bound"):
        dual_bound(program, {0: 2})
    assert dual_bound(program, {0: 1}) == 1
    solution = solve_lp(program)
    assert solution is not None
    assert (solution.bound, dict(solution.multipliers)) == (Fraction(1), {0: Fraction(1)})


def test_optima_that_are_fractions() -> None:
    """Two small programs, the exact optimum of one with large denominators, and one without a solution."""
    program = LinearProgram([1, 1], [None, None])
    program.add({0: 1, 1: 2}, ">=", 1)
    program.add({0: 3, 1: 1}, ">=", 1)
    assert (solution := solve_lp(program)) is not None
    assert (solution.bound, solution.multipliers) == (Fraction(3, 5), {0: Fraction(2, 5), 1: Fraction(1, 5)})
    program.add({0: 1, 1: Fraction(-1009, 1013)}, "=", 0)
    assert (solution := solve_lp(program)) is not None
    assert solution.bound == Fraction(2022, 3035)
    program.add({0: 1}, "<=", 0)
    assert solve_lp(program) is None


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.integers(0, 10**9))
def test_equations(seed: int) -> None:
    """The exact solution of random sparse systems is near that of numpy and meets every equation; systems
    that are singular have none.
    """
    rng = random.Random(seed)
    size = rng.randint(1, 7)
    matrix = [[rng.choice((0, 0, rng.randint(-5, 5))) for _ in range(size)] for _ in range(size)]
    right = [rng.randint(-9, 9) for _ in range(size)]
    if rng.random() < 0.4:
        matrix[-1] = [2 * x for x in matrix[0]] if size > 1 else [0]
    solution = solve_equations([{j: a for j, a in enumerate(row) if a} for row in matrix], right)
    if np.linalg.matrix_rank(np.array(matrix)) < size:
        assert solution is None
    else:
        assert solution is not None
        assert [sum(a * x for a, x in zip(row, solution, strict=True)) for row in matrix] == right
        assert np.allclose(
            [float(x) for x in solution], np.linalg.solve(np.array(matrix, float), np.array(right, float))
        )
