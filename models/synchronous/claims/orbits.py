"""Orbits of shipments and links under a group of automorphisms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from schedsolve.network.automorphisms import Automorphism

from ..rules.collective import Collective
from .hops import Pair


def orbit_representatives(collective: Collective, group: Sequence[Automorphism]) -> Iterator[int]:
    """One shipment that somebody waits for of every orbit under the group."""
    seen: set[tuple[int, frozenset[int]]] = set()
    for number, shipment in enumerate(collective.shipments):
        if shipment.destinations and (shipment.origin, frozenset(shipment.destinations)) not in seen:
            yield number
            seen.update(
                (image[shipment.origin], frozenset(image[v] for v in shipment.destinations))
                for image in group
            )


def link_orbits(links: Iterable[Pair], group: Sequence[Automorphism]) -> dict[Pair, Pair]:
    """For every link the least link of its orbit."""
    orbit: dict[Pair, Pair] = {}
    for u, v in sorted(links):
        if (u, v) not in orbit:
            for image in group:
                orbit[image[u], image[v]] = (u, v)
    return orbit
