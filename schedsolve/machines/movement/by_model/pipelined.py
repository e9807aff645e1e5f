"""A pipelined schedule, cut into chunks, as data that move: what programs are made of."""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING

from schedsolve.machines.movement.by_model.synchronous import moving_steps
from schedsolve.machines.movement.movement import Cut, Movement
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import forwarding
from schedsolve.models.pipelined.rules.demand import end_of
from schedsolve.models.pipelined.rules.schedule import PipelinedSchedule
from schedsolve.runtime.errors import InputError

if TYPE_CHECKING:
    from schedsolve.machines.streams.steps import Steps

MOST_CHUNKS_IN_STEPS = 24
"""Chunks a unit up to which all parts of a schedule in lockstep get whole numbers of them."""

MOST_IMAGES = 3000
"""Trees that others stand for under symmetries up to which all are listed, where planes make few of them."""


def movement(problem: Problem, schedule: PipelinedSchedule, cut: Cut) -> Movement:
    """Return the movement of a legal schedule.

    In lockstep by waves, with as many chunks as give every tree a whole number of them, up to
    `MOST_CHUNKS_IN_STEPS`; for batches in levels; otherwise by streams.

    A schedule that symmetries stand for is found again without them, and one through relays for relays that
    only forward, which are among the switches of the movement.

    Raises
    ------
    InputError
        If there is none, where switches copy, and where relays have to.
    """
    from schedsolve.machines.streams.images import with_images
    from schedsolve.machines.streams.planes import planes_of
    from schedsolve.machines.streams.steps import in_steps
    from schedsolve.machines.streams.streams import in_levels, in_streams

    if problem.parameters.get("switches_copy"):
        raise InputError("switches that copy and add up do what no program of the ranks can do")
    if schedule.symmetries and schedule.trees and planes_of(problem.network):
        schedule = with_images(problem.network, schedule, MOST_IMAGES) or schedule
    if schedule.symmetries or "ranks" in problem.parameters:
        from schedsolve.models.pipelined.formulation.explicit import explicit_schedule

        least, problem = schedule.time, forwarding(problem)
        schedule = explicit_schedule(problem, least)
        if schedule.time > least:
            raise InputError(
                "the relays copy or add up, which no program of the ranks can do; without that it takes"
                f" {schedule.time}, not {least}"
            )
    chunks = cut.chunks
    steps: Steps = []
    if not schedule.trees and not schedule.flows:
        chunks = chunks or 1
    elif cut.in_lockstep:
        whole = lcm(*(tree.weight.denominator for tree in schedule.trees))
        chunks = chunks or min(MOST_CHUNKS_IN_STEPS, whole)
        steps = in_steps(problem, schedule, chunks)
    elif cut.in_batches:
        chunks, steps = in_levels(problem, schedule, cut)
    else:
        streams = in_streams(problem, schedule, cut)
        chunks, steps = streams.chunks, streams.steps
    rooted = problem.task in ("broadcast", "scatter", "gather", "reduce")
    return Movement(
        problem.task,
        problem.network,
        chunks,
        moving_steps(steps),
        end_of(problem) if rooted else None,
    )
