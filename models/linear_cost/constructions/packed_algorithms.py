"""Constructions that fix the call graphs and have the packets found by SAT.

For given call graphs a maximum flow says how many equal packets could get through in time, one on every arc
and round, and the flow program what the rounds should cost when they may differ; SAT then looks for packets
that do so.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import lcm

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import Algorithm, Effort
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

from ..rules import Shape, shape_of
from .algorithms import placed, unfit
from .balanced_phases import balanced_phases
from .call_graph_families import (
    Matching,
    both_ways,
    clique_call_graphs,
    coloured_call_graphs,
    knoedel_call_graphs,
    replaced_call_graphs,
)
from .flow_costs import CallGraph, FlowOptimum, TimedNetwork, flow_costs
from .least_rounds import fastest_schedule, least_rounds
from .packing import packed_on
from .protocol import Protocol

TASKS = frozenset({"broadcast"})
SAMPLED_TARGETS = 40
LARGEST_FEW = 10
FEW_SECONDS, LEAST_SECONDS, ATTEMPT_SECONDS = 1.5, 5.0, 2.0
"""How long a construction may take at least, for so few nodes and for more, and one attempt of it.
"""
MOST_PACKETS = 400
LARGEST_FLOW = 1300
"""Nodes times rounds beyond which costs are the same in all rounds."""
LARGEST_PACKED = 60_000
"""Nodes times rounds beyond which no formula is written."""
TRIES = 6


def unit_flow(nodes: int, call_graphs: Sequence[CallGraph]) -> int:
    """How many equal packets could reach every node for itself, one on every arc and round.

    Of many nodes some only are looked at.
    """
    network = TimedNetwork.of(nodes, call_graphs)
    targets = range(1, nodes)
    chosen = targets if len(targets) <= SAMPLED_TARGETS else random.Random(0).sample(targets, SAMPLED_TARGETS)
    return min((flow for flow, _ in network.cuts([1] * len(call_graphs), chosen)), default=0)


def best_packing(
    nodes: int, call_graphs: Sequence[CallGraph], extra: int, below: Fraction | None, end: float
) -> Protocol | None:
    """Return the cheapest broadcast from node 0 that is found on these call graphs, cheaper than `below`.

    None without one.

    Parameters
    ----------
    nodes
        The number of nodes.
    call_graphs
        The call graph of every round.
    extra
        Rounds beyond the least number, in which the source sends fresh packets only.
    below
        Only what is less than this counts.
    end
        The time at which to stop, by the processor's clock.
    """
    rounds, best = len(call_graphs), None
    most = unit_flow(nodes, call_graphs)
    for packets in range(min(most, MOST_PACKETS), max(0, most - 3), -1):
        cost = Fraction(rounds, packets)
        if (below is not None and cost >= below) or time.process_time() > end:
            break
        seconds = min(ATTEMPT_SECONDS, end - time.process_time())
        best = packed_on(nodes, call_graphs, [1] * rounds, packets, extra, seconds)
        if best is not None:
            below = best.cost
            break
    if nodes * rounds > LARGEST_FLOW or time.process_time() > end:
        return best
    flow = flow_costs(nodes, call_graphs, (end - time.process_time()) / 2)
    if flow is None or (below is not None and flow.value >= below):
        return best
    for packets, capacities in _profiles(flow, below):
        if time.process_time() > end:
            break
        for emissions in (extra, 0):
            seconds = min(ATTEMPT_SECONDS, end - time.process_time())
            found = packed_on(nodes, call_graphs, capacities, packets, emissions, seconds)
            if found is not None and (best is None or found.cost < best.cost):
                return found
    return best


def _profiles(flow: FlowOptimum, below: Fraction | None) -> Iterator[tuple[int, list[int]]]:
    """Numbers of packets with those that fit into the rounds.

    The flow's own costs, and these rounded up, the cheapest first.
    """
    exact = lcm(*(cost.denominator for cost in flow.costs))
    found = []
    if exact <= MOST_PACKETS:
        found.append((flow.value, exact, [int(cost * exact) for cost in flow.costs]))
    for packets in range(1, 33):
        capacities = [-int(-cost * packets // 1) for cost in flow.costs]
        cost = Fraction(sum(capacities), packets)
        if below is None or cost < below:
            found.append((cost, packets, capacities))
    for _, packets, capacities in sorted(found, key=lambda entry: entry[:2])[:6]:
        yield packets, capacities


def _unfit(problem: Problem) -> str | None:
    shape = shape_of(problem)
    if shape.nodes < 3:
        return "there is at most one other node"
    if shape.nodes * shape.rounds > LARGEST_PACKED:
        return f"a formula for {shape.nodes} nodes and {shape.rounds} rounds is too large"
    return None


def _incomplete(problem: Problem) -> str | None:
    if not problem.network.is_complete:
        return "it needs a complete network"
    if shape_of(problem).is_perfect:
        return "among (k+1)^T nodes the lines of coordinates do better"
    return _unfit(problem)


def _dense(problem: Problem) -> str | None:
    if problem.network.is_complete and problem.network.node_count > LARGEST_FEW:
        return "in a complete network other call graphs are better"
    return _unfit(problem)


def _vast(problem: Problem) -> str | None:
    shape = shape_of(problem)
    return unfit(shape) or (None if shape.nodes > 1 else "there is no other node")


def _not_even(problem: Problem) -> str | None:
    odd = "it needs an even number of nodes" if problem.network.node_count % 2 else None
    return _incomplete(problem) or odd


def _not_odd(problem: Problem) -> str | None:
    n = problem.network.node_count
    even = "it needs an odd number of nodes, 5 or more" if n % 2 == 0 or n < 5 else None
    return _incomplete(problem) or even


def _no_cliques(problem: Problem) -> str | None:
    shape = shape_of(problem)
    if shape.ports < 2 or shape.nodes % (shape.ports + 1):
        return "it needs two ports or more, and a multiple of k + 1 nodes"
    return _incomplete(problem)


Graphs = Callable[[Problem, Shape, int], Sequence[Matching]]


def _builder(graphs: Graphs) -> Callable[[Problem, Effort], Schedule]:
    """Return an algorithm that tries up to TRIES lists of call graphs, packs each, and keeps the cheapest."""

    def build(problem: Problem, effort: Effort) -> Schedule:
        shape, source = shape_of(problem), problem.sources[0]
        least = FEW_SECONDS if shape.nodes <= LARGEST_FEW else LEAST_SECONDS
        end = time.process_time() + max(effort.seconds, least)
        image = {0: source, source: 0}
        best: Protocol | None = None
        seen: set[tuple[CallGraph, ...]] = set()
        for number in range(TRIES):
            call_graphs = tuple(tuple(both_ways(links)) for links in graphs(problem, shape, number))
            if call_graphs in seen or time.process_time() > end:
                continue
            seen.add(call_graphs)
            extra = _emissions(problem, shape)
            found = best_packing(shape.nodes, call_graphs, extra, None if best is None else best.cost, end)
            if found is not None and (best is None or found.cost < best.cost):
                best = found
            if best is not None and shape.nodes * shape.rounds > LARGEST_FLOW and best.packet_count > extra:
                # With equal costs, more packets than this are not to be hoped for.
                break
        if best is None:
            raise InputError("no packets were found that get through on these call graphs")
        return best.schedule(lambda x: image.get(x, x))

    return build


def _emissions(problem: Problem, shape: Shape) -> int:
    """Return the rounds beyond the least number that the distances and the number of nodes allow."""
    far = max(d or 0 for d in problem.network.distances_from(problem.sources))
    return max(0, shape.rounds - max(far, shape.dimension))


def _coloured(problem: Problem, shape: Shape, number: int) -> Sequence[Matching]:
    source = problem.sources[0]
    image = {0: source, source: 0}
    network = problem.network
    moved = Network(network.node_count, tuple((image.get(u, u), image.get(v, v)) for u, v in network.edges))
    return coloured_call_graphs(moved, shape.ports, shape.rounds, number)


def fastest(problem: Problem, _: Effort) -> Schedule:
    """Return the whole message in the least number of rounds that is known."""
    shape = shape_of(problem)
    known = least_rounds(problem.network, problem.sources[0], shape.ports)
    if known.upper > shape.rounds:
        raise InputError(f"the fastest broadcast that is known takes {known.upper} rounds")
    return fastest_schedule(known)


MOST_BALANCED = 2048
"""Nodes up to which phases are known to be found."""


def _no_phases(problem: Problem) -> str | None:
    shape = shape_of(problem)
    if not problem.network.is_complete or shape.ports > 1:
        return "it needs a complete network, and one port"
    if shape.nodes % 2 or not 4 <= shape.nodes <= MOST_BALANCED:
        return f"it needs an even number of nodes, from 4 to {MOST_BALANCED}"
    return unfit(shape)


def _balanced(problem: Problem, _: Effort) -> Schedule:
    shape = shape_of(problem)
    return placed(problem, balanced_phases(shape.nodes, shape.extra_rounds + 1))


PACKED_ALGORITHMS: tuple[Algorithm, ...] = (
    Algorithm(
        "fastest-broadcast",
        "the whole message in the least number of rounds that is known",
        TASKS,
        _vast,
        fastest,
    ),
    Algorithm(
        "balanced-phases",
        "one port, N even: r + 1 packets in T + r rounds, as Bar-Noy, Kipnis, Schieber (2000) prove possible",
        TASKS,
        _no_phases,
        _balanced,
    ),
    Algorithm(
        "knoedel-packing",
        "matchings of the Knödel graph in turn (Bar-Noy, Kipnis, Schieber 2000), packets by SAT",
        TASKS,
        _not_even,
        _builder(
            lambda _, shape, number: knoedel_call_graphs(shape.nodes, shape.ports, shape.rounds, number)
        ),
    ),
    Algorithm(
        "replaced-node",
        "matchings of the Knödel graph with a node in place of another each round, packets by SAT",
        TASKS,
        _not_odd,
        _builder(
            lambda _, shape, number: replaced_call_graphs(shape.nodes, shape.ports, shape.rounds, number)
        ),
    ),
    Algorithm(
        "clique-packing",
        "cliques of k + 1 nodes at growing distances, packets by SAT",
        TASKS,
        _no_cliques,
        _builder(lambda _, shape, number: clique_call_graphs(shape.nodes, shape.ports, shape.rounds, number)),
    ),
    Algorithm(
        "coloured-matchings",
        "the colours of an edge colouring in turn (Misra, Gries 1992), packets by SAT",
        TASKS,
        _dense,
        _builder(_coloured),
    ),
)
