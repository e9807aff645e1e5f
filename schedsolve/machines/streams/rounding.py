"""Weights of routes rounded to whole chunks, with the busiest link as little busier as can be."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import lcm

from schedsolve.machines.streams.steps import Route
from schedsolve.models.pipelined.rules.demand import Link
from schedsolve.network.graph import Network


def rounded(network: Network, units: Mapping[int, Sequence[Route]], chunks: int) -> dict[int, list[Route]]:
    """Return the routes with weights that are multiples of 1/chunks, of each unit 1 in all.

    The nearest, and then changed by a chunk at a time as long as this lowers the load of the busiest link.

    Where the weights are such multiples already, they stay.
    """
    counts = {unit: _apportioned(routes, chunks) for unit, routes in units.items()}
    if any(counts[unit] != [route.weight * chunks for route in units[unit]] for unit in units):
        _relieve(network, units, counts)
    return {
        unit: [
            replace(route, weight=Fraction(count, chunks))
            for count, route in zip(counts[unit], routes, strict=True)
            if count
        ]
        for unit, routes in units.items()
    }


def _apportioned(routes: Sequence[Route], chunks: int) -> list[int]:
    """Whole numbers of chunks by weight, by the largest remainders."""
    counts = [int(route.weight * chunks) for route in routes]
    by_rest = sorted(range(len(routes)), key=lambda i: counts[i] - routes[i].weight * chunks)
    for i in by_rest[: chunks - sum(counts)]:
        counts[i] += 1
    return counts


def _relieve(network: Network, units: Mapping[int, Sequence[Route]], counts: dict[int, list[int]]) -> None:
    """Move chunks from route to route of a unit while the greatest load of a link gets less."""
    bandwidth = {link: Fraction(b) for link, b in network.bandwidth_of.items()}
    whole = lcm(*(b.numerator for b in bandwidth.values()))
    per_chunk = {link: int(whole / b) for link, b in bandwidth.items()}
    links = {unit: [_uses(route) for route in routes] for unit, routes in units.items()}
    load: dict[Link, int] = defaultdict(int)
    for unit, uses in links.items():
        for count, used in zip(counts[unit], uses, strict=True):
            for link, times in used.items():
                load[link] += count * times
    improved = True
    while improved:
        busiest = max(load, key=lambda link: load[link] * per_chunk[link])
        most, improved = load[busiest] * per_chunk[busiest], False
        for unit, one, other in _exchanges(links, counts, busiest):
            used, instead = links[unit][one], links[unit][other]
            if all(
                times <= used.get(link, 0)
                or (load[link] + times - used.get(link, 0)) * per_chunk[link] < most
                for link, times in instead.items()
            ):
                for link, times in used.items():
                    load[link] -= times
                for link, times in instead.items():
                    load[link] += times
                counts[unit][one] -= 1
                counts[unit][other] += 1
                improved = True
                break


def _exchanges(
    links: Mapping[int, Sequence[Mapping[Link, int]]], counts: Mapping[int, Sequence[int]], busiest: Link
) -> Iterator[tuple[int, int, int]]:
    """Units with two routes: one that has chunks on the link, and another with fewer hops over it."""
    for unit, uses in links.items():
        for one, used in enumerate(uses):
            if counts[unit][one] and busiest in used:
                for other, instead in enumerate(uses):
                    if instead.get(busiest, 0) < used[busiest]:
                        yield unit, one, other


def _uses(route: Route) -> Counter[Link]:
    return Counter(link for _, path, _ in route.sends for link in pairwise(path))
