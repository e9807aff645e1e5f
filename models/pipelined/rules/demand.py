"""What a pipelined task asks for.

How many units start where and must get where, and what must cross a cut.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any

from schedsolve.errors import InputError
from schedsolve.network.graph import Network
from schedsolve.problem import Problem

Link = tuple[int, int]
TREE_TASKS = ("allgather", "broadcast")
FLOW_TASKS = ("alltoall", "scatter", "gather")
REDUCTIONS = ("reduce", "reduce-scatter", "allreduce")
MIRRORED = {"reduce": "broadcast", "reduce-scatter": "allgather"}
"""The copying task that a reduction is, run backwards on the reversed network."""


def check(problem: Problem) -> None:
    """Raise InputError when the data cannot get where they must.

    There are two compute nodes at least.
    """
    network = problem.network
    compute = network.compute_nodes
    if len(compute) < 2:
        raise InputError(f"a collective needs two compute nodes; the network has {len(compute)}")
    from_all = problem.task in ("allgather", "alltoall", "reduce-scatter", "allreduce")
    start = compute[0] if from_all else end_of(problem)
    outward = problem.task not in ("gather", "reduce")
    inward = from_all or not outward
    for needed, way, words in (
        (outward, network, "there is no way from node {} to node {}"),
        (inward, network.reversed(), "there is no way to node {} from node {}"),
    ):
        distances = way.distances_from([start]) if needed else []
        missed = [v for v in compute if needed and distances[v] is None]
        if missed:
            raise InputError(words.format(network.labels[start], network.labels[missed[0]]))


def end_parameter(task: str) -> str:
    """Return the parameter that names the node at one end of the task.

    A broadcast or a scatter starts there, a gather or a reduce ends there.
    """
    return "root" if task in ("gather", "reduce") else "source"


def end_of(problem: Problem) -> int:
    """Return this node."""
    return problem.network.node(problem.parameters[end_parameter(problem.task)])


def tree_roots(problem: Problem) -> tuple[int, ...]:
    """Return the nodes whose unit must get to all compute nodes.

    In a reduction they must get the result of their unit; of an allreduce they are all nodes that may be
    roots.
    """
    if problem.task in ("broadcast", "reduce"):
        return (end_of(problem),)
    return problem.network.compute_nodes


def mirrored(problem: Problem) -> Problem:
    """Return the copying task of a reduce or a reduce-scatter, on the reversed network.

    Its trees run backwards are the reduction's trees; any other problem is returned as it is.

    An ordered reduction has fewer trees: then bounds hold, and trees need not do.
    """
    if problem.task not in MIRRORED:
        return problem
    kept = {name: value for name, value in problem.parameters.items() if name not in ("ordered", "root")}
    if "root" in problem.parameters:
        kept["source"] = problem.parameters["root"]
    return replace(problem, task=MIRRORED[problem.task], network=problem.network.reversed(), parameters=kept)


def flow_ends(problem: Problem) -> tuple[int, ...]:
    """Return the nodes that each have a flow.

    The sources of an alltoall, the one end of a scatter or a gather.
    """
    return problem.network.compute_nodes if problem.task == "alltoall" else (end_of(problem),)


def units_across(problem: Problem, nodes: Collection[int]) -> int:
    """How many units must leave a set of nodes, whatever the schedule.

    Contributions to one result are added up to one unit.
    """
    compute = problem.network.compute_nodes
    inside = sum(v in nodes for v in compute)
    outside = len(compute) - inside
    everybody = {
        "alltoall": inside * outside,
        "allgather": inside if outside else 0,
        "reduce-scatter": outside if inside else 0,
        "allreduce": 1 if inside and outside else 0,
    }
    if problem.task in everybody:
        return everybody[problem.task]
    ends_inside = end_of(problem) in nodes
    if problem.task in ("gather", "reduce"):
        arriving = inside if problem.task == "gather" else min(inside, 1)
        return 0 if ends_inside else arriving
    leaving = outside if problem.task == "scatter" else min(outside, 1)
    return leaving if ends_inside else 0


def bandwidth_across(network: Network, nodes: Collection[int]) -> Fraction:
    """Return the bandwidth of all links that leave a set of nodes."""
    members = set(nodes)
    total = Fraction(0)
    for (u, v), b in network.bandwidth_of.items():
        if u in members and v not in members:
            total += b
    return total


def whole_bandwidths(network: Network) -> tuple[int, dict[Link, int]]:
    """Return the least number that makes all bandwidths whole, and the bandwidths times it."""
    bandwidths: Mapping[Link, Any] = network.bandwidth_of
    unit = lcm(*(b.denominator for b in bandwidths.values()))
    return unit, {link: (b * unit).numerator for link, b in bandwidths.items()}


def unbalanced_switches(network: Network) -> list[int]:
    """Return the switches with more bandwidth on one side than on the other, ascending."""
    surplus = dict.fromkeys(network.switches, Fraction(0))
    for (u, v), b in network.bandwidth_of.items():
        if u in surplus:
            surplus[u] -= b
        if v in surplus:
            surplus[v] += b
    return sorted(w for w, rest in surplus.items() if rest)
