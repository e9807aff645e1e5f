"""Rings through all compute nodes of a network that together use no link beyond its bandwidth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import NamedTuple

from schedsolve.network.graph import Network

Link = tuple[int, int]
Routes = Mapping[Link, Sequence[Sequence[Link]]]
"""For pairs of compute nodes, the ways from one to the other, each as the links that it crosses."""
LOOKED_AT = 50_000
"""Partial rings that are looked at before the search for one more ring is given up."""
MOST_RINGS = 1000


class Ring(NamedTuple):
    """A ring through all compute nodes.

    Attributes
    ----------
    nodes
        In order.
    ways
        From every node to the next one, as the links that are crossed.
    times
        How often it fits.
    """

    nodes: tuple[int, ...]
    ways: tuple[Sequence[Link], ...]
    times: int


def rings_over(network: Network, ways: Routes) -> list[Ring]:
    """Return rings over the ways, found one after another, fat links first.

    Each is found in the room that those before leave. Where less than a whole chunk fits in a round, one
    ring; none where none is found.
    """
    chunk = lcm(*(Fraction(b).denominator for b in network.bandwidth_of.values()))
    room = {link: int(b * chunk) for link, b in network.bandwidth_of.items()}
    found: list[Ring] = []
    while sum(ring.times for ring in found) < MOST_RINGS:
        nodes = _ring(network.compute_nodes, ways, room, chunk)
        if nodes is None:
            break
        used = _used(nodes, ways, room)
        crossings = Counter(link for way in used for link in way)
        times = min(room[link] // (chunk * count) for link, count in crossings.items())
        if not times:
            break
        for link, count in crossings.items():
            room[link] -= chunk * times * count
        found.append(Ring(nodes, used, times))
    if not found:
        nodes = _ring(network.compute_nodes, ways, room, 0)
        found = [Ring(nodes, _used(nodes, ways, room), 1)] if nodes else []
    return found


def _used(nodes: tuple[int, ...], ways: Routes, room: Mapping[Link, int]) -> tuple[Sequence[Link], ...]:
    return tuple(_roomiest(ways[pair], room) for pair in pairwise((*nodes, nodes[0])))


def _roomiest(ways: Sequence[Sequence[Link]], room: Mapping[Link, int]) -> Sequence[Link]:
    return max(ways, key=lambda way: min(room[link] for link in way))


def _ring(
    nodes: tuple[int, ...], ways: Routes, room: Mapping[Link, int], least: int
) -> tuple[int, ...] | None:
    """Return a ring over ways that have so much room at least; None when none is found."""
    wide = {pair: max(min(room[e] for e in way) for way in between) for pair, between in ways.items()}
    after: dict[int, list[int]] = {v: [] for v in nodes}
    for u, v in sorted(wide, key=lambda pair: (-wide[pair], pair)):
        if wide[u, v] >= least:
            after[u].append(v)
    return ring_through(nodes[0], after, LOOKED_AT)


def ring_through(start: int, after: Mapping[int, Sequence[int]], most: int) -> tuple[int, ...] | None:
    """Return a ring through all nodes, by depth-first search.

    Parameters
    ----------
    start
        Where the ring starts.
    after
        The nodes that may follow each, those to be tried first before the others.
    most
        Partial rings after which the search is given up; the answer is None then too.
    """
    way, seen, looked = [start], {start}, 0
    choices: list[Iterator[int]] = [iter(after[start])]
    while choices and looked < most:
        looked += 1
        if len(way) == len(after) and start in after[way[-1]]:
            return tuple(way)
        following = next((v for v in choices[-1] if v not in seen), None)
        if following is None:
            choices.pop()
            seen.discard(way.pop())
            continue
        way.append(following)
        seen.add(following)
        choices.append(iter(after[following]))
    return None
