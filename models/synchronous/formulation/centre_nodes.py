"""Where chunks are added up: the centres of an allreduce, and the origins of what is copied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.rank_steps import doublings
from schedsolve.modelkit.ranks import ranks_of
from schedsolve.network.automorphisms import Automorphism
from schedsolve.network.graph import Network

from ..claims.hops import Pair, hop_distances, least_steps, neighbours
from ..claims.orbits import orbit_representatives
from ..constructions.stepwise import routes_between
from ..rules.collective import collective_of

COPYING = ("allgather", "allgatherv", "broadcast")


class Centre(NamedTuple):
    """The nodes of a centre, and the number of steps before they exchange their sums, for a shipment.

    In the j-th step after these, from 0, nodes that differ in bit j of their places exchange.
    """

    nodes: tuple[int, ...]
    steps: int
    shipment: int = 0

    @property
    def exchanges(self) -> list[list[Pair]]:
        """The ends of the sends in which the nodes exchange their sums, step by step."""
        nodes = self.nodes
        bits = [1 << j for j in range(exchanging_steps(nodes))]
        return [[(u, nodes[i ^ bit]) for i, u in enumerate(nodes)] for bit in bits]


def exchanging_steps(nodes: Sequence[int]) -> int:
    """Return the number of steps in which so many nodes exchange their sums."""
    return len(nodes).bit_length() - 1


def centres_of(problem: Problem, group: Sequence[Automorphism]) -> Iterator[Centre]:
    """Yield the centres for which the steps suffice, with every time at which they may have all.

    Of shipments that are copied, one of every orbit has its origin.
    """
    steps, ranks, network = problem.parameters["steps"], ranks_of(problem), problem.network
    if problem.task in COPYING:
        collective = collective_of(problem)
        for number in orbit_representatives(collective, group) if least_steps(collective) <= steps else ():
            yield Centre((collective.shipments[number].origin,), 0, number)
        return
    near, back = neighbours(network), neighbours(network.reversed())
    out, into = ({v: hop_distances(ways, v) for v in ranks} for ways in (near, back))
    mutual = [(u, v) for u in ranks for v in near[u] if u < v and v in into and u in near[v]]
    cubes = _doubling_nodes(network) if ranks == network.compute_nodes else ()
    for nodes in _first_of_orbits([*((v,) for v in ranks), *mutual, *cubes], group):
        far = [max(min(away[c].get(v, steps + 1) for c in nodes) for v in ranks) for away in (into, out)]
        for t in range(far[0], steps - far[1] - exchanging_steps(nodes) + 1):
            yield Centre(nodes, t)


def _doubling_nodes(network: Network) -> Iterator[tuple[int, ...]]:
    """Yield nodes that exchange all they have in two steps or more, each with another by a bit of its place.

    They are those whose places differ from one of them in some successive bits only, by which they stand in
    order. Nothing where nodes that have to exchange are no neighbours.
    """
    nodes, ways = network.compute_nodes, routes_between(network)
    bits = doublings(len(nodes))
    if len(nodes) & (len(nodes) - 1) or not all(
        (v, nodes[i ^ 1 << bit]) in ways for bit in range(bits) for i, v in enumerate(nodes)
    ):
        return
    for count in range(2, bits + 1):
        for first in range(bits):
            used, places = [1 << (first + j) % bits for j in range(count)], [0]
            for bit in used:
                places += [place | bit for place in places]
            yield from (
                tuple(nodes[base ^ place] for place in places)
                for base in range(len(nodes))
                if not base & places[-1]
            )


def _first_of_orbits(
    centres: Iterable[tuple[int, ...]], group: Sequence[Automorphism]
) -> Iterator[tuple[int, ...]]:
    """Yield the centres without those to which the group moves one before."""
    seen: set[tuple[int, ...]] = set()
    for nodes in centres:
        if nodes not in seen:
            yield nodes
            images = [tuple(image[v] for v in nodes) for image in group]
            seen.update(images if nodes[2:] else (tuple(sorted(image)) for image in images))
