"""Orbits of nodes and of links under automorphisms that generate a group.

A schedule may list what one node of every orbit does, and leave it to the automorphisms to say the same of
the others: each is taken by every element of the group, all equally often. A link then carries the mean of
what the links of its orbit carry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from schedsolve.network.automorphisms import is_automorphism
from schedsolve.network.graph import Network
from schedsolve.network.orbits import first_of_orbit

Link = tuple[int, int]


@dataclass(frozen=True)
class Orbits:
    """Of every node and of every link the first of its orbit, and the sizes of the orbits by their first."""

    node: Sequence[int]
    link: Mapping[Link, Link]
    node_count: Mapping[int, int]
    link_count: Mapping[Link, int]


def orbits(network: Network, generators: Sequence[Sequence[int]]) -> Orbits:
    """Return the orbits of the group that the automorphisms generate.

    Without any, every node and link is one.

    Raises
    ------
    ValueError
        For a generator that is no automorphism.
    """
    for image in generators:
        if not is_automorphism(network, image):
            raise ValueError("a symmetry is no automorphism of the network with its bandwidths and switches")
    nodes = first_of_orbit(network.node_count, generators)
    links = list(network.arcs)
    number = {link: i for i, link in enumerate(links)}
    moves = [[number[g[u], g[v]] for u, v in links] for g in generators]
    of_link = {link: links[i] for link, i in zip(links, first_of_orbit(len(links), moves), strict=True)}
    return Orbits(nodes, of_link, Counter(nodes), Counter(of_link.values()))


def mean_loads(loads: Mapping[Link, Fraction], of: Orbits, network: Network) -> dict[Link, Fraction]:
    """Return what every link carries when all links of an orbit carry the same.

    Parameters
    ----------
    loads
        What the links carry in all, as the listed nodes and those that they stand for say; links that carry
        nothing may be left out.
    of
        The orbits of the links.
    network
        The network.
    """
    total: dict[Link, Fraction] = {}
    for link, load in loads.items():
        first = of.link[link]
        total[first] = total.get(first, Fraction(0)) + load
    mean = {first: load / of.link_count[first] for first, load in total.items()}
    return {link: mean[of.link[link]] for link in network.arcs if of.link[link] in mean}
