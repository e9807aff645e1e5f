"""Time-paths of matching schedules: when, and along which calls, every item first arrives where it is wanted.

Source: Hromkovic, Klasing, Unger, Wagener, Pardubska (RAIRO 1994), Definition 3.3; a two-way call can be used
in both directions.
"""

from __future__ import annotations

from schedsolve.drawing.analysis.analysis import Analysis, Spread
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Round, Schedule
from schedsolve.modelkit.task import Demand, items_in


def analyse(problem: Problem, schedule: Schedule) -> Analysis:
    """Return the time-paths of a legal schedule, which may be incomplete.

    The problem's source or root is given.

    Raises ValueError while the source or root is left open.
    """
    return Analysis(problem, len(schedule.rounds), spreads(problem.demand(), schedule))


def spreads(demand: Demand, schedule: Schedule) -> tuple[Spread, ...]:
    """How every item of a demand spreads, by item.

    The time is that of replaying the calls with bit masks, plus a step for every first arrival.
    """
    held = list(demand.start)
    nodes = range(len(held))
    arrivals: list[list[int | None]] = [
        [0 if held[v] >> item & 1 else None for v in nodes] for item in range(demand.item_count)
    ]
    senders: list[list[int | None]] = [[None for _ in nodes] for _ in range(demand.item_count)]
    for number, calls in enumerate(schedule.rounds, 1):
        for sender, receiver, items in _passed(held, calls):
            for item in items_in(items & ~held[receiver]):
                arrivals[item][receiver] = number
                senders[item][receiver] = sender
            held[receiver] |= items
    return tuple(
        Spread(
            origins=tuple(v for v in nodes if demand.start[v] >> item & 1),
            wanted=tuple(v for v in nodes if demand.goal[v] & ~demand.start[v] & 1 << item),
            arrivals=tuple(arrivals[item]),
            senders=tuple(senders[item]),
        )
        for item in range(demand.item_count)
    )


def _passed(held: list[int], calls: Round) -> list[tuple[int, int, int]]:
    """Return sender, receiver and what the sender holds, for every direction of a round's calls.

    It is what is held before the round.
    """
    passed = [(call.sender, call.receiver, held[call.sender]) for call in calls]
    return passed + [(call.receiver, call.sender, held[call.receiver]) for call in calls if call.two_way]
