"""The recurrences (2) to (4) of the paper with its roundings made exact, and how the algorithms grow next to
what Table 1 claims.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import log2
from typing import NamedTuple

from schedsolve.modelkit.search import Effort
from schedsolve.network.families import family_network
from schedsolve.problem import Problem

from .claims.lower_bounds import TALLEST_SEQUENCES, empty_time, least_height_sum, needed_heights
from .constructions.algorithms import ALGORITHMS
from .constructions.broadcasts import copies, inverse_capacity
from .rules import replay
from .rules.tree import SHAPES, FatTree


def shaped_tree(shape: str, height: int) -> FatTree:
    """The fat-tree of 2^height processors with capacities by name."""
    return FatTree(height, tuple(SHAPES[shape](1 << j) for j in range(height + 1)))


def sparse_time(tree: FatTree, height: int) -> int:
    """S(n) by recurrence (2): S(w^-1(a)) + S(w^-1(b)) + 4 log n for r = a b copies, 2 log n for two, 0 for a
    single processor.
    """
    k = copies(tree, height)
    if k < 2:
        return 2 * height * k
    near, nearer = (inverse_capacity(tree, 1 << part) for part in (k - k // 2, k // 2))
    return sparse_time(tree, near) + sparse_time(tree, nearer) + 4 * height


def broadcast_time(tree: FatTree, height: int) -> int:
    """T(n) = S(n) + T(n / r) by recurrence (3), with r in place of w(n), as w(n) = 1 would never end."""
    return (
        0 if height == 0 else sparse_time(tree, height) + broadcast_time(tree, height - copies(tree, height))
    )


def pipelined_time(tree: FatTree, height: int) -> int:
    """T'(n) by recurrence (4): S(n), then 2^q - 1 messages from every copy, the farthest first, then T' of
    the subtrees of all copies.

    Of those to the height H - g there are 2^(q-1-g), so that the last one is sent 2^q - 2^(q-1-g) - 1 steps
    after the first of all.
    """
    if height == 0:
        return 0
    rest = height - copies(tree, height)
    q = min(rest, max(1, rest.bit_length() - 1))
    spreading = max(((1 << q) - (1 << (q - 1 - g)) - 1 + 2 * (rest - g) for g in range(q)), default=0)
    return sparse_time(tree, height) + spreading + pipelined_time(tree, rest - q)


class Growth(NamedTuple):
    """For one shape and N: replayed times of the algorithms, recurrence (3), the bounds, and what Table 1
    says they grow like.
    """

    shape: str
    height: int
    algorithm_1: int
    recurrence: int
    pipelined: int
    round_bound: int
    clock_bound: int
    claimed_rounds: float
    claimed_clock: float


def replayed_time(shape: str, height: int, algorithm: str, timing: str) -> int:
    """The time of an algorithm's broadcast, as the referee sees it."""
    parameters = {"source": 0, "capacity": shape, "timing": timing}
    problem = Problem("fat-tree", "broadcast", family_network(f"fat-tree:{1 << height}"), parameters)
    build = next(a.build for a in ALGORITHMS if a.name == algorithm)
    seen = replay(problem, build(problem, Effort()))
    assert seen.violation is None
    return int(seen.value)


def _square(m: float) -> float:
    return m * m


def _over_loglog(m: float) -> float:
    return m * m / max(1.0, log2(m))


def _times_loglog(m: float) -> float:
    return m * max(1.0, log2(m))


CLAIMED: dict[str, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "const": (_square, _over_loglog),
    "log": (_over_loglog, _over_loglog),
    "sqrt": (_times_loglog, _times_loglog),
    "two-thirds": (_times_loglog, _times_loglog),
    "linear": (_times_loglog, _times_loglog),
}
"""For every shape the growth of Table 1's upper bounds, in rounds and by the clock, as functions of log N."""


def growth(shapes: Iterable[str], heights: Iterable[int]) -> Iterator[Growth]:
    """The rows of the table, for every shape and log N."""
    heights = list(heights)
    for shape in shapes:
        rounds, clock = CLAIMED[shape]
        for m in heights:
            tree = shaped_tree(shape, m)
            yield Growth(
                shape,
                m,
                replayed_time(shape, m, "algorithm-1", "rounds"),
                broadcast_time(tree, m),
                replayed_time(shape, m, "pipelined", "clock"),
                2 * (least_height_sum if m <= TALLEST_SEQUENCES else needed_heights)(tree),
                max(2 * m, m + empty_time(tree, m - 1)),
                rounds(m),
                clock(m),
            )


def growth_lines(heights: Iterable[int] = (4, 8, 12, 16)) -> list[str]:
    """The table as Markdown: times, and after each in brackets its ratio to the growth that Table 1 claims
    for it.
    """
    lines = [
        "| w(n) | N | Algorithm 1 | recurrence (3) | pipelined | bound in rounds | bound by the clock |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in growth(CLAIMED, heights):
        rounds = [f"{x} ({x / row.claimed_rounds:.2f})" for x in (row.algorithm_1, row.recurrence)]
        clock = f"{row.pipelined} ({row.pipelined / row.claimed_clock:.2f})"
        bounds = f"{row.round_bound} ({row.round_bound / row.claimed_rounds:.2f}) | {row.clock_bound}"
        lines.append(f"| {row.shape} | 2^{row.height} | {rounds[0]} | {rounds[1]} | {clock} | {bounds} |")
    return lines
