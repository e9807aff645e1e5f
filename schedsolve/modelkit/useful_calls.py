"""The calls of a schedule that somebody needs.

A call brings all that its sender knew before the round.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from math import isqrt

from schedsolve.schedule import Call, Round, Schedule
from schedsolve.task import Demand

Items = list[int]
"""What each node holds, as bit masks."""


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
    needed = list(demand.goal)
    kept: list[tuple[Call, ...]] = []
    for calls, held in _backwards(list(demand.start), schedule.rounds):
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
        useful.sort()
        # Rounds that are one object stay so: long gossips in cycles have two different rounds.
        kept.append(calls if tuple(useful) == calls else tuple(useful))
    return Schedule(tuple(reversed(kept)))


def _backwards(held: Items, rounds: tuple[Round, ...]) -> Iterator[tuple[Round, Items]]:
    """Yield the rounds from the last to the first, each with what the nodes hold before it.

    That is kept for one round in each stretch of about the square root of their number, and followed again
    from there: a gossip among 4000 nodes in a cycle would take two gigabytes.
    """
    length = isqrt(len(rounds)) + 1
    stretches = [rounds[first : first + length] for first in range(0, len(rounds), length)]
    begun = [held]
    for stretch in stretches[:-1]:
        for calls in stretch:
            held = _after(held, calls)
        begun.append(held)
    for stretch, start in zip(reversed(stretches), reversed(begun), strict=False):
        before = list(accumulate(stretch[:-1], _after, initial=start))
        yield from zip(reversed(stretch), reversed(before), strict=True)


def _after(held: Items, calls: Round) -> Items:
    """Return what the nodes hold after a round."""
    after = list(held)
    for call in calls:
        after[call.receiver] |= held[call.sender]
        if call.two_way:
            after[call.sender] |= held[call.receiver]
    return after
