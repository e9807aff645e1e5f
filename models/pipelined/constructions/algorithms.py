"""The algorithms of the pipelined model by name."""

from __future__ import annotations

from schedsolve.modelkit.search import Algorithm, Effort
from schedsolve.problem import Problem

from ..rules.demand import TREE_TASKS, flow_ends, tree_roots
from ..rules.schedule import PipelinedSchedule
from .shortest_ways import shortest_ways

LARGEST = 100_000
"""Compute nodes times trees or flows up to which shortest ways are listed."""


def _refuse(problem: Problem) -> str | None:
    ends = tree_roots(problem) if problem.task in TREE_TASKS else flow_ends(problem)
    if len(ends) * problem.network.node_count > LARGEST:
        return f"it lists at most {LARGEST} ways"
    return None


def _build(problem: Problem, _: Effort) -> PipelinedSchedule:
    return shortest_ways(problem)


ALGORITHMS = (
    Algorithm(
        "shortest-ways",
        "one shortest tree a root, one shortest way a pair",
        frozenset({"allgather", "broadcast", "alltoall", "scatter", "gather"}),
        _refuse,
        _build,
    ),
)
