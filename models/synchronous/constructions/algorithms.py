"""The constructions of the synchronous model, by name."""

from __future__ import annotations

from fractions import Fraction

from schedsolve.errors import ClaimError
from schedsolve.modelkit.search import Algorithm, Effort
from schedsolve.problem import Problem

from ..claims.hops import least_steps
from ..rules.collective import collective_of
from ..rules.steps import StepSchedule
from .breadth_first import breadth_first_allgather
from .shortest_ways import shortest_ways

LARGEST_NETWORK = 1024
MOST_CHUNKS_SENT = 2_000_000
"""Chunks times destinations beyond which a construction is not built."""
TRIED_CHUNKS, MOST_CHUNKS_TRIED = (1, 5, 25, 100), 20_000


def _too_few_steps(problem: Problem) -> str | None:
    try:
        needed = least_steps(collective_of(problem))
    except ClaimError as error:
        return str(error)
    steps = problem.parameters["steps"]
    return None if steps >= needed else f"it takes {needed} steps at least, and {steps} are given"


def _refuse_large(problem: Problem, chunks: int) -> str | None:
    few = _sent(problem, chunks) <= MOST_CHUNKS_SENT
    return None if few else f"it would send more than {MOST_CHUNKS_SENT} chunks"


def _sent(problem: Problem, chunks: int) -> int:
    """How many times a chunk has to be sent at least."""
    return chunks * sum(len(shipment.destinations) for shipment in collective_of(problem).wanted)


def _refuse_breadth_first(problem: Problem) -> str | None:
    if problem.network.switches:
        return "it is for networks without switches"
    if problem.network.node_count > LARGEST_NETWORK:
        return f"it is for at most {LARGEST_NETWORK} nodes"
    return _too_few_steps(problem) or _refuse_large(problem, 1)


def _breadth_first(problem: Problem, effort: Effort) -> StepSchedule:
    return breadth_first_allgather(
        problem.network, problem.parameters.get("chunks"), problem.parameters["steps"]
    )


def _refuse_shortest_ways(problem: Problem) -> str | None:
    return _too_few_steps(problem) or _refuse_large(problem, problem.parameters.get("chunks") or 1)


def _shortest_ways(problem: Problem, effort: Effort) -> StepSchedule:
    """With the number of chunks given, or the best of a few: more of them fill fast links better."""
    asked = problem.parameters.get("chunks")
    if asked is not None:
        return shortest_ways(problem, asked)
    fastest = max(problem.network.bandwidth_of.values())
    tried = [c for c in TRIED_CHUNKS if c <= fastest and _sent(problem, c) <= MOST_CHUNKS_TRIED]
    built = [shortest_ways(problem, chunks) for chunks in tried or [1]]
    return min(built, key=lambda schedule: Fraction(schedule.rounds, schedule.chunks or 1))


EVERY_TASK = frozenset({"allgather", "broadcast", "gather", "scatter", "alltoall"})
ALGORITHMS = (
    Algorithm(
        "shortest-ways",
        "every chunk along a tree of shortest ways, a hop a step",
        EVERY_TASK,
        _refuse_shortest_ways,
        _shortest_ways,
    ),
    Algorithm(
        "breadth-first",
        "Zhao et al. (NSDI 2025): a chunk crosses distance t in step t, balanced by flows",
        frozenset({"allgather"}),
        _refuse_breadth_first,
        _breadth_first,
    ),
)
