"""Pipelined collectives: the throughput of long messages over links with bandwidths and through switches,
exactly.

The time is that in which one unit passes, steadily: a shard of every node (allgather), the buffer
(broadcast), a unit for every pair (alltoall) or for every node (scatter, gather). Source: Zhao et al.,
ForestColl (arXiv 2402.06787), for allgathers and trees; the multi-commodity flow programme for the others.
"""

from __future__ import annotations

from schedsolve.errors import InputError
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.search import Improvement
from schedsolve.problem import Problem
from schedsolve.result import LEAST_TIME

from .bounds import lower_bounds
from .claims import CLAIMS, EXISTENCE
from .constructions.algorithms import ALGORITHMS
from .formulation.programme import FORMULATIONS
from .formulation.search import improve_flows, improve_trees
from .options import ROOT, SOURCE
from .rules import replay
from .rules.demand import end_of
from .rules.schedule import FORM
from .story import story


def check(problem: Problem) -> None:
    """Raise InputError when there are fewer than two compute nodes, or the data cannot get where they
    must.
    """
    network = problem.network
    compute = network.compute_nodes
    if len(compute) < 2:
        raise InputError(f"a collective needs two compute nodes; the network has {len(compute)}")
    start = compute[0] if problem.task in ("allgather", "alltoall") else end_of(problem)
    outward = problem.task != "gather"
    inward = problem.task in ("allgather", "alltoall", "gather")
    for needed, way, words in (
        (outward, network, "there is no way from node {} to node {}"),
        (inward, network.reversed(), "there is no way to node {} from node {}"),
    ):
        distances = way.distances_from([start]) if needed else []
        missed = [v for v in compute if needed and distances[v] is None]
        if missed:
            raise InputError(words.format(network.labels[start], network.labels[missed[0]]))


MODELS = (
    Model(
        name="pipelined",
        summary="long messages over links with bandwidths: the least time of a unit, by trees and flows",
        source="Zhao et al., ForestColl (arXiv 2402.06787); multi-commodity flows",
        objective=LEAST_TIME,
        tasks={
            "allgather": (),
            "broadcast": (SOURCE,),
            "alltoall": (),
            "scatter": (SOURCE,),
            "gather": (ROOT,),
        },
        check=check,
        machines=True,
        replay=replay,
        form=FORM,
        bounds=lower_bounds,
        claims=CLAIMS,
        existence=EXISTENCE,
        algorithms=ALGORITHMS,
        improvements=(
            Improvement("trees that attain the cuts", "flows", improve_trees),
            Improvement("flows and lengths", "lp", improve_flows),
        ),
        story=story,
        formulations=FORMULATIONS,
        # Times are fractions: that v does not suffice proves no more than v.
        next_value=lambda _, value: value,
    ),
)
