"""The constructions of the synchronous model, by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import ceil

from schedsolve.modelkit.demands import UNEQUAL_TASKS
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.rank_steps import RankSteps, doublings
from schedsolve.modelkit.search import Algorithm, Effort
from schedsolve.runtime.errors import ClaimError, counted

from ..claims.hops import least_steps, routes
from ..rules.collective import collective_of
from ..rules.steps import StepSchedule
from .breadth_first import breadth_first_allgather
from .priced_ways import AT_A_TIME, SHARPNESS, priced_ways
from .shortest_ways import shortest_ways
from .stepwise import too_many_routes
from .textbook import (
    bruck_steps,
    doubling_steps,
    laid_out,
    least_ring_steps,
    missing_pair,
    refuse_no_power,
    ring_steps,
    tree_steps,
)
from .tree_pipeline import tree_pipeline

LARGEST_NETWORK = 1024
MOST_CHUNKS_SENT = 2_000_000
"""Chunks times destinations beyond which a construction is not built."""
MOST_SENT_SINGLY = 100_000
"""Chunks times destinations beyond which no schedule is written send by send."""
MOST_SENT_IN_TURN = 100_000
"""Chunks times destinations up to which parallel switches get a chunk each."""
TRIED_CHUNKS, MOST_CHUNKS_TRIED = (1, 5, 25, 100), 20_000
PRICED_CHUNKS, MOST_PRICED, MOST_PRICINGS = (1, 4, 12, 60), 8_000_000, 8_000
"""Chunks that are tried along priced ways; routes whose prices are looked at; times that prices change."""


def _too_few_steps(problem: Problem) -> str | None:
    try:
        needed = least_steps(collective_of(problem))
    except ClaimError as error:
        return str(error)
    steps = problem.parameters["steps"]
    return None if steps >= needed else f"it takes {counted(needed, 'step')} at least, and {steps} are given"


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
    if problem.network.switches:
        parallel = [c for c in (1, _parallel_ways(problem)) if _sent(problem, c) <= MOST_SENT_IN_TURN]
        built += [shortest_ways(problem, chunks, "turn") for chunks in parallel]
    return min(built, key=lambda schedule: Fraction(schedule.rounds, schedule.chunks or 1))


def _parallel_ways(problem: Problem) -> int:
    """Return the most shortest routes between two compute nodes, through different switches."""
    counted = Counter((way.sender, way.receiver, len(way.links)) for way in routes(problem.network))
    return max(counted.values())


def _refuse_many(problem: Problem) -> str | None:
    """Return why schedules are not written send by send, or None.

    So much would be sent, or there are so many routes.
    """
    if _sent(problem, problem.parameters.get("chunks") or 1) > MOST_SENT_SINGLY:
        return f"it would send more than {MOST_SENT_SINGLY} chunks"
    return too_many_routes(problem.network)


def _refuse_steps(problem: Problem, needed: int) -> str | None:
    enough = problem.parameters["steps"] >= needed
    return (
        None if enough else f"it takes {counted(needed, 'step')}, and {problem.parameters['steps']} are given"
    )


def _refuse_rings(problem: Problem) -> str | None:
    refused = _refuse_many(problem)
    if refused:
        return refused
    needed = least_ring_steps(problem.network)
    if needed is None:
        return "no ring through all compute nodes was found"
    return _refuse_steps(problem, needed)


def _doubling(
    name: str,
    source: str,
    tasks: set[str],
    variants: Callable[[Problem], list[RankSteps]],
    refuse: Callable[[Problem], str | None] = lambda _: None,
) -> Algorithm:
    """Return a textbook algorithm in which what is reached doubles in every step."""

    def refuse_all(problem: Problem) -> str | None:
        refused = refuse(problem) or _refuse_many(problem)
        refused = refused or _refuse_steps(problem, doublings(len(problem.network.compute_nodes)))
        return refused or missing_pair(problem.network, variants(problem)[0])

    return Algorithm(
        name, source, frozenset(tasks), refuse_all, lambda problem, _: laid_out(problem, variants(problem))
    )


def _pricing_fits(problem: Problem, chunks: int) -> bool:
    """Whether the ways of so many chunks are found quickly."""
    wanted = Counter(s.origin for s in collective_of(problem).wanted)
    times = len(SHARPNESS) * chunks * sum(ceil(count / AT_A_TIME) for count in wanted.values())
    looked_at = times * int(problem.parameters["steps"]) * len(routes(problem.network))
    return times <= MOST_PRICINGS and looked_at <= MOST_PRICED


def _refuse_priced_ways(problem: Problem) -> str | None:
    refused = _refuse_many(problem) or _too_few_steps(problem)
    if refused is None and not _pricing_fits(problem, problem.parameters.get("chunks") or 1):
        return "it would look for ways too many times"
    return refused


def _priced_ways(problem: Problem, effort: Effort) -> StepSchedule:
    """With the number of chunks given, or the best of a few."""
    asked = problem.parameters.get("chunks")
    tried = (asked,) if asked is not None else (1, *(c for c in PRICED_CHUNKS[1:] if _fits_many(problem, c)))
    built = (priced_ways(problem, chunks) for chunks in tried)
    return min(built, key=lambda schedule: Fraction(schedule.rounds, schedule.chunks or 1))


def _fits_many(problem: Problem, chunks: int) -> bool:
    return _pricing_fits(problem, chunks) and _sent(problem, chunks) <= MOST_SENT_SINGLY


def _refuse_tree(problem: Problem) -> str | None:
    return _refuse_many(problem) or _too_few_steps(problem)


EVERY_TASK = frozenset({"allgather", "broadcast", "gather", "scatter", "alltoall"})
SHORTEST_WAYS = Algorithm(
    "shortest-ways",
    "every chunk along a tree of shortest ways, a hop a step",
    EVERY_TASK | frozenset(UNEQUAL_TASKS),
    _refuse_shortest_ways,
    _shortest_ways,
)
PRICED_WAYS = Algorithm(
    "priced-ways",
    "Garg, Könemann (2007): chunks one by one along ways in time that avoid what is full",
    frozenset({"gather", "scatter", "alltoall", "alltoallv"}),
    _refuse_priced_ways,
    _priced_ways,
)
FLOODING = Algorithm(
    "flooding",
    "folklore: chunks are passed on at once, and a node takes one from its first neighbour that has it",
    frozenset({"allgather", "allgatherv", "broadcast"}),
    _refuse_shortest_ways,
    lambda problem, _: shortest_ways(problem, problem.parameters.get("chunks") or 1, "number"),
    rival=True,
)
_OF_ALL_NODES = (
    Algorithm(
        "breadth-first",
        "Zhao et al. (NSDI 2025): a chunk crosses distance t in step t, balanced by flows",
        frozenset({"allgather"}),
        _refuse_breadth_first,
        _breadth_first,
    ),
    Algorithm(
        "rings",
        "every node passes on what it got last to its successor, round rings that share the links",
        frozenset({"allgather"}),
        _refuse_rings,
        lambda problem, _: laid_out(problem, ring_steps(problem), 1),
    ),
    _doubling(
        "recursive-doubling",
        "Stout, Wagar (1990): all that a node has, to the node whose place differs in a bit; a bit a step",
        {"allgather"},
        doubling_steps,
        refuse_no_power,
    ),
    _doubling(
        "bruck",
        "Bruck et al. (1997): to the node 2^(t-1) further on in step t",
        {"allgather", "alltoall"},
        bruck_steps,
    ),
    _doubling(
        "binomial-tree",
        "folklore: all that were reached reach as many again in every step",
        {"broadcast", "scatter", "gather"},
        tree_steps,
    ),
    Algorithm(
        "tree-pipeline",
        "folklore: chunks in waves down one tree of shortest ways",
        frozenset({"broadcast"}),
        _refuse_tree,
        lambda problem, _: tree_pipeline(problem),
    ),
)


def _of_all_nodes(algorithm: Algorithm) -> Algorithm:
    """Return an algorithm that refuses relays."""

    def refuse(problem: Problem) -> str | None:
        return "it is for all compute nodes" if "ranks" in problem.parameters else algorithm.refuse(problem)

    return replace(algorithm, refuse=refuse)


ALGORITHMS = (SHORTEST_WAYS, PRICED_WAYS, *map(_of_all_nodes, _OF_ALL_NODES), FLOODING)
