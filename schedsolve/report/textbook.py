"""The textbook's collectives on any machine: rings, recursive doubling and halving, Bruck's algorithms and
trees.

They know ranks only; what goes from one rank to another takes a shortest way, through switches and other
nodes, the widest of these. A ring follows links of the machine where a ring of them is found. Sources:
Thakur, Rabenseifner, Gropp, Optimization of collective communication operations in MPICH (2005); Bruck, Ho,
Kipnis, Upfal, Weathersby (1997).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil

from schedsolve.modelkit.movement import Movement, MovementStep, Transfer
from schedsolve.network.graph import Network
from schedsolve.network.ways import ways_from

Sent = tuple[int, int, Iterable[int], bool]
"""Rank, rank, chunks, whether they are added."""
Steps = list[list[Sent]]
MOST_TRIED = 200_000
"""Places that a search for a ring looks at."""


def textbook(movement: Movement) -> Iterator[tuple[str, Movement]]:
    """The algorithms for the collective of a movement on its network, with the same root, by name."""
    n = movement.layout.ranks
    root = movement.layout.root
    for name, needs_power, chunks, make in _ALGORITHMS.get(movement.collective, ()):
        if needs_power and n & (n - 1):
            continue
        order = ring(movement.network) if "ring" in name else list(range(n))
        yield name, _movement(movement, chunks(n), make(n, root, order))


def _movement(like: Movement, chunks: int, steps: Steps) -> Movement:
    nodes, network = like.network.compute_nodes, like.network
    made = []
    for step in steps:
        transfers = []
        for u, v, numbers, adds in step:
            way = ways_from(network, nodes[u], through_all=True)[nodes[v]]
            transfers.append(Transfer(nodes[u], nodes[v], tuple(sorted(numbers)), adds, way[1:-1]))
        load: dict[tuple[int, int], int] = {}
        for transfer in transfers:
            for link in transfer.links:
                load[link] = load.get(link, 0) + len(transfer.chunks)
        rounds = max((ceil(Fraction(x) / network.bandwidth_of[link]) for link, x in load.items()), default=1)
        made.append(MovementStep(rounds, tuple(transfers)))
    return Movement(like.collective, network, chunks, tuple(made), like.root)


def ring(network: Network) -> list[int]:
    """The ranks in the order of a ring over links or through switches, whose narrowest way is as wide as a
    limited search finds; in their own order where it finds none.
    """
    nodes = network.compute_nodes
    number = {v: i for i, v in enumerate(nodes)}
    width: list[dict[int, Fraction]] = []
    for v in nodes:
        ways = ways_from(network, v)
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
    """A ring through all, from neighbour to neighbour, by depth-first search within a limit."""
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


def _ring_allgather(n: int, root: int, order: Sequence[int]) -> Steps:
    return [
        [(order[i], order[(i + 1) % n], [order[(i - t) % n]], False) for i in range(n)] for t in range(n - 1)
    ]


def _ring_reduce_scatter(n: int, root: int, order: Sequence[int]) -> Steps:
    return [
        [(order[i], order[(i + 1) % n], [order[(i - t - 1) % n]], True) for i in range(n)]
        for t in range(n - 1)
    ]


def _ring_allreduce(n: int, root: int, order: Sequence[int]) -> Steps:
    return _ring_reduce_scatter(n, root, order) + _ring_allgather(n, root, order)


def _doubling_allgather(n: int, root: int, order: Sequence[int]) -> Steps:
    bits = range(n.bit_length() - 1)
    return [
        [(r, r ^ 1 << k, [b for b in range(n) if b >> k == r >> k], False) for r in range(n)] for k in bits
    ]


def _halving_reduce_scatter(n: int, root: int, order: Sequence[int]) -> Steps:
    bits = reversed(range(n.bit_length() - 1))
    return [
        [(r, r ^ 1 << k, [b for b in range(n) if b >> k == (r ^ 1 << k) >> k], True) for r in range(n)]
        for k in bits
    ]


def _halving_and_doubling(n: int, root: int, order: Sequence[int]) -> Steps:
    return _halving_reduce_scatter(n, root, order) + _doubling_allgather(n, root, order)


def _doubling_allreduce(n: int, root: int, order: Sequence[int]) -> Steps:
    return [[(r, r ^ 1 << k, [0], True) for r in range(n)] for k in range(n.bit_length() - 1)]


def _bruck_allgather(n: int, root: int, order: Sequence[int]) -> Steps:
    return [
        [(r, (r - 2**k) % n, [(r + j) % n for j in range(min(2**k, n - 2**k))], False) for r in range(n)]
        for k in range((n - 1).bit_length())
    ]


def _bruck_alltoall(n: int, root: int, order: Sequence[int]) -> Steps:
    steps: Steps = []
    for k in range((n - 1).bit_length()):
        at: dict[int, list[int]] = {}
        for i in range(n):
            for d in range(n):
                if d >> k & 1:
                    at.setdefault((i + d % 2**k) % n, []).append(i * n + (i + d) % n)
        steps.append([(r, (r + 2**k) % n, blocks, False) for r, blocks in sorted(at.items())])
    return steps


def _pairwise_alltoall(n: int, root: int, order: Sequence[int]) -> Steps:
    return [[(r, (r + t) % n, [r * n + (r + t) % n], False) for r in range(n)] for t in range(1, n)]


def _tree(n: int, root: int) -> list[list[tuple[int, int]]]:
    """The rounds of a binomial tree: (sender, receiver)."""
    return [
        [((v + root) % n, (v + 2**k + root) % n) for v in range(min(2**k, n - 2**k))]
        for k in range((n - 1).bit_length())
    ]


def _tree_broadcast(n: int, root: int, order: Sequence[int]) -> Steps:
    return [[(u, v, [0], False) for u, v in step] for step in _tree(n, root)]


def _tree_reduce(n: int, root: int, order: Sequence[int]) -> Steps:
    return [[(v, u, [0], True) for u, v in step] for step in reversed(_tree(n, root))]


def _tree_allreduce(n: int, root: int, order: Sequence[int]) -> Steps:
    return _tree_reduce(n, root, order) + _tree_broadcast(n, root, order)


def _tree_scatter(n: int, root: int, order: Sequence[int]) -> Steps:
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


def _tree_gather(n: int, root: int, order: Sequence[int]) -> Steps:
    return [
        [(v, u, blocks, False) for u, v, blocks, _ in step]
        for step in reversed(_tree_scatter(n, root, order))
    ]


def _direct_scatter(n: int, root: int, order: Sequence[int]) -> Steps:
    return [[(root, v, [v], False) for v in range(n) if v != root]]


def _direct_gather(n: int, root: int, order: Sequence[int]) -> Steps:
    return [[(v, root, [v], False) for v in range(n) if v != root]]


def _scatter_and_ring(n: int, root: int, order: Sequence[int]) -> Steps:
    passed = _ring_allgather(n, root, order)
    # The root has all parts already, and needs none of them.
    kept = [[sent for sent in step if sent[1] != root] for step in passed]
    return _tree_scatter(n, root, order) + kept


def _one(_: int) -> int:
    return 1


def _ranks(n: int) -> int:
    return n


_Make = Callable[[int, int, Sequence[int]], Steps]
_ALGORITHMS: dict[str, tuple[tuple[str, bool, Callable[[int], int], _Make], ...]] = {
    "allgather": (
        ("ring", False, _one, _ring_allgather),
        ("recursive doubling", True, _one, _doubling_allgather),
        ("Bruck", False, _one, _bruck_allgather),
    ),
    "reduce-scatter": (
        ("ring", False, _one, _ring_reduce_scatter),
        ("recursive halving", True, _one, _halving_reduce_scatter),
    ),
    "allreduce": (
        ("ring", False, _ranks, _ring_allreduce),
        ("recursive doubling", True, _one, _doubling_allreduce),
        ("halving and doubling", True, _ranks, _halving_and_doubling),
        ("binomial tree", False, _one, _tree_allreduce),
    ),
    "alltoall": (
        ("pairwise", False, _one, _pairwise_alltoall),
        ("Bruck", False, _one, _bruck_alltoall),
    ),
    "broadcast": (
        ("binomial tree", False, _one, _tree_broadcast),
        ("scatter and ring", False, _ranks, _scatter_and_ring),
    ),
    "reduce": (("binomial tree", False, _one, _tree_reduce),),
    "scatter": (("direct", False, _one, _direct_scatter), ("binomial tree", False, _one, _tree_scatter)),
    "gather": (("direct", False, _one, _direct_gather), ("binomial tree", False, _one, _tree_gather)),
}
"""By collective: name, whether it needs a power of two, chunks of a unit, and the steps for the ranks, the
root and an order of the ranks.
"""
