"""Allgather round rings: every node passes on what it got last to its successor.

The chunks of a node go round rings that visit every compute node once, which together use a link no more than
its bandwidth: N - 1 steps of one round, and as many chunks as there are rings. Where fewer steps are given,
half of them at least, every chunk goes half way round in both directions.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import cycle, islice, pairwise

from schedsolve.network.graph import Network

from ..claims.hops import Pair, Route
from ..rules.steps import StepSchedule
from .stepwise import Steps, routes_between

LOOKED_AT = 50_000
"""Partial rings that are looked at before the search for one more ring is given up."""
MOST_RINGS = 1000


@lru_cache(maxsize=8)
def rings(network: Network) -> list[tuple[int, ...]]:
    """Rings through all compute nodes, found one after another in the room that those before leave, fat
    links first; each stands as often as it fits. Where less than a whole chunk fits in a round, one ring.
    """
    ways = routes_between(network)
    room = {link: Fraction(b) for link, b in network.bandwidth_of.items()}
    found: list[tuple[int, ...]] = []
    while len(found) < MOST_RINGS:
        ring = _ring(network.compute_nodes, ways, room, Fraction(1))
        if ring is None:
            break
        used = [_roomiest(ways[pair], room) for pair in pairwise((*ring, ring[0]))]
        links = [link for route in used for link in route.links]
        times = min(room[link] // links.count(link) for link in links)
        if not times:
            break
        for link in links:
            room[link] -= times
        found += [ring] * int(times)
    if not found:
        ring = _ring(network.compute_nodes, ways, room, Fraction(0))
        found = [ring] if ring else []
    return found


def _roomiest(ways: list[Route], room: dict[Pair, Fraction]) -> Route:
    return max(ways, key=lambda way: min(room[link] for link in way.links))


def _ring(
    nodes: tuple[int, ...], ways: dict[Pair, list[Route]], room: dict[Pair, Fraction], least: Fraction
) -> tuple[int, ...] | None:
    """A ring over routes that have so much room at least; None when none is found."""
    wide = {pair: max(min(room[e] for e in way.links) for way in routes) for pair, routes in ways.items()}
    after: dict[int, list[int]] = {v: [] for v in nodes}
    for u, v in sorted(wide, key=lambda pair: (-wide[pair], pair)):
        if wide[u, v] >= least:
            after[u].append(v)
    way, seen, looked = [nodes[0]], {nodes[0]}, 0
    choices: list[Iterator[int]] = [iter(after[nodes[0]])]
    while choices and looked < LOOKED_AT:
        looked += 1
        if len(way) == len(nodes) and nodes[0] in after[way[-1]]:
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


def least_ring_steps(network: Network) -> int | None:
    """The fewest steps in which a ring can do it: half way in both directions where it has them; None without
    a ring.
    """
    found, n = rings(network), len(network.compute_nodes)
    if not found:
        return None
    return n // 2 if _turns_round(network, found[0]) else n - 1


def _turns_round(network: Network, ring: tuple[int, ...]) -> bool:
    ways = routes_between(network)
    return all(pair[::-1] in ways for pair in pairwise((*ring, ring[0])))


def ring_allgather(network: Network, chunks: int | None, steps: int) -> StepSchedule:
    """The schedule in so many steps, `least_ring_steps` or more; a chunk for every ring unless the number is
    given.
    """
    nodes = network.compute_nodes
    n, place = len(nodes), {v: i for i, v in enumerate(nodes)}
    found, built = rings(network), Steps(network)
    if steps < n - 1:
        found = [ring for ring in found if _turns_round(network, ring)]
    count = chunks or len(found)
    for j, ring in enumerate(islice(cycle(found), count)):
        ahead, back = (n - 1, 0) if steps >= n - 1 else (n // 2, n - 1 - n // 2)
        for at, origin in enumerate(ring):
            chunk = place[origin] * count + j
            for step in range(1, ahead + 1):
                built.send(step, ring[(at + step - 1) % n], ring[(at + step) % n], [chunk])
            for step in range(1, back + 1):
                built.send(step, ring[(at - step + 1) % n], ring[(at - step) % n], [chunk])
    return built.schedule(count, steps)
