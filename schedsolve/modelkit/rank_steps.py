"""The textbook's collectives as steps of ranks: who sends which units to whom.

Ranks are 0..n-1, and rooted collectives start at rank 0. Units are numbered by the rank that they come from
or are for; of an alltoall, n times that rank and the one that they are for; where there is one only, 0. What
lies between two ranks, and how a unit is cut into chunks, is for those to say who lay the steps out.

References
----------
Recursive doubling: Stout, Wagar, J. Parallel and Distributed Computing 10 (1990). Bruck's algorithms: Bruck,
Ho, Kipnis, Upfal, Weathersby, IEEE Trans. Parallel and Distributed Systems 8 (1997). The others: Thakur,
Rabenseifner, Gropp, Optimization of collective communication operations in MPICH (2005).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest

RankSend = tuple[int, int, Sequence[int], bool]
"""Sender, receiver, units, whether they are added."""
RankSteps = list[list[RankSend]]


def doublings(n: int) -> int:
    """Return how often 1 is doubled to reach n."""
    return (n - 1).bit_length()


def placed(steps: RankSteps, order: Sequence[int], unit: Callable[[int], int] | None = None) -> RankSteps:
    """Return the steps in which order[0], order[1], ... take the places of ranks 0, 1, ...

    Parameters
    ----------
    steps, order
        The steps, and who takes which place.
    unit
        Maps a unit to the one that takes its place; as the ranks unless given.
    """
    renamed = unit or order.__getitem__
    return [
        [(order[u], order[v], [renamed(x) for x in units], adds) for u, v, units, adds in step]
        for step in steps
    ]


def mirrored(n: int, steps: RankSteps) -> RankSteps:
    """Return the steps in which each rank takes the place of the one as far from 0 the other way round."""
    return placed(steps, [-r % n for r in range(n)])


def backwards(steps: RankSteps, *, adds: bool = True) -> RankSteps:
    """Return the steps backwards in time; copies bring sums together, or, without `adds`, the units."""
    return [[(v, u, units, adds) for u, v, units, _ in step] for step in reversed(steps)]


def at_once(*several: Iterable[Iterable[RankSend]]) -> RankSteps:
    """Return several steps at the same time, the first step of each in the first."""
    return [[sent for step in together for sent in step] for together in zip_longest(*several, fillvalue=())]


def in_waves(steps: RankSteps, waves: int, first: int = 0) -> RankSteps:
    """Return the steps of a single unit for units `first`, `first` + 1, ..., each a step behind the last."""
    return at_once(
        *(
            [[]] * wave + [[(u, v, [first + wave], adds) for u, v, _, adds in step] for step in steps]
            for wave in range(waves)
        )
    )


def hops(steps: RankSteps) -> dict[int, list[tuple[int, int]]]:
    """Return for every unit the ranks between which it goes, in order."""
    found: dict[int, list[tuple[int, int]]] = {}
    for u, v, units, _ in (sent for step in steps for sent in step):
        for x in units:
            found.setdefault(x, []).append((u, v))
    return found


def ring(n: int) -> RankSteps:
    """Return an allgather: every rank passes on what it got last to the next one."""
    return [[(r, (r + 1) % n, [(r - t) % n], False) for r in range(n)] for t in range(n - 1)]


def ring_reduce_scatter(n: int) -> RankSteps:
    """Return a reduce-scatter: round the ring, in the same direction as `ring`."""
    return backwards(mirrored(n, ring(n)))


def doubling(n: int, first: int = 0) -> RankSteps:
    """Return an allgather of 2, 4, 8, ... ranks: all that a rank has, to the one that differs in a bit.

    Parameters
    ----------
    n, first
        The number of ranks, and the bit of the first step; the others follow in turn.
    """
    steps: RankSteps = []
    known = [0]
    for t in range(doublings(n)):
        bit = 1 << (first + t) % doublings(n)
        steps.append([(r, r ^ bit, [r ^ mask for mask in known], False) for r in range(n)])
        known += [mask | bit for mask in known]
    return steps


def doubling_allreduce(n: int) -> RankSteps:
    """Return an allreduce of 2, 4, 8, ... ranks that exchange all of their sums."""
    return [[(r, r ^ 1 << k, [0], True) for r in range(n)] for k in range(doublings(n))]


def bruck(n: int) -> RankSteps:
    """Return Bruck's allgather: the last that a rank got first, to the one 2^k further on."""
    return [
        [(r, (r + 2**k) % n, [(r - j) % n for j in range(min(2**k, n - 2**k))], False) for r in range(n)]
        for k in range(doublings(n))
    ]


def bruck_alltoall(n: int) -> RankSteps:
    """Return Bruck's alltoall: to the rank 2^k further on whatever has bit k of its way to go set."""
    return [
        [
            (
                r,
                (r + 2**k) % n,
                [(r - d % 2**k) % n * n + (r - d % 2**k + d) % n for d in range(n) if d >> k & 1],
                False,
            )
            for r in range(n)
        ]
        for k in range(doublings(n))
    ]


def pairwise_alltoall(n: int) -> RankSteps:
    """Return an alltoall: in step t, each rank's unit for the one t further on."""
    return [[(r, (r + t) % n, [r * n + (r + t) % n], False) for r in range(n)] for t in range(1, n)]


def tree_broadcast(n: int) -> RankSteps:
    """Return a broadcast down a binomial tree: all that were reached reach as many again."""
    return [[(r, r + 2**k, [0], False) for r in range(min(2**k, n - 2**k))] for k in range(doublings(n))]


def tree_scatter(n: int) -> RankSteps:
    """Return a scatter down a binomial tree: a rank gets what is for all ranks below it."""
    return [
        [
            (r, r + 2**k, range(r + 2**k, min(r + 2 ** (k + 1), n)), False)
            for r in range(0, n - 2**k, 2 ** (k + 1))
        ]
        for k in reversed(range(doublings(n)))
    ]


def direct_scatter(n: int) -> RankSteps:
    """Return a scatter in one step."""
    return [[(0, r, [r], False) for r in range(1, n)]]


def scatter_and_ring(n: int) -> RankSteps:
    """Return a broadcast of n units, which are scattered and then go round a ring.

    The root has all of them already, and gets none.
    """
    return tree_scatter(n) + [[sent for sent in step if sent[1]] for step in ring(n)]
