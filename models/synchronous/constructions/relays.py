"""Copying schedules without the sends to relays that nobody needs."""

from __future__ import annotations

from dataclasses import replace

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import relays_of

from ..rules.steps import Step, StepSchedule


def without_idle(problem: Problem, schedule: StepSchedule) -> StepSchedule:
    """Return the schedule without chunks that a relay gets and does not pass on.

    Backwards such a relay would be asked for contributions that it has not.
    """
    relays = relays_of(problem)
    if not relays:
        return schedule
    needed: set[tuple[int, int]] = set()
    steps: list[Step] = []
    for step in reversed(schedule.steps):
        sends = []
        for send in step.sends:
            kept = tuple(
                c for c in send.chunks if send.receiver not in relays or (send.receiver, c) in needed
            )
            sends += [send._replace(chunks=kept)] if kept else []
        needed |= {(send.sender, c) for send in sends for c in send.chunks}
        steps.append(Step(step.rounds, tuple(sends)))
    return replace(schedule, steps=tuple(reversed(steps)))
