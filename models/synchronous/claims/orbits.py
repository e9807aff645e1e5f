"""Orbits of shipments and links under a group of automorphisms."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from schedsolve.network.automorphisms import Automorphism

from ..rules.collective import Collective
from .hops import Pair


def shipment_images(collective: Collective, group: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return, for every automorphism of a group, the number of the shipment that each shipment goes to.

    Of shipments with the same ends the first goes to the first, and so on.

    Raises
    ------
    KeyError
        If an automorphism does not map the task to itself.
    """
    alike: dict[tuple[int, frozenset[int]], list[int]] = defaultdict(list)
    place = []
    for number, shipment in enumerate(collective.shipments):
        numbers = alike[shipment.origin, frozenset(shipment.destinations)]
        place.append(len(numbers))
        numbers.append(number)
    number_of = {(ends, i): number for ends, numbers in alike.items() for i, number in enumerate(numbers)}
    return [
        [
            number_of[(image[s.origin], frozenset(image[v] for v in s.destinations)), i]
            for s, i in zip(collective.shipments, place, strict=True)
        ]
        for image in group
    ]


def orbit_representatives(collective: Collective, group: Sequence[Automorphism]) -> Iterator[int]:
    """One shipment that somebody waits for of every orbit under the group."""
    images = shipment_images(collective, group)
    seen: set[int] = set()
    for number, shipment in enumerate(collective.shipments):
        if shipment.destinations and number not in seen:
            yield number
            seen.update(moved[number] for moved in images)


def link_orbits(links: Iterable[Pair], group: Sequence[Automorphism]) -> dict[Pair, Pair]:
    """For every link the least link of its orbit."""
    orbit: dict[Pair, Pair] = {}
    for u, v in sorted(links):
        if (u, v) not in orbit:
            for image in group:
                orbit[image[u], image[v]] = (u, v)
    return orbit
