"""A pipelined schedule, cut into chunks and steps, as data that move: what programs are made of."""

from __future__ import annotations

from math import lcm

from schedsolve.errors import InputError
from schedsolve.modelkit.movement import Movement, MovementStep, Transfer
from schedsolve.problem import Problem

from .constructions.steps import in_steps
from .rules.demand import end_of
from .rules.schedule import PipelinedSchedule

MOST_CHUNKS = 24
"""Chunks a unit up to which all parts of the schedule get whole numbers of them, unless they are given."""


def movement(problem: Problem, schedule: PipelinedSchedule, chunks: int | None) -> Movement:
    """The movement of a legal schedule with so many chunks a unit; unless given, as few as give every tree a
    whole number of them, and `MOST_CHUNKS` at most.

    A schedule that symmetries stand for is found anew without them. Raises InputError when there is none, and
    where switches copy.
    """
    if problem.parameters.get("switches_copy"):
        raise InputError("switches that copy and add up do what no program of the ranks can do")
    if schedule.symmetries:
        from .command import explicit_schedule

        schedule = explicit_schedule(problem)
    if chunks is None:
        chunks = min(MOST_CHUNKS, lcm(*(tree.weight.denominator for tree in schedule.trees)))
        chunks = chunks if schedule.trees else 1
    steps = tuple(
        MovementStep(
            rounds,
            tuple(
                Transfer(send.sender, send.receiver, send.chunks, send.adds, send.switches) for send in sends
            ),
        )
        for rounds, sends in in_steps(problem, schedule, chunks)
    )
    rooted = problem.task in ("broadcast", "scatter", "gather", "reduce")
    return Movement(problem.task, problem.network, chunks, steps, end_of(problem) if rooted else None)
