"""Textbook collectives as trees: rings, chains, recursive halving and doubling, one tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.rank_steps import (
    RankSteps,
    backwards,
    doubling,
    doublings,
    hops,
    placed,
    ring,
    ring_reduce_scatter,
)
from schedsolve.network.graph import Network

from ...synchronous.constructions.stepwise import routes_between, too_many_routes
from ...synchronous.constructions.textbook import missing_pair, refuse_no_power, rings
from ..rules.demand import Link, root_units
from ..rules.schedule import Path, PipelinedSchedule, WeightedTree
from .shortest_ways import shortest_paths, with_least_time

LARGEST_NETWORK = 256


def refuse_rings(problem: Problem) -> str | None:
    """Why no rings are built; None when they can be."""
    refused = refuse_large(problem)
    if refused is None and not rings(problem.network):
        return "no ring through all compute nodes was found"
    return refused


def refuse_doubling(problem: Problem) -> str | None:
    """Why nothing is halved and doubled; None when it can be."""
    refused = refuse_no_power(problem) or refuse_large(problem)
    return refused or missing_pair(problem.network, doubling(len(problem.network.compute_nodes)))


def refuse_large(problem: Problem) -> str | None:
    """Why no trees are written one by one; None when they can be."""
    if "ordered" in problem.parameters:
        return "it does not keep the order of the nodes"
    if len(problem.network.compute_nodes) > LARGEST_NETWORK:
        return f"it is for at most {LARGEST_NETWORK} compute nodes"
    return too_many_routes(problem.network)


def ring_allreduce(problem: Problem) -> PipelinedSchedule:
    """Every node is the root of an equal part, which comes to it once round a ring and then goes round."""
    n, found = len(problem.network.compute_nodes), rings(problem.network)
    return _allreduce(
        problem,
        [
            (placed(ring_reduce_scatter(n), order), placed(ring(n), order), Fraction(times, len(found)))
            for order, times in Counter(found).items()
        ],
    )


def ring_copies(problem: Problem) -> PipelinedSchedule:
    """Every root's unit goes round the rings, an equal part round each."""
    nodes, found, trees = problem.network.compute_nodes, rings(problem.network), []
    ways = [(hops(placed(ring(len(nodes)), order)), times) for order, times in Counter(found).items()]
    for root, units in root_units(problem).items():
        for way, times in ways:
            paths = _paths(problem.network, way[nodes.index(root)])
            trees.append(WeightedTree(root, Fraction(units * times, len(found)), paths))
    return with_least_time(problem, PipelinedSchedule(Fraction(1), tuple(trees)))


def chain_copies(problem: Problem) -> PipelinedSchedule:
    """Every root's unit goes down a depth-first tree, which is a chain where the search never turns back."""
    path = _shortest_routes(problem.network)
    near: dict[int, list[int]] = {v: [] for v in problem.network.compute_nodes}
    for u, v in path:
        near[u].append(v)
    trees = []
    for root, units in root_units(problem).items():
        paths, reached, stack = [], {root}, [(root, iter(near[root]))]
        while stack:
            u, waiting = stack[-1]
            new = next((v for v in waiting if v not in reached), None)
            if new is None:
                stack.pop()
                continue
            reached.add(new)
            paths.append(path[u, new])
            stack.append((new, iter(near[new])))
        trees.append(WeightedTree(root, Fraction(units), tuple(paths)))
    return with_least_time(problem, PipelinedSchedule(Fraction(1), tuple(trees)))


def doubling_allreduce(problem: Problem) -> PipelinedSchedule:
    """Return an allreduce by recursive halving and doubling.

    Every node is the root of an equal part, which goes out by recursive doubling, the bits in turn from each
    on, and comes in by recursive halving, the same backwards.
    """
    n = len(problem.network.compute_nodes)
    outward = [doubling(n, first) for first in range(doublings(n))]
    return _allreduce(problem, [(backwards(steps), steps, Fraction(1, len(outward))) for steps in outward])


def _allreduce(
    problem: Problem, variants: Sequence[tuple[RankSteps, RankSteps, Fraction]]
) -> PipelinedSchedule:
    """Return the allreduce by reduce-scatters and allgathers, each of a part of the buffer."""
    network, nodes, trees = problem.network, problem.network.compute_nodes, []
    for adding, copying, part in variants:
        inward = hops(adding)
        trees += [
            WeightedTree(
                nodes[unit], part / len(nodes), _paths(network, pairs), _paths(network, inward[unit])
            )
            for unit, pairs in hops(copying).items()
        ]
    return with_least_time(problem, PipelinedSchedule(Fraction(1), tuple(trees)))


def tree_allreduce(problem: Problem) -> PipelinedSchedule:
    """Everything comes to one node and goes out again, along one tree of shortest ways."""
    network = problem.network
    root = min(network.compute_nodes, key=lambda v: len(_levels(shortest_paths(network, v))))
    inward = WeightedTree(root, Fraction(1), shortest_paths(network.reversed(), root)).turned().inward
    tree = WeightedTree(root, Fraction(1), shortest_paths(network, root), inward)
    return with_least_time(problem, PipelinedSchedule(Fraction(1), (tree,)))


def _levels(paths: Sequence[Path]) -> set[int]:
    """Return the depths of the tree that the paths make."""
    depth: dict[int, int] = {}
    for path in paths:
        depth[path[-1]] = depth.get(path[0], 0) + 1
    return set(depth.values())


def _paths(network: Network, pairs: Iterable[Link]) -> tuple[Path, ...]:
    """Return the shortest routes of pairs of places of compute nodes."""
    path, nodes = _shortest_routes(network), network.compute_nodes
    return tuple(path[nodes[u], nodes[v]] for u, v in pairs)


@lru_cache(maxsize=2)
def _shortest_routes(network: Network) -> dict[Link, Path]:
    """Return the shortest route of every pair of compute nodes that has one."""
    shortest = {
        pair: min(routes, key=lambda route: len(route.switches))
        for pair, routes in routes_between(network).items()
    }
    return {(u, v): (u, *route.switches, v) for (u, v), route in shortest.items()}
