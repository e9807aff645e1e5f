"""Textbook collectives as trees: rings, chains, recursive halving and doubling, one tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from schedsolve.modelkit.problem import Problem
from schedsolve.network.graph import Network

from ...synchronous.constructions.doubling import (
    doubling_pairs,
    doubling_steps,
    is_power_of_two,
    missing_pair,
)
from ...synchronous.constructions.rings import rings
from ...synchronous.constructions.stepwise import routes_between, too_many_routes
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
    if not is_power_of_two(len(problem.network.compute_nodes)):
        return "it is for 2, 4, 8, ... compute nodes"
    return refuse_large(problem) or missing_pair(problem.network, doubling_pairs(problem.network))


def refuse_large(problem: Problem) -> str | None:
    """Why no trees are written one by one; None when they can be."""
    if "ordered" in problem.parameters:
        return "it does not keep the order of the nodes"
    if len(problem.network.compute_nodes) > LARGEST_NETWORK:
        return f"it is for at most {LARGEST_NETWORK} compute nodes"
    return too_many_routes(problem.network)


def ring_allreduce(problem: Problem) -> PipelinedSchedule:
    """Every node is the root of an equal part, which comes to it once round a ring and then goes round."""
    found, trees = rings(problem.network), []
    for ring, times in Counter(found).items():
        weight = Fraction(times, len(found) * len(ring))
        for at in range(len(ring)):
            order = [*ring[at:], *ring[:at]]
            inward = _paths(problem.network, [*order[1:], order[0]])
            trees.append(WeightedTree(order[0], weight, _paths(problem.network, order), inward))
    return with_least_time(problem, PipelinedSchedule(Fraction(1), tuple(trees)))


def ring_copies(problem: Problem) -> PipelinedSchedule:
    """Every root's unit goes round the rings, an equal part round each."""
    found, trees = rings(problem.network), []
    for root, units in root_units(problem).items():
        for ring, times in Counter(found).items():
            at = ring.index(root)
            paths = _paths(problem.network, [*ring[at:], *ring[:at]])
            trees.append(WeightedTree(root, Fraction(units * times, len(found)), paths))
    return with_least_time(problem, PipelinedSchedule(Fraction(1), tuple(trees)))


def chain_copies(problem: Problem) -> PipelinedSchedule:
    """Every root's unit goes down a depth-first tree, which is a chain where the search never turns back."""
    ways = routes_between(problem.network)
    near: dict[int, list[int]] = {v: [] for v in problem.network.compute_nodes}
    for u, v in ways:
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
            paths.append(_path(problem.network, u, new))
            stack.append((new, iter(near[new])))
        trees.append(WeightedTree(root, Fraction(units), tuple(paths)))
    return with_least_time(problem, PipelinedSchedule(Fraction(1), tuple(trees)))


def doubling_allreduce(problem: Problem) -> PipelinedSchedule:
    """Return an allreduce by recursive halving and doubling.

    Every node is the root of an equal part, which goes out by recursive doubling, the bits in turn from each
    on, and comes in by recursive halving, the same backwards.
    """
    network, nodes = problem.network, problem.network.compute_nodes
    path = _shortest_routes(network)
    bits, trees = doubling_steps(network), []
    for first in range(bits):
        order = [1 << (first + t) % bits for t in range(bits)]
        for i, root in enumerate(nodes):
            hops = [(nodes[i ^ a], nodes[i ^ b]) for a, b in _binomial(order)]
            paths = tuple(path[u, v] for u, v in hops)
            inward = tuple(path[v, u] for u, v in reversed(hops))
            trees.append(WeightedTree(root, Fraction(1, bits * len(nodes)), paths, inward))
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


def _binomial(order: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Who sends to whom when everybody that has a part sends it on over the bits, one after another."""
    reached = [0]
    for bit in order:
        for a in list(reached):
            yield a, a | bit
            reached.append(a | bit)


def _paths(network: Network, order: Sequence[int]) -> tuple[Path, ...]:
    path = _shortest_routes(network)
    return tuple(path[link] for link in pairwise(order))


def _path(network: Network, u: int, v: int) -> Path:
    """Return the shortest route."""
    return _shortest_routes(network)[u, v]


@lru_cache(maxsize=2)
def _shortest_routes(network: Network) -> dict[Link, Path]:
    """Return the shortest route of every pair of compute nodes that has one."""
    shortest = {
        pair: min(routes, key=lambda route: len(route.switches))
        for pair, routes in routes_between(network).items()
    }
    return {(u, v): (u, *route.switches, v) for (u, v), route in shortest.items()}
