"""What a pipelined task asks for.

How many units start where and must get where, and what must cross a cut.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any

from schedsolve.modelkit.demands import UNEQUAL_TASKS, check_sizes
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import check_ranks, ranks_of
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

Link = tuple[int, int]
TREE_TASKS = ("allgather", "allgatherv", "broadcast")
FLOW_TASKS = ("alltoall", "alltoallv", "scatter", "gather")
FROM_ALL = ("allgather", "alltoall", "reduce-scatter", "allreduce")
"""Those in which every rank has something for every other, or gets something from it."""
REDUCTIONS = ("reduce", "reduce-scatter", "allreduce")
MIRRORED = {"reduce": "broadcast", "reduce-scatter": "allgather"}
"""The copying task that a reduction is, run backwards on the reversed network."""


def check(problem: Problem) -> None:
    """Raise InputError when the data cannot get where they must.

    There are two ranks at least, and a size for each where the task has sizes.
    """
    compute = problem.network.compute_nodes
    if len(compute) < 2:
        raise InputError(f"a collective needs two compute nodes; the network has {len(compute)}")
    rooted = problem.task not in (*FROM_ALL, *UNEQUAL_TASKS)
    check_ranks(problem, (end_of(problem),) if rooted else ())
    if "ranks" in problem.parameters and "ordered" in problem.parameters:
        raise InputError("--ordered is for sums over all compute nodes, and does not go with --ranks")
    if problem.task in UNEQUAL_TASKS:
        check_sizes(problem, len(ranks_of(problem)))
        _check_sent(problem)
    else:
        _check_reached(problem)


def _check_reached(problem: Problem) -> None:
    """Raise InputError when a rank is out of reach."""
    network, ranks = problem.network, ranks_of(problem)
    from_all = problem.task in FROM_ALL
    start = ranks[0] if from_all else end_of(problem)
    outward = problem.task not in ("gather", "reduce")
    inward = from_all or not outward
    for needed, way, words in (
        (outward, network, "there is no way from node {0} to node {1}"),
        (inward, network.reversed(), "there is no way from node {1} to node {0}"),
    ):
        distances = way.distances_from([start]) if needed else []
        missed = [v for v in ranks if needed and distances[v] is None]
        if missed:
            raise InputError(words.format(network.labels[start], network.labels[missed[0]]))


def _check_sent(problem: Problem) -> None:
    """Raise InputError when there is no way for something that has a size above 0."""
    network, ranks = problem.network, ranks_of(problem)
    for i, u in enumerate(ranks):
        wanting = set(ranks) - {u} if problem.task == "allgatherv" else flow_units(problem, u)
        if wanting and problem.parameters["sizes"][i]:
            distances = network.distances_from([u])
            for v in sorted(wanting):
                if distances[v] is None:
                    raise InputError(
                        f"there is no way from node {network.labels[u]} to node {network.labels[v]}"
                    )


def end_parameter(task: str) -> str:
    """Return the parameter that names the node at one end of the task.

    A broadcast or a scatter starts there, a gather or a reduce ends there.
    """
    return "root" if task in ("gather", "reduce") else "source"


def end_of(problem: Problem) -> int:
    """Return this node."""
    return problem.network.node(problem.parameters[end_parameter(problem.task)])


def tree_roots(problem: Problem) -> tuple[int, ...]:
    """Return the nodes whose unit must get to all ranks.

    In a reduction they must get the result of their unit; of an allreduce they are all nodes that may be
    roots, relays too.
    """
    if problem.task in ("broadcast", "reduce"):
        return (end_of(problem),)
    if problem.task == "allreduce":
        return problem.network.compute_nodes
    return tuple(v for v, units in zip(ranks_of(problem), sizes_of(problem), strict=True) if units)


def sizes_of(problem: Problem) -> tuple[int, ...]:
    """Return how many units every rank has for all others: one, but in an allgatherv."""
    if problem.task == "allgatherv":
        return tuple(problem.parameters["sizes"])
    return (1,) * len(ranks_of(problem))


def root_units(problem: Problem) -> dict[int, int]:
    """Return how many units go out from every root, or come in to it; not for an allreduce."""
    if problem.task in ("broadcast", "reduce"):
        return {end_of(problem): 1}
    return {v: units for v, units in zip(ranks_of(problem), sizes_of(problem), strict=True) if units}


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

    The sources of an alltoall, those that send something, the one end of a scatter or a gather.
    """
    if problem.task == "alltoall":
        return ranks_of(problem)
    if problem.task == "alltoallv":
        return tuple(v for v in ranks_of(problem) if flow_units(problem, v))
    return (end_of(problem),)


def flow_units(problem: Problem, end: int) -> dict[int, int]:
    """Return how many units the flow of a node leaves at every other rank; those with none are left out.

    Of a gather they are the units that enter there.
    """
    ranks = ranks_of(problem)
    if problem.task != "alltoallv":
        return {v: 1 for v in ranks if v != end}
    row = problem.parameters["sizes"][ranks.index(end)]
    return {v: units for v, units in zip(ranks, row, strict=True) if units and v != end}


def units_across(problem: Problem, nodes: Collection[int]) -> int:
    """How many units must leave a set of nodes, whatever the schedule.

    What a rank inside has for one outside must leave; what it has for several of them may leave once, and
    contributions to one result are added up to one unit. It does not matter what relays do, which have
    nothing of their own.
    """
    ranks = ranks_of(problem)
    members = [v for v in ranks if v in nodes]
    inside, outside = len(members), len(ranks) - len(members)
    if problem.task == "alltoallv":
        return sum(units for u in members for v, units in flow_units(problem, u).items() if v not in nodes)
    if problem.task == "allgatherv":
        return sum(units for v, units in root_units(problem).items() if v in nodes) if outside else 0
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
    members, bandwidth = set(nodes), network.bandwidth_of
    if 2 * len(members) <= network.node_count:
        links = [(u, v) for u in members for v in network.successors[u] if v not in members]
    else:
        others = [v for v in range(network.node_count) if v not in members]
        links = [(u, v) for v in others for u in network.predecessors[v] if u in members]
    total = Fraction(0)
    for link in links:
        total += bandwidth[link]
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
