"""Thinning a schedule: calls that no node needs are left out."""

from __future__ import annotations

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.modelkit.task import Demand
from schedsolve.modelkit.useful_calls import traced_calls

from ..rules import transfer

AFFORDABLE_TRANSFERS = 1_000_000
"""Calls replayed, in all, up to which calls are tried out one by one."""


def only_useful_calls(problem: Problem, schedule: Schedule) -> Schedule:
    """Return the schedule without calls that it does not need.

    It stays complete if it was, and keeps its number of rounds.

    First the calls on no trace of a needed item are dropped. Then, where the schedule is small, the other
    calls are tried one by one, so that in the end each call is necessary. Of a single item it is so at once:
    its traces are trees, in which without a call nothing reaches the nodes below.
    """
    traced = traced_calls(problem.demands(), schedule)
    if traced.call_count * (traced.call_count + problem.network.node_count) > AFFORDABLE_TRANSFERS:
        return traced
    demands = list(problem.demands())
    if demands[0].item_count == 1:
        return traced
    rounds = [list(calls) for calls in traced.rounds]
    for calls in reversed(rounds):
        for call in list(calls):
            calls.remove(call)
            if not all(_complete(demand, rounds) for demand in demands):
                calls.append(call)
    return Schedule(tuple(tuple(sorted(calls)) for calls in rounds))


def _complete(demand: Demand, rounds: list[list[Call]]) -> bool:
    held = list(demand.start)
    for calls in rounds:
        for call in calls:
            transfer(held, call)
    return all(goal & ~items == 0 for goal, items in zip(demand.goal, held, strict=True))
