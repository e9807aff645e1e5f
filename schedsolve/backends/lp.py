"""The LP backend: a float solver finds a basis, and what is proven is then computed in fractions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from schedsolve.backends.shared_highs import give_own_highs
from schedsolve.modelkit.formulas.linear_program import LinearProgram, Number, dual_bound
from schedsolve.runtime.errors import ClaimError
from schedsolve.runtime.limits.own_limits import met

ROUNDING = 10**9
"""The denominator of multipliers rounded from floats, for when the basis gives no exact ones."""
LARGEST_EXACT_BASIS = 400
"""The most equations for which a basis is solved in fractions."""


@dataclass(frozen=True)
class LpSolution:
    """What is known of a linear program.

    `bound` is a lower bound on its value, which `multipliers` (of the rows, without those that are 0) prove
    exactly (`dual_bound` of `schedsolve.modelkit.formulas.linear_program`). `values` are approximately
    optimal values of the variables, as floats.
    """

    bound: Fraction
    multipliers: Mapping[int, Fraction]
    values: Sequence[float]


def solve_lp(program: LinearProgram) -> LpSolution | None:
    """Return the program's optimum from GLOP's last basis; None if GLOP finds none.

    The multipliers solve the equations of the basis in fractions, so that the bound is the exact optimum if
    the basis is optimal. If these prove nothing, rounded multipliers are used; the bound is then lower by
    about the rounding error.
    """
    solver, variables, rows = _float_model(program)
    if solver.Solve() != solver.OPTIMAL:
        return None
    values = [x.solution_value() for x in variables]
    rounded = _rounded(program, [row.dual_value() for row in rows])
    best = _proven(program, rounded)
    basic = [j for j, x in enumerate(variables) if x.basis_status() == solver.BASIC]
    tight = [i for i, row in enumerate(rows) if row.basis_status() != solver.BASIC]
    exact = (
        _multipliers_of_basis(program, basic, tight)
        if len(basic) == len(tight) <= LARGEST_EXACT_BASIS
        else None
    )
    found = _proven(program, exact) if exact is not None else None
    if found is not None and (best is None or found >= best):
        return LpSolution(found, _without_zeros(exact or {}), values)
    return LpSolution(best, _without_zeros(rounded), values) if best is not None else None


@dataclass(frozen=True)
class FloatSolution:
    """What a float solver computed, none of it proven: `values` of variables, `multipliers` of rows."""

    values: Sequence[float]
    multipliers: Sequence[float]


def float_solution(
    program: LinearProgram, seconds: float, *, first_order: bool = False
) -> FloatSolution | None:
    """Return an approximate optimum of the program; None if none is found within the time limit.

    Parameters
    ----------
    program
        The linear program.
    seconds
        The time limit.
    first_order
        Use PDLP, which is fast on large programs, exact to about 6 digits, and returns no vertex. Otherwise
        GLOP is used, which returns a vertex of the optimal face.
    """
    solver, variables, rows = _float_model(program, "PDLP" if first_order else "GLOP")
    # A limit of 0 milliseconds would mean no limit.
    solver.SetTimeLimit(max(1, int(min(seconds, 10**6) * 1000)))
    if solver.Solve() != solver.OPTIMAL:
        met("seconds for a linear program", min(seconds, 10**6))
        return None
    return FloatSolution([x.solution_value() for x in variables], [row.dual_value() for row in rows])


def _without_zeros(multipliers: Mapping[int, Fraction]) -> dict[int, Fraction]:
    return {i: y for i, y in multipliers.items() if y}


def _proven(program: LinearProgram, multipliers: Mapping[int, Fraction]) -> Fraction | None:
    try:
        return dual_bound(program, multipliers)
    except ClaimError:
        return None


def _rounded(program: LinearProgram, multipliers: Sequence[float]) -> dict[int, Fraction]:
    """Return multipliers near the given ones, without those that have the wrong sign for their row."""
    rounded = {}
    for i, (row, weight) in enumerate(zip(program.rows, multipliers, strict=True)):
        fraction = Fraction(round(weight * ROUNDING), ROUNDING)
        if not ((row.sense == ">=" and fraction < 0) or (row.sense == "<=" and fraction > 0)):
            rounded[i] = fraction
    return rounded


def _multipliers_of_basis(
    program: LinearProgram, basic: Sequence[int], tight: Sequence[int]
) -> dict[int, Fraction] | None:
    """Return the multipliers of the tight rows that make all basic variables' reduced costs 0.

    None if they are not uniquely determined.
    """
    place = {i: number for number, i in enumerate(tight)}
    column = {j: number for number, j in enumerate(basic)}
    system: list[dict[int, Fraction]] = [{} for _ in basic]
    for i in tight:
        for j, a in program.rows[i].coefficients.items():
            if j in column:
                system[column[j]][place[i]] = Fraction(a)
    solution = solve_equations(system, [Fraction(program.costs[j]) for j in basic])
    return None if solution is None else dict(zip(tight, solution, strict=True))


def solve_equations(system: Sequence[Mapping[int, Number]], right: Sequence[Number]) -> list[Fraction] | None:
    """Return the solution of a square system of equations; None if they are not independent.

    Parameters
    ----------
    system
        The sparse rows: for each equation the coefficients by unknown, from 0.
    right
        The right sides.
    """
    rows = [{j: Fraction(a) for j, a in row.items()} for row in system]
    values = [Fraction(b) for b in right]
    left = set(range(len(rows)))
    pivots: list[tuple[int, int]] = []
    while left:
        i = min(left, key=lambda i: (len(rows[i]), i))
        if not rows[i]:
            return None
        left.remove(i)
        holders = {j: [o for o in left if j in rows[o]] for j in rows[i]}
        j = min(rows[i], key=lambda j: (len(holders[j]), j))
        for other in holders[j]:
            factor = rows[other].pop(j) / rows[i][j]
            values[other] -= factor * values[i]
            for column, a in rows[i].items():
                if column != j:
                    entry = rows[other].get(column, 0) - factor * a
                    if entry:
                        rows[other][column] = Fraction(entry)
                    else:
                        rows[other].pop(column, None)
        pivots.append((i, j))
    solution = [Fraction(0)] * len(rows)
    for i, j in reversed(pivots):
        rest = values[i] - sum(
            (a * solution[x] for x, a in rows[i].items() if x != j and solution[x]), Fraction(0)
        )
        solution[j] = rest / rows[i][j]
    return solution


def _float_model(program: LinearProgram, name: str = "GLOP") -> tuple[Any, list[Any], list[Any]]:
    """Return the program as a model of the OR-tools solver `name`, with its variables and its rows."""
    give_own_highs("ortools")
    from ortools.linear_solver import pywraplp

    solver = pywraplp.Solver.CreateSolver(name)
    infinity = solver.infinity()
    variables = [solver.NumVar(0, infinity if high is None else float(high), "") for high in program.upper]
    return solver, variables, add_program(solver, program, variables)


def add_program(solver: Any, program: LinearProgram, variables: Sequence[Any]) -> list[Any]:
    """Add a program's rows and costs to a solver of OR-tools, and return the solver's rows.

    Parameters
    ----------
    solver
        The solver (pywraplp).
    program
        The linear program.
    variables
        The solver's variables, in the order of the program's.
    """
    infinity = solver.infinity()
    rows = []
    for row in program.rows:
        right = float(row.right)
        line = solver.Constraint(
            right if row.sense != "<=" else -infinity, right if row.sense != ">=" else infinity
        )
        for j, a in row.coefficients.items():
            line.SetCoefficient(variables[j], float(a))
        rows.append(line)
    for x, cost in zip(variables, program.costs, strict=True):
        solver.Objective().SetCoefficient(x, float(cost))
    solver.Objective().SetMinimization()
    return rows
