"""Thinning a schedule of long-distance calls: calls that bring nothing that is needed are left out."""

from __future__ import annotations

from schedsolve.problem import Problem
from schedsolve.schedule import Call, Schedule


def only_useful_calls(problem: Problem, schedule: Schedule) -> Schedule:
    """The schedule without calls by which no needed item first arrives; it stays complete if it was, with as
    many rounds.

    schedule: legal for the problem, whose source or root is given.
    """
    demand = problem.demand()
    before = [list(demand.start)]
    for calls in schedule.rounds:
        after = list(before[-1])
        for call in calls:
            after[call.receiver] |= before[-1][call.sender]
            if call.two_way:
                after[call.sender] |= before[-1][call.receiver]
        before.append(after)
    needed = list(demand.goal)
    kept: list[tuple[Call, ...]] = []
    for calls, held in zip(reversed(schedule.rounds), reversed(before[:-1]), strict=True):
        outstanding = [items & ~known for items, known in zip(needed, held, strict=True)]
        needed = [items & known for items, known in zip(needed, held, strict=True)]
        useful = []
        for call in calls:
            both = [call[:2], call[1::-1]] if call.two_way else [call[:2]]
            brought = [(u, v, outstanding[v] & held[u]) for u, v in both]
            for u, v, items in brought:
                outstanding[v] &= ~items
                needed[u] |= items
            if any(items for _, _, items in brought):
                useful.append(call)
        kept.append(tuple(sorted(useful)))
    return Schedule(tuple(reversed(kept)))
