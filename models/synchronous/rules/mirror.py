"""Reductions as copying tasks run backwards.

A reduce to a root is a broadcast from it on the network with all links turned round, backwards in time:
where a chunk was copied to several nodes, their contributions are added up on the way back. A reduce-scatter
is an allgather likewise. No schedule of another kind does better: of the sends of a chunk that bring
contributions to the root, the last one of every node form a tree, on which each goes to a node that sends
later; backwards they are a broadcast that loads the links no more. Relays may be on the tree or not, here as
there. So bounds of the one are bounds of the other, and of "ordered" reductions too, which have fewer
schedules.
"""

from __future__ import annotations

from dataclasses import replace

from schedsolve.modelkit.problem import Problem

from .steps import Step, StepSchedule

MIRRORED = {"reduce": "broadcast", "reduce-scatter": "allgather"}


def mirrored(problem: Problem) -> Problem:
    """Return the copying task of a reduce or a reduce-scatter, on the reversed network.

    Any other problem is returned as it is.
    """
    if problem.task not in MIRRORED:
        return problem
    parameters = dict(problem.parameters)
    parameters.pop("ordered", None)
    if "root" in parameters:
        parameters["source"] = parameters.pop("root")
    return replace(
        problem, task=MIRRORED[problem.task], network=problem.network.reversed(), parameters=parameters
    )


def backwards(schedule: StepSchedule) -> StepSchedule:
    """Return the schedule of a copying task run backwards, in which every send adds; and back again."""
    return replace(
        schedule,
        steps=tuple(
            Step(
                step.rounds,
                tuple(
                    send._replace(
                        sender=send.receiver,
                        receiver=send.sender,
                        switches=send.switches[::-1],
                        adds=not send.adds,
                    )
                    for send in step.sends
                ),
            )
            for step in reversed(schedule.steps)
        ),
    )


def spreading(problem: Problem) -> Problem:
    """Return the copying task in which data go as far as the contributions of a reduction have to.

    Of an allreduce the allgather, of other problems `mirrored`.
    """
    if problem.task != "allreduce":
        return mirrored(problem)
    kept = {name: value for name, value in problem.parameters.items() if name != "ordered"}
    return replace(problem, task="allgather", parameters=kept)
