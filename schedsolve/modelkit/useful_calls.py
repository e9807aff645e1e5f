"""The calls of a schedule that somebody needs.

A call brings all that its sender knew before the round.
"""

from __future__ import annotations

from schedsolve.schedule import Call, Schedule
from schedsolve.task import Demand


def traced_calls(demand: Demand, schedule: Schedule) -> Schedule:
    """Return the schedule with only those calls by which a needed item first arrives at a node.

    Every item that a goal asks for is traced back from the last round to the call that first brought it; of
    several calls of one round that bring it, the first. A complete schedule stays complete, and every
    schedule keeps its number of rounds.

    Parameters
    ----------
    demand
        What the nodes hold at the start and need at the end.
    schedule
        Legal in a model in which a call brings everything that its sender knew before the round, both ways if
        it is two-way.
    """
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
