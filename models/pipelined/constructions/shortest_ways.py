"""Schedules along shortest ways: one tree a root, one way a pair.

Simple, and good where the network is alike everywhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from fractions import Fraction

from schedsolve.network.graph import Network
from schedsolve.problem import Problem

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
