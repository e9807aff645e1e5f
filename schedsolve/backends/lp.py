"""The LP backend: a float solver finds a basis, and everything that is said of the program is then computed
in fractions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from schedsolve.errors import ClaimError
from schedsolve.formulas.linear_program import LinearProgram, Number, dual_bound

ROUNDING = 10**9
"""The denominator of multipliers that are rounded from floats, where the basis gives no exact ones."""
LARGEST_EXACT_BASIS = 400
"""Equations up to which a basis is solved in fractions."""


@dataclass(frozen=True)
class LpSolution:
    """What is known of a linear program.

    bound: a lower bound on its value, which the multipliers prove exactly
    (`schedsolve.formulas.linear_program.dual_bound`).
    multipliers: of the rows, those that are not 0. values: about optimal values of the variables, as floats.
    """

    bound: Fraction
    multipliers: Mapping[int, Fraction]
    values: Sequence[float]


def solve_lp(program: LinearProgram) -> LpSolution | None:
    """The program's optimum, from GLOP's last basis; None when GLOP finds none.

    The multipliers solve the equations of the basis in fractions, so that the bound is the exact optimum when
    the basis is an optimal one; where these prove nothing, rounded ones do, for a bound that is lower by
    about the rounding.
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
    """What a float solver computed; nothing of it is proven. values: of the variables. multipliers: of the
    rows.
    """

    values: Sequence[float]
    multipliers: Sequence[float]


def float_solution(
    program: LinearProgram, seconds: float, *, first_order: bool = False
) -> FloatSolution | None:
    """About an optimum of the program, from GLOP a corner of its optimal face; None when none is found in so
    many seconds.

    first_order: PDLP in place of GLOP: quick on large programs, exact to about 6 digits, no corner.
    """
    solver, variables, rows = _float_model(program, "PDLP" if first_order else "GLOP")
    # A limit of 0 milliseconds would be none.
    solver.SetTimeLimit(max(1, int(min(seconds, 10**6) * 1000)))
    if solver.Solve() != solver.OPTIMAL:
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
    """Multipliers near the given ones, of the signs that the rows ask for."""
    rounded = {}
    for i, (row, weight) in enumerate(zip(program.rows, multipliers, strict=True)):
        fraction = Fraction(round(weight * ROUNDING), ROUNDING)
        if not ((row.sense == ">=" and fraction < 0) or (row.sense == "<=" and fraction > 0)):
            rounded[i] = fraction
    return rounded


def _multipliers_of_basis(
    program: LinearProgram, basic: Sequence[int], tight: Sequence[int]
) -> dict[int, Fraction] | None:
    """The multipliers of the tight rows under which the reduced cost of every basic variable is 0; None when
    they are not determined.
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
    """The solution of as many equations as unknowns, given as sparse rows; None when the equations are not
    independent.
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
    """The program in a solver of ortools, with its variables and its rows."""
    from ortools.linear_solver import pywraplp

    solver = pywraplp.Solver.CreateSolver(name)
    infinity = solver.infinity()
    variables = [solver.NumVar(0, infinity if high is None else float(high), "") for high in program.upper]
    return solver, variables, add_program(solver, program, variables)


def add_program(solver: Any, program: LinearProgram, variables: Sequence[Any]) -> list[Any]:
    """Add the rows and the costs of a program to a solver of ortools that has its variables; gives the
    solver's rows.
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


class CoveringLp:
    """A float linear programme that grows: the least weighted sum of variables of at least 0 for which every
    row is 1 at least. Later solutions start from the basis of earlier ones.
    """

    def __init__(self) -> None:
        from ortools.linear_solver import pywraplp

        self._solver = pywraplp.Solver.CreateSolver("GLOP")
        self._solver.Objective().SetMinimization()
        self._variables: list[Any] = []
        self._rows: list[Any] = []

    def variable(self, cost: float) -> int:
        """A fresh variable, in no row yet; gives its number."""
        x = self._solver.NumVar(0, self._solver.infinity(), "")
        self._solver.Objective().SetCoefficient(x, cost)
        self._variables.append(x)
        return len(self._variables) - 1

    def use(self, variable: int, used: bool) -> None:
        """Let a variable be used, or fix it to 0."""
        self._variables[variable].SetUb(self._solver.infinity() if used else 0.0)

    def row(self, coefficients: Mapping[int, float]) -> int:
        """A fresh row; gives its number."""
        line = self._solver.Constraint(1.0, self._solver.infinity())
        for j, a in coefficients.items():
            line.SetCoefficient(self._variables[j], float(a))
        self._rows.append(line)
        return len(self._rows) - 1

    def extend(self, row: int, variable: int, coefficient: float) -> None:
        """Put a variable into a row."""
        self._rows[row].SetCoefficient(self._variables[variable], float(coefficient))

    def solve(self) -> tuple[float, list[float], list[float]] | None:
        """The value, the variables and the multipliers of the rows; None when no solution is found."""
        if self._solver.Solve() != self._solver.OPTIMAL:
            return None
        return (
            self._solver.Objective().Value(),
            [x.solution_value() for x in self._variables],
            [line.dual_value() for line in self._rows],
        )
