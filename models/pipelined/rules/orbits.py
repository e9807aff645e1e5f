"""Orbits of nodes and of links under automorphisms that generate a group.

A schedule may list what one node of every orbit does, and leave it to the automorphisms to say the same of
the others: each is taken by every element of the group, all equally often. A link then carries the mean of
what the links of its orbit carry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from schedsolve.network.automorphisms import is_automorphism
from schedsolve.network.graph import Network

Link = tuple[int, int]
_Item = TypeVar("_Item", int, Link)


@dataclass(frozen=True)
class Orbits:
    """Of every node and of every link the first of its orbit, and the sizes of the orbits by their first."""

    node: Sequence[int]
    link: Mapping[Link, Link]
    node_count: Mapping[int, int]
    link_count: Mapping[Link, int]


def orbits(network: Network, generators: Sequence[Sequence[int]]) -> Orbits:
    """The orbits of the group that the automorphisms generate; without any, every node and link is one.

    Raises ValueError for a generator that is no automorphism.
    """
    for image in generators:
        if not is_automorphism(network, image):
            raise ValueError("a symmetry is no automorphism of the network with its bandwidths and switches")
    nodes = dict(enumerate(_classes(range(network.node_count), [dict(enumerate(g)) for g in generators])))
    links = list(network.arcs)
    number = {link: i for i, link in enumerate(links)}
    moves = [{i: number[g[u], g[v]] for i, (u, v) in enumerate(links)} for g in generators]
    firsts = _classes(range(len(links)), moves)
    of_link = {link: links[firsts[i]] for i, link in enumerate(links)}
    return Orbits([nodes[v] for v in range(network.node_count)], of_link, _sizes(nodes), _sizes(of_link))


def _classes(items: range, moves: Sequence[Mapping[int, int]]) -> list[int]:
    """Of every item the least one that the moves, one after another, take to it."""
    first = [-1] * len(items)
    for start in items:
        if first[start] < 0:
            first[start] = start
            queue = [start]
            for x in queue:
                for move in moves:
                    if first[move[x]] < 0:
                        first[move[x]] = start
                        queue.append(move[x])
    return first


def _sizes(first: Mapping[_Item, _Item]) -> dict[_Item, int]:
    sizes: dict[_Item, int] = {}
    for x in first.values():
        sizes[x] = sizes.get(x, 0) + 1
    return sizes


def mean_loads(
    loads: Mapping[tuple[int, Link], Fraction], of: Orbits, network: Network
) -> dict[Link, Fraction]:
    """What every link carries in all, when the listed nodes stand for their orbits.

    loads: by listed node and link.
    """
    total: dict[Link, Fraction] = {}
    for (node, link), load in loads.items():
        first = of.link[link]
        total[first] = total.get(first, Fraction(0)) + of.node_count[of.node[node]] * load
    mean = {first: load / of.link_count[first] for first, load in total.items()}
    return {link: mean[of.link[link]] for link in network.arcs if of.link[link] in mean}
