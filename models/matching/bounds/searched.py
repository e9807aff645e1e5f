"""Lower bounds that take a search to find, and carry what a checker needs to confirm them."""

from __future__ import annotations

from schedsolve.errors import counted
from schedsolve.problem import Problem
from schedsolve.result import Bound

from .covering import covering_bound


def searched_bound(problem: Problem, start: int, seconds: float) -> Bound | None:
    """Return a lower bound above `start` by the covering relaxation, found within about so many seconds.

    None when there is none.

    A gossip contains a broadcast from every node; the relaxation is tried from a node of greatest
    eccentricity.
    """
    if problem.choice:
        return None
    network = problem.broadcast_network
    far = network.eccentricities
    hardest = max(range(network.node_count), key=lambda v: far[v] or 0)
    sources = (hardest,) if problem.task == "gossip" else problem.sources
    found = covering_bound(network, sources, problem.targets, start, time_limit=seconds)
    if found.weights is None or found.rounds <= start:
        return None
    evidence = {"kind": "covering", "rounds": found.rounds - 1, "weights": list(found.weights)}
    if problem.task == "gossip":
        evidence["source"] = network.labels[hardest]
    return Bound(
        "lower",
        found.rounds,
        f"covering relaxation: {counted(found.rounds - 1, 'round')} cannot reach enough weight",
        evidence,
        by="relaxation",
    )
