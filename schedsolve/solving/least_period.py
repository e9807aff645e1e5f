"""The least period whose optimum is that without a period."""

from __future__ import annotations

from dataclasses import replace

from schedsolve.modelkit.record import Model
from schedsolve.modelkit.search import Clock, Options
from schedsolve.models import model_of
from schedsolve.problem import Problem
from schedsolve.result import Bound, Result, Status
from schedsolve.solving.pursuit import Pursuit


def solve_least_period(model: Model, problem: Problem, options: Options, clock: Clock) -> Result:
    """The least period with which the optimum without a period is reached.

    Every period is decided in turn, as a longer one need not be better than a shorter one; one as long as the
    schedule always does it.
    """
    plain = problem.with_parameters(period=None)
    free = Pursuit(model_of(plain), plain, options, clock)
    free.prepare()
    free.pursue()
    free.certify()
    found = replace(free.result(), problem=problem)
    if found.status is not Status.OPTIMAL or free.schedule is None:
        return found
    rounds = len(free.schedule.rounds)
    shorter: dict[int, tuple[Bound, ...]] = {}
    schedule, node, status = replace(free.schedule, period=max(1, rounds)), free.node, Status.OPTIMAL
    for period in range(1, rounds):
        run = Pursuit(model, problem.with_parameters(period=period, rounds=rounds), options, clock)
        run.prepare()
        run.pursue()
        enough = rounds if run.horizon is None else min(rounds, run.horizon)
        if run.lower <= enough:
            if run.schedule is not None and len(run.schedule.rounds) <= rounds:
                schedule, node = run.schedule, run.node
            else:
                status = Status.BOUNDED
            break
        run.certify()
        shorter[period] = tuple(
            bound for bound in run.bounds if bound.side == "lower" and bound.value > enough
        )
    return replace(
        found,
        status=status,
        schedule=schedule,
        node=node,
        shorter_periods=shorter,
        runtime_seconds=clock.elapsed,
        interrupted=clock.interrupted,
        exhausted=not clock.over,
    )
