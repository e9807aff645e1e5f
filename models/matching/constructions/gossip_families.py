"""Known gossip schedules of paths, cycles, hypercubes and complete graphs, and the one that works everywhere.

A schedule is given round by round as pairs of nodes; one-way pairs are (sender, receiver). Node numbers are
those of the named families.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt

Rounds = list[list[tuple[int, int]]]


def accumulate_then_broadcast(broadcast: Rounds, two_way: bool) -> Rounds:
    """Gossip by a broadcast run backwards and then forwards.

    2m rounds, two-way 2m - 1 as the two middle rounds are one.

    Parameters
    ----------
    broadcast
        The m rounds of a broadcast from one node to all.
    two_way
        Whether calls are two-way.

    References
    ----------
    Hromkovic et al. (1994), section 2, r(G) <= 2 min b(G).
    """
    accumulation = [[(v, u) for u, v in calls] for calls in reversed(broadcast)]
    return accumulation + (broadcast[1:] if two_way else broadcast)


def two_way_path(n: int) -> Rounds:
    """Two-way gossip on the path.

    Its two perfect or nearly perfect matchings in turn, n - 1 rounds for even n, n for odd n >= 3.

    References
    ----------
    Hromkovic et al. (1994), Theorem 3.1.
    """
    rounds = 0 if n == 1 else n - 1 if n % 2 == 0 else n
    matchings = [[(v, v + 1) for v in range(first, n - 1, 2)] for first in (0, 1)]
    return [matchings[t % 2] for t in range(rounds)]


def two_way_cycle(n: int) -> Rounds:
    """Two-way gossip on the cycle of n >= 3 nodes: n/2 rounds for even n, (n+3)/2 for odd n.

    Even n: the two perfect matchings in turn. Odd n: the matching of round t leaves out node t, so that all
    along the rest of the cycle the matchings alternate.
    """
    if n % 2 == 0:
        matchings = [
            [(v, v + 1) for v in range(0, n, 2)],
            [(0, n - 1), *((v, v + 1) for v in range(1, n - 1, 2))],
        ]
        return [matchings[t % 2] for t in range(n // 2)]
    return [[((t + i) % n, (t + i + 1) % n) for i in range(1, n, 2)] for t in range((n + 3) // 2)]


def one_way_cycle(n: int) -> Rounds:
    """One-way gossip on the cycle of n >= 3 nodes by waves.

    Fronts run round the cycle in both directions and pass each other.

    From each of s starting points one front runs clockwise and one the other way; where two want the same
    node, the clockwise one, or the one that has waited longer, goes first. Tried for all s near the best,
    sqrt(n/2), and the shortest is kept. For about two in three n this meets the bound of Hromkovic, Jeschke,
    Monien (1990), else it takes one or two rounds more.
    """
    best: Rounds = []
    guess = isqrt(n // 2)
    for starts in range(max(1, guess - 2), min(guess + 3, n // 2) + 1):
        clockwise = sorted({(2 * j * n + starts) // (2 * starts) % n for j in range(starts)})
        for shift in (-1, 0):
            for patient in (False, True):
                fronts = [(x, 1) for x in clockwise] + [((x + shift) % n, -1) for x in clockwise]
                rounds = _run_waves(n, fronts, patient, len(best) or 4 * n)
                best = rounds or best
    return best


def _run_waves(n: int, fronts: list[tuple[int, int]], patient: bool, limit: int) -> Rounds | None:
    """Return the rounds of waves that start with `fronts`, pairs (node, direction).

    None when they do not gossip in fewer than `limit` rounds.
    """
    held = [1 << v for v in range(n)]
    everything = (1 << n) - 1
    waited = [0] * len(fronts)
    rounds: Rounds = []
    while any(items != everything for items in held):
        if len(rounds) + 1 >= limit:
            return None
        busy: set[int] = set()
        calls = []
        first: Callable[[int], tuple[int, int]] = lambda f: (-waited[f] if patient else 0, f)  # noqa: E731
        for f in sorted(range(len(fronts)), key=first):
            here, direction = fronts[f]
            there = (here + direction) % n
            if here in busy or there in busy:
                waited[f] += 1
                continue
            busy |= {here, there}
            calls.append((here, there))
            fronts[f] = (there, direction)
            waited[f] = 0
        for here, there in calls:
            held[there] |= held[here]
        rounds.append(calls)
    return rounds


def two_way_hypercube(dimension: int) -> Rounds:
    """Two-way gossip on the hypercube, one dimension a round: d rounds, optimal."""
    return [[(v, v ^ 1 << i) for v in range(1 << dimension) if not v >> i & 1] for i in range(dimension)]


def one_way_hypercube(dimension: int) -> Rounds:
    """One-way gossip on the hypercube, each dimension there and back: 2d rounds."""
    there = two_way_hypercube(dimension)
    return [calls for pairs in there for calls in (pairs, [(v, u) for u, v in pairs])]


def two_way_complete(n: int) -> Rounds:
    """Two-way gossip among n nodes that can all call each other.

    Ceil(log2 n) rounds for even n, one more for odd n >= 3.

    Optimal.

    Even n: node j of the left half calls node j + 2^(t-1) - 1 of the right half in round t. Odd n: the nodes
    above the largest power of two first tell a node below it, which in the end tells them.

    References
    ----------
    Knodel, New gossips and telephones (Discrete Math. 13, 1975).
    """
    if n % 2 == 0:
        half = n // 2
        return [
            [(j, half + (j + (1 << t) - 1) % half) for j in range(half)] for t in range((n - 1).bit_length())
        ]
    dimension = n.bit_length() - 1
    outside = [(v - (1 << dimension), v) for v in range(1 << dimension, n)]
    return [outside, *two_way_hypercube(dimension), outside] if n > 1 else []


def one_way_complete(n: int) -> Rounds:
    """One-way gossip among n nodes that can all call each other.

    K + 1 rounds for even n, k the least with F_k >= n/2 (Fibonacci numbers).

    Node j of the left half and node j of the right half are a pair; the halves call each other in turn, each
    time shifted by so many pairs as the callers know. For odd n the last node first tells node 0, which tells
    it in the end.

    References
    ----------
    Even, Monien, On the number of rounds necessary to disseminate information (SPAA 1989).
    """
    if n % 2:
        return [[(n - 1, 0)], *one_way_complete(n - 1), [(0, n - 1)]] if n > 1 else []
    half = n // 2
    # Node j of the left half knows `left` whole pairs j, j + 1, ..., node j of the right half `right` of
    # them.
    left, right = 0, 1
    rounds = [[(j, half + j) for j in range(half)]]
    while min(left, right) < half:
        if left < right:
            rounds.append([(half + j, (j - left) % half) for j in range(half)])
            left += right
        else:
            rounds.append([(j, half + (j - right) % half) for j in range(half)])
            right += left
    return rounds
