"""Any task by shortest ways: every chunk spreads along a tree of shortest ways, a hop a step."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from math import ceil

from schedsolve.problem import Problem

from ..claims.hops import Route, hop_distances, neighbours, routes
from ..rules.collective import collective_of
from ..rules.steps import Send, Step, StepSchedule


def shortest_ways(problem: Problem, chunks: int) -> StepSchedule:
    """Return the schedule for so many chunks a shipment.

    In steps after the greatest distance nothing is sent.

    Of the neighbours that can send a chunk to a node, the one whose links carry least is taken.
    """
    collective, steps = collective_of(problem), int(problem.parameters["steps"])
    network = problem.network
    near = neighbours(network)
    into: dict[int, list[Route]] = defaultdict(list)
    for route in routes(network):
        into[route.receiver].append(route)
    load: Counter[tuple[int, tuple[int, int]]] = Counter()
    sends: dict[int, dict[Route, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, shipment in enumerate(collective.shipments):
        if not shipment.destinations:
            continue
        distance = hop_distances(near, shipment.origin)
        for chunk in range(number * chunks, (number + 1) * chunks):
            wanted = set(shipment.destinations)
            for v in sorted(distance, key=lambda v: (-distance[v], v)):
                if v not in wanted or v == shipment.origin:
                    continue
                step = distance[v]
                best = min(
                    (route for route in into[v] if distance.get(route.sender) == step - 1),
                    key=lambda route: (
                        max(
                            Fraction(load[step, link] + 1) / network.bandwidth_of[link]
                            for link in route.links
                        ),
                        len(route.links),
                        route.sender not in wanted,
                    ),
                )
                sends[step][best].append(chunk)
                load.update((step, link) for link in best.links)
                wanted.add(best.sender)
    built = []
    for step in range(1, steps + 1):
        needed = [
            ceil(Fraction(c) / network.bandwidth_of[link]) for (s, link), c in load.items() if s == step
        ]
        step_sends = [
            Send(r.sender, r.receiver, tuple(c), r.switches) for r, c in sorted(sends[step].items())
        ]
        built.append(Step(max(1, *needed) if needed else 1, tuple(step_sends)))
    return StepSchedule(tuple(built), chunks)
