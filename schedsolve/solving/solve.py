"""Solving a problem: bounds, then constructions, then searches that decide numbers of rounds, until both
sides meet or a limit stops it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from schedsolve.errors import InputError
from schedsolve.modelkit.search import Clock, Options
from schedsolve.models import model_of
from schedsolve.problem import Problem
from schedsolve.result import Result
from schedsolve.solving.integer_programs import is_pulp, refuse_backend
from schedsolve.solving.least_period import solve_least_period
from schedsolve.solving.pursuit import Pursuit
from schedsolve.solving.worst_node import solve_worst


def solve(problem: Problem, options: Options | None = None, **keywords: Any) -> Result:
    """The least number of rounds of a problem, or the decision whether `problem.rounds` suffice, with both
    sides proven where possible.

    Every schedule in the result was replayed by the model's referee. A KeyboardInterrupt (Ctrl-C) or the time
    limit ends the solve with the best schedule and bounds found so far.
    keywords: fields of Options, in place of those in `options`.
    Raises InputError for a backend that the model does not have.
    """
    options = replace(options or Options(), **keywords)
    model = model_of(problem)
    backends = sorted({s.backend for s in model.strategies} | {i.backend for i in model.improvements})
    if model.formulations is not None:
        backends = sorted({*backends, "cpsat", "pulp", "pulp:SOLVER"})
    if options.backend and is_pulp(options.backend):
        refuse_backend(model, options.backend)
    elif options.backend and options.backend not in backends:
        raise InputError(
            f"{problem.model} has no backend '{options.backend}'; its backends are {', '.join(backends)}"
        )
    clock = Clock(options)
    if problem.period == "min":
        return solve_least_period(model, problem, options, clock)
    if problem.choice == "max":
        return solve_worst(model, problem, options, clock)
    run = Pursuit(model, problem, options, clock)
    run.prepare()
    run.pursue()
    run.certify()
    return run.result()
