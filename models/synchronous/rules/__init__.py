"""The referee of the synchronous model: what a legal step is and what it does.

A step lasts one or more rounds. A send takes chunks from a compute node that held them before the step, over
one link or over a path through switches, to a compute node that did not hold them and gets them once. A link
of bandwidth b carries at most b r chunks in a step of r rounds. After the last step every destination holds
every chunk of its shipments; what reductions do is said in `reductions`. The value is the rounds per chunk:
the rounds of all steps, divided by the chunks a shipment.

Source: the k-synchronous (C, S, R) algorithms of Cai, Liu, Maleki, Musuvathi, Mytkowicz, Nelson, Saarikivi,
Synthesizing optimal collective algorithms (PPoPP 2021); exact bandwidths and paths through switches besides.
"""

from __future__ import annotations

from fractions import Fraction

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Replay
from schedsolve.runtime.errors import counted

from .collective import Collective, Shipment, collective_of
from .links import broken_path, overloaded
from .reductions import REDUCTIONS, Values, reduction_of
from .steps import Send, Step, StepSchedule

__all__ = ["Collective", "Send", "Shipment", "Step", "StepSchedule", "chunk_count", "collective_of", "replay"]


def chunk_count(problem: Problem, schedule: StepSchedule) -> int | None:
    """Return the chunks a shipment: the problem's, or else the schedule's; None when neither says it."""
    asked: int | None = problem.parameters.get("chunks")
    return schedule.chunks if asked is None else asked


def replay(problem: Problem, schedule: StepSchedule) -> Replay:
    """Replay a schedule for a problem whose source or root is given; the value is the rounds per chunk.

    The violation is the first broken rule in the order of the steps and their sends, else the first chunk
    that somebody still misses.
    """
    chunks = chunk_count(problem, schedule)
    if chunks is None:
        return Replay(0, 'the schedule does not say how many chunks there are: "chunks"')
    value = Fraction(schedule.rounds, chunks)
    if schedule.chunks not in (None, chunks):
        return Replay(
            value, f"the schedule has {counted(schedule.chunks, 'chunk')}, and {chunks} were asked for"
        )
    asked: int = problem.parameters["steps"]
    if len(schedule.steps) != asked:
        return Replay(
            value, f"the schedule has {counted(len(schedule.steps), 'step')}, and {asked} were asked for"
        )
    if problem.task in REDUCTIONS:
        return _replay_reduction(problem, schedule, chunks, value)
    collective = collective_of(problem)
    held: list[set[int]] = [set() for _ in range(problem.network.node_count)]
    for chunk in range(len(collective.shipments) * chunks):
        held[collective.origin_of(chunk, chunks)].add(chunk)
    for number, step in enumerate(schedule.steps, 1):
        broken = _broken_rule(collective, chunks, held, step)
        if broken:
            return Replay(value, f"step {number}: {broken}")
        for send in step.sends:
            held[send.receiver].update(send.chunks)
    return Replay(value, _missing(collective, chunks, held), legal=True)


def _replay_reduction(problem: Problem, schedule: StepSchedule, chunks: int, value: Fraction) -> Replay:
    values = Values(reduction_of(problem), chunks)
    for number, step in enumerate(schedule.steps, 1):
        broken = values.advance(step)
        if broken:
            return Replay(value, f"step {number}: {broken}")
    return Replay(value, values.missing(), legal=True)


def _broken_rule(collective: Collective, chunks: int, held: list[set[int]], step: Step) -> str | None:
    """Return the first rule that a step breaks when every node holds what it held before.

    None when it is legal.
    """
    network = collective.network
    labels = network.labels
    if step.rounds < 1:
        return f"it lasts {step.rounds} rounds, and a step lasts 1 or more"
    arriving: set[tuple[int, int]] = set()
    for send in step.sends:
        broken = broken_path(network, send)
        if broken:
            return broken
        if send.adds:
            return f"the send from {labels[send.sender]} to {labels[send.receiver]} adds, in no reduction"
        for chunk in send.chunks:
            broken = _broken_chunk(collective, chunks, held, send, chunk)
            if broken:
                return broken
            if (send.receiver, chunk) in arriving:
                return f"chunk {chunk} is sent to node {labels[send.receiver]} twice"
            arriving.add((send.receiver, chunk))
    return overloaded(network, step)


def _broken_chunk(
    collective: Collective, chunks: int, held: list[set[int]], send: Send, chunk: int
) -> str | None:
    """Why a send cannot bring a chunk when every node holds what it held before; None when it can."""
    sender, receiver = (collective.network.labels[v] for v in (send.sender, send.receiver))
    if chunk >= len(collective.shipments) * chunks:
        return f"there is no chunk {chunk} to send from {sender} to {receiver}"
    if chunk not in held[send.sender]:
        return f"node {sender} does not hold chunk {chunk}, which it sends to {receiver}"
    if chunk in held[send.receiver]:
        return f"chunk {chunk} is sent from {sender} to {receiver}, but node {receiver} already holds it"
    return None


def _missing(collective: Collective, chunks: int, held: list[set[int]]) -> str | None:
    """Return the first chunk that a destination still misses; None when the task is complete."""
    for number, shipment in enumerate(collective.shipments):
        for v in shipment.destinations:
            for chunk in range(number * chunks, (number + 1) * chunks):
                if chunk not in held[v]:
                    label = collective.network.labels[v]
                    return f"after the last step: node {label} does not hold chunk {chunk}"
    return None
