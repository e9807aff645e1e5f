"""Process groups: the compute nodes among which a collective is, while the others relay."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from schedsolve.modelkit.parameters import labels_of
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Parameter
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError


def _ranks(value: Any, network: Network) -> Any:
    """Return the labels of the ranks in the order of the nodes, None when all compute nodes are."""
    labels = labels_of(value, network, "ranks")
    nodes = [network.node(label) for label in labels]
    switches = [label for label, v in zip(labels, nodes, strict=True) if v in network.switches]
    if switches:
        raise InputError(f"node {switches[0]} is a switch; --ranks takes compute nodes")
    return None if len(nodes) == len(network.compute_nodes) else labels


RANKS = Parameter(
    "ranks",
    "A,B,..",
    "the compute nodes among which the collective is; the others relay (default: all compute nodes)",
    _ranks,
    lambda _: None,
)


def ranks_of(problem: Problem) -> tuple[int, ...]:
    """Return the compute nodes that have data and want data, ascending."""
    network = problem.network
    if "ranks" not in problem.parameters:
        return network.compute_nodes
    return tuple(sorted(network.node(label) for label in problem.parameters["ranks"]))


def relays_of(problem: Problem) -> frozenset[int]:
    """Return the compute nodes that are no ranks: they may keep, copy and add up what others pass on."""
    return frozenset(problem.network.compute_nodes) - set(ranks_of(problem))


def check_ranks(problem: Problem, ends: tuple[int, ...]) -> None:
    """Raise InputError for fewer than two ranks, or when a source or root is none of them.

    Parameters
    ----------
    problem
        The problem.
    ends
        Its source or root; empty for tasks without.
    """
    ranks = ranks_of(problem)
    if "ranks" not in problem.parameters:
        return
    if len(ranks) < 2:
        raise InputError("--ranks takes two compute nodes or more")
    for v in ends:
        if v not in ranks:
            raise InputError(
                f"node {problem.network.labels[v]} is the {problem.node_parameter} and no rank;"
                f" --{problem.node_parameter} takes one of --ranks"
            )


def forwarding(problem: Problem) -> Problem:
    """Return the problem in which relays only forward, as switches do; one without relays as it is.

    Every schedule of it is one of the problem with relays that can do more. In return a relay that only
    forwards is no worse where nothing is copied or added up.
    """
    if "ranks" not in problem.parameters:
        return problem
    network = replace(problem.network, switches=problem.network.switches | relays_of(problem))
    kept = {name: value for name, value in problem.parameters.items() if name != "ranks"}
    return replace(problem, network=network, parameters=kept)
