"""Linear programs over plans, in exact fractions.

A plan is one way to bring a chunk, or a part of a unit, where it is wanted; it loads links. A float solver
finds a corner, and the corner is then computed again and proven optimal in fractions, so that nothing rests
on the float solver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ortools.linear_solver import pywraplp

from tests.reference.machines_ways import unpacked

Row = tuple[Mapping[int, Fraction | int], Fraction | int]
"""Coefficients by the number of their variable, and what their sum has to be at least."""


def least_rounds_of_plans(
    groups: Sequence[Sequence[int]], bandwidths: Sequence[Fraction], steps: int
) -> Fraction:
    """The least sum of r_s when each group sends 1 over its plans and a link of bandwidth b carries at most b
    r_s in step s.

    groups: for each its plans, none of them empty; a plan is what it loads, packed, link by link of the first
    step, then of the second, and so on.
    """
    costs: list[int] = [1] * steps
    rows: list[tuple[dict[int, Fraction | int], int]] = [
        ({step: bandwidth}, 0) for step in range(steps) for bandwidth in bandwidths
    ]
    for plans in groups:
        first = len(costs)
        costs += [0] * len(plans)
        rows.append((dict.fromkeys(range(first, len(costs)), 1), 1))
        for number, plan in enumerate(plans, first):
            for place, count in enumerate(unpacked(plan, steps * len(bandwidths))):
                if count:
                    rows[place][0][number] = -count
    return exact_minimum(costs, rows)


def exact_minimum(costs: Sequence[int], rows: Sequence[Row]) -> Fraction:
    """The least sum of costs over variables of at least 0 that keep all rows.

    Raises ArithmeticError when the float solver's corner is not optimal in fractions.
    """
    solver = pywraplp.Solver.CreateSolver("GLOP")
    solver.SetSolverSpecificParametersAsString("use_preprocessing:false")
    variables = [solver.NumVar(0, solver.infinity(), "") for _ in costs]
    constraints = []
    for coefficients, least in rows:
        constraint = solver.Constraint(float(least), solver.infinity())
        for number, coefficient in coefficients.items():
            constraint.SetCoefficient(variables[number], float(coefficient))
        constraints.append(constraint)
    for variable, cost in zip(variables, costs, strict=True):
        solver.Objective().SetCoefficient(variable, cost)
    if solver.Solve() != solver.OPTIMAL:
        raise ArithmeticError("the float solver finds no optimum")
    inside = [j for j, x in enumerate(variables) if x.basis_status() == solver.BASIC]
    tight = [i for i, row in enumerate(constraints) if row.basis_status() != solver.BASIC]
    return _proven(costs, rows, inside, tight)


def _proven(costs: Sequence[int], rows: Sequence[Row], inside: list[int], tight: list[int]) -> Fraction:
    """The value of a corner, its variables and its prices computed from the tight rows and tested."""
    matrix = [[Fraction(rows[i][0].get(j, 0)) for j in inside] for i in tight]
    x = dict(zip(inside, solved(matrix, [Fraction(rows[i][1]) for i in tight]), strict=True))
    turned = [list(column) for column in zip(*matrix, strict=True)]
    prices = dict(zip(tight, solved(turned, [Fraction(costs[j]) for j in inside]), strict=True))
    legal = all(value >= 0 for value in (*x.values(), *prices.values()))
    legal = legal and all(
        sum(a * x.get(j, 0) for j, a in coefficients.items()) >= least for coefficients, least in rows
    )
    paid = [Fraction(0)] * len(costs)
    for i, price in prices.items():
        for j, a in rows[i][0].items():
            paid[j] += a * price
    if not legal or any(pays > cost for pays, cost in zip(paid, costs, strict=True)):
        raise ArithmeticError("the float solver's corner is not optimal")
    return sum((costs[j] * value for j, value in x.items()), Fraction(0))


def solved(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """The solution of a square system, by elimination. Raises ArithmeticError when it is singular."""
    system = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k in range(len(system)):
        pivot = next((i for i in range(k, len(system)) if system[i][k]), None)
        if pivot is None:
            raise ArithmeticError("a singular corner")
        system[k], system[pivot] = system[pivot], system[k]
        head = system[k][k]
        system[k] = [value / head for value in system[k]]
        for i, row in enumerate(system):
            if i != k and row[k]:
                factor = row[k]
                system[i] = [a - factor * b if b else a for a, b in zip(row, system[k], strict=True)]
    return [row[-1] for row in system]
