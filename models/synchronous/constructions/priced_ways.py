"""Tasks without copies: chunk after chunk along cheap ways in time, under prices of what is full already.

The rounds of a step are those of its fullest link, so that a link's price in a step grows exponentially with
its load there. A chunk may wait at a node. After the first pass every chunk is routed again, when the others
have their ways. Ways to a few destinations are found at a time, under the same prices.

References
----------
Garg, Könemann, Faster and simpler algorithms for multicommodity flow and other fractional packing problems
(SIAM Journal on Computing 2007), for prices that grow exponentially.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from schedsolve.modelkit.problem import Problem

from ..claims.hops import Pair, routes
from ..rules.collective import collective_of
from ..rules.steps import StepSchedule
from .stepwise import Steps

AT_A_TIME = 8
"""Destinations of one origin whose ways are found under the same prices."""
SHARPNESS = (20.0, 40.0, 60.0)
"""How fast prices grow, pass by pass."""
TINY = 1e-6

StepRoute = tuple[int, int]
"""A hop of a way: the step, and the number of the route."""


def priced_ways(problem: Problem, chunks: int) -> StepSchedule:
    """Return the schedule for so many chunks a shipment.

    Parameters
    ----------
    problem
        A task without copies, with enough steps.
    chunks
        The number of chunks.
    """
    collective, steps = collective_of(problem), int(problem.parameters["steps"])
    by_origin: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, shipment in enumerate(collective.shipments):
        for destination in shipment.destinations:
            by_origin[shipment.origin].append((number, destination))
    batches = [
        (origin, wanted[first : first + AT_A_TIME])
        for origin, wanted in by_origin.items()
        for first in range(0, len(wanted), AT_A_TIME)
    ]
    prices = _Prices(problem, steps)
    ways: dict[int, Sequence[StepRoute]] = {}
    for sharpness in SHARPNESS:
        for chunk in range(chunks):
            for origin, wanted in batches:
                own = [number * chunks + chunk for number, _ in wanted]
                for old in own:
                    prices.load_way(ways.get(old, ()), -1)
                found = prices.cheapest_ways(origin, [v for _, v in wanted], sharpness)
                for new, way in zip(own, found, strict=True):
                    ways[new] = way
                    prices.load_way(way, 1)
    built = Steps(problem.network)
    for chunk, taken in ways.items():
        for step, i in taken:
            built.add(step, prices.routes[i], chunk)
    return StepSchedule(built.built(steps), chunks)


class _Prices:
    """What the links carry in every step, and ways that are cheap by it."""

    def __init__(self, problem: Problem, steps: int) -> None:
        import numpy

        network = problem.network
        self.routes = sorted(routes(network), key=lambda route: route.receiver)
        self.tails = numpy.array([route.sender for route in self.routes])
        heads = numpy.array([route.receiver for route in self.routes])
        self.node_count = network.node_count
        self.heads, self.first = numpy.unique(heads, return_index=True)
        place: dict[Pair, int] = {link: i for i, link in enumerate(network.arcs)}
        self.links = [[place[link] for link in route.links] for route in self.routes]
        self.in_row = numpy.array([link for links in self.links for link in links])
        self.starts = numpy.cumsum([0, *map(len, self.links[:-1])])
        self.bandwidths = numpy.array([float(network.bandwidth_of[link]) for link in network.arcs])
        self.load = numpy.zeros((steps, len(place)))

    def load_way(self, way: Sequence[StepRoute], times: int) -> None:
        """Add a chunk's way to the loads, or take it off."""
        for step, i in way:
            for link in self.links[i]:
                self.load[step - 1, link] += times / self.bandwidths[link]

    def cheapest_ways(
        self, origin: int, destinations: Sequence[int], sharpness: float
    ) -> Iterator[tuple[StepRoute, ...]]:
        """Yield the cheapest way in time to each of the destinations, under the present prices."""
        import numpy

        most = self.load.max(axis=1, keepdims=True)
        price = numpy.exp(sharpness * (self.load - most) / max(float(most.sum()), 1.0))
        price = (price / price.sum(axis=1, keepdims=True) + TINY) / self.bandwidths
        reached = numpy.full(self.node_count, numpy.inf)
        reached[origin] = 0.0
        came: list[Any] = []
        for cost in price:
            offered = reached[self.tails] + numpy.add.reduceat(cost[self.in_row], self.starts)
            best = numpy.full(self.node_count, numpy.inf)
            best[self.heads] = numpy.minimum.reduceat(offered, self.first)
            came.append((best < reached, offered))
            reached = numpy.minimum(best, reached)
        for v in destinations:
            yield self._way_back(v, came)

    def _way_back(self, v: int, came: Sequence[Any]) -> tuple[StepRoute, ...]:
        """Return the way to a node, from where its hops came."""
        way: list[StepRoute] = []
        for step in range(len(came), 0, -1):
            moved, offered = came[step - 1]
            if moved[v]:
                place = int(self.heads.searchsorted(v))
                first = int(self.first[place])
                end = int(self.first[place + 1]) if place + 1 < len(self.first) else len(self.routes)
                i = first + int(offered[first:end].argmin())
                way.append((step, i))
                v = int(self.tails[i])
        return tuple(reversed(way))
