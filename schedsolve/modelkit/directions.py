"""Calls of a broadcast written from the node that informs."""

from __future__ import annotations

from dataclasses import replace

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule


def with_directions(problem: Problem, schedule: Schedule) -> Schedule:
    """Return a schedule of rounds for people to read, with each call written from the node that informs.

    Where there is a single message, a two-way call between a node that has it and one that has not becomes
    a one-way call; the other calls, and schedules of more items or with a period, stay as they are.
    """
    if problem.task not in ("broadcast", "multicast") or schedule.period is not None:
        return schedule
    if not any(call.two_way for calls in schedule.rounds for call in calls):
        return schedule
    demand = problem.demand()
    if demand.item_count != 1:
        return schedule
    informed = {node for node, items in enumerate(demand.start) if items}
    rounds = []
    for calls in schedule.rounds:
        shown = []
        for call in calls:
            one_sided = call.two_way and (call.sender in informed) != (call.receiver in informed)
            forward = call if call.sender in informed else call.reversed()
            shown.append(forward._replace(two_way=False) if one_sided else call)
        informed |= {call.receiver for call in shown if call.sender in informed}
        rounds.append(tuple(shown))
    return replace(schedule, rounds=tuple(rounds))
