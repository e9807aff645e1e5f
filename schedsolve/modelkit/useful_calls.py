"""The calls of a schedule that somebody needs.

A call brings all that its sender knew before the round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import compress
from math import isqrt

from schedsolve.modelkit.schedule import Round, Schedule
from schedsolve.modelkit.task import Demand


def traced_calls(demands: Iterable[Demand], schedule: Schedule) -> Schedule:
    """Return the schedule with only those calls by which a needed item first arrives at a node.

    Every item that a goal asks for is traced back from the last round to the call that first brought it; of
    several calls of one round that bring it, the first. A complete schedule stays complete, and every
    schedule keeps its number of rounds.

    Parameters
    ----------
    demands
        What the nodes hold at the start and need at the end: a demand, or each block of its items.
    schedule
        Legal in a model in which a call brings everything that its sender knew before the round, both ways if
        it is two-way.
    """
    useful = [bytearray(len(calls)) for calls in schedule.rounds]
    for demand in demands:
        _mark(demand, schedule.rounds, useful)
    kept = []
    for calls, marks in zip(schedule.rounds, useful, strict=True):
        some = tuple(sorted(compress(calls, marks)))
        # Rounds that are one object stay so: long gossips in cycles have two different rounds.
        kept.append(calls if some == calls else some)
    return Schedule(tuple(kept))


def _mark(demand: Demand, rounds: tuple[Round, ...], useful: list[bytearray]) -> None:
    """Mark the calls of every round by which a needed item of the demand first arrives at a node."""
    # Of each node, the items that it holds after the round at hand and that are needed from there on. In a
    # round without a call of the node they are those that it holds before.
    needed: list[int] = []
    for t, before, held in _backwards(list(demand.start), rounds):
        needed = needed or [goal & items for goal, items in zip(demand.goal, held, strict=True)]
        outstanding = {v: needed[v] & ~items for v, items in before.items()}
        for v, items in before.items():
            needed[v] &= items
        for i, call in enumerate(rounds[t]):
            for u, v in (call[:2], call[1::-1]) if call.two_way else (call[:2],):
                if items := outstanding[v] & before[u]:
                    outstanding[v] ^= items
                    needed[u] |= items
                    useful[t][i] = 1


def _backwards(
    held: list[int], rounds: tuple[Round, ...]
) -> Iterator[tuple[int, Mapping[int, int], list[int]]]:
    """Yield for each round, from the last to the first, what the nodes hold.

    These are the round's index, what the ends of its calls hold before it, and what all hold after it. All of
    that is kept for one round in each stretch, and followed again from there: a gossip among 4000 nodes in a
    cycle would take two gigabytes.
    """
    stretches = list(_stretches(rounds, isqrt(len(held) * sum(map(len, rounds)))))
    begun = []
    for stretch in stretches:
        begun.append(list(held))
        for t in stretch:
            _carry_out(rounds[t], held)
    for stretch in reversed(stretches):
        held = begun.pop()
        known = [_carry_out(rounds[t], held) for t in stretch]
        for t in reversed(stretch):
            before = known.pop()
            yield t, before, held
            for v, items in before.items():
                held[v] = items


def _stretches(rounds: tuple[Round, ...], least_calls: int) -> Iterator[range]:
    """Yield the indices of the rounds in stretches of so many calls or just more; the last may have fewer."""
    first, calls = 0, 0
    for t, one in enumerate(rounds, 1):
        calls += len(one)
        if calls >= least_calls or t == len(rounds):
            yield range(first, t)
            first, calls = t, 0


def _carry_out(calls: Round, held: list[int]) -> dict[int, int]:
    """Carry out a round, and return what the ends of its calls held before it."""
    before = {end: held[end] for call in calls for end in call[:2]}
    for call in calls:
        held[call.receiver] |= before[call.sender]
        if call.two_way:
            held[call.sender] |= before[call.receiver]
    return before
