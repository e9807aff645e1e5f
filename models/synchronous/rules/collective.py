"""What the tasks of the synchronous model ask for: shipments, each of as many chunks as are counted.

A shipment starts at its origin and is wanted by its destinations. In the order of the ranks i (and k),
ascending: allgather has one for every i, from i to all others; broadcast one, from the source to all others;
gather one for every i, from i to the root; scatter one for every i, from the source to i; alltoall one for
every pair (i, k), from i to k, in the order (0, 0), (0, 1), ... A shipment whose destination is its origin is
there from the start. An allgatherv has as many for i as its size says, one after another, and an alltoallv as
many for (i, k), none for (i, i). With C chunks a shipment, chunk j of shipment number n is numbered n C + j.

Ranks are the compute nodes, or those named by "ranks". Other compute nodes are relays: they start with
nothing and want nothing, and may hold, copy and add up what they get.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import ranks_of
from schedsolve.modelkit.task import with_article
from schedsolve.network.graph import Network


@dataclass(frozen=True)
class Shipment:
    """Chunks that start at a compute node, and the other compute nodes that must get them."""

    origin: int
    destinations: tuple[int, ...]


@dataclass(frozen=True)
class Collective:
    """A task on a network: its shipments in the order of their numbers."""

    network: Network
    shipments: tuple[Shipment, ...]

    @cached_property
    def wanted(self) -> tuple[Shipment, ...]:
        """The shipments that somebody waits for."""
        return tuple(shipment for shipment in self.shipments if shipment.destinations)

    @property
    def copies(self) -> bool:
        """Whether a shipment has more than one destination, so that copies of a chunk are of use."""
        return any(len(shipment.destinations) > 1 for shipment in self.shipments)

    def origin_of(self, chunk: int, chunks: int) -> int:
        """Return the node where a chunk starts, of `chunks` chunks a shipment."""
        return self.shipments[chunk // chunks].origin


def collective_of(problem: Problem) -> Collective:
    """Return the shipments that a problem asks for, its source or root given."""
    network, nodes = problem.network, ranks_of(problem)

    def others(v: int) -> tuple[int, ...]:
        return tuple(w for w in nodes if w != v)

    def single(origin: int, destinations: Iterable[int]) -> list[Shipment]:
        return [Shipment(origin, () if v == origin else (v,)) for v in destinations]

    if problem.task == "allgather":
        shipments = [Shipment(v, others(v)) for v in nodes]
    elif problem.task == "broadcast":
        shipments = [Shipment(problem.sources[0], others(problem.sources[0]))]
    elif problem.task == "gather":
        (root,) = problem.sources
        shipments = [Shipment(v, () if v == root else (root,)) for v in nodes]
    elif problem.task == "scatter":
        shipments = single(problem.sources[0], nodes)
    elif problem.task == "alltoall":
        shipments = [shipment for v in nodes for shipment in single(v, nodes)]
    elif problem.task == "allgatherv":
        sizes = zip(nodes, problem.parameters["sizes"], strict=True)
        shipments = [Shipment(v, others(v)) for v, size in sizes for _ in range(size)]
    elif problem.task == "alltoallv":
        rows = zip(nodes, problem.parameters["sizes"], strict=True)
        shipments = [
            Shipment(v, (w,))
            for v, row in rows
            for w, size in zip(nodes, row, strict=True)
            for _ in range(size if v != w else 0)
        ]
    else:
        raise ValueError(f"{with_article(problem.task)} ships nothing, it adds up")
    return Collective(network, tuple(shipments))
