"""A linear program that grows while it is solved again and again: rows and columns are added, and the float
solver goes on from its last basis.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.formulas.linear_program import Number, Sense


class GrowingLp:
    """Minimise the sum of costs times variables, every variable at least its lower bound, under rows."""

    def __init__(self) -> None:
        from ortools.linear_solver import pywraplp

        self._solver = pywraplp.Solver.CreateSolver("GLOP")
        self._variables: list[Any] = []
        self._rows: list[Any] = []

    def variable(self, cost: Number = 0, low: Number = 0) -> int:
        """A fresh variable; gives its number."""
        variable = self._solver.NumVar(float(low), self._solver.infinity(), "")
        self._solver.Objective().SetCoefficient(variable, float(cost))
        self._variables.append(variable)
        return len(self._variables) - 1

    def row(self, coefficients: Mapping[int, Number], sense: Sense, right: Number) -> int:
        """A fresh row; gives its number."""
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

    def solve(self) -> float | None:
        """The optimum; None when the solver finds none."""
        self._solver.Objective().SetMinimization()
        if self._solver.Solve() != self._solver.OPTIMAL:
            return None
        return float(self._solver.Objective().Value())

    def values(self) -> list[float]:
        """Of all variables, after `solve`."""
        return [variable.solution_value() for variable in self._variables]

    def duals(self) -> list[float]:
        """Of all rows, after `solve`."""
        return [row.dual_value() for row in self._rows]
