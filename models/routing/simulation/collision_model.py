"""The collision model: the collision probability, the balls-and-bins Models I and II, and the tail bound.

Source: Strumpen and Krishnamurthy, A collision model for randomized routing in fat-tree networks (JPDC
2005), sections 4 to 6.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, e, log, log2
from typing import TYPE_CHECKING, Literal

from schedsolve.runtime.errors import InputError

from ..rules import turning_level
from .simulation import contest

if TYPE_CHECKING:
    import numpy as np


def collision_probability(n: int) -> Fraction:
    """Return the probability that two messages collide (Lemma 1).

    The two sources are distinct and random, every destination is a random node other than the message's own
    source, and the two destinations may coincide.

    Parameters
    ----------
    n
        The number of processing nodes, a power of two of at least 2.
    """
    lg = n.bit_length() - 1
    return (n * n * (Fraction(lg, 2) - Fraction(2, 3)) + Fraction(2, 3)) / (n - 1) ** 3


def pair_collision_probability(first: tuple[int, int], second: tuple[int, int]) -> Fraction:
    """Return the probability that two given messages collide, over the random upstream ports.

    The sources must be distinct. On the way down both messages want a wire of level l when their
    destinations differ only in the lowest l bits, neither has turned below l, and both come from the same
    router of level l. The ports below l are drawn independently, so that they lead to the same router with
    probability 2^-l, unless the two messages went up through one router: then they took different ports,
    and never meet above it.
    """
    (s1, d1), (s2, d2) = first, second
    level = (d1 ^ d2).bit_length()
    meeting = turning_level(s1, s2)
    if level <= min(turning_level(s1, d1), turning_level(s2, d2), meeting):
        return Fraction(1, 2**level)
    return Fraction(0)


def bin_count(n: int, bins: Literal["corollary", "lemma"]) -> int:
    """Return the number of collision bins, rounded: 2 n / lg n (Corollary 1) or 1 / Pr[C2] (Lemma 1).

    Raises
    ------
    InputError
        For n = 2 and "lemma", since two messages never collide there.
    """
    if bins == "corollary":
        return round(2 * n / log2(n))
    if n == 2:
        raise InputError(
            "on 2 processing nodes no messages collide, so Lemma 1 gives no number of bins; use --bins"
            " corollary"
        )
    return round(1 / collision_probability(n))


def model_rounds(
    destination: np.ndarray,
    n: int,
    runs: int,
    bins: int,
    generator: np.random.Generator,
    *,
    destination_toss: bool,
) -> np.ndarray:
    """Return the delivery rounds of every run in Model I, or with the destination toss in Model II.

    In every round the waiting messages are tossed into the bins, and one message of each bin is delivered.
    In Model II the messages with the same destination are tossed together.

    Parameters
    ----------
    destination
        The destination of every message; node d of run k is numbered k n + d. Model I uses the runs only.
    n
        The number of processing nodes.
    runs
        The number of runs.
    bins
        The number of bins.
    generator
        The random number generator.
    destination_toss
        Whether to use Model II.
    """
    import numpy as np

    rounds = np.zeros(runs, dtype=np.int64)
    table = np.empty(runs * bins, dtype=np.int32)
    waiting = destination
    number = 0
    while waiting.size:
        number += 1
        run = waiting // n
        rounds[run] = number
        if destination_toss:
            toss = generator.integers(0, bins, size=runs * n, dtype=np.int32)[waiting]
            priority = generator.integers(0, 2**32, size=len(waiting), dtype=np.uint32)
        else:
            toss = generator.integers(0, bins, size=len(waiting), dtype=np.int32)
            priority = np.zeros(len(waiting), dtype=np.uint32)
        waiting = waiting[~contest(run * bins + toss, priority, table)]
    return rounds


def rounds_with_probability(n: int, m: int, epsilon: float) -> int:
    """Return rounds in which Model I delivers all messages with probability 1 - epsilon (Theorem 1).

    The model has b = 2 n / lg n bins. Phase I, for m > b: S = (m/b - 1) / (1 - 2/e) successful rounds leave
    at most b messages, and R = 2 (2 S + 4 ln 1/e1) rounds contain S successful ones with probability 1 -
    e1. Phase II: S = lg m successful rounds leave at most one message, and R = (2 S + 4 ln 1/e2) / (1 -
    2/e) rounds contain S successful ones with probability 1 - e2. If there are both phases, they share
    epsilon evenly; numbers of rounds are rounded up, and a round is added for the last message, which the
    paper forgets.

    Parameters
    ----------
    n
        The number of processing nodes, at least 2.
    m
        The number of messages, from 1 to n.
    epsilon
        The probability of failure, above 0 and below 1.

    Raises
    ------
    InputError
        If a parameter is out of its range.
    """
    if not 0 < epsilon < 1 or not 1 <= m <= n or n < 2:
        raise InputError("the tail bound is for n >= 2, 1 <= m <= n, and a probability between 0 and 1")
    b = 2 * n / log2(n)
    success = 1 - 2 / e
    share = epsilon if m <= b else epsilon / 2
    first = 0 if m <= b else ceil(2 * (2 * ceil((m / b - 1) / success) + 4 * log(1 / share)))
    second = ceil((2 * ceil(log2(min(m, b))) + 4 * log(1 / share)) / success)
    return first + second + 1


def failure_probability(n: int, m: int, rounds: int) -> float:
    """Return a bound on the probability that Model I needs more than `rounds` rounds.

    It is the least epsilon for which Theorem 1 promises delivery within `rounds` rounds, or 1.0 if the
    theorem says nothing.
    """
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if middle > 0 and rounds_with_probability(n, m, middle) <= rounds:
            high = middle
        else:
            low = middle
    return high


def fitted_rounds(n: int, m: int) -> float:
    """Return the paper's fit of the number of delivery rounds (Fig. 5): lg m / 10 + m lg n / 2n + 1."""
    return log2(m) / 10 + m * log2(n) / (2 * n) + 1
