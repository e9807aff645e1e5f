"""Where chunks are added up: the centres of an allreduce, and the origins of what is copied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import ranks_of
from schedsolve.network.automorphisms import Automorphism

from ..claims.hops import Pair, hop_distances, least_steps, neighbours
from ..claims.orbits import orbit_representatives
from ..constructions.doubling import doubling_nodes
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
    cubes = doubling_nodes(network) if ranks == network.compute_nodes else ()
    for nodes in _first_of_orbits([*((v,) for v in ranks), *mutual, *cubes], group):
        far = [max(min(away[c].get(v, steps + 1) for c in nodes) for v in ranks) for away in (into, out)]
        for t in range(far[0], steps - far[1] - exchanging_steps(nodes) + 1):
            yield Centre(nodes, t)


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
