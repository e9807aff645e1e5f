"""A schedule in steps as data that move: what programs are made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from schedsolve.machines.movement.finer_movement import in_sending_order
from schedsolve.machines.movement.movement import Cut, Movement, MovementStep, Transfer
from schedsolve.modelkit.demands import UNEQUAL_TASKS
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import forwarding, relays_of
from schedsolve.modelkit.task import with_article
from schedsolve.models.synchronous.rules import Step, StepSchedule, chunk_count
from schedsolve.runtime.errors import InputError, counted


def movement(problem: Problem, schedule: StepSchedule, cut: Cut) -> Movement:
    """Return the movement of a legal schedule.

    Parameters
    ----------
    problem
        The problem.
    schedule
        The schedule.
    cut
        Its chunks, if given, are a multiple of the schedule's; every chunk is cut. Where ranks do not wait
        for each other, transfers leave in an order for the ports of switches.

    Raises
    ------
    InputError
        For another number, for sizes, and where relays hold chunks.
    """
    if problem.task in UNEQUAL_TASKS:
        raise InputError(f"{with_article(problem.task)} is not written as a program yet")
    relays = relays_of(problem)
    if any({send.sender, send.receiver} & relays for step in schedule.steps for send in step.sends):
        raise InputError("relays hold chunks, which no program of the ranks alone can do")
    own = chunk_count(problem, schedule) or 1
    times, rest = divmod(cut.chunks or own, own)
    if rest or not times:
        raise InputError(
            f"the schedule has {counted(own, 'chunk')}, so that --chunks takes a multiple of {own}"
        )
    steps = moving_steps(replace(schedule, chunks=own).multiplied(times).steps)
    root = problem.sources[0] if problem.node_parameter in problem.parameters else None
    found = Movement(problem.task, forwarding(problem).network, own * times, steps, root)
    return found if cut.in_lockstep else in_sending_order(found)


def moving_steps(steps: Iterable[Step]) -> tuple[MovementStep, ...]:
    """Return the steps of a schedule as steps of a movement."""
    return tuple(
        MovementStep(
            rounds,
            tuple(
                Transfer(send.sender, send.receiver, tuple(sorted(send.chunks)), send.adds, send.switches)
                for send in sends
            ),
        )
        for rounds, sends in steps
    )
