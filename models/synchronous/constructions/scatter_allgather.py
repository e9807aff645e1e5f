"""Broadcast in two parts: the data are scattered, then an allgather brings every node the rest.

Every node but the source gets a part of its own, so that the source sends each part once only. In S steps,
of which scatter and allgather take s, the data go in S - s + 1 waves: while one wave is gathered, the next is
scattered.

References
----------
Barnett, Gupta, Payne, Shuler, van de Geijn, Watts, Building a high-performance collective communication
library (Supercomputing 1994), broadcast of long vectors.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import ranks_of
from schedsolve.modelkit.search import Algorithm, Effort
from schedsolve.network.bandwidths import rounds_needed
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError, counted

from ..claims.hops import Pair, least_steps
from ..rules.collective import collective_of
from ..rules.steps import Send, Step, StepSchedule
from .relays import without_idle

MOST_SENT = 200_000
"""Chunks times destinations beyond which no schedule is built."""


def scatter_allgather(algorithms: Sequence[Algorithm]) -> Algorithm:
    """Return the algorithm, by the best scatter and the best allgather of some algorithms."""

    def best(part: Problem, effort: Effort) -> StepSchedule:
        fitting = [a for a in algorithms if part.task in a.tasks and a.refuse(part) is None]
        built: list[StepSchedule] = [a.build(part, effort) for a in fitting]
        return min(built, key=lambda schedule: Fraction(schedule.rounds, schedule.chunks or 1))

    def build(problem: Problem, effort: Effort) -> StepSchedule:
        found = (
            _in_waves(problem, best(scatter, effort), best(allgather, effort), waves)
            for scatter, allgather, waves in _parts(problem)
        )
        cheapest = min(found, key=lambda schedule: Fraction(schedule.rounds, schedule.chunks or 1))
        return without_idle(problem, cheapest)

    return Algorithm(
        "scatter-allgather",
        "Barnett et al. (1994): a part to every node, then an allgather, a wave behind the other",
        frozenset({"broadcast"}),
        _refuse,
        build,
    )


def _refuse(problem: Problem) -> str | None:
    others, chunks = len(ranks_of(problem)) - 1, problem.parameters.get("chunks")
    if others < 2:
        return "it takes two destinations or more"
    if chunks is not None and chunks % others:
        return f"{counted(chunks, 'chunk')} cannot be shared out among {others} destinations"
    try:
        needed = sum(_least(problem))
    except ClaimError as error:
        return str(error)
    if problem.parameters["steps"] < needed:
        return f"it takes {counted(needed, 'step')}, and {problem.parameters['steps']} are given"
    sent = (chunks or others) * others
    return f"it would send more than {MOST_SENT} chunks" if sent > MOST_SENT else None


def _part(problem: Problem, task: str, steps: int, chunks: int | None) -> Problem:
    kept = ("source", "ranks") if task == "scatter" else ("ranks",)
    parameters = {name: problem.parameters[name] for name in kept if name in problem.parameters}
    counted = {} if chunks is None else {"chunks": chunks}
    return replace(problem, task=task, parameters={**parameters, "steps": steps, **counted})


def _least(problem: Problem) -> tuple[int, int]:
    """Return the fewest steps of a scatter and of an allgather."""
    both = (_part(problem, task, 1, None) for task in ("scatter", "allgather"))
    first, second = (least_steps(collective_of(part)) for part in both)
    return first, second


def _parts(problem: Problem) -> Iterator[tuple[Problem, Problem, int]]:
    """Yield the scatter, the allgather and the number of waves: as many as there can be, and one."""
    first, second = _least(problem)
    steps, chunks = int(problem.parameters["steps"]), problem.parameters.get("chunks")
    share = None if chunks is None else chunks // (len(ranks_of(problem)) - 1)
    for waves in dict.fromkeys((steps - first - second + 1, 1)):
        if share is not None and share % waves:
            continue
        size = None if share is None else share // waves
        allgather = _part(problem, "allgather", steps - first - waves + 1, size)
        yield _part(problem, "scatter", first, size), allgather, waves


def _in_waves(problem: Problem, scatter: StepSchedule, allgather: StepSchedule, waves: int) -> StepSchedule:
    """Return the schedule of so many waves, each a step behind the one before."""
    one, other = scatter.chunks or 1, allgather.chunks or 1
    size = lcm(one, other)
    both = scatter.multiplied(size // one).steps + allgather.multiplied(size // other).steps
    wave = list(_useful(problem, both, size))
    count = size * (len(ranks_of(problem)) - 1)
    # Each number once, as most of the memory would go to millions of equal ones.
    number = list(range(count * waves))
    made = []
    for t in range(len(wave) + waves - 1):
        sends = [
            send._replace(chunks=tuple(number[c + behind * count] for c in send.chunks))
            for behind in range(max(0, t - len(wave) + 1), min(waves, t + 1))
            for send in wave[t - behind]
        ]
        made.append(Step(_rounds(problem.network, sends), _merged(sends)))
    return StepSchedule(tuple(made), count * waves)


def _useful(problem: Problem, steps: Sequence[Step[int]], size: int) -> Iterator[list[Send[int]]]:
    """Yield the sends of every step without the source's own part, and without what is held already.

    The chunks of the nodes behind the source are numbered down by its part.
    """
    (source,) = problem.sources
    own = ranks_of(problem).index(source)
    held: dict[int, set[int]] = defaultdict(set)
    held[source] = set(range(size * len(ranks_of(problem))))
    for step in steps:
        arrived: list[tuple[int, tuple[int, ...]]] = []
        useful = []
        for send in step.sends:
            new = tuple(c for c in send.chunks if c // size != own and c not in held[send.receiver])
            arrived.append((send.receiver, new))
            if new:
                useful.append(send._replace(chunks=tuple(c - size * (c // size > own) for c in new)))
        for receiver, new in arrived:
            held[receiver].update(new)
        yield useful


def _rounds(network: Network, sends: Sequence[Send[int]]) -> int:
    """Return how many rounds the links need for the sends of a step."""
    load: Counter[Pair] = Counter()
    for send in sends:
        load.update(dict.fromkeys(send.links, len(send.chunks)))
    return max(1, rounds_needed(load, network.bandwidth_of))


def _merged(sends: Sequence[Send[int]]) -> tuple[Send[int], ...]:
    """Return the sends of all waves, those over the same route as one."""
    found: dict[tuple[int, int, tuple[int, ...]], list[int]] = defaultdict(list)
    for send in sends:
        found[send.sender, send.receiver, send.switches] += send.chunks
    return tuple(Send(u, v, tuple(sorted(chunks)), way) for (u, v, way), chunks in sorted(found.items()))
