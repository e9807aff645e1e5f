"""The least period whose optimum is that without a period."""

from __future__ import annotations

from dataclasses import replace

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import Bound, Result, Status
from schedsolve.modelkit.schedule import AnySchedule, Schedule
from schedsolve.modelkit.search import Options
from schedsolve.models import model_of
from schedsolve.solving.clock import Clock
from schedsolve.solving.solve_loop import SolveLoop


def solve_least_period(model: Model, problem: Problem, options: Options, clock: Clock) -> Result:
    """Return the least period with which the optimum without a period is reached.

    Every period is decided in turn, as a longer one need not be better than a shorter one; a period as long
    as the schedule always suffices.
    """
    plain = problem.with_parameters(period=None)
    free = SolveLoop(model_of(plain), plain, options, clock)
    found = replace(free.solve(), problem=problem)
    if found.status is not Status.OPTIMAL or free.best.schedule is None:
        return found
    assert isinstance(free.best.schedule, Schedule)
    rounds = len(free.best.schedule.rounds)
    shorter: dict[int, tuple[Bound, ...]] = {}
    schedule: AnySchedule = replace(free.best.schedule, period=max(1, rounds))
    node, status = free.best.node, Status.OPTIMAL
    for period in range(1, rounds):
        loop = SolveLoop(model, problem.with_parameters(period=period, rounds=rounds), options, clock)
        loop.prepare()
        loop.run()
        best = loop.best
        enough = rounds if best.horizon is None else min(rounds, best.horizon)
        if best.lower <= enough:
            if isinstance(best.schedule, Schedule) and len(best.schedule.rounds) <= rounds:
                schedule, node = best.schedule, best.node
            else:
                status, found = Status.BOUNDED, replace(found, limits=loop.limits)
            break
        loop.certify()
        shorter[period] = tuple(
            bound for bound in best.bounds if bound.side == "lower" and bound.value > enough
        )
    return replace(
        found,
        status=status,
        indexed=schedule,
        node_index=node,
        shorter_periods=shorter,
        runtime_seconds=clock.elapsed,
        interrupted=clock.interrupted,
        ended=not clock.over,
    )
