"""The referee of the pipelined model: what passes steadily over links of given bandwidths.

- Trees (allgather, allgatherv, broadcast): the unit of every root goes to all ranks, cut into parts. A part
  goes along a tree: from nodes that have it, over paths of links whose inner nodes are switches, to compute
  nodes that each get it once. The parts of a unit add up to 1, those of an allgatherv to the root's size.
- Trees of sums (reduce, reduce-scatter, allreduce): what happens to a part is said in `sums`.
- Flows (alltoall, alltoallv, scatter, gather): a flow leaves 1 unit at every other rank, of an alltoallv as
  many as the sizes say, and as many units enter at its source; for a gather all is turned round. Switches and
  other nodes pass on just what they get.
- Ranks are the compute nodes, or those named by "ranks". Other compute nodes are relays: they start with
  nothing and need nothing, and may keep, copy and add up what they get.
- In the time T a link of bandwidth b carries at most b T, of all trees or flows together.

Switches forward; they neither copy nor keep. Time is that of the steady state: the first parts' delay is not
counted.

Source: Zhao et al., ForestColl (arXiv 2402.06787), section 3, for trees; flows are the usual multi-commodity
flows, those of one source taken together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import chain, pairwise

from schedsolve.modelkit.demands import UNEQUAL_TASKS
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import forwarding, ranks_of
from schedsolve.modelkit.record import Replay
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import shown

from .demand import FLOW_TASKS, MIRRORED, REDUCTIONS, Link, flow_ends, flow_units, root_units, tree_roots
from .orbits import Orbits, mean_loads, orbits
from .paths import broken_path
from .schedule import Flow, PipelinedSchedule, WeightedTree
from .sums import broken_sum


def replay(problem: Problem, schedule: PipelinedSchedule) -> Replay:
    """Replay a schedule; the value is its time.

    The violation is the first broken rule, link by link at the end.
    """
    broken = broken_rule(problem, schedule)
    return Replay(schedule.time, broken, legal=broken is None)


def broken_rule(problem: Problem, schedule: PipelinedSchedule) -> str | None:
    """Return the first rule that the schedule breaks; None for a legal, complete one."""
    is_tree_task = problem.task not in FLOW_TASKS
    if not is_tree_task:
        # Nothing of a flow is copied or added up, so that relays do what switches do.
        problem = forwarding(problem)
    network = problem.network
    if (schedule.flows if is_tree_task else schedule.trees) or len(ranks_of(problem)) < 2:
        return f"the schedule of the {problem.task} is made of {'trees' if is_tree_task else 'flows'}"
    try:
        of = orbits(network, schedule.symmetries)
    except ValueError as error:
        return str(error)
    broken = _broken_symmetries(problem, schedule)
    if broken:
        return broken
    listed = [t.root for t in schedule.trees] if is_tree_task else [f.node for f in schedule.flows]
    ends = tree_roots(problem) if is_tree_task else flow_ends(problem)
    if problem.task == "allreduce":
        ends = tuple(v for v in ends if any(of.node[v] == of.node[root] for root in listed))
    broken = _broken_cover(network, listed, ends, of, repeated=is_tree_task)
    broken = broken or (
        _broken_trees(problem, schedule) if is_tree_task else _broken_flows(problem, schedule)
    )
    return broken or _overloaded(network, schedule, link_loads(network, schedule, of))


def _broken_symmetries(problem: Problem, schedule: PipelinedSchedule) -> str | None:
    """Why the symmetries, which are automorphisms, do not keep the task; None when they do."""
    ranks = set(ranks_of(problem))
    if schedule.symmetries and problem.parameters.get("ordered"):
        return "symmetries do not keep the order of the nodes, which an ordered reduction has"
    if schedule.symmetries and problem.task in UNEQUAL_TASKS:
        return f"symmetries do not keep the sizes that an {problem.task} has"
    if any({image[v] for v in ranks} != ranks for image in schedule.symmetries):
        return "a symmetry does not take ranks to ranks"
    return None


def _broken_cover(
    network: Network, listed: list[int], ends: tuple[int, ...], of: Orbits, *, repeated: bool
) -> str | None:
    """Return why the listed nodes do not stand for the ends of the task, each once.

    With `repeated` they may stand in several trees.
    """
    if not repeated and len(set(listed)) < len(listed):
        return "a node has two flows"
    firsts = {of.node[v]: v for v in listed}
    for v in listed:
        if firsts[of.node[v]] != v:
            return f"nodes {network.labels[v]} and {network.labels[firsts[of.node[v]]]} are of one orbit"
    wanted = set(ends)
    for v in range(network.node_count):
        if (of.node[v] in firsts) != (v in wanted):
            name = network.labels[v]
            return f"nothing is said of node {name}" if v in wanted else f"node {name} has nothing to send"
    return None


def _broken_trees(problem: Problem, schedule: PipelinedSchedule) -> str | None:
    labels = problem.network.labels
    weights: dict[int, Fraction] = {}
    way = "to" if problem.task in REDUCTIONS else "from"
    for number, tree in enumerate(schedule.trees, 1):
        broken = _broken_shape(problem, tree) or broken_sum(problem, tree)
        broken = broken or _broken_tree(problem, tree)
        if broken:
            return f"tree {number}, {way} {labels[tree.root]}: {broken}"
        weights[tree.root] = weights.get(tree.root, Fraction(0)) + tree.weight
    return _broken_weights(problem, schedule, weights)


def _broken_shape(problem: Problem, tree: WeightedTree) -> str | None:
    """Why the task has no such trees."""
    if tree.inward and problem.task not in REDUCTIONS:
        return f'a tree of a {problem.task} adds nothing up, and has no "inward" paths'
    if tree.paths and problem.task in MIRRORED:
        return f'a tree of a {problem.task} ends at its root, and has no "paths" from it'
    return None


def _broken_weights(
    problem: Problem, schedule: PipelinedSchedule, weights: Mapping[int, Fraction]
) -> str | None:
    """Why the parts are not what the units are cut into."""
    labels = problem.network.labels
    if problem.task == "allreduce":
        of = orbits(problem.network, schedule.symmetries)
        total = sum((of.node_count[of.node[v]] * weight for v, weight in weights.items()), Fraction(0))
        return None if total == 1 else f"the weights of all trees add up to {shown(total)}, not to 1"
    units = root_units(problem)
    for root, weight in weights.items():
        if weight != units[root]:
            trees = f"trees {'to' if problem.task in REDUCTIONS else 'from'} {labels[root]}"
            return f"the weights of the {trees} add up to {shown(weight)}, not to {units[root]}"
    return None


def _broken_tree(problem: Problem, tree: WeightedTree) -> str | None:
    """Why a part does not get from its root to all ranks; None when it does, or need not."""
    if problem.task in MIRRORED:
        return None
    labels = problem.network.labels
    reached = {tree.root}
    for path in tree.paths:
        broken = broken_path(problem, path)
        if broken:
            return broken
        if path[0] not in reached:
            return f"node {labels[path[0]]} passes the part on and does not have it"
        if path[-1] in reached:
            return f"node {labels[path[-1]]} gets the part twice"
        reached.add(path[-1])
    missing = [labels[v] for v in ranks_of(problem) if v not in reached]
    return f"node {missing[0]} does not get the part" if missing else None


def _broken_flows(problem: Problem, schedule: PipelinedSchedule) -> str | None:
    for flow in schedule.flows:
        broken = _broken_flow(problem, flow)
        if broken:
            return f"the flow of {problem.network.labels[flow.node]}: {broken}"
    return None


def _broken_flow(problem: Problem, flow: Flow) -> str | None:
    network = problem.network
    units = flow_units(problem, flow.node)
    left = {v: units.get(v, 0) for v in range(network.node_count)}
    left[flow.node] = -sum(units.values())
    into = dict.fromkeys(range(network.node_count), Fraction(0))
    for u, v, amount in flow.links:
        if (u, v) not in network.bandwidth_of:
            return f"there is no link from {network.labels[u]} to {network.labels[v]}"
        into[u] -= amount
        into[v] += amount
    sign = -1 if problem.task == "gather" else 1
    for v, rest in into.items():
        if sign * rest != left[v]:
            name = network.labels[v]
            return f"node {name} gets {shown(rest)} more than it sends; it should be {sign * left[v]}"
    return None


def link_loads(network: Network, schedule: PipelinedSchedule, of: Orbits) -> Mapping[Link, Fraction]:
    """Return what every link carries, of all trees or flows together.

    Links that carry nothing may be left out.
    """
    # Trees of one weight are counted together: few fractions have to be added up.
    crossed: dict[Fraction, Counter[Link]] = {}
    for tree in schedule.trees:
        times = crossed.setdefault(of.node_count[of.node[tree.root]] * tree.weight, Counter())
        times.update(chain.from_iterable(map(pairwise, (*tree.inward, *tree.paths))))
    loads: dict[Link, Fraction] = {}
    for weight, times in crossed.items():
        for link, count in times.items():
            loads[link] = loads.get(link, Fraction(0)) + weight * count
    for flow in schedule.flows:
        copies = of.node_count[of.node[flow.node]]
        for u, v, amount in flow.links:
            loads[u, v] = loads.get((u, v), Fraction(0)) + copies * amount
    return mean_loads(loads, of, network)


def _overloaded(network: Network, schedule: PipelinedSchedule, loads: Mapping[Link, Fraction]) -> str | None:
    for (u, v), load in loads.items():
        bandwidth = network.bandwidth_of[u, v]
        if load > bandwidth * schedule.time:
            return (
                f"the link from {network.labels[u]} to {network.labels[v]} carries {shown(load)}, more than"
                f" its bandwidth {bandwidth} allows in the time {shown(schedule.time)}"
            )
    return None
