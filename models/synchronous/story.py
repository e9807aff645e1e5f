"""Schedules in steps as pictures tell them: which chunks move, who holds which, how full the links are."""

from __future__ import annotations

from collections import Counter
from math import floor

from schedsolve.modelkit.story import Frame, Load, Story, Stroke
from schedsolve.problem import Problem

from .rules import StepSchedule, chunk_count, collective_of
from .rules.steps import Send

MOST_NAMED = 4
"""Chunks of a send up to which each is named."""


def story(problem: Problem, schedule: StepSchedule) -> Story:
    """The story of a legal schedule: what is known are the chunks, a frame is a step."""
    collective, chunks = collective_of(problem), chunk_count(problem, schedule) or 1
    network = problem.network
    start, goal = [0] * network.node_count, [0] * network.node_count
    for number, shipment in enumerate(collective.shipments):
        mask = ((1 << chunks) - 1) << number * chunks
        start[shipment.origin] |= mask
        goal[shipment.origin] |= mask if problem.task != "scatter" else 0
        for v in shipment.destinations:
            goal[v] |= mask
    held, frames = list(start), []
    for number, step in enumerate(schedule.steps, 1):
        load: Counter[tuple[int, int]] = Counter()
        for send in step.sends:
            held[send.receiver] |= sum(1 << chunk for chunk in send.chunks)
            for link in send.links:
                load[link] += len(send.chunks)
        labels = network.labels
        loads = tuple(
            Load(f"{labels[u]} to {labels[v]}", count, floor(network.bandwidth_of[u, v] * step.rounds))
            for (u, v), count in sorted(load.items())
        )
        strokes = tuple(
            Stroke((send.sender, *send.switches, send.receiver), text=_text(send)) for send in step.sends
        )
        frames.append(Frame(number, strokes, tuple(held), loads, unit="step"))
    items = tuple(f"chunk {number}" for number in range(chunks * len(collective.shipments)))
    return Story(
        problem, items, tuple(start), tuple(goal), tuple(frames), relays=network.switches, noun="chunk"
    )


def _text(send: Send) -> str:
    few = len(send.chunks) <= MOST_NAMED
    return ",".join(map(str, send.chunks)) if few else f"{len(send.chunks)} chunks"
