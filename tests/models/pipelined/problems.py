"""Problems of the pipelined model, and what the searches find of them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from random import Random

from schedsolve.modelkit.evidence import lower_claims
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound
from schedsolve.models.pipelined.bounds import lower_bounds
from schedsolve.models.pipelined.claims import EVIDENCE
from schedsolve.models.pipelined.formulation.search import search_flows, search_trees
from schedsolve.models.pipelined.rules import replay
from schedsolve.models.pipelined.rules.demand import TREE_TASKS
from schedsolve.models.pipelined.rules.schedule import PipelinedSchedule
from schedsolve.network.graph import Network

CLAIMS = lower_claims(EVIDENCE)

TASKS = ("allgather", "broadcast", "alltoall", "scatter", "gather")
UNBALANCED = Network(4, ((0, 3), (3, 1), (3, 2), (1, 0), (2, 0)), True, switches=frozenset({3}))
"""A switch with one link in and two out: the cuts say that a broadcast takes 1, without copying it takes
2.
"""


def posed(task: str, network: Network | str, node: int = 0) -> Problem:
    """The problem on a network, given by text perhaps, that starts or ends at a node."""
    network = Network.from_spec(network) if isinstance(network, str) else network
    name = {"broadcast": "source", "scatter": "source", "gather": "root"}.get(task)
    return Problem("pipelined", task, network, {name: network.labels[node]} if name else {})


def digraph(
    node_count: int, bandwidths: Mapping[tuple[int, int], int], compute: int | None = None
) -> Network:
    """A digraph with bandwidths, its last nodes switches when it has more than `compute` nodes."""
    compute = node_count if compute is None else compute
    return Network(
        node_count,
        tuple(bandwidths),
        True,
        bandwidths=tuple(bandwidths.values()),
        switches=frozenset(range(compute, node_count)),
    )


def found(problem: Problem) -> tuple[Bound, PipelinedSchedule | None]:
    """The best lower bound and the best schedule, both recomputed by the referee's side."""
    lower = list(lower_bounds(problem))
    best: PipelinedSchedule | None = None
    search = search_trees if problem.task in TREE_TASKS else search_flows
    for finding in search(problem, 60):
        if isinstance(finding, Bound):
            lower += [finding] if finding.side == "lower" else []
        elif finding is not None:
            assert replay(problem, finding).violation is None
            best = finding if best is None or finding.time < best.time else best
    for bound in lower:
        assert bound.evidence is not None
        assert CLAIMS[bound.evidence["kind"]](problem, bound.evidence) == bound.value
    return max(lower, key=lambda bound: bound.value), best


def optimum(problem: Problem) -> Fraction:
    """The time of the best schedule, which meets the best lower bound."""
    lower, schedule = found(problem)
    assert schedule is not None
    assert schedule.time == lower.value
    return schedule.time


def random_switched(rng: Random, compute: int, switches: int) -> dict[tuple[int, int], int]:
    """Random links through switches of which every one has as much bandwidth in as out."""
    links: dict[tuple[int, int], int] = {}
    for _ in range(rng.randint(2, 7)):
        one, other = rng.randrange(compute), rng.randrange(compute)
        way = [one, *rng.sample(range(compute, compute + switches), rng.randint(0, switches)), other]
        bandwidth = rng.randint(1, 3)
        for link in pairwise(way) if one != other else ():
            links[link] = links.get(link, 0) + bandwidth
    return links
