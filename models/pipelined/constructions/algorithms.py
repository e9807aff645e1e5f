"""The algorithms of the pipelined model by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import forwarding
from schedsolve.modelkit.search import Algorithm, Effort

from ..rules.demand import FLOW_TASKS, MIRRORED, REDUCTIONS, TREE_TASKS, flow_ends, mirrored, tree_roots
from ..rules.schedule import PipelinedSchedule
from .allreduce import composed
from .relays import at_relays
from .shortest_ways import shared_ways, shortest_ways, with_least_time
from .textbook import (
    chain_copies,
    doubling_allreduce,
    refuse_doubling,
    refuse_large,
    refuse_rings,
    ring_allreduce,
    ring_copies,
    tree_allreduce,
)

COPIES_OR_SUMS = frozenset({*TREE_TASKS, *MIRRORED})
LARGEST = 100_000
"""Compute nodes times trees or flows up to which shortest ways are listed; links times flows, for all."""


def _refuse(problem: Problem) -> str | None:
    if "ordered" in problem.parameters:
        return "it does not keep the order of the nodes"
    ends = flow_ends(problem) if problem.task in FLOW_TASKS else tree_roots(problem)
    if len(ends) * problem.network.node_count > LARGEST:
        return f"it lists at most {LARGEST} ways"
    return None


def _refuse_many_links(problem: Problem) -> str | None:
    if len(flow_ends(problem)) * len(problem.network.arcs) > LARGEST:
        return f"it lists at most {LARGEST} links of all flows"
    return None


def _among_ranks(
    build: Callable[[Problem], PipelinedSchedule],
) -> Callable[[Problem, Effort], PipelinedSchedule]:
    """Return the construction for problems with relays, of one that knows none."""

    def built(problem: Problem, _: Effort) -> PipelinedSchedule:
        return with_least_time(problem, at_relays(problem, build(forwarding(problem))))

    return built


def _or_backwards(
    build: Callable[[Problem], PipelinedSchedule],
) -> Callable[[Problem], PipelinedSchedule]:
    """Return the construction for sums too, which are copies backwards, of one for copies."""

    def built(problem: Problem) -> PipelinedSchedule:
        if problem.task not in MIRRORED:
            return build(problem)
        copies = build(mirrored(problem))
        return replace(copies, trees=tuple(tree.turned() for tree in copies.trees))

    return built


def _build(problem: Problem) -> PipelinedSchedule:
    if problem.task == "allreduce":
        allgather = replace(problem, task="allgather", parameters={})
        adding = shortest_ways(replace(allgather, network=problem.network.reversed()))
        return with_least_time(problem, composed(problem, adding, shortest_ways(allgather)))
    return shortest_ways(problem)


ALGORITHMS = (
    Algorithm(
        "shortest-ways",
        "one shortest tree a root, one shortest way a pair",
        frozenset({*TREE_TASKS, *FLOW_TASKS, *REDUCTIONS}),
        _refuse,
        _among_ranks(_or_backwards(_build)),
    ),
    Algorithm(
        "shared-ways",
        "Hopps, RFC 2992 (2000): equal-cost multi-path, all shortest ways of a pair by their bandwidths",
        frozenset(FLOW_TASKS),
        _refuse_many_links,
        _among_ranks(shared_ways),
    ),
    Algorithm(
        "rings",
        "Patarasuk, Yuan (2009): every part once round a ring to be added up, and once more to be copied",
        frozenset({"allreduce"}),
        lambda problem: refuse_rings(forwarding(problem)),
        _among_ranks(ring_allreduce),
    ),
    Algorithm(
        "recursive-halving-doubling",
        "Rabenseifner (2004): reduce-scatter by recursive halving, allgather by recursive doubling",
        frozenset({"allreduce"}),
        lambda problem: refuse_doubling(forwarding(problem)),
        _among_ranks(doubling_allreduce),
    ),
    Algorithm(
        "tree",
        "folklore: down one tree of shortest ways to its root, and back",
        frozenset({"allreduce"}),
        lambda problem: refuse_large(forwarding(problem)),
        _among_ranks(tree_allreduce),
    ),
    Algorithm(
        "ring-copies",
        "folklore: every unit round rings that share the links, an equal part round each; sums backwards",
        COPIES_OR_SUMS,
        lambda problem: refuse_rings(forwarding(problem)),
        _among_ranks(_or_backwards(ring_copies)),
        rival=True,
    ),
    Algorithm(
        "chains",
        "folklore: every unit down a depth-first tree, a chain where there is one; sums backwards",
        COPIES_OR_SUMS,
        lambda problem: _refuse(problem) or refuse_large(forwarding(problem)),
        _among_ranks(_or_backwards(chain_copies)),
        rival=True,
    ),
)
