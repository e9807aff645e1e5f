"""What a dual solution proves, by hand, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from schedsolve.modelkit.formulas.cubes import proofs_by_cube
from schedsolve.modelkit.formulas.linear_program import LinearProgram, dual_bound
from schedsolve.runtime.errors import ClaimError


def program() -> LinearProgram:
    """The least x + y with x + 2 y >= 4, x <= 3 as a row, x = 2 y, and y at most 5."""
    made = LinearProgram()
    x, y = made.variable(cost=1), made.variable(cost=1, upper=5)
    made.add({x: 1, y: 2}, ">=", 4)
    made.add({x: 1}, "<=", 3)
    made.add({x: 1, y: -2}, "=", 0)
    return made


def test_what_multipliers_prove() -> None:
    """The optimum by the right ones; less by others; what upper bounds leave."""
    assert dual_bound(program(), {0: Fraction(3, 4), 2: Fraction(1, 4)}) == 3
    assert dual_bound(program(), {0: Fraction(1, 2)}) == 2
    assert dual_bound(program(), {}) == 0
    assert dual_bound(program(), {0: 1}) == 4 - 5
    assert dual_bound(program(), {0: Fraction(1, 2), 1: 0}) == 2
    assert dual_bound(program(), {0: 0, 1: Fraction(-1, 2)}) == Fraction(-3, 2)
    assert dual_bound(program(), {0: Fraction(1, 2), 1: 0, 2: Fraction(1, 2)}) == 2


def test_numbers_of_variables_and_rows() -> None:
    """Both count from 0; a variable costs nothing and has no bound unless it is told, and a coefficient of 0
    is none.
    """
    made = LinearProgram()
    assert [made.variable(), made.variable(2, 3), made.variable()] == [0, 1, 2]
    assert (made.costs, made.upper) == ([0, 2, 0], [None, 3, None])
    assert [made.add({0: 1, 1: 0}, ">=", 1), made.add({2: Fraction(0)}, "=", 0)] == [0, 1]
    assert [dict(row.coefficients) for row in made.rows] == [{0: 1}, {}]


@pytest.mark.parametrize(
    ("multipliers", "why"),
    [
        ({0: -1}, "wrong sign"),
        ({1: 1}, "wrong sign"),
        ({3: 1}, "of 3"),
        ({-1: 1}, "of 3"),
        ({0: Fraction(-1, 2)}, "wrong sign"),
        ({1: Fraction(1, 2)}, "wrong sign"),
        ({0: 1, 2: Fraction(1, 9)}, "variable 0 has the reduced cost -1/9 and no upper bound"),
        ({0: 2}, "no upper bound"),
        ({2: 2}, "no upper bound"),
    ],
)
def test_what_is_refused(multipliers: dict[int, int | Fraction], why: str) -> None:
    """A multiplier of the wrong sign or of no row, and a reduced cost below 0 without an upper bound."""
    with pytest.raises(ClaimError, match=why):
        dual_bound(program(), multipliers)
    assert dual_bound(program(), {1: -1}) <= 3
    assert dual_bound(program(), {2: -1}) <= 3


@pytest.mark.parametrize("lemmas", [None, "1", [0], [True], [1.0], [[1]], {"1": 1}])
def test_shapes_of_cubes(lemmas: object) -> None:
    """Cubes and lemmas are lists of literals."""
    with pytest.raises(ClaimError, match="lists of literals"):
        proofs_by_cube({"lemmas": lemmas, "cubes": []})
    with pytest.raises(ClaimError, match="lists of literals"):
        proofs_by_cube({"lemmas": [], "cubes": [{"cube": lemmas}]})
    assert list(proofs_by_cube({"lemmas": [], "cubes": [{"cube": [1, -2]}]})) == [(1, -2)]
