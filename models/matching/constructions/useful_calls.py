"""Thinning a schedule: calls that no node needs are left out."""

from __future__ import annotations

from schedsolve.problem import Problem
from schedsolve.schedule import Call, Schedule
from schedsolve.task import Demand

from ..rules import transfer

AFFORDABLE_TRANSFERS = 1_000_000
"""Calls replayed, in all, up to which calls are tried out one by one."""


def only_useful_calls(problem: Problem, schedule: Schedule) -> Schedule:
    """The schedule without calls that it does not need; it stays complete if it was, and keeps its number of
    rounds.

    First every item that a node needs is traced back to its first arrival there, and the calls on no trace
    are dropped. Then, where the schedule is small, the other calls are tried one by one, so that in the end
    each call is necessary.
    """
    demand = problem.demand()
    traced = traced_calls(demand, schedule)
    if traced.call_count * (traced.call_count + len(demand.start)) > AFFORDABLE_TRANSFERS:
        return traced
    rounds = [list(calls) for calls in traced.rounds]
    for calls in reversed(rounds):
        for call in list(calls):
            calls.remove(call)
            if not _complete(demand, rounds):
                calls.append(call)
    return Schedule(tuple(tuple(sorted(calls)) for calls in rounds))


def traced_calls(demand: Demand, schedule: Schedule) -> Schedule:
    """The calls by which some needed item first arrives somewhere, traced back from the goals."""
    held = list(demand.start)
    met: list[list[tuple[Call, int, int]]] = []
    for calls in schedule.rounds:
        met.append([(call, held[call.sender], held[call.receiver]) for call in calls])
        for call in calls:
            transfer(held, call)
    needed = list(demand.goal)
    kept: list[tuple[Call, ...]] = []
    for ends in reversed(met):
        useful = []
        for call, held_by_u, held_by_v in ends:
            u, v = call.sender, call.receiver
            to_v = needed[v] & ~held_by_v
            to_u = needed[u] & ~held_by_u if call.two_way else 0
            if to_v | to_u:
                useful.append(call)
                needed[u], needed[v] = (needed[u] & ~to_u) | to_v, (needed[v] & ~to_v) | to_u
        kept.append(tuple(sorted(useful)))
    return Schedule(tuple(reversed(kept)))


def _complete(demand: Demand, rounds: list[list[Call]]) -> bool:
    held = list(demand.start)
    for calls in rounds:
        for call in calls:
            transfer(held, call)
    return all(goal & ~items == 0 for goal, items in zip(demand.goal, held, strict=True))
