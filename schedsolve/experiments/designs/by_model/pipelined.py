"""The least time of a collective in a network, and in any network of a class, at one look; for designs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

from schedsolve.experiments.designs.levels import Designs
from schedsolve.modelkit.problem import Problem
from schedsolve.models.pipelined.claims.counting import counting_claim
from schedsolve.models.pipelined.claims.cuts import cut_claim
from schedsolve.models.pipelined.claims.lengths import lengths_claim
from schedsolve.models.pipelined.rules.demand import FLOW_TASKS
from schedsolve.runtime.errors import ClaimError


def least_time(problem: Problem) -> Fraction:
    """Return the greatest lower bound of these, 0 if none says anything.

    The cut around each node, its complement, the sends that an allreduce takes, and for flows the sum of the
    distances in links.
    """
    return max(_claims(problem), default=Fraction(0))


def _claims(problem: Problem) -> Iterator[Fraction]:
    labels = problem.network.labels
    for label in labels:
        for nodes in ([label], [other for other in labels if other != label]):
            with suppress(ClaimError):
                yield cut_claim(problem, {"nodes": nodes})
    if problem.task == "allreduce":
        yield counting_claim(problem, {})
    if problem.task in FLOW_TASKS:
        yield lengths_claim(problem, _each_link_one(problem))


def _each_link_one(problem: Problem) -> Mapping[str, Any]:
    labels = problem.network.labels
    return {"lengths": [[labels[u], labels[v], 1] for u, v in problem.network.bandwidth_of]}


def least_time_in_class(task: str, nodes: int, degree: int, edges: int) -> Fraction:
    """Return a lower bound of the time in every connected network of so many nodes.

    1. A link carries two units in a time of 1, one each way. There are `edges` links at most, and at most
       half as many as the nodes have ends.
    2. Some node has at most the mean of the links; n - 1 units enter it (allgather) or leave it
       (reduce-scatter).
    3. An allreduce sends each part 2 (n - 1) times at least (see `counting_claim`).
    4. In an alltoall each node sends a unit to every other, which crosses as many links as the distance; at
       distance k there are at most d (d - 1)^(k - 1) nodes, as each has one neighbour or more that is nearer.

    Parameters
    ----------
    task
        The task.
    nodes, degree, edges
        The number of nodes, 2 or more; the most links of a node, and the most in all.
    """
    carried = 2 * min(edges, nodes * degree // 2)
    if task == "allreduce":
        return Fraction(2 * (nodes - 1), carried)
    if task != "alltoall":
        return Fraction(nodes - 1, carried // nodes) if carried >= nodes else Fraction(nodes - 1)
    left, distance, crossed, most = nodes - 1, 1, 0, degree
    while left > 0:
        crossed += distance * min(left, most)
        left, distance, most = left - most, distance + 1, max(1, most * (degree - 1))
    return Fraction(nodes * crossed, carried)


TASKS = ("allgather", "reduce-scatter", "allreduce", "alltoall")
DESIGNS = {
    "pipelined": Designs(
        "time",
        dict.fromkeys(TASKS, False),
        least_time=least_time_in_class,
        look=least_time,
        undirected=True,
    )
}
