"""A linear program that is solved repeatedly while rows and columns are added to it.

The float solver starts from its last basis each time.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any

from schedsolve.backends.shared_highs import give_own_highs
from schedsolve.modelkit.formulas.linear_program import Number, Sense
from schedsolve.runtime.limits.own_limits import met


class GrowingLp:
    """Minimise the sum of costs times variables, each at least its lower bound, subject to rows."""

    def __init__(self) -> None:
        give_own_highs("ortools")
        from ortools.linear_solver import pywraplp

        self._solver = pywraplp.Solver.CreateSolver("GLOP")
        self._variables: list[Any] = []
        self._rows: list[Any] = []

    def variable(self, cost: Number = 0, low: Number = 0) -> int:
        """Return the number of a fresh variable with a cost and a lower bound."""
        variable = self._solver.NumVar(float(low), self._solver.infinity(), "")
        self._solver.Objective().SetCoefficient(variable, float(cost))
        self._variables.append(variable)
        return len(self._variables) - 1

    def use(self, variable: int, used: bool) -> None:
        """Let a variable have any value of at least its lower bound, or fix it to 0."""
        self._variables[variable].SetUb(self._solver.infinity() if used else 0.0)

    def at_least(self, variable: int, low: Number) -> None:
        """Give a variable another lower bound."""
        self._variables[variable].SetLb(float(low))

    def row(self, coefficients: Mapping[int, Number], sense: Sense, right: Number) -> int:
        """Add a row and return its number, from 0."""
        infinity = self._solver.infinity()
        row = self._solver.Constraint(
            float(right) if sense != "<=" else -infinity, float(right) if sense != ">=" else infinity
        )
        for j, a in coefficients.items():
            row.SetCoefficient(self._variables[j], float(a))
        self._rows.append(row)
        return len(self._rows) - 1

    def enter(self, row: int, variable: int, coefficient: Number) -> None:
        """Give a variable a coefficient in a row."""
        self._rows[row].SetCoefficient(self._variables[variable], float(coefficient))

    def solve(self, seconds: float | None = None) -> float | None:
        """Return the optimum in floats; None if the solver finds none, in the seconds given if they are."""
        self._solver.Objective().SetMinimization()
        end = math.inf if seconds is None else time.process_time() + seconds
        # GLOP ends some degenerate programs as abnormal: by its preprocessing, or by its last basis.
        for remedy in (None, self._leave_out_preprocessing, self._begin_again):
            if remedy is not None:
                remedy()
            left = end - time.process_time()
            self._solver.SetTimeLimit(0 if left == math.inf else max(1, int(1000 * left)))
            if self._solver.Solve() == self._solver.OPTIMAL:
                return float(self._solver.Objective().Value())
            if time.process_time() >= end:
                break
        met("tries of a linear program", 3)
        return None

    def _leave_out_preprocessing(self) -> None:
        self._solver.SetSolverSpecificParametersAsString("use_preprocessing: false")

    def _begin_again(self) -> None:
        """Copy the program to a solver without a last basis, which now and then leads nowhere."""
        from ortools.linear_solver import linear_solver_pb2, pywraplp

        program = linear_solver_pb2.MPModelProto()
        self._solver.ExportModelToProto(program)
        self._solver = pywraplp.Solver.CreateSolver("GLOP")
        self._solver.LoadModelFromProto(program)
        self._variables, self._rows = list(self._solver.variables()), list(self._solver.constraints())

    def values(self) -> list[float]:
        """Return the values of all variables, after `solve`."""
        return [variable.solution_value() for variable in self._variables]

    def duals(self) -> list[float]:
        """Return the dual values of all rows, after `solve`."""
        return [row.dual_value() for row in self._rows]
