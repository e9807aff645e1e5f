"""Periodic gossip on paths, as the rounds of one period; the nodes are 0, ..., n - 1 from end to end.

Source: Hromkovic, Klasing, Unger, Wagener, Pardubska (RAIRO 1994), section 3; the optimal one-way
scheme: docs/theorems.md, Theorem 1.
"""

from __future__ import annotations

from ..claims.path_theorem import least_path_rounds

Rounds = list[list[tuple[int, int]]]


def two_way_path(n: int, first: int = 0) -> Rounds:
    """Return two-way gossip on n nodes with period 2, the edges in turn (Theorem 3.1).

    The edges from nodes of parity `first` to the next node are called in round 1. The gossip is
    complete after n rounds; after n - 1 for even n with `first` 0.
    """
    return [[(v, v + 1) for v in range((first + t) % 2, n - 1, 2)] for t in range(2)]


def one_way_path_block(m: int) -> Rounds:
    """Return optimal one-way gossip on m nodes, m even, in m rounds.

    The messages of the two ends run towards each other, and one waits when they meet.

    Raises
    ------
    ValueError
        If m is odd or less than 2.
    """
    if m < 2 or m % 2:
        raise ValueError(f"a block has an even number of nodes, not {m}")
    half = m // 2
    rounds: Rounds = [[] for _ in range(m)]
    for i in range(1, m):
        rounds[i - (i <= half)].append((i - 1, i))
        rounds[i - (i < half)].append((m - i, m - i - 1))
    return rounds


def one_way_path(n: int, k: int) -> Rounds:
    """Return one-way gossip with period k >= 4 on n >= 2 nodes (Theorem 3.2).

    It is complete after `one_way_path_rounds` rounds. The path is the middle of a longer one that
    splits into blocks; the rounds in which only what was cut off would be sent are left out.

    Raises
    ------
    ValueError
        If n < 2 or k < 4.
    """
    blocks, cut = _blocks(n, k)
    longer = _separate_blocks(blocks, k) if k % 2 == 0 else _overlapping_blocks(blocks, k)
    middle = range(cut, cut + n)
    rounds = [[(u - cut, v - cut) for u, v in calls if u in middle and v in middle] for calls in longer]
    return rounds[cut:] + rounds[:cut]


def one_way_path_rounds(n: int, k: int) -> int:
    """Return the number of rounds after which the gossip of `one_way_path` is complete.

    This is exact for even k; for odd k the gossip sometimes takes one round less.

    Raises
    ------
    ValueError
        If n < 2 or k < 4.
    """
    blocks, cut = _blocks(n, k)
    return k * blocks - 2 * cut - (2 if k % 2 == 0 else 0)


def _blocks(n: int, k: int) -> tuple[int, int]:
    """Return the number of blocks that cover the path, and of nodes before the path that they cover too."""
    if n < 2 or k < 4:
        raise ValueError(
            f"one-way gossip on a path takes n >= 2 nodes and a period k >= 4 here, not n = {n} and k = {k}"
        )
    length = n - k % 2
    blocks = -(-length // (k - 2))
    return blocks, ((k - 2) * blocks - length) // 2


def _separate_blocks(blocks: int, k: int) -> Rounds:
    """Return the period of blocks of k - 2 nodes, k even.

    1. Gossip in all blocks.
    2. Make both calls between neighbouring ends.
    """
    size = k - 2
    inside = [
        [(b * size + u, b * size + v) for b in range(blocks) for u, v in calls]
        for calls in one_way_path_block(size)
    ]
    ends = [(b * size - 1, b * size) for b in range(1, blocks)]
    return [*inside, ends, [(v, u) for u, v in ends]]


def _overlapping_blocks(blocks: int, k: int) -> Rounds:
    """Return the period of blocks of k - 1 nodes, k odd, each sharing an end with the next.

    All blocks gossip, every second one a round later.
    """
    rounds: Rounds = [[] for _ in range(k)]
    for b in range(blocks):
        for t, calls in enumerate(one_way_path_block(k - 1), b % 2):
            rounds[t] += [(b * (k - 2) + u, b * (k - 2) + v) for u, v in calls]
    return rounds


def best_crossings(n: int, k: int) -> list[tuple[int, int]]:
    """Return for every edge of the path the rounds of its two crossings in an optimal one-way gossip.

    The crossings are (t, t'), the rounds in which the left and the right end's item cross the edge. D
    = t - t' grows along the path and avoids the multiples of k; each multiple crossed costs one more
    number.

    Parameters
    ----------
    n
        The number of nodes, at least 2.
    k
        The period, at least 4 unless n = 2.

    Raises
    ------
    ValueError
        If no one-way gossip repeats with period k.

    References
    ----------
    docs/theorems.md, Theorem 1.
    """
    rounds = least_path_rounds(n, k)
    if rounds is None:
        raise ValueError(f"no one-way gossip on {n} nodes repeats with period {k}")
    there, back = 1, rounds - (rounds % k == 1)
    crossings = [(there, back)]
    longer_step = (3, 1)
    for _ in range(n - 2):
        left = (there - back) % k
        if left == k - 1:
            step = (2, 2)
        elif left == k - 2:
            step, longer_step = longer_step, longer_step[::-1]
        else:
            step = (1, 1)
        there, back = there + step[0], back - step[1]
        crossings.append((there, back))
    return crossings
