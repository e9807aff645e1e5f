"""The best pipelined schedule with all its trees or flows written out, for what cuts it into chunks."""

from __future__ import annotations

from fractions import Fraction

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import forwarding
from schedsolve.runtime.errors import InputError

from ..bounds.strength import has_strength
from ..constructions.shortest_ways import shared_ways
from ..rules.demand import FLOW_TASKS, REDUCTIONS, TREE_TASKS
from ..rules.schedule import PipelinedSchedule
from .alltoall import Sources, alltoall_flows, flows_of
from .reductions import search_sums
from .search import search_flows, search_trees
from .spanning_trees import spanning_trees

LONGEST = 3600.0
"""The most seconds that the search takes."""


def explicit_schedule(problem: Problem, enough: Fraction | None = None) -> PipelinedSchedule:
    """Return the best schedule found, without symmetries.

    Parameters
    ----------
    problem
        The problem.
    enough
        A time at which no better one is sought.

    Raises
    ------
    InputError
        If none is.
    """
    best: PipelinedSchedule | None = None
    if problem.task in FLOW_TASKS and enough is not None:
        best = shared_ways(forwarding(problem))
        if best.time <= enough:
            return best
    if problem.task in ("alltoall", "alltoallv"):
        for found in alltoall_flows(Sources.of(forwarding(problem)), LONGEST):
            if found is not None and found.flows:
                best = PipelinedSchedule(found.time, flows=flows_of(found.flows))
    else:
        search = search_trees if problem.task in TREE_TASKS else search_flows
        if problem.task in REDUCTIONS:
            search = search_sums
        for finding in search(problem, LONGEST):
            best = finding if isinstance(finding, PipelinedSchedule) else best
        if best is None and has_strength(problem):
            *_unfinished, best = spanning_trees(problem.network)
    if best is None:
        raise InputError(f"there is no list of trees or flows to cut for {problem.network.name}")
    return best
