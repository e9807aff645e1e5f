"""The least time of a collective in a network as far as one look at it shows, for designs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

from schedsolve.errors import ClaimError
from schedsolve.modelkit.designs import FastestDesigns
from schedsolve.problem import Problem

from ..rules.demand import FLOW_TASKS
from .counting import counting_claim
from .cuts import cut_claim
from .lengths import lengths_claim


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


DESIGNS = FastestDesigns(("allgather", "reduce-scatter", "allreduce", "alltoall"), least_time)
