"""Schedules in steps as pictures tell them: which chunks move, who holds which, how full the links are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import floor

from schedsolve.drawing.traces.trace import Load, Trace, TraceStep, Transfer
from schedsolve.modelkit.problem import Problem
from schedsolve.models.synchronous.rules import Collective, StepSchedule, chunk_count, collective_of
from schedsolve.models.synchronous.rules.reductions import REDUCTIONS, Reduction, Values, reduction_of
from schedsolve.models.synchronous.rules.steps import Send, Step
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import counted

MOST_NAMED = 4
"""Chunks of a transfer up to which each is named."""
MOST_COLOURS = 6
"""Colours of a send up to which each has a transfer of its own."""


def trace(problem: Problem, schedule: StepSchedule) -> Trace:
    """Return the trace of a legal schedule: what is known are the chunks."""
    if problem.task in REDUCTIONS:
        return _trace_of_sums(problem, schedule)
    collective, chunks = collective_of(problem), chunk_count(problem, schedule) or 1
    network = problem.network
    start, goal = [0] * network.node_count, [0] * network.node_count
    for number, shipment in enumerate(collective.shipments):
        mask = ((1 << chunks) - 1) << number * chunks
        start[shipment.origin] |= mask
        goal[shipment.origin] |= mask if problem.task != "scatter" else 0
        for v in shipment.destinations:
            goal[v] |= mask
    colour_of, colours = _colouring(collective, chunks)
    held, steps = list(start), []
    for number, step in enumerate(schedule.steps, 1):
        for send in step.sends:
            held[send.receiver] |= sum(1 << chunk for chunk in send.chunks)
        steps.append(_trace_step(network, number, step, held, colour_of))
    items = tuple(f"chunk {number}" for number in range(chunks * len(collective.shipments)))
    return _told(problem, items, (start, goal), steps, "chunk", colours)


def _told(
    problem: Problem,
    items: tuple[str, ...],
    ends: tuple[list[int], list[int]],
    steps: list[TraceStep],
    noun: str,
    colours: tuple[str, ...],
) -> Trace:
    """Return the trace of what nodes hold at both ends and in the steps between; switches only relay."""
    start, goal = map(tuple, ends)
    relays = problem.network.switches
    return Trace(problem, items, start, goal, tuple(steps), relays=relays, noun=noun, colours=colours)


def _trace_of_sums(problem: Problem, schedule: StepSchedule) -> Trace:
    """Return the trace of a reduction: what is known are contributions, each to a chunk."""
    reduction, chunks = reduction_of(problem), chunk_count(problem, schedule) or 1
    network, nodes = problem.network, problem.network.compute_nodes
    values, width = Values(reduction, chunks), len(reduction.ranks)
    all_chunks = range(reduction.chunk_count(chunks))

    def held() -> list[int]:
        masks = [0] * network.node_count
        for v in nodes:
            masks[v] = sum(values.of(v, chunk) << chunk * width for chunk in all_chunks)
        return masks

    start, goal = held(), [0] * network.node_count
    unit = (1 << chunks * width) - 1
    for number, wanting in enumerate(reduction.wanted):
        for v in wanting:
            goal[v] |= unit << number * chunks * width
    colour_of, colours = _colouring_of_sums(reduction, chunks)
    steps = []
    for number, step in enumerate(schedule.steps, 1):
        values.advance(step)
        steps.append(_trace_step(network, number, step, held(), colour_of))
    items = tuple(f"{network.labels[v]} in chunk {chunk}" for chunk in all_chunks for v in reduction.ranks)
    return _told(problem, items, (start, goal), steps, "contribution", colours)


def _colouring_of_sums(reduction: Reduction, chunks: int) -> tuple[Callable[[int], int], tuple[str, ...]]:
    """Return the colour of every chunk.

    Where its result goes, or if all go to the same nodes, which chunk it is.
    """
    labels = reduction.network.labels
    if len(reduction.wanted) > 1:
        names = tuple(f"for {labels[nodes[0]]}" for nodes in reduction.wanted)
        return (lambda chunk: chunk // chunks), names
    return (lambda chunk: chunk), tuple(f"chunk {j}" for j in range(chunks))


def _trace_step(
    network: Network, number: int, step: Step, held: Sequence[int], colour_of: Callable[[int], int]
) -> TraceStep:
    """Return a step, after which the nodes hold so much."""
    load: Counter[tuple[int, int]] = Counter()
    for send in step.sends:
        for link in send.links:
            load[link] += len(send.chunks)
    labels = network.labels
    loads = tuple(
        Load(f"{labels[u]} to {labels[v]}", count, floor(network.bandwidth_of[u, v] * step.rounds))
        for (u, v), count in sorted(load.items())
    )
    transfers = tuple(transfer for send in step.sends for transfer in _transfers(send, colour_of))
    return TraceStep(number, transfers, tuple(held), loads, unit="step")


def _colouring(collective: Collective, chunks: int) -> tuple[Callable[[int], int], tuple[str, ...]]:
    """Return the colour of every chunk, and what the colours mean.

    Where a chunk starts, or if all start at one node, where it goes, or if all go the same ways, which chunk
    it is.
    """
    labels, shipments = collective.network.labels, collective.shipments
    origins = sorted({shipment.origin for shipment in shipments})
    if len(origins) > 1:
        place = {v: i for i, v in enumerate(origins)}
        meaning = tuple(f"from {labels[v]}" for v in origins)
        return (lambda chunk: place[shipments[chunk // chunks].origin]), meaning
    if len(shipments) > 1:
        names = tuple(f"for {labels[s.destinations[0] if s.destinations else s.origin]}" for s in shipments)
        return (lambda chunk: chunk // chunks), names
    return (lambda chunk: chunk), tuple(f"chunk {j}" for j in range(chunks))


def _transfers(send: Send, colour_of: Callable[[int], int]) -> Iterator[Transfer]:
    """Yield a transfer for every colour of the chunks that are sent.

    Where there are many colours it is one without.
    """
    way = (send.sender, *send.switches, send.receiver)
    sign = "+" if send.adds else ""
    by_colour: dict[int, list[int]] = {}
    for chunk in send.chunks:
        by_colour.setdefault(colour_of(chunk), []).append(chunk)
    if len(by_colour) > MOST_COLOURS:
        yield Transfer(way, text=sign + _text(send.chunks))
        return
    for colour, chunks in sorted(by_colour.items()):
        yield Transfer(way, text=sign + _text(chunks), colour=colour)


def _text(chunks: Sequence[int]) -> str:
    few = len(chunks) <= MOST_NAMED
    return ",".join(map(str, chunks)) if few else counted(len(chunks), "chunk")
