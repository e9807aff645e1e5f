"""Schedules along shortest ways: one tree a root, one way a pair or all of them.

Simple, and good where the network is alike everywhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from schedsolve.modelkit.problem import Problem
from schedsolve.network.graph import Network

from ..rules import link_loads
from ..rules.demand import TREE_TASKS, Link, flow_ends, flow_units, root_units
from ..rules.orbits import orbits
from ..rules.schedule import Flow, Path, PipelinedSchedule, WeightedTree


def with_least_time(problem: Problem, schedule: PipelinedSchedule) -> PipelinedSchedule:
    """Return the schedule in the least time that its loads allow."""
    network = problem.network
    loads = link_loads(network, schedule, orbits(network, schedule.symmetries))
    time = max(load / Fraction(network.bandwidth_of[link]) for link, load in loads.items())
    return PipelinedSchedule(time, schedule.trees, schedule.flows, schedule.symmetries)


def shortest_ways(problem: Problem) -> PipelinedSchedule:
    """Return one tree for every root, or one tree of ways for every flow.

    Each node has as few links as can be.
    """
    network = problem.network
    if problem.task in TREE_TASKS:
        trees = tuple(
            WeightedTree(root, Fraction(units), shortest_paths(network, root))
            for root, units in root_units(problem).items()
        )
        return with_least_time(problem, PipelinedSchedule(Fraction(1), trees))
    backwards = problem.task == "gather"
    flows = tuple(
        Flow(v, _tree_flow(network, v, flow_units(problem, v), backwards)) for v in flow_ends(problem)
    )
    return with_least_time(problem, PipelinedSchedule(Fraction(1), flows=flows))


def shared_ways(problem: Problem) -> PipelinedSchedule:
    """Return flows over all shortest ways of a pair, shared out at every node by the links' bandwidths.

    References
    ----------
    Hopps, RFC 2992 (2000): equal-cost multi-path routing
    """
    backwards = problem.task == "gather"
    network = problem.network.reversed() if backwards else problem.network
    bandwidth = {link: Fraction(b) for link, b in network.bandwidth_of.items()}
    flows = []
    for v in flow_ends(problem):
        links = _shared_flow(network, bandwidth, v, flow_units(problem, v))
        flows.append(Flow(v, tuple(sorted((w, u, x) if backwards else (u, w, x) for u, w, x in links))))
    return with_least_time(problem, PipelinedSchedule(Fraction(1), flows=tuple(flows)))


def _shared_flow(
    network: Network, bandwidth: Mapping[Link, Fraction], source: int, wanted: Mapping[int, int]
) -> Iterator[tuple[int, int, Fraction]]:
    """Yield what the links carry when every node's units come in over all of its nearest links."""
    distance, order = {source: 0}, [source]
    for u in order:
        for v in network.successors[u]:
            if v not in distance:
                distance[v] = distance[u] + 1
                order.append(v)
    units = {v: Fraction(wanted.get(v, 0)) for v in order}
    for v in reversed(order[1:]):
        if units[v]:
            nearer = [u for u in network.predecessors[v] if distance.get(u, distance[v]) < distance[v]]
            each = units[v] / sum(bandwidth[u, v] for u in nearer)
            for u in nearer:
                units[u] += each * bandwidth[u, v]
                yield u, v, each * bandwidth[u, v]


def shortest_paths(network: Network, root: int) -> tuple[Path, ...]:
    """Paths from compute nodes, through switches, to those that are first reached so, near ones first."""
    reached = {root}
    paths: list[Path] = []
    queue: deque[int] = deque([root])
    while queue:
        start = queue.popleft()
        seen = {start}
        ways: deque[Path] = deque([(start,)])
        while ways:
            way = ways.popleft()
            for v in network.successors[way[-1]]:
                if v in seen or v in reached:
                    continue
                seen.add(v)
                if v in network.switches:
                    ways.append((*way, v))
                else:
                    reached.add(v)
                    paths.append((*way, v))
                    queue.append(v)
    return tuple(paths)


def _tree_flow(
    network: Network, source: int, wanted: Mapping[int, int], backwards: bool
) -> tuple[tuple[int, int, Fraction], ...]:
    """Return what the links of a shortest path tree carry.

    Other nodes get the units that they want from the source (backwards: send them to it).
    """
    ways: Sequence[Sequence[int]] = network.predecessors if backwards else network.successors
    parent: dict[int, int] = {}
    order = [source]
    for u in order:
        for v in ways[u]:
            if v != source and v not in parent:
                parent[v] = u
                order.append(v)
    units = dict.fromkeys(order, 0)
    amounts: dict[Link, int] = {}
    for v in reversed(order[1:]):
        units[v] += wanted.get(v, 0)
        if units[v]:
            amounts[(v, parent[v]) if backwards else (parent[v], v)] = units[v]
            units[parent[v]] += units[v]
    return tuple((u, v, Fraction(x)) for (u, v), x in sorted(amounts.items()))
