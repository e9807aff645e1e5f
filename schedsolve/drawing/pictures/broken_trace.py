"""The trace of an illegal schedule up to its first illegal call, which is marked."""

from __future__ import annotations

from dataclasses import replace

from schedsolve.drawing.traces.of_problem import trace_of
from schedsolve.drawing.traces.trace import Trace, TraceStep, Transfer
from schedsolve.modelkit.form import Path
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import AnySchedule, Schedule
from schedsolve.models import model_of
from schedsolve.runtime.errors import InputError


def trace_up_to_break(problem: Problem, schedule: AnySchedule, violation: str) -> Trace:
    """Return the legal beginning of a schedule of rounds, with its first illegal call in the last step.

    Raises
    ------
    InputError
        If no single call breaks the rule, as in clocked schedules, or if the beginning is illegal too.
    """
    refused = InputError(f"the schedule breaks a rule: {violation}")
    if not isinstance(schedule, Schedule) or schedule.messages is not None:
        raise refused
    model = model_of(problem)
    calls = sum(map(len, schedule.rounds))

    def is_legal(count: int) -> bool:
        seen = model.replay(problem, _first_calls(schedule, count))
        return not seen.violation or seen.legal

    if not calls or not is_legal(0) or is_legal(calls):
        raise refused
    legal, broken = 0, calls
    while broken - legal > 1:
        middle = (legal + broken) // 2
        legal, broken = (middle, broken) if is_legal(middle) else (legal, middle)
    number = len(_first_calls(schedule, broken).rounds)
    before = sum(map(len, schedule.rounds[: number - 1]))
    call = schedule.rounds[number - 1][broken - before - 1]
    way = call.payload if isinstance(call.payload, Path) else call[:2]
    transfer = Transfer(tuple(way), call.two_way, broken=True)
    trace = trace_of(problem, _first_calls(schedule, legal))
    steps = list(trace.steps)
    if len(steps) < number:
        steps.append(TraceStep(number, (), steps[-1].known if steps else trace.start))
    steps[-1] = replace(steps[-1], transfers=(*steps[-1].transfers, transfer))
    return replace(trace, steps=tuple(steps), broken=violation)


def _first_calls(schedule: Schedule, count: int) -> Schedule:
    """Return the first `count` calls, round by round, without empty rounds at the end."""
    rounds = []
    for calls in schedule.rounds:
        if count <= 0:
            break
        rounds.append(calls[:count])
        count -= len(calls)
    return replace(schedule, rounds=tuple(rounds))
