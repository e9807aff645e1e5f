"""The mixed integer backend: a float solver's optimum of a linear program some of whose variables are 0 or 1.
It proves nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from schedsolve.backends.lp import add_program
from schedsolve.formulas.linear_program import LinearProgram

FLOAT_ERROR = 1e-6
"""The relative gap at which a computed value and a computed bound are said to agree."""


@dataclass(frozen=True)
class MipSolution:
    """What a float solver computed; nothing of it is proven.

    value: of the best solution found. bound: what the solver takes for a lower bound. values: of the
    variables.
    """

    value: float
    bound: float
    values: Sequence[float]

    @property
    def is_closed(self) -> bool:
        """Whether value and bound agree up to float errors."""
        return self.value - self.bound <= FLOAT_ERROR * max(1.0, abs(self.value))


def solve_mip(program: LinearProgram, binary: Collection[int], seconds: float) -> MipSolution | None:
    """The cheapest solution found in so many seconds, with one thread; None when none is found.

    binary: the variables that are 0 or 1; the others are continuous.
    """
    from ortools.linear_solver import pywraplp

    # SCIP rather than HiGHS, which is as fast here but prints a banner that would end up in the output of
    # --json.
    solver = pywraplp.Solver.CreateSolver("SCIP")
    infinity = solver.infinity()
    variables = [
        (
            solver.IntVar(0, 1, "")
            if j in binary
            else solver.NumVar(0, infinity if high is None else float(high), "")
        )
        for j, high in enumerate(program.upper)
    ]
    add_program(solver, program, variables)
    # A limit of 0 milliseconds would be none.
    solver.SetTimeLimit(max(1, int(seconds * 1000)))
    parameters = pywraplp.MPSolverParameters()
    parameters.SetDoubleParam(parameters.RELATIVE_MIP_GAP, FLOAT_ERROR / 10)
    if solver.Solve(parameters) not in (solver.OPTIMAL, solver.FEASIBLE):
        return None
    return MipSolution(
        solver.Objective().Value(), solver.Objective().BestBound(), [x.solution_value() for x in variables]
    )
