"""The LP backend: a float solver finds a basis, and everything that is said of the program is then computed in fractions.

The exact part is a simplex method that starts at the float solver's last basis. As a rule that basis is optimal and nothing is left to do
but to solve two systems of equations. Otherwise the method goes on from there, by Bland's rule, so that it always ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Literal

from schedsolve.linear_program import LinearProgram, Number

from .exact_simplex import Basis, Ending, ExactSimplex

Status = Literal["optimal", "infeasible", "unbounded"]


@dataclass(frozen=True)
class LpSolution:
    """What is known of a linear program, exactly.

    values: of the variables, when optimal. multipliers: of the rows; when optimal they prove the value (`certify.dual.dual_bound`), when
    infeasible they prove that (`certify.dual.check_infeasible`). pivots: the steps that the exact method took after the float solver.
    """

    status: Status
    value: Fraction | None
    values: tuple[Fraction, ...]
    multipliers: tuple[Fraction, ...]
    pivots: int


def solve_exactly(program: LinearProgram) -> LpSolution:
    """The exact optimum of a linear program, or that it has none."""
    if any(low is not None and high is not None and low > high for low, high in zip(program.lower, program.upper, strict=True)):
        raise ValueError("a variable's lower bound is above its upper bound")
    simplex = ExactSimplex(program, _float_basis(program))
    ending = simplex.run()
    if ending is Ending.OPTIMAL:
        values = simplex.values()
        return LpSolution("optimal", program.value(values), tuple(values), tuple(simplex.multipliers), simplex.pivots)
    if ending is Ending.INFEASIBLE:
        return LpSolution("infeasible", None, (), tuple(simplex.multipliers), simplex.pivots)
    return LpSolution("unbounded", None, (), (), simplex.pivots)


def solve_floats(program: LinearProgram) -> tuple[list[float], list[float]] | None:
    """About optimal values of the variables and multipliers of the rows; None when the float solver finds no optimum."""
    solver, variables, rows = _float_model(program)
    if solver.Solve() != solver.OPTIMAL:
        return None
    return [x.solution_value() for x in variables], [row.dual_value() for row in rows]


def rounded_multipliers(program: LinearProgram, multipliers: Sequence[float], denominator: int) -> list[Fraction]:
    """Multipliers near the given ones, of the signs that the rows ask for, whose denominators divide the given one.

    What they prove is for `certify.dual.dual_bound` to say: less than the float solver's value by about the rounding.
    """
    rounded = []
    for row, weight in zip(program.rows, multipliers, strict=True):
        fraction = Fraction(round(weight * denominator), denominator)
        wrong = (row.sense == ">=" and fraction < 0) or (row.sense == "<=" and fraction > 0)
        rounded.append(Fraction(0) if wrong else fraction)
    return rounded


def solve_binary(program: LinearProgram, seconds: float) -> tuple[list[int] | None, Fraction]:
    """The best values 0 and 1 of the variables found in so many seconds, if any, and a lower bound on the cost of all of them.

    The coefficients are scaled to integers first, so nothing is rounded; the bound rests on CP-SAT. The variables' bounds are ignored.
    Raises ValueError when there are no such values at all.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    variables = [model.new_bool_var("") for _ in program.costs]
    for row in program.rows:
        scale = _scale([*row.coefficients.values(), row.right])
        left = sum(int(a * scale) * variables[j] for j, a in row.coefficients.items())
        right = int(row.right * scale)
        model.add(left >= right if row.sense == ">=" else left <= right if row.sense == "<=" else left == right)
    scale = _scale(program.costs)
    model.minimize(sum(int(c * scale) * x for c, x in zip(program.costs, variables, strict=True) if c))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.catch_sigint_signal = False
    solver.parameters.max_time_in_seconds = seconds
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        raise ValueError("no values 0 and 1 meet the rows")
    found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    bound = round(solver.objective_value) if status == cp_model.OPTIMAL else solver.response_proto.inner_objective_lower_bound
    return [int(solver.value(x)) for x in variables] if found else None, Fraction(bound, scale)


def _scale(numbers: Sequence[Number]) -> int:
    return lcm(*(Fraction(x).denominator for x in numbers))


def _float_model(program: LinearProgram) -> tuple[Any, list[Any], list[Any]]:
    """The program in GLOP, with its variables and its rows."""
    from ortools.linear_solver import pywraplp

    solver = pywraplp.Solver.CreateSolver("GLOP")
    infinity = solver.infinity()
    variables = [
        solver.NumVar(-infinity if low is None else float(low), infinity if high is None else float(high), "")
        for low, high in zip(program.lower, program.upper, strict=True)
    ]
    rows = []
    for row in program.rows:
        right = float(row.right)
        line = solver.Constraint(right if row.sense != "<=" else -infinity, right if row.sense != ">=" else infinity)
        for j, a in row.coefficients.items():
            line.SetCoefficient(variables[j], float(a))
        rows.append(line)
    for x, cost in zip(variables, program.costs, strict=True):
        solver.Objective().SetCoefficient(x, float(cost))
    solver.Objective().SetMinimization()
    return solver, variables, rows


def _float_basis(program: LinearProgram) -> Basis:
    """The float solver's last basis: the basic variables, the basic rows, and the variables at their upper bounds."""
    solver, variables, rows = _float_model(program)
    basic_rows = set(range(len(rows)))
    if not variables or not rows or solver.Solve() not in (solver.OPTIMAL, solver.FEASIBLE):
        return Basis(set(), basic_rows, set())
    status = [x.basis_status() for x in variables]
    return Basis(
        {j for j, s in enumerate(status) if s == solver.BASIC},
        {i for i, row in enumerate(rows) if row.basis_status() == solver.BASIC},
        {j for j, s in enumerate(status) if s == solver.AT_UPPER_BOUND},
    )
