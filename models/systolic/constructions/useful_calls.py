"""Thinning of a systolic schedule: calls that no node needs in any round are left out of the period."""

from __future__ import annotations

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.modelkit.useful_calls import traced_calls
from schedsolve.models.matching.constructions.useful_calls import AFFORDABLE_TRANSFERS

from ..rules import period_of, run_until_complete


def only_useful_slots(problem: Problem, schedule: Schedule) -> Schedule:
    """Return the schedule without calls of its period that it does not need in any round.

    It stays complete within as many rounds.

    1. The calls on no trace of a needed item are dropped.
    2. If the schedule is small, the others are tried one by one.
    """
    period, most = period_of(problem), len(schedule.rounds)
    slots: list[set[Call]] = [set() for _ in range(min(period, most))]
    for t, calls in enumerate(traced_calls(problem.demands(), schedule).rounds):
        slots[t % period].update(calls)
    found = _run(problem, slots, most)
    assert found is not None
    if found.call_count * (schedule.call_count + problem.network.node_count) > AFFORDABLE_TRANSFERS:
        return found
    for slot in reversed(slots):
        for call in sorted(slot):
            slot.remove(call)
            fewer = _run(problem, slots, most)
            if fewer is None:
                slot.add(call)
            else:
                found = fewer
    return found


def _run(problem: Problem, slots: list[set[Call]], most: int) -> Schedule | None:
    return run_until_complete(problem, Schedule(tuple(tuple(sorted(calls)) for calls in slots)), most)
