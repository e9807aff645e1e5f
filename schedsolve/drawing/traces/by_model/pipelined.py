"""Pipelined schedules as pictures tell them: tree by tree or flow by flow, and the bottleneck."""

from __future__ import annotations

from fractions import Fraction

from schedsolve.drawing.traces.trace import Bottleneck, Trace, TraceStep, Transfer
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import ranks_of
from schedsolve.modelkit.result import value_to_json
from schedsolve.models.pipelined.bounds import lower_bounds
from schedsolve.models.pipelined.rules import link_loads
from schedsolve.models.pipelined.rules.orbits import orbits
from schedsolve.models.pipelined.rules.schedule import PipelinedSchedule
from schedsolve.network.graph import Network
from schedsolve.network.groups import groups_of, links_between


def trace(problem: Problem, schedule: PipelinedSchedule) -> Trace:
    """Return the trace of a legal schedule.

    A step for every tree or flow, the heaviest trees first, and those of an allreduce inward, then outward.
    """
    network = problem.network
    ranks = set(ranks_of(problem))
    everybody = tuple(int(v in ranks) for v in range(network.node_count))
    steps = [
        TraceStep(number, transfers, everybody, unit=unit)
        for number, (unit, transfers) in enumerate(_transfers(network, schedule, problem.task == "gather"), 1)
    ]
    return Trace(
        problem,
        ("the data",),
        tuple(0 for _ in everybody),
        everybody,
        tuple(steps),
        frozenset(network.switches),
        noun="part",
        bottleneck=bottleneck(problem, schedule),
    )


def _transfers(
    network: Network, schedule: PipelinedSchedule, inward: bool
) -> list[tuple[str, tuple[Transfer, ...]]]:
    of = orbits(network, schedule.symmetries)

    def alike(node: int) -> str:
        others = of.node_count[of.node[node]] - 1
        return f", turned for {others} more" if schedule.symmetries and others else ""

    trees = sorted(schedule.trees, key=lambda tree: (-tree.weight, tree.root))
    told = [
        (
            f"{value_to_json(tree.weight)} {way} {network.labels[tree.root]}{alike(tree.root)}: tree",
            tuple(Transfer(path, text="+" if way == "to" else "") for path in paths),
        )
        for tree in trees
        for way, paths in (("to", tree.inward), ("from", tree.paths))
        if paths
    ]
    return told + [
        (
            f"{'to' if inward else 'from'} {network.labels[flow.node]}{alike(flow.node)}: flow",
            tuple(Transfer((u, v), text=str(value_to_json(x))) for u, v, x in flow.links),
        )
        for flow in schedule.flows
    ]


def bottleneck(problem: Problem, schedule: PipelinedSchedule) -> Bottleneck:
    """Return what keeps the schedule from being faster.

    A cut that allows no less time, or groups between which too much is sent, where they are cheap to find,
    else the links that are full.
    """
    network = problem.network
    for bound in lower_bounds(problem):
        evidence = bound.evidence or {}
        if evidence.get("kind") == "cut" and bound.value == schedule.time:
            nodes = frozenset(network.node(label) for label in evidence["nodes"])
            links = tuple((u, v) for u, v in network.arcs if u in nodes and v not in nodes)
            return Bottleneck(bound.reason, links, nodes)
        if evidence.get("kind") == "counting" and "groups" in evidence and bound.value == schedule.time:
            groups = groups_of(network, evidence)
            return Bottleneck(bound.reason, tuple(links_between(network, groups)))
    loads = link_loads(network, schedule, orbits(network, schedule.symmetries))
    full = tuple(
        link for link, load in loads.items() if load == schedule.time * Fraction(network.bandwidth_of[link])
    )
    said = "the link that is full" if len(full) == 1 else f"the {len(full)} links that are full"
    return Bottleneck(said, full)
