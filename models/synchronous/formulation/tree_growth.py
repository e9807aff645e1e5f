"""Cheap trees in time, grown: the node that is cheapest to reach from what is reached already is next.

The cheapest trees under prices of hops would be Steiner trees in time.

References
----------
Takahashi, Matsuyama 1980 (An approximate solution for the Steiner problem in graphs).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any

from schedsolve.network.graph import Network

from ..claims.hops import routes

StepRoute = tuple[int, int]
"""A send of a tree: the step, and the number of the route."""


class TreeGrowth:
    """The routes of a network as arrays, and trees along them.

    Parameters
    ----------
    network
        The network.
    """

    def __init__(self, network: Network) -> None:
        import numpy

        self.node_count = network.node_count
        self.routes = routes(network)
        self.tails = numpy.array([route.sender for route in self.routes])
        self.heads = numpy.array([route.receiver for route in self.routes])
        self.links = list(network.arcs)
        number = {link: i for i, link in enumerate(self.links)}
        self.route_links = [[number[link] for link in route.links] for route in self.routes]

    def hops(self, costs: Sequence[Any]) -> list[Any]:
        """Return for every step the cost of every route, from those of the links."""
        import numpy

        return [numpy.array([sum(c[link] for link in links) for links in self.route_links]) for c in costs]

    def between(self, u: int, v: int) -> list[int]:
        """Return the numbers of the routes from one compute node to another."""
        return [i for i, route in enumerate(self.routes) if (route.sender, route.receiver) == (u, v)]

    def outward(
        self,
        origins: Collection[int],
        wanted: Collection[int],
        hops: Sequence[Any],
        via: StepRoute | None = None,
    ) -> list[StepRoute]:
        """Return cheap trees from the origins to all wanted nodes.

        Parameters
        ----------
        origins
            Where the trees begin.
        wanted
            The nodes to be reached; as many steps as there are lists of costs suffice for that.
        hops
            For every step the cost of every route.
        via
            A node that is reached first, within so many steps, if it can be.
        """
        return self._grown(origins, wanted, hops, self.tails, self.heads, via)

    def inward(
        self, origins: Collection[int], wanted: Collection[int], hops: Sequence[Any]
    ) -> list[StepRoute]:
        """Return cheap trees from all wanted nodes to the origins, as `outward` does."""
        grown = self._grown(origins, wanted, hops[::-1], self.heads, self.tails)
        return [(len(hops) + 1 - step, i) for step, i in grown]

    def _grown(
        self,
        origins: Collection[int],
        wanted: Collection[int],
        hops: Sequence[Any],
        tails: Any,
        heads: Any,
        via: tuple[int, int] | None = None,
    ) -> list[StepRoute]:
        import numpy

        arrival = dict.fromkeys(origins, 0)
        sends: list[StepRoute] = []
        missing = set(wanted) - set(origins)
        while missing:
            end = len(hops) if via is None else via[1]
            reached = numpy.full(self.node_count, numpy.inf)
            reached[[v for v, step in arrival.items() if step == 0]] = 0
            by: list[Any] = []
            for step, cost in enumerate(hops[:end], 1):
                offered = reached[tails] + cost
                order = numpy.argsort(-offered, kind="stable")
                # Of the assignments to one node the last, which is the cheapest, stays.
                best, route = numpy.full(len(reached), numpy.inf), numpy.full(len(reached), -1)
                best[heads[order]], route[heads[order]] = offered[order], order
                route[best >= reached] = -1
                reached = numpy.minimum(best, reached)
                for v in (v for v, when in arrival.items() if when <= step):
                    reached[v], route[v] = 0, -1
                by.append(route)
            v = min(missing, key=lambda w: (reached[w], w)) if via is None else via[0]
            if via is not None and reached[v] == numpy.inf:
                via = None
                continue
            via = None
            step = end
            while v not in arrival or arrival[v] > step:
                i = int(by[step - 1][v])
                if i >= 0:
                    sends.append((step, i))
                    arrival[v] = min(step, arrival.get(v, step))
                    missing.discard(v)
                    v = int(tails[i])
                step -= 1
        return _needed(sends, origins, wanted, tails, heads)


def _needed(
    sends: Sequence[StepRoute], origins: Collection[int], wanted: Collection[int], tails: Any, heads: Any
) -> list[StepRoute]:
    """Return the sends without those to a node that has the chunk, and those that nobody needs."""
    held, kept = set(origins), []
    for _, group in groupby(sorted(set(sends)), key=lambda send: send[0]):
        arrived: set[int] = set()
        for step, i in group:
            if heads[i] not in held | arrived and tails[i] in held:
                arrived.add(int(heads[i]))
                kept.append((step, i))
        held |= arrived
    useful, found = set(wanted), []
    for step, i in reversed(kept):
        if heads[i] in useful:
            useful.add(int(tails[i]))
            found.append((step, i))
    return found[::-1]
