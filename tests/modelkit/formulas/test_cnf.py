"""Formulas that count, against all assignments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from pysat.solvers import Solver

from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.formulas.integer_program import Family, IntegerProgram
from schedsolve.modelkit.formulas.linear_program import Row
from schedsolve.modelkit.formulas.program_cnf import cnf_of_program, value_of

SIZES = [(count, most) for count in range(1, 6) for most in range(1, count + 2)]


def agrees(cnf: Cnf, count: int, expected: Callable[[int], set[int]]) -> None:
    """For every assignment of the first variables: it has a model just if it is to have one, and all its
    models agree on what follows.

    expected: of the number of true variables the literals that follow; 0 among them where there is no model.
    """
    with Solver("minisat22", bootstrap_with=cnf.clauses) as solver:
        for values in product((1, -1), repeat=count):
            literals = [sign * x for x, sign in enumerate(values, 1)]
            follows = expected(values.count(1))
            assert solver.solve(assumptions=literals) == (0 not in follows), literals
            for literal in follows - {0}:
                assert not solver.solve(assumptions=[*literals, -literal]), (literals, literal)


def started(count: int) -> Cnf:
    """A formula with so many variables."""
    cnf = Cnf()
    assert [cnf.new() for _ in range(count)] == list(range(1, count + 1))
    return cnf


@pytest.mark.parametrize(("count", "most"), SIZES)
@pytest.mark.parametrize("sign", [1, -1])
def test_at_most(count: int, most: int, sign: int) -> None:
    """So many hold at most, of variables or of their opposites; without clauses where that says nothing."""
    cnf = started(count)
    cnf.at_most([sign * x for x in range(1, count + 1)], most)
    agrees(cnf, count, lambda true: {0} if (true if sign > 0 else count - true) > most else set())
    if most == 1:
        assert cnf.variable_count == count
        assert len(cnf.clauses) == count * (count - 1) // 2
    elif most >= count:
        assert (cnf.variable_count, list(cnf.clauses)) == (count, [])
    else:
        assert cnf.variable_count == count + sum(min(i, most) for i in range(1, count + 1))


@pytest.mark.parametrize(("count", "most"), SIZES)
def test_counted(count: int, most: int) -> None:
    """Variable number k holds just when k of them do at least."""
    cnf = started(count)
    counted = cnf.counted(range(1, count + 1), most)
    assert len(counted) == min(count, most)
    assert cnf.variable_count == count + sum(min(i, most) for i in range(1, count + 1))
    agrees(cnf, count, lambda true: {x if k <= true else -x for k, x in enumerate(counted, 1)})


def test_clauses() -> None:
    """At least one of a clause, no two of a set, and all clauses of a list."""
    cnf = started(3)
    cnf.add(1, 2, 3)
    cnf.at_most_one([1, 2, 3])
    agrees(cnf, 3, lambda true: {0} if true != 1 else set())
    cnf.extend([[-1], [-2]])
    assert cnf.clauses == [[1, 2, 3], [-1, -2], [-1, -3], [-2, -3], [-1], [-2]]
    assert Cnf().variable_count == 0


def test_the_clauses_themselves() -> None:
    """Proofs in files are about these: of three literals two at most, and what holds just when so many do."""
    cnf = started(3)
    cnf.at_most([1, 2, 3], 2)
    assert cnf.clauses == [
        *([-1, 4], [-2, 5], [-4, 5], [-4, -2, 6]),
        *([-3, 7], [-5, 7], [-5, -3, 8], [-6, 8], [-6, -3]),
    ]
    cnf = started(2)
    assert cnf.counted([1, 2], 2) == [4, 5]
    assert cnf.clauses == [[3, -1], [-3, 1], [4, -2], [4, -3], [-4, 2, 3], [5, -2, -3], [-5, 2], [-5, 3]]


@pytest.mark.parametrize("seed", range(40))
def test_programs_as_formulas(seed: int) -> None:
    """A formula of an integer program has just the models that the program has solutions."""
    rng = Random(seed)
    program = IntegerProgram()
    for x in range(rng.randint(1, 4)):
        program.variable(f"x{x}", upper=rng.choice((0, 1, 1, 2, 3, 5)))
    count = len(program.variables)
    rows = [
        Row(
            {x: Fraction(rng.randint(-4, 4), rng.choice((1, 1, 2))) for x in range(count)},
            rng.choice(("<=", ">=", "=")),
            Fraction(rng.randint(-6, 8), rng.choice((1, 2))),
        )
        for _ in range(rng.randint(1, 3))
    ]
    program.families.append(Family("rows", "random rows", tuple(rows)))
    cnf, bits, names = cnf_of_program(program)
    assert cnf.variable_count >= len(names)
    found = set()
    with Solver(bootstrap_with=cnf.clauses) as solver:
        while solver.solve():
            model = {x for x in solver.get_model() if x > 0}
            found.add(tuple(value_of(bits[x.name], model) for x in program.variables))
            solver.add_clause([-x if x in model else x for x in range(1, len(names) + 1)])
            if not names:
                break
    wanted = {
        values
        for values in product(*(range(int(x.upper or 0) + 1) for x in program.variables))
        if all(_holds(row, values) for row in rows)
    }
    assert found == wanted


def _holds(row: Row, values: Sequence[int]) -> bool:
    total = sum(a * values[x] for x, a in row.coefficients.items())
    return {"<=": total <= row.right, ">=": total >= row.right, "=": total == row.right}[row.sense]
