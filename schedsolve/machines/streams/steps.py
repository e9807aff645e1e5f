"""A pipelined schedule cut into chunks and steps: waves of chunks follow each other, each a stage behind.

Chunks are dealt to the trees, or to the ways of a flow, by their weights. A wave of q chunks takes one stage
of its trees in every step, as the waves before it take later ones. With every stage of some wave in a step
the links carry what q units load them with, so that a step takes q T rounds, up to rounding, and P waves of D
stages take P + D - 1 steps: rounds per chunk tend to T.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm

from schedsolve.modelkit.demands import UNEQUAL_TASKS
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import ranks_of
from schedsolve.modelkit.task import with_article
from schedsolve.models.pipelined.rules.demand import FLOW_TASKS, Link, flow_units
from schedsolve.models.pipelined.rules.schedule import Path, PipelinedSchedule, WeightedTree
from schedsolve.models.synchronous.rules.steps import Send, Step
from schedsolve.network.bandwidths import rounds_needed
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

MOST_PARTS = 8
"""Waves of that part of the chunks are tried besides those in which all rounds come out even."""
Steps = list[Step]


@dataclass(frozen=True)
class Route:
    """A share of a unit and its sends.

    Attributes
    ----------
    sends
        Of each its stage, from 1 on, its path, and whether the end adds up what it gets.
    any_plane
        Whether each may go through any of the network's planes of switches, of which the path is one.
    """

    weight: Fraction
    sends: tuple[tuple[int, Path, bool], ...]
    any_plane: bool = False

    @property
    def stages(self) -> int:
        """The number of stages."""
        return max((stage for stage, _, _ in self.sends), default=0)


def in_steps(problem: Problem, schedule: PipelinedSchedule, chunks: int) -> Steps:
    """Return steps that carry out the schedule with `chunks` chunks a unit.

    Of all sizes of waves tried it is the one with the fewest rounds, then steps.

    Chunks are numbered unit by unit: those of unit number n from n times `chunks` on; units are numbered by
    their compute nodes in order, of an alltoall by pairs of them. Raises ValueError for a schedule with
    symmetries, and for one whose switches copy.
    """
    if problem.parameters.get("switches_copy"):
        raise ValueError("switches that copy and add up have no steps")
    if schedule.symmetries:
        raise ValueError("a schedule that symmetries stand for has no trees or ways of its own")
    units = routes_of(problem, schedule)
    whole = lcm(*(route.weight.denominator for routes in units.values() for route in routes))
    exact = whole * (whole * schedule.time).denominator
    parts = {-(-chunks // count) for count in range(1, MOST_PARTS + 1)}
    sizes = sorted({size for size in {whole, exact} | parts if size <= chunks})
    ordered = bool(problem.parameters.get("ordered"))
    made = [_waves(problem.network, units, chunks, size, ordered=ordered) for size in sizes]
    return min(made, key=lambda steps: (sum(rounds for rounds, _ in steps), len(steps)))


def _waves(
    network: Network, units: Mapping[int, Sequence[Route]], chunks: int, size: int, *, ordered: bool
) -> Steps:
    """Return the steps when a wave is `size` chunks of every unit.

    With `ordered` the sends of a step are in the order in which the routes list them.
    """
    by_step: dict[int, dict[tuple[int, bool, Path], list[int]]] = {}
    for unit, routes in units.items():
        for chunk, route in enumerate(dealt(routes, chunks)):
            for place, (stage, path, adds) in enumerate(route.sends):
                started = by_step.setdefault(chunk // size + stage, {})
                started.setdefault((place * ordered, adds, path), []).append(unit * chunks + chunk)
    steps: Steps = []
    for number in range(1, max(by_step) + 1):
        sends = by_step.get(number, {})
        load: dict[Link, int] = {}
        for (_, _, path), sent in sends.items():
            for link in pairwise(path):
                load[link] = load.get(link, 0) + len(sent)
        rounds = rounds_needed(load, network.bandwidth_of)
        if rounds:
            listed = (
                Send(p[0], p[-1], tuple(sorted(c)), p[1:-1], adds)
                for (_, adds, p), c in sorted(sends.items())
            )
            steps.append(Step(rounds, tuple(listed)))
    return steps


def dealt(routes: Sequence[Route], chunks: int) -> Iterator[Route]:
    """Yield the route of one chunk after another.

    Each route has its share at any time, up to a chunk.
    """
    whole = lcm(*(route.weight.denominator for route in routes))
    shares, given = [int(route.weight * whole) for route in routes], [0] * len(routes)
    for count in range(1, chunks + 1):
        behind = [share * count - whole * number for share, number in zip(shares, given, strict=True)]
        i = behind.index(max(behind))
        given[i] += 1
        yield routes[i]


def routes_of(problem: Problem, schedule: PipelinedSchedule) -> dict[int, list[Route]]:
    """Return the routes of every unit that has to go anywhere, by its number.

    Raises
    ------
    InputError
        For an allgatherv and an alltoallv.
    """
    if problem.task in UNEQUAL_TASKS:
        raise InputError(f"{with_article(problem.task)} has units of many sizes, and is not cut into chunks")
    ranks = ranks_of(problem)
    number = {v: i for i, v in enumerate(ranks)}
    units: dict[int, list[Route]] = {}
    if problem.task not in FLOW_TASKS:
        for tree in schedule.trees:
            unit = number[tree.root] if problem.task in ("allgather", "reduce-scatter") else 0
            units.setdefault(unit, []).append(_tree_route(tree))
        return units
    for flow in schedule.flows:
        amounts = {(u, v): x for u, v, x in flow.links}
        backwards = problem.task == "gather"
        if backwards:
            amounts = {(v, u): x for (u, v), x in amounts.items()}
        first = number[flow.node] * len(ranks) if problem.task == "alltoall" else 0
        for way, weight in ways_of_flow(flow.node, amounts, flow_units(problem, flow.node)):
            unit = first + number[way[-1]]
            route = _way_route(problem.network, way[::-1] if backwards else way, weight)
            units.setdefault(unit, []).append(route)
    return units


def _tree_route(tree: WeightedTree) -> Route:
    """Return a node passes on what it has added up in the stage after the last that it gets something in."""
    sends: list[tuple[int, Path, bool]] = []
    got: dict[int, int] = {}
    for path in tree.inward:
        stage = got.get(path[0], 0) + 1
        got[path[-1]] = max(stage, got.get(path[-1], 0))
        sends.append((stage, path, True))
    depth = {tree.root: got.get(tree.root, 0)}
    for path in tree.paths:
        depth[path[-1]] = depth[path[0]] + 1
        sends.append((depth[path[-1]], path, False))
    return Route(tree.weight, tuple(sends))


def _way_route(network: Network, way: Path, weight: Fraction) -> Route:
    """Return the sends from one compute node on the way to the next."""
    stops = [i for i, v in enumerate(way) if v not in network.switches]
    hops = enumerate(pairwise(stops), 1)
    return Route(weight, tuple((stage, way[one : other + 1], False) for stage, (one, other) in hops))


def ways_of_flow(
    source: int, amounts: Mapping[Link, Fraction], units: Mapping[int, int]
) -> Iterator[tuple[Path, Fraction]]:
    """Yield ways from the source with their weights, in all to every other node its units.

    Together they carry no more than the flow, which must conserve.
    """
    left = dict(amounts)
    leaving: dict[int, list[int]] = {}
    for u, v in left:
        leaving.setdefault(u, []).append(v)
    needed = {v: Fraction(x) for v, x in units.items()}
    while needed:
        way = [source]
        while way[-1] not in needed:
            u = way[-1]
            v = next(v for v in leaving[u] if left[u, v])
            if v in way:
                circle = [*way[way.index(v) :], v]
                _take(left, circle, min(left[link] for link in pairwise(circle)))
                del way[way.index(v) + 1 :]
            else:
                way.append(v)
        weight = min(needed[way[-1]], *(left[link] for link in pairwise(way)))
        _take(left, way, weight)
        needed[way[-1]] -= weight
        if not needed[way[-1]]:
            del needed[way[-1]]
        yield tuple(way), weight


def _take(left: dict[Link, Fraction], way: Sequence[int], weight: Fraction) -> None:
    for link in pairwise(way):
        left[link] -= weight
