"""What a pipelined task asks for: how many units start where and must get where, and what must cross a
cut.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from schedsolve.errors import InputError
from schedsolve.network.graph import Network
from schedsolve.problem import Problem

Link = tuple[int, int]
TREE_TASKS = ("allgather", "broadcast")
FLOW_TASKS = ("alltoall", "scatter", "gather")


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


def end_parameter(task: str) -> str:
    """The parameter that names the node at which a broadcast or a scatter starts, or a gather ends."""
    return "root" if task == "gather" else "source"


def end_of(problem: Problem) -> int:
    """This node."""
    return problem.network.node(problem.parameters[end_parameter(problem.task)])


def tree_roots(problem: Problem) -> tuple[int, ...]:
    """The nodes whose unit must get to all compute nodes, in an allgather or a broadcast."""
    return problem.network.compute_nodes if problem.task == "allgather" else (end_of(problem),)


def flow_ends(problem: Problem) -> tuple[int, ...]:
    """The nodes that each have a flow: the sources of an alltoall, the one end of a scatter or a gather."""
    return problem.network.compute_nodes if problem.task == "alltoall" else (end_of(problem),)


def units_across(problem: Problem, nodes: Collection[int]) -> int:
    """How many units must leave a set of nodes, whatever the schedule."""
    compute = problem.network.compute_nodes
    inside = sum(v in nodes for v in compute)
    outside = len(compute) - inside
    if problem.task == "alltoall":
        return inside * outside
    if problem.task == "allgather":
        return inside if outside else 0
    starts_inside = end_of(problem) in nodes
    if problem.task == "gather":
        return 0 if starts_inside else inside
    if problem.task == "scatter":
        return outside if starts_inside else 0
    return 1 if starts_inside and outside else 0


def bandwidth_across(network: Network, nodes: Collection[int]) -> Fraction:
    """The bandwidth of all links that leave a set of nodes."""
    members = set(nodes)
    return sum(
        (Fraction(b) for (u, v), b in network.bandwidth_of.items() if u in members and v not in members),
        Fraction(0),
    )


def whole_bandwidths(network: Network) -> tuple[int, dict[Link, int]]:
    """The least number that makes all bandwidths whole, and the bandwidths times it."""
    bandwidths: Mapping[Link, Any] = network.bandwidth_of
    unit = lcm(*(Fraction(b).denominator for b in bandwidths.values()))
    return unit, {link: int(b * unit) for link, b in bandwidths.items()}


def unbalanced_switches(network: Network) -> list[int]:
    """The switches with more bandwidth on one side than on the other, ascending."""
    surplus = dict.fromkeys(network.switches, Fraction(0))
    for (u, v), b in network.bandwidth_of.items():
        if u in surplus:
            surplus[u] -= b
        if v in surplus:
            surplus[v] += b
    return sorted(w for w, rest in surplus.items() if rest)
