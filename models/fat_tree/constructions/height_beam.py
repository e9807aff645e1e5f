"""Broadcasts in rounds: a beam search over the sequences of the heights of the rounds.

A round of a height is the best one for the processors informed before it (`patterns`). Of the sequences
with the same sum of heights, those are kept whose nonempty subtrees are nearest to the end: as long as
the number of nonempty subtrees of height j grows by the factor w(2^j) + 1 per round, log(N / 2^j /
number) / log(w(2^j) + 1) rounds above height j are missing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import log2
from time import process_time as clock

from ..rules.tree import FatTree
from .patterns import Patterns

FIRST_WIDTH = 25
TILTS = (0.15, 0.04, 0.4)
"""The increase of the weight of a missing round per unit of height; tried in turn, each at least once."""
MOST_WIDENINGS = 5
LARGEST_TABLE = 500_000
"""The most patterns that are kept from one beam for the next ones."""
Sends = list[tuple[int, int]]
"""Pairs of sender and receiver."""


def beamed_rounds(tree: FatTree, seconds: float, seed: int = 0) -> list[Sends]:
    """Return the rounds of the fastest broadcast from processor 0 found by beams of various widths.

    Parameters
    ----------
    tree
        The fat-tree.
    seconds
        The time within which further beams are begun; some are always tried.
    seed
        The first width and tilt in their sequences.
    """
    patterns, best, end = Patterns(tree), list[int](), clock() + seconds
    for attempt in range(2 * MOST_WIDENINGS):
        if attempt >= len(TILTS) and clock() >= end:
            break
        if len(patterns.halves) > LARGEST_TABLE:
            patterns = Patterns(tree)
        width = FIRST_WIDTH << ((seed + attempt) % MOST_WIDENINGS)
        heights = heights_by_beam(patterns, tree, width, TILTS[(seed + attempt) % len(TILTS)])
        if not best or sum(heights) < sum(best):
            best = heights
    return list(rounds_of_heights(patterns, tree, best))


def heights_by_beam(patterns: Patterns, tree: FatTree, width: int, tilt: float) -> list[int]:
    """Return the heights of the rounds of a broadcast.

    Parameters
    ----------
    patterns
        The patterns of the subtrees of the tree.
    tree
        The fat-tree.
    width
        The number of patterns that are kept for every sum of heights.
    tilt
        The increase of the weight of a missing round per unit of height.
    """
    m = tree.height
    weights = [(1 + tilt * j) / log2(w + 1) for j, w in enumerate(patterns.capacities[:m])]

    def missing(pattern: int) -> float:
        nonempty = patterns.nonempty[pattern]
        return sum(weight * (m - j - log2(nonempty[j])) for j, weight in enumerate(weights))

    came: defaultdict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
    came[0][patterns.with_one(m)] = 0, 0
    total = 0
    while patterns.full[m] not in came[total]:
        for pattern in sorted(came[total], key=missing)[:width]:
            for height in range(1, m + 1):
                after = patterns.after_round(pattern, height)
                if after != pattern:
                    came[total + height].setdefault(after, (pattern, height))
        total += 1
    pattern, heights = patterns.full[m], list[int]()
    while total:
        pattern, height = came[total][pattern]
        heights.append(height)
        total -= height
    return heights[::-1]


def rounds_of_heights(patterns: Patterns, tree: FatTree, heights: Sequence[int]) -> Iterator[Sends]:
    """Yield the messages of rounds of the given heights, one round after the other."""
    places = [[empty] * tree.subtrees(j) for j, empty in enumerate(patterns.empty)]
    for j, row in enumerate(places):
        row[0] = patterns.with_one(j)
    for height in heights:
        sends: Sends = []
        for place in range(tree.subtrees(height)):
            _exchange(patterns, places, (height, place), 0, sends)
        for j in range(height, tree.height):
            row = places[j]
            places[j + 1] = [patterns.joined(row[i], row[i + 1]) for i in range(0, len(row), 2)]
        yield sends


def _exchange(
    patterns: Patterns, places: list[list[int]], subtree: tuple[int, int], brought: int, sends: Sends
) -> list[int]:
    """Let `brought` messages come into a subtree, or leave it (if negative), and exchange others inside.

    It updates `places`, the patterns of the subtrees by height and place, and returns the processors that
    receive the messages that come in, or send those that leave.
    """
    height, place = subtree
    pattern = places[height][place]
    after = places[height][place] = patterns.after(pattern, brought)
    if not brought and after == pattern:
        return []
    if not height:
        return [place]
    first, second = patterns.shares(pattern, brought)
    if places[height - 1][2 * place] != patterns.halves[pattern][0]:
        first, second = second, first
    one = _exchange(patterns, places, (height - 1, 2 * place), first, sends)
    other = _exchange(patterns, places, (height - 1, 2 * place + 1), second, sends)
    if first < 0 < second:
        sends.extend((one.pop(), other.pop()) for _ in range(min(-first, second)))
    elif second < 0 < first:
        sends.extend((other.pop(), one.pop()) for _ in range(min(first, -second)))
    return one + other
