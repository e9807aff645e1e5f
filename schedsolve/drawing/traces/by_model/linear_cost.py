"""Broadcasts of packets as pictures tell them: which packets move, and who owns which."""

from __future__ import annotations

from schedsolve.drawing.traces.trace import Trace, TraceStep, Transfer
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.models.linear_cost.rules import packet_count
from schedsolve.runtime.errors import counted

MOST_NAMED = 3
"""Packets of a message up to which each is named."""


def trace(problem: Problem, schedule: Schedule) -> Trace:
    """Return the trace of a legal schedule: what is known are the packets."""
    n, count = problem.network.node_count, packet_count(schedule)
    everything = (1 << count) - 1
    start = tuple(everything if v in problem.sources else 0 for v in range(n))
    held, steps = list(start), []
    for number, calls in enumerate(schedule.rounds, 1):
        for call in calls:
            held[call.receiver] |= sum(1 << packet for packet in call.payload)
        sizes = [len(call.payload) for call in calls]
        transfers = tuple(Transfer(call[:2], text=_text(call)) for call in calls)
        largest, sent = max(sizes, default=0), sum(sizes)
        steps.append(TraceStep(number, transfers, tuple(held), largest=largest, sent=sent))
    items = tuple(f"packet {p}" for p in range(count))
    return Trace(problem, items, start, (everything,) * n, tuple(steps), noun="packet", parts=count)


def _text(call: Call) -> str:
    few = len(call.payload) <= MOST_NAMED
    return ",".join(map(str, call.payload)) if few else counted(len(call.payload), "packet")
