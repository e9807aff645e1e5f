"""The textbook's collectives on any machine.

Rings, recursive doubling and halving, Bruck's algorithms and trees.

They know ranks only; what goes from one rank to another takes a shortest way, through switches and other
nodes, the widest of these. The one ring follows links of the machine where a ring of them is found.

References
----------
Thakur, Rabenseifner, Gropp, Optimization of collective communication operations in MPICH (2005); Bruck, Ho,
Kipnis, Upfal, Weathersby (1997).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from schedsolve.machines.movement.collectives import ONE_UNIT, Layout
from schedsolve.machines.movement.movement import Movement, MovementStep, Transfer
from schedsolve.machines.routes import routes_from
from schedsolve.network.bandwidths import rounds_needed
from schedsolve.network.graph import Network

Sent = tuple[int, int, Collection[int], bool]
"""Rank, rank, chunks, whether they are added."""
Steps = list[list[Sent]]
MOST_TRIED = 200_000
"""Places that a search for a ring looks at."""


class _Record(NamedTuple):
    """How an algorithm is made.

    Attributes
    ----------
    make
        Maps the number of ranks and the root to the steps.
    needs_power
        Whether the number of ranks is a power of two.
    by_rank
        Whether a unit has a chunk for every rank; else it has one.
    """

    name: str
    make: Callable[[int, int], Steps]
    needs_power: bool = False
    by_rank: bool = False


@dataclass(frozen=True)
class TextbookAlgorithm:
    """An algorithm for a collective.

    Attributes
    ----------
    chunks
        Of a unit.
    steps
        For an order of the ranks, which takes the places of 0, 1, 2, ...; order: the one in which it is run.
    """

    name: str
    chunks: int
    steps: Callable[[Sequence[int]], Steps]
    order: Sequence[int]


def textbook(movement: Movement) -> Iterator[tuple[str, Movement]]:
    """Yield the algorithms for the collective of a movement on its network, with the same root, by name."""
    for algorithm in algorithms(movement):
        yield algorithm.name, laid_out(movement, algorithm.chunks, algorithm.steps(algorithm.order))


def algorithms(movement: Movement) -> Iterator[TextbookAlgorithm]:
    """Yield the algorithms for the collective of a movement that work for its number of ranks."""
    layout = movement.layout
    n = layout.ranks
    for name, make, needs_power, by_rank in _ALGORITHMS.get(movement.collective, ()):
        if not (needs_power and n & (n - 1)):
            order, chunks = ring(movement.network) if "ring" in name else range(n), n if by_rank else 1
            yield TextbookAlgorithm(name, chunks, partial(_in_order, layout, chunks, make), order)


def _in_order(layout: Layout, chunks: int, make: Callable[[int, int], Steps], order: Sequence[int]) -> Steps:
    """Return the steps in which the ranks of an order take the places of 0, 1, 2, ..., their units too."""
    n = layout.ranks

    def renamed(chunk: int) -> int:
        if layout.collective == "alltoall":
            return order[chunk // n] * n + order[chunk % n]
        return order[chunk]

    steps = make(n, order.index(layout.root))
    alone = chunks == 1 and layout.collective in ONE_UNIT
    return [
        [
            (order[u], order[v], list(sent) if alone else [renamed(c) for c in sent], adds)
            for u, v, sent, adds in step
        ]
        for step in steps
    ]


def laid_out(like: Movement, chunks: int, steps: Steps) -> Movement:
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
    width: list[dict[int, Fraction]] = []
    for v in nodes:
        ways = routes_from(network, v)
        width.append(
            {
                number[w]: min(Fraction(network.bandwidth_of[link]) for link in pairwise(way))
                for w, way in ways.items()
            }
        )
    for least in sorted({b for row in width for b in row.values()}, reverse=True):
        found = _ring_over([[w for w, b in row.items() if b >= least] for row in width])
        if found:
            return found
    return list(range(len(nodes)))


def _ring_over(near: Sequence[Sequence[int]]) -> list[int] | None:
    """Return a ring through all, from neighbour to neighbour, by depth-first search within a limit."""
    n, tried = len(near), 0
    way, seen = [0], [False] * n
    seen[0] = True
    choices = [iter(near[0])]
    while choices:
        tried += 1
        if tried > MOST_TRIED:
            return None
        if len(way) == n and 0 in near[way[-1]]:
            return way
        following = next((v for v in choices[-1] if not seen[v]), None)
        if following is None:
            seen[way.pop()] = False
            choices.pop()
        else:
            way.append(following)
            seen[following] = True
            choices.append(iter(near[following]))
    return None


def ring_allgather(n: int, _: int = 0, order: Sequence[int] = ()) -> Steps:
    """Return the steps round a ring of n ranks, in their own order unless another is given."""
    order = order or range(n)
    return [
        [(order[i], order[(i + 1) % n], [order[(i - t) % n]], False) for i in range(n)] for t in range(n - 1)
    ]


def ring_reduce_scatter(n: int, _: int = 0, order: Sequence[int] = ()) -> Steps:
    """Return the steps round a ring of n ranks, in their own order unless another is given."""
    order = order or range(n)
    return [
        [(order[i], order[(i + 1) % n], [order[(i - t - 1) % n]], True) for i in range(n)]
        for t in range(n - 1)
    ]


def _ring_allreduce(n: int, root: int) -> Steps:
    return ring_reduce_scatter(n) + ring_allgather(n)


def _doubling_allgather(n: int, root: int) -> Steps:
    bits = range(n.bit_length() - 1)
    return [
        [(r, r ^ 1 << k, [b for b in range(n) if b >> k == r >> k], False) for r in range(n)] for k in bits
    ]


def _halving_reduce_scatter(n: int, root: int) -> Steps:
    bits = reversed(range(n.bit_length() - 1))
    return [
        [(r, r ^ 1 << k, [b for b in range(n) if b >> k == (r ^ 1 << k) >> k], True) for r in range(n)]
        for k in bits
    ]


def _halving_and_doubling(n: int, root: int) -> Steps:
    return _halving_reduce_scatter(n, root) + _doubling_allgather(n, root)


def _doubling_allreduce(n: int, root: int) -> Steps:
    return [[(r, r ^ 1 << k, [0], True) for r in range(n)] for k in range(n.bit_length() - 1)]


def _bruck_allgather(n: int, root: int) -> Steps:
    return [
        [(r, (r - 2**k) % n, [(r + j) % n for j in range(min(2**k, n - 2**k))], False) for r in range(n)]
        for k in range((n - 1).bit_length())
    ]


def _bruck_alltoall(n: int, root: int) -> Steps:
    steps: Steps = []
    for k in range((n - 1).bit_length()):
        at: dict[int, list[int]] = {}
        for i in range(n):
            for d in range(n):
                if d >> k & 1:
                    at.setdefault((i + d % 2**k) % n, []).append(i * n + (i + d) % n)
        steps.append([(r, (r + 2**k) % n, blocks, False) for r, blocks in sorted(at.items())])
    return steps


def _pairwise_alltoall(n: int, root: int) -> Steps:
    return [[(r, (r + t) % n, [r * n + (r + t) % n], False) for r in range(n)] for t in range(1, n)]


def _tree(n: int, root: int) -> list[list[tuple[int, int]]]:
    """Return the rounds of a binomial tree: (sender, receiver)."""
    return [
        [((v + root) % n, (v + 2**k + root) % n) for v in range(min(2**k, n - 2**k))]
        for k in range((n - 1).bit_length())
    ]


def _tree_broadcast(n: int, root: int) -> Steps:
    return [[(u, v, [0], False) for u, v in step] for step in _tree(n, root)]


def _tree_reduce(n: int, root: int) -> Steps:
    return [[(v, u, [0], True) for u, v in step] for step in reversed(_tree(n, root))]


def _tree_allreduce(n: int, root: int) -> Steps:
    return _tree_reduce(n, root) + _tree_broadcast(n, root)


def _tree_scatter(n: int, root: int) -> Steps:
    steps: Steps = []
    for k in reversed(range((n - 1).bit_length())):
        sent = [
            (v, v + 2**k, range(v + 2**k, min(v + 2 ** (k + 1), n))) for v in range(0, n - 2**k, 2 ** (k + 1))
        ]
        steps.append(
            [
                ((u + root) % n, (v + root) % n, [(b + root) % n for b in blocks], False)
                for u, v, blocks in sent
            ]
        )
    return steps


def _tree_gather(n: int, root: int) -> Steps:
    return [[(v, u, blocks, False) for u, v, blocks, _ in step] for step in reversed(_tree_scatter(n, root))]


def _direct_scatter(n: int, root: int) -> Steps:
    return [[(root, v, [v], False) for v in range(n) if v != root]]


def _direct_gather(n: int, root: int) -> Steps:
    return [[(v, root, [v], False) for v in range(n) if v != root]]


def _scatter_and_ring(n: int, root: int) -> Steps:
    passed = ring_allgather(n)
    # The root has all parts already, and needs none of them.
    kept = [[sent for sent in step if sent[1] != root] for step in passed]
    return _tree_scatter(n, root) + kept


_ALGORITHMS: dict[str, tuple[_Record, ...]] = {
    "allgather": (
        _Record("ring", ring_allgather),
        _Record("recursive doubling", _doubling_allgather, needs_power=True),
        _Record("Bruck", _bruck_allgather),
    ),
    "reduce-scatter": (
        _Record("ring", ring_reduce_scatter),
        _Record("recursive halving", _halving_reduce_scatter, needs_power=True),
    ),
    "allreduce": (
        _Record("ring", _ring_allreduce, by_rank=True),
        _Record("recursive doubling", _doubling_allreduce, needs_power=True),
        _Record("halving and doubling", _halving_and_doubling, needs_power=True, by_rank=True),
        _Record("binomial tree", _tree_allreduce),
    ),
    "alltoall": (_Record("pairwise", _pairwise_alltoall), _Record("Bruck", _bruck_alltoall)),
    "broadcast": (
        _Record("binomial tree", _tree_broadcast),
        _Record("scatter and ring", _scatter_and_ring, by_rank=True),
    ),
    "reduce": (_Record("binomial tree", _tree_reduce),),
    "scatter": (_Record("direct", _direct_scatter), _Record("binomial tree", _tree_scatter)),
    "gather": (_Record("direct", _direct_gather), _Record("binomial tree", _tree_gather)),
}
"""By collective."""
