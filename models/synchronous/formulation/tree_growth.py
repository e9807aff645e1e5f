"""Cheap trees in time, grown: the node that is cheapest to reach from what is reached already is next.

The cheapest trees under prices of hops would be Steiner trees in time.

References
----------
Takahashi, Matsuyama 1980 (An approximate solution for the Steiner problem in graphs).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any

from schedsolve.network.graph import Network

from ..claims.hops import Pair, routes

TINY = 1e-9
MOST_SEEN = 4_000_000
"""Routes times nodes up to which it is known what it costs from every node to every other."""
StepRoute = tuple[int, int]
"""A send of a tree: the step, and the number of the route."""


class _Direction:
    """The routes from their tails to their heads, in the order of their heads."""

    def __init__(self, tails: Any, heads: Any) -> None:
        import numpy

        self.tail_of, self.head_of = list(map(int, tails)), list(map(int, heads))
        self.order = numpy.argsort(heads, kind="stable")
        self.tails = tails[self.order]
        self.nodes, self.first = numpy.unique(heads[self.order], return_index=True)

    def cheapest(self, head: int, offered: Any) -> int:
        """Return the number of the route to a node for which the least is offered, in the order of heads."""
        place = int(self.nodes.searchsorted(head))
        first = int(self.first[place])
        end = int(self.first[place + 1]) if place + 1 < len(self.first) else len(self.order)
        return int(self.order[first + int(offered[first:end].argmin())])


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
        tails = numpy.array([route.sender for route in self.routes])
        heads = numpy.array([route.receiver for route in self.routes])
        self.onward, self.back = _Direction(tails, heads), _Direction(heads, tails)
        self.links = list(network.arcs)
        self.sees_far = len(self.routes) * self.node_count <= MOST_SEEN
        number = {link: i for i, link in enumerate(self.links)}
        self.route_links = [[number[link] for link in route.links] for route in self.routes]
        longest = max(map(len, self.route_links), default=0)
        # The first links of all routes, the second ones, ...; after the last link one that costs nothing.
        self._places = [
            numpy.array([links[k] if k < len(links) else len(self.links) for links in self.route_links])
            for k in range(longest)
        ]

    def hops(self, costs: Sequence[Any]) -> list[Any]:
        """Return for every step the cost of every route, from those of the links."""
        import numpy

        made = []
        for cost in costs:
            known, total = numpy.append(cost, 0.0), 0.0
            for place in self._places:
                total = total + known[place]
            made.append(total)
        return made

    @cached_property
    def between(self) -> dict[Pair, list[int]]:
        """The numbers of the routes from one compute node to another, by their ends."""
        found = defaultdict[Pair, list[int]](list)
        for i, route in enumerate(self.routes):
            found[route.sender, route.receiver].append(i)
        return found

    def outward(
        self,
        origins: Collection[int],
        wanted: Collection[int],
        hops: Sequence[Any],
        via: StepRoute | None = None,
        *,
        relayed: bool = False,
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
        relayed
            Whether nodes from which the others are cheaper to reach, together, are reached first.
        """
        onward = self.reach(hops, self.back) if relayed else ()
        return self._grown(origins, wanted, hops, self.onward, via, onward)

    def inward(
        self,
        origins: Collection[int],
        wanted: Collection[int],
        hops: Sequence[Any],
        *,
        relayed: bool = False,
    ) -> list[StepRoute]:
        """Return cheap trees from all wanted nodes to the origins, as `outward` does."""
        onward = self.reach(hops[::-1], self.onward) if relayed else ()
        grown = self._grown(origins, wanted, hops[::-1], self.back, None, onward)
        return [(len(hops) + 1 - step, i) for step, i in grown]

    def reach(self, hops: Sequence[Any], ways: _Direction) -> list[Any]:
        """Return what the cheapest ways cost from every node to every other, after 0, 1, ... of the steps.

        Parameters
        ----------
        hops
            For every step the cost of every route.
        ways
            The routes by their tails: those of the other direction.
        """
        import numpy

        cheapest = numpy.full((self.node_count, self.node_count), numpy.inf)
        numpy.fill_diagonal(cheapest, 0)
        made = [cheapest]
        for cost in reversed(hops):
            through = numpy.minimum.reduceat(
                cost[ways.order][:, None] + cheapest[ways.tails], ways.first, axis=0
            )
            cheapest = cheapest.copy()
            cheapest[ways.nodes] = numpy.minimum(cheapest[ways.nodes], through)
            made.append(cheapest)
        return made[::-1]

    def _grown(
        self,
        origins: Collection[int],
        wanted: Collection[int],
        hops: Sequence[Any],
        ways: _Direction,
        via: StepRoute | None = None,
        onward: Sequence[Any] = (),
    ) -> list[StepRoute]:
        import numpy

        arrival = dict.fromkeys(origins, 0)
        sends: list[StepRoute] = []
        missing = set(wanted) - set(origins)
        nowhere = numpy.full(self.node_count, numpy.inf)
        in_order = [cost[ways.order] for cost in hops] if missing else []
        while missing:
            arrivals = defaultdict[int, list[int]](list)
            for v, step in arrival.items():
                arrivals[step].append(v)
            reached = nowhere.copy()
            reached[arrivals[0]] = 0
            came: list[tuple[Any, Any]] = []
            costs = [reached]
            for step, cost in enumerate(in_order, 1):
                offered = reached[ways.tails] + cost
                best = nowhere.copy()
                best[ways.nodes] = numpy.minimum.reduceat(offered, ways.first)
                came.append((best < reached, offered))
                reached = numpy.minimum(best, reached)
                if step in arrivals:
                    reached[arrivals[step]] = 0
                costs.append(reached.copy())
            if via is None and len(onward):
                via = _saving(arrival, missing, costs, onward)
                if via is None:
                    onward = ()
            end = len(hops) if via is None else via[1]
            v = min(missing, key=lambda w: (reached[w], w)) if via is None else via[0]
            if via is not None and costs[end][v] == numpy.inf:
                via = None
                continue
            via = None
            step = end
            while v not in arrival or arrival[v] > step:
                moved, offered = came[step - 1]
                if moved[v]:
                    i = ways.cheapest(v, offered)
                    sends.append((step, i))
                    arrival[v] = min(step, arrival.get(v, step))
                    missing.discard(v)
                    v = ways.tail_of[i]
                step -= 1
        return _needed(sends, origins, wanted, ways)


def _saving(
    arrival: Mapping[int, int], missing: Collection[int], costs: Sequence[Any], onward: Sequence[Any]
) -> StepRoute | None:
    """Return the node that makes the ways to the missing nodes cheaper by most, and when to be there.

    Its own cost is taken off; None when no node saves anything.

    Parameters
    ----------
    arrival, missing
        When the nodes of the tree have the chunk, and who is still to get it.
    costs
        What it costs to bring the chunk to every node within 0, 1, ... steps.
    onward
        What the ways from every node to every other cost after so many steps.
    """
    import numpy

    left = list(missing)
    known = numpy.min([onward[step][v, left] for v, step in arrival.items()], axis=0)
    best, found = TINY, None
    for step in range(1, len(onward)):
        gain = numpy.maximum(known - onward[step][:, left], 0).sum(axis=1) - costs[step]
        v = int(gain.argmax())
        if gain[v] > best:
            best, found = gain[v], (v, step)
    return found


def _needed(
    sends: Sequence[StepRoute], origins: Collection[int], wanted: Collection[int], ways: _Direction
) -> list[StepRoute]:
    """Return the sends without those to a node that has the chunk, and those that nobody needs."""
    held, kept = set(origins), []
    for _, group in groupby(sorted(set(sends)), key=lambda send: send[0]):
        arrived: set[int] = set()
        for step, i in group:
            if ways.head_of[i] not in held | arrived and ways.tail_of[i] in held:
                arrived.add(ways.head_of[i])
                kept.append((step, i))
        held |= arrived
    useful, found = set(wanted), []
    for step, i in reversed(kept):
        if ways.head_of[i] in useful:
            useful.add(ways.tail_of[i])
            found.append((step, i))
    return found[::-1]
