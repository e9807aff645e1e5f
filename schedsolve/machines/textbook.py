"""The textbook's collectives on any machine.

They know ranks only (`schedsolve.modelkit.rank_steps`); what goes from one rank to another takes a shortest
way, through switches and other nodes, the widest of these. The one ring follows links of the machine where
a ring of them is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from schedsolve.machines.movement.collectives import ONE_UNIT, Layout
from schedsolve.machines.movement.movement import Movement, MovementStep, Transfer
from schedsolve.machines.routes import routes_from
from schedsolve.modelkit import rank_steps as ranks
from schedsolve.modelkit.rank_steps import RankSteps, backwards, mirrored, placed
from schedsolve.network.bandwidths import rounds_needed
from schedsolve.network.graph import Network
from schedsolve.network.rings import ring_through

MOST_TRIED = 200_000
"""Places that a search for a ring looks at."""


class TextbookAlgorithm(NamedTuple):
    """An algorithm for a collective.

    Attributes
    ----------
    make
        Maps the number of ranks to the steps.
    needs_power
        Whether the number of ranks is a power of two.
    by_rank
        Whether a unit has a chunk for every rank; else it has one.
    """

    name: str
    make: Callable[[int], RankSteps]
    needs_power: bool = False
    by_rank: bool = False

    def steps(self, layout: Layout, order: Sequence[int]) -> RankSteps:
        """Return the steps in which the ranks of an order take the places of 0, 1, 2, ..., their units too.

        The root is moved to place 0, but where the places' bits count, which no rooted algorithm has.
        """
        n = layout.ranks
        at = 0 if self.needs_power else order.index(layout.root)
        seats, place = [*order[at:], *order[:at]], {r: i for i, r in enumerate(order)}

        def unit(x: int) -> int:
            if layout.collective == "alltoall":
                return seats[x // n] * n + seats[x % n]
            return seats[x] if self.by_rank or layout.collective not in ONE_UNIT else x

        # The clocks send in this order what goes over the same link.
        return [
            sorted(step, key=lambda sent: (place[sent[0]], place[sent[1]]))
            for step in placed(self.make(n), seats, unit)
        ]

    def laid_out(self, like: Movement, order: Sequence[int]) -> Movement:
        """Return the algorithm as a movement on the network of another, the ranks in an order."""
        return laid_out(like, like.layout.ranks if self.by_rank else 1, self.steps(like.layout, order))


def textbook(movement: Movement) -> Iterator[tuple[str, Movement]]:
    """Yield the algorithms for the collective of a movement on its network, with the same root, by name."""
    for algorithm in algorithms(movement):
        order = ring(movement.network) if "ring" in algorithm.name else range(movement.layout.ranks)
        yield algorithm.name, algorithm.laid_out(movement, order)


def algorithms(movement: Movement) -> list[TextbookAlgorithm]:
    """Return the algorithms for the collective of a movement that work for its number of ranks."""
    n = movement.layout.ranks
    return [a for a in _ALGORITHMS.get(movement.collective, ()) if not (a.needs_power and n & (n - 1))]


def _there_and_back(copies: RankSteps) -> RankSteps:
    return backwards(copies) + copies


def laid_out(like: Movement, chunks: int, steps: RankSteps) -> Movement:
    """Return the steps of ranks as a movement on the network of another.

    It is for the same collective, and each send goes over a shortest way, the widest of these.
    """
    nodes, network = like.network.compute_nodes, like.network
    made = []
    for step in steps:
        transfers = []
        for u, v, numbers, adds in step:
            way = routes_from(network, nodes[u], through_all=True)[nodes[v]]
            transfers.append(Transfer(nodes[u], nodes[v], tuple(sorted(numbers)), adds, way[1:-1]))
        made.append(shortest_step(network, transfers))
    return Movement(like.collective, network, chunks, tuple(made), like.root)


def shortest_step(network: Network, transfers: Sequence[Transfer]) -> MovementStep:
    """Return a step of so many rounds as its transfers need."""
    load: dict[tuple[int, int], int] = {}
    for transfer in transfers:
        for link in transfer.links:
            load[link] = load.get(link, 0) + len(transfer.chunks)
    return MovementStep(max(1, rounds_needed(load, network.bandwidth_of)), tuple(transfers))


def ring(network: Network) -> list[int]:
    """Return the ranks in the order of a ring over links or through switches.

    Its narrowest way is as wide as a limited search finds; they are in their own order where it finds none.
    """
    nodes = network.compute_nodes
    number = {v: i for i, v in enumerate(nodes)}
    width = {
        number[v]: {
            number[w]: min(Fraction(network.bandwidth_of[link]) for link in pairwise(way))
            for w, way in routes_from(network, v).items()
        }
        for v in nodes
    }
    for least in sorted({b for row in width.values() for b in row.values()}, reverse=True):
        wide = {v: [w for w, b in row.items() if b >= least] for v, row in width.items()}
        found = ring_through(0, wide, MOST_TRIED)
        if found:
            return list(found)
    return list(range(len(nodes)))


_ALGORITHMS: dict[str, tuple[TextbookAlgorithm, ...]] = {
    "allgather": (
        TextbookAlgorithm("ring", ranks.ring),
        TextbookAlgorithm("recursive doubling", ranks.doubling, needs_power=True),
        TextbookAlgorithm("Bruck", lambda n: mirrored(n, ranks.bruck(n))),
    ),
    "reduce-scatter": (
        TextbookAlgorithm("ring", ranks.ring_reduce_scatter),
        TextbookAlgorithm("recursive halving", lambda n: backwards(ranks.doubling(n)), needs_power=True),
    ),
    "allreduce": (
        TextbookAlgorithm("ring", lambda n: ranks.ring_reduce_scatter(n) + ranks.ring(n), by_rank=True),
        TextbookAlgorithm("recursive doubling", ranks.doubling_allreduce, needs_power=True),
        TextbookAlgorithm(
            "halving and doubling", lambda n: _there_and_back(ranks.doubling(n)), True, by_rank=True
        ),
        TextbookAlgorithm("binomial tree", lambda n: _there_and_back(ranks.tree_broadcast(n))),
    ),
    "alltoall": (
        TextbookAlgorithm("pairwise", ranks.pairwise_alltoall),
        TextbookAlgorithm("Bruck", ranks.bruck_alltoall),
    ),
    "broadcast": (
        TextbookAlgorithm("binomial tree", ranks.tree_broadcast),
        TextbookAlgorithm("scatter and ring", ranks.scatter_and_ring, by_rank=True),
    ),
    "reduce": (TextbookAlgorithm("binomial tree", lambda n: backwards(ranks.tree_broadcast(n))),),
    "scatter": (
        TextbookAlgorithm("direct", ranks.direct_scatter),
        TextbookAlgorithm("binomial tree", ranks.tree_scatter),
    ),
    "gather": (
        TextbookAlgorithm("direct", lambda n: backwards(ranks.direct_scatter(n), adds=False)),
        TextbookAlgorithm("binomial tree", lambda n: backwards(ranks.tree_scatter(n), adds=False)),
    ),
}
"""By collective."""
