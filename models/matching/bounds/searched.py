"""Lower bounds that take a search to find, and carry what a checker needs to confirm them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound
from schedsolve.runtime.errors import counted

from .covering import covering_bound


def searched_bound(problem: Problem, start: int, seconds: float) -> Bound | None:
    """Return a lower bound above `start` by the covering relaxation, found within about so many seconds.

    None when there is none.
    """
    if problem.choice:
        return None
    sources = broadcast_sources(problem)
    found = covering_bound(problem.broadcast_network, sources, problem.targets, start, time_limit=seconds)
    if found.weights is None or found.rounds <= start:
        return None
    return Bound(
        "lower",
        found.rounds,
        f"covering relaxation: {counted(found.rounds - 1, 'round')} cannot reach enough weight",
        covering_evidence(problem, found.rounds - 1, found.weights),
        by="relaxation",
    )


def broadcast_sources(problem: Problem) -> tuple[int, ...]:
    """Return the sources of a problem whose sources are given.

    A gossip contains a broadcast from every node; it is that of a node of greatest eccentricity.
    """
    if problem.task != "gossip":
        return problem.sources
    far = problem.network.eccentricities
    return (max(range(problem.network.node_count), key=lambda v: far[v] or 0),)


def covering_evidence(problem: Problem, rounds: int, weights: Sequence[int]) -> dict[str, Any]:
    """Return that from the sources of `broadcast_sources` so many rounds reach too little of the weights."""
    evidence = {"kind": "covering", "rounds": rounds, "weights": list(weights)}
    if problem.task == "gossip":
        evidence["source"] = problem.network.labels[broadcast_sources(problem)[0]]
    return evidence
