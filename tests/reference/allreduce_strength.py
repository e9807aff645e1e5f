"""The least time of an allreduce on small undirected networks, from its formula: the largest of
(groups - 1) / (edges between groups) over all partitions of the nodes. Written apart from the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction


def partitions(items: list[int]) -> Iterator[list[list[int]]]:
    """All partitions of a list."""
    if not items:
        yield []
        return
    first, *rest = items
    for parts in partitions(rest):
        yield [[first], *parts]
        for i, part in enumerate(parts):
            yield [*parts[:i], [first, *part], *parts[i + 1 :]]


def least_time(nodes: int, edges: list[tuple[int, int, int]]) -> Fraction:
    """edges: both ends and the bandwidth in each direction."""
    best = Fraction(0)
    for parts in partitions(list(range(nodes))):
        of = {v: i for i, part in enumerate(parts) for v in part}
        between = sum(b for u, v, b in edges if of[u] != of[v])
        if len(parts) > 1:
            best = max(best, Fraction(len(parts) - 1, between))
    return best
