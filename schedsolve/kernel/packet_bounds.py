"""Bounds on the cost of a broadcast in packets, each derived from others.

The message has size 1. Round t costs l_t, there are R = T + r rounds, T being the least with
(k+1)^T >= N, and L(s) = l_1 + ... + l_s. f(r) is the least cost; g(r) is the least cost if
every node only needs to receive an amount of 1, of any content, from a source of unlimited
supply; so f(r) >= g(r). The bounds hold in any network.

Source: Beauquier, Delmas, Perennes, Tight bounds for broadcasting in the linear cost model
(1999).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

from .network import Network


def packet_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> Fraction:
    """By Lemma A, Lemmas 26 and 27, Proposition 22 and Theorem 21, which are recomputed."""
    n = network.n
    if n == 1:
        return Fraction(0)
    k, least = min(claim["ports"], n - 1), 0
    while (k + 1) ** least < n:
        least += 1
    f: list[Fraction] = []
    for r in range(claim["rounds"] - least + 1):
        bounds = [amount_bound(k, n, least, r), first_send_bound(k, n, least, r)]
        bounds += [before_and_after(k, n, least, r, s, f) for s in range(1, r + 2)]
        f.append(max(bounds))
    return f[-1] if f else Fraction(0)


def amount_bound(k: int, n: int, least: int, r: int) -> Fraction:
    """Return a bound on g(r), at least 1/k: a node receives the message through its k ports.

    If N = (k+1)^T, also T/(k+1)^r (Theorem 21): after T rounds the amounts received are at most I
    <= (N-1) L(T)/T, and each of the r rounds after multiplies them by at most k+1 and adds what the
    source sends, so N - 1 <= (k+1)^r I + k (k+1)^(r-1) (L - L(T)), and the least L is T/(k+1)^r.
    """
    perfect = Fraction(least, (k + 1) ** r) if n == (k + 1) ** least else Fraction(0)
    return max(Fraction(1, k), perfect)


def first_send_bound(k: int, n: int, least: int, r: int) -> Fraction:
    """Return a bound on f(r) for r < T - 1, or r = T - 1 and N = (k+1)^T; otherwise 0.

    Proposition 22, 2/k for r < T - 1: let t0 be the last round after which only the source knows
    some bit. The bit needs T rounds more, so t0 <= r, and k L(t0+1) >= 1. After t0 + 1 <= T - 1
    rounds some node knows nothing, so k (L - L(t0+1)) >= 1.

    Lemma A, 2 - 1/T for k = 1 and 2/k for more: what is first sent in round T must grow (k+1)-fold
    in each of the T rounds from there, so the source sends it on all its k links, and it measures
    at most l_T: k L(T-1) + l_T >= 1. If after round T all nodes know something, the first T rounds
    are a tree; those informed in a round t <= T of least cost m know at most m, and so do those
    below them: k (L - L(T)) >= 1 - m. If not, k (L - L(T)) >= 1. As l_T >= m, k L(T) >= 1 + (k-1)
    m. For k >= 2 add both. For k = 1: L(T) >= 1 and L(T) >= T m, so L >= L(T) + 1 - m >= 2 - 1/T.
    """
    if r < least - 1:
        return Fraction(2, k)
    if r == least - 1 and n == (k + 1) ** least:
        return 2 - Fraction(1, least) if k == 1 else Fraction(2, k)
    return Fraction(0)


def before_and_after(k: int, n: int, least: int, r: int, s: int, f: list[Fraction]) -> Fraction:
    """Return the least x + y, the costs of the first s rounds and of the others (Lemmas 26, 27).

    After s rounds only the source knows 1 - k x or more, which takes the other rounds:
    y >= (1 - k x) f(r-s); with s > r fewer than T rounds are left, so k x >= 1. Every node knows
    1 - k y or more after s rounds: x >= (1 - k y) g(s-T); with s < T some node knows nothing, so
    k y >= 1.
    """
    rows = [
        (k * f[r - s], Fraction(1), f[r - s]) if s <= r else (Fraction(k), Fraction(0), Fraction(1))
    ]
    if s >= least:
        amount = amount_bound(k, n, least, s - least)
        rows.append((Fraction(1), k * amount, amount))
    else:
        rows.append((Fraction(0), Fraction(k), Fraction(1)))
    return least_sum(rows)


def least_sum(rows: list[tuple[Fraction, Fraction, Fraction]]) -> Fraction:
    """Return the least x + y with x, y >= 0 and a x + b y >= c for all rows, found at a vertex."""
    rows = [*rows, (Fraction(1), Fraction(0), Fraction(0)), (Fraction(0), Fraction(1), Fraction(0))]
    sums = []
    for (a, b, c), (d, e, f) in combinations(rows, 2):
        if a * e != b * d:
            x, y = (c * e - b * f) / (a * e - b * d), (a * f - c * d) / (a * e - b * d)
            if all(u * x + v * y >= w for u, v, w in rows):
                sums.append(x + y)
    return min(sums)
