"""Hops spread over planes of switches: few trees load all planes alike, where each tree had one plane.

Where all compute nodes have a link of the same bandwidth into each of several planes of switches that are
not joined with each other, such as the 18 switches of an NVL72, a message between two nodes can go through
any plane. Trees that differ in their planes only are then one tree, and the planes of its hops are chosen by
an equitable colouring of the hops: at every node, as sender and as receiver, the numbers of hops in two
planes differ by one at most. Such a colouring exists for any number of colours, as a graph of senders and
receivers is bipartite (de Werra, 1971): two colours are balanced by alternating along trails, each pair of
them until none is out of balance.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from schedsolve.machines.streams.steps import Route
from schedsolve.models.pipelined.rules.demand import Link
from schedsolve.models.pipelined.rules.schedule import Path
from schedsolve.network.graph import Network

Plane = frozenset[int]


@lru_cache(maxsize=8)
def planes_of(network: Network) -> tuple[Plane, ...]:
    """Return the sets of switches that any message can go through; none unless there are two or more.

    Each is a component of the graph of switches, and every compute node has one link into it and one out of
    it, of the bandwidth that it has for the others.
    """
    left, planes = set(network.switches), []
    while left:
        plane, new = set[int](), {min(left)}
        while new:
            plane |= new
            new = {w for v in new for w in (*network.successors[v], *network.predecessors[v])} & left - plane
        left -= plane
        planes.append(frozenset(plane))
    alike = all(
        len({tuple(network.bandwidth_of[link] for link in _joining(network, v, plane)) for plane in planes})
        == 1
        and all(len(_joining(network, v, plane)) == 2 for plane in planes)
        for v in network.compute_nodes
    )
    return tuple(planes) if alike and len(planes) > 1 else ()


def _joining(network: Network, v: int, plane: Plane) -> list[Link]:
    """Return the links from a node into a plane, and then those out of it."""
    into = [(v, w) for w in network.successors[v] if w in plane]
    return into + [(w, v) for w in network.predecessors[v] if w in plane]


def merged(network: Network, units: Mapping[int, Sequence[Route]]) -> dict[int, list[Route]]:
    """Return the routes, those of a unit that differ in the planes of their hops only as one of any plane."""
    planes = planes_of(network)
    found: dict[int, list[Route]] = {}
    for unit, routes in units.items():
        weights: dict[tuple[object, ...], Fraction] = defaultdict(Fraction)
        first: dict[tuple[object, ...], Route] = {}
        for route in routes:
            sends = tuple(
                sorted(route.sends, key=lambda send: (send[0], not send[2], send[1][0], send[1][-1]))
            )
            free = bool(planes) and all(_within(planes, path) for _, path, _ in sends)
            shape = tuple((stage, path[0], path[-1], adds) for stage, path, adds in sends)
            key = shape if free else (route.sends,)
            first.setdefault(key, replace(route, sends=sends, any_plane=True) if free else route)
            weights[key] += route.weight
        found[unit] = [replace(route, weight=weights[key]) for key, route in first.items()]
    return found


def _within(planes: Sequence[Plane], path: Path) -> bool:
    """Whether a path goes through switches of one plane only."""
    return len(path) > 2 and any(plane.issuperset(path[1:-1]) for plane in planes)


def in_turns(
    network: Network, sends: Sequence[tuple[Path, int, bool]], free: Iterable[int]
) -> dict[int, tuple[Path, int]]:
    """Return the paths and turns of the sends that may go through any plane, sums before results.

    Parameters
    ----------
    network
        With planes, if any sends are free.
    sends
        The path of each, its chunk, and whether it is added.
    free
        Which of them are, by their numbers.
    """
    found: dict[int, tuple[Path, int]] = {}
    listed, begin = list(free), 0
    for adds in (True, False):
        numbers = [number for number in listed if sends[number][2] == adds]
        taken = spread(network, [sends[number][0] for number in numbers])
        found.update((n, (path, begin + turn)) for n, (path, turn) in zip(numbers, taken, strict=True))
        begin = 1 + max((turn for _, turn in taken), default=-1)
    return found


def spread(network: Network, paths: Sequence[Path]) -> list[tuple[Path, int]]:
    """Return the paths of hops, each through the plane that an equitable colouring gives it, and its turn.

    Within a plane the hops are coloured too: those of one turn have no sender or receiver in common, where
    there are as many turns as a node has hops there.
    """
    planes = planes_of(network)
    ends = [(path[0], path[-1]) for path in paths]
    colours = equitable(ends, len(planes))
    found: dict[int, tuple[Path, int]] = {}
    for colour, plane in enumerate(planes):
        numbers = [number for number, own in enumerate(colours) if own == colour]
        loads = Counter(end for n in numbers for end in ((0, ends[n][0]), (1, ends[n][1])))
        turns = equitable([ends[n] for n in numbers], max(loads.values(), default=1))
        known = {pair: _through(network, plane, *pair) for pair in {ends[n] for n in numbers}}
        found.update((n, (known[ends[n]], turn)) for n, turn in zip(numbers, turns, strict=True))
    return [found[number] for number in range(len(paths))]


def _through(network: Network, plane: Plane, u: int, v: int) -> Path:
    """Return the shortest path from one node to another through a plane."""
    before: dict[int, int] = {}
    reached = [u]
    for node in reached:
        for w in network.successors[node]:
            if w == v or (w in plane and w not in before):
                before[w] = node
                reached.append(w)
        if v in before:
            way = [v]
            while way[-1] != u:
                way.append(before[way[-1]])
            return tuple(reversed(way))
    raise ValueError(f"no path from {u} to {v} through {sorted(plane)}")


def equitable(hops: Sequence[Link], colours: int) -> list[int]:
    """Return a colour for each hop, by which each node sends, and receives, about as many of every colour.

    Parameters
    ----------
    hops
        Sender and receiver of each.
    colours
        Their number.

    Returns
    -------
    list[int]
        Of two colours, no node sends two hops more of the one than of the other, nor receives them.
    """
    ends = [((0, u), (1, v)) for u, v in hops]
    found = [number % colours for number in range(len(hops))]
    counts = Counter((end, found[number]) for number, pair in enumerate(ends) for end in pair)
    everybody = {end for pair in ends for end in pair}
    changed = True
    while changed:
        changed = False
        for one, other in combinations(range(colours), 2):
            if all(abs(counts[end, one] - counts[end, other]) <= 1 for end in everybody):
                continue
            changed = True
            numbers = [number for number, colour in enumerate(found) if colour in (one, other)]
            for number, side in zip(numbers, _alternating([ends[n] for n in numbers]), strict=True):
                colour = other if side else one
                counts.subtract((end, found[number]) for end in ends[number])
                found[number] = colour
                counts.update((end, colour) for end in ends[number])
    return found


def _alternating(edges: Sequence[tuple[object, object]]) -> list[bool]:
    """Return a side for each edge of a bipartite graph; at each node there is one more of one at most.

    At each node edges are taken in pairs, whose sides differ: these pairs form paths and even circles.
    """
    partners: list[list[int]] = [[] for _ in edges]
    single: dict[object, int] = {}
    for number, pair in enumerate(edges):
        for end in pair:
            other = single.pop(end, None)
            if other is None:
                single[end] = number
            else:
                partners[number].append(other)
                partners[other].append(number)
    sides: list[bool | None] = [None] * len(edges)
    for start in range(len(edges)):
        left = [(start, False)] if sides[start] is None else []
        while left:
            number, side = left.pop()
            if sides[number] is None:
                sides[number] = side
                left += [(other, not side) for other in partners[number]]
    return [bool(side) for side in sides]
