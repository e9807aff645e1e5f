"""Hops: from one compute node to another within a step, over a link or through switches.

What they cost when links have prices, and how many of them a task needs.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import count, pairwise
from typing import NamedTuple

from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError, InputError

from ..rules.collective import Collective

Pair = tuple[int, int]
MOST_ROUTES = 200_000
"""More ways through switches than these are not listed."""


class Route(NamedTuple):
    """A way from one compute node to another: over a link, or through switches without repetition."""

    sender: int
    receiver: int
    switches: tuple[int, ...]
    links: tuple[Pair, ...]


def routes(network: Network) -> list[Route]:
    """All routes, by sender.

    Raises
    ------
    InputError
        If there are more than MOST_ROUTES.
    """
    found: list[Route] = []
    for u in network.compute_nodes:
        for way in _ways(network, u):
            found.append(Route(u, way[-1], way[1:-1], tuple(pairwise(way))))
            if len(found) > MOST_ROUTES:
                raise InputError(
                    f"there are more than {MOST_ROUTES} ways through the switches of the network"
                )
    return found


def _ways(network: Network, sender: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways from a compute node through switches, none twice, to others, by a search in depth."""
    way, ahead = [sender], [iter(network.successors[sender])]
    while ahead:
        v = next(ahead[-1], None)
        if v is None:
            ahead.pop()
            way.pop()
        elif v not in network.switches:
            if v != sender:
                yield (*way, v)
        elif v not in way:
            way.append(v)
            ahead.append(iter(network.successors[v]))


def hop_costs(network: Network, link_price: Mapping[Pair, Fraction]) -> dict[Pair, Fraction]:
    """Return the least price of a route for every pair of compute nodes that has one.

    It is the sum of the prices of the route's links; a link without a price costs nothing.
    """
    if not network.switches:
        return {link: link_price.get(link, Fraction(0)) for link in network.arcs}
    costs: dict[Pair, Fraction] = {}
    for u in network.compute_nodes:
        done: set[int] = set()
        ticket = count()
        queue: list[tuple[Fraction, int, int]] = [(Fraction(0), next(ticket), u)]
        while queue:
            cost, _, v = heapq.heappop(queue)
            if v in done:
                continue
            done.add(v)
            if v != u and v not in network.switches:
                costs[u, v] = cost
                continue
            for w in network.successors[v]:
                if w not in done:
                    heapq.heappush(queue, (cost + link_price.get((v, w), Fraction(0)), next(ticket), w))
    return costs


def neighbours(network: Network) -> dict[int, list[int]]:
    """For every compute node those that one hop reaches, ascending."""
    near: dict[int, list[int]] = {}
    for u in network.compute_nodes:
        passed, found = [u], {u}
        for v in passed:
            fresh = [w for w in network.successors[v] if w not in found]
            found.update(fresh)
            passed += [w for w in fresh if w in network.switches]
        near[u] = sorted(found - network.switches - {u})
    return near


def hop_distances(near: Mapping[int, list[int]], origin: int) -> dict[int, int]:
    """For every compute node that can be reached from a compute node, the least number of hops.

    Parameters
    ----------
    near
        The `neighbours`.
    origin
        Where the chunk starts.
    """
    distance = {origin: 0}
    frontier = [origin]
    while frontier:
        following = []
        for u in frontier:
            for v in near[u]:
                if v not in distance:
                    distance[v] = distance[u] + 1
                    following.append(v)
        frontier = following
    return distance


def least_steps(collective: Collective) -> int:
    """Return the least number of steps in which the task can be done at all.

    The greatest distance that a shipment has to go.

    Raises
    ------
    ClaimError
        If a destination cannot be reached.
    """
    near = neighbours(collective.network)
    away = {origin: hop_distances(near, origin) for origin in {s.origin for s in collective.wanted}}
    for shipment in collective.wanted:
        for v in shipment.destinations:
            if v not in away[shipment.origin]:
                labels = collective.network.labels
                raise ClaimError(f"there is no path from node {labels[shipment.origin]} to {labels[v]}")
    return max(away[s.origin][v] for s in collective.wanted for v in s.destinations)
