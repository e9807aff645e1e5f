"""Any task by shortest ways: every chunk spreads along a tree of shortest ways, a hop a step."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Literal

from schedsolve.modelkit.problem import Problem

from ..claims.hops import Route, hop_distances, neighbours, routes
from ..rules.collective import collective_of
from ..rules.steps import StepSchedule
from .stepwise import Steps

Choice = Literal["load", "turn", "number"]


def shortest_ways(problem: Problem, chunks: int, by: Choice = "load") -> StepSchedule:
    """Return the schedule for so many chunks a shipment.

    In steps after the greatest distance nothing is sent.

    Parameters
    ----------
    problem, chunks
        The problem, and the number of chunks.
    by
        Of the neighbours that can send a chunk to a node, load takes the one whose links carry least; turn,
        of the shortest routes each in turn, which shares exchanges between equals out over parallel switches
        evenly; number the first, always the same.
    """
    collective, steps = collective_of(problem), int(problem.parameters["steps"])
    network, built = problem.network, Steps(problem.network)
    near = neighbours(network)
    into: dict[int, list[Route]] = defaultdict(list)
    for route in routes(network):
        into[route.receiver].append(route)
    for number, shipment in enumerate(collective.shipments):
        if not shipment.destinations:
            continue
        distance = hop_distances(near, shipment.origin)
        order = sorted(distance, key=lambda v: (-distance[v], v))
        nearer: dict[int, list[Route]] = {}
        for chunk in range(number * chunks, (number + 1) * chunks):
            wanted = set(shipment.destinations)
            for v in order:
                if v not in wanted or v == shipment.origin:
                    continue
                step = distance[v]
                ways = nearer.get(v) or nearer.setdefault(v, _nearer(into[v], distance, step, by != "load"))
                if by != "load":
                    ways = [ways[(v - chunk) % len(ways) if by == "turn" else 0]]
                best = min(
                    ways,
                    key=lambda route: (
                        built.fullest(step, route),
                        len(route.links),
                        route.sender not in wanted,
                    ),
                )
                built.add(step, best, chunk)
                wanted.add(best.sender)
    return StepSchedule(built.built(steps), chunks)


def _nearer(into: list[Route], distance: Mapping[int, int], step: int, shortest: bool) -> list[Route]:
    """Return the routes from nodes that are reached a step before; shortest: those over the fewest links."""
    ways = [route for route in into if distance.get(route.sender) == step - 1]
    least = min(len(route.links) for route in ways)
    return [route for route in ways if len(route.links) == least] if shortest else ways
