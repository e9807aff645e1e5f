"""The links and neighbours of large complete networks, as sequences that hold none of their members.

A complete network of 3000 nodes has 4.5 million edges, which take 900 MB one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, permutations
from math import isqrt
from typing import overload

MOST_LISTED = 128
"""The most nodes of a complete network whose links and neighbours are listed in tuples."""


@dataclass(frozen=True)
class AllPairs(Sequence[tuple[int, int]]):
    """All pairs (u, v) of nodes 0..n-1 in order: those with u < v, or with `ordered` all with u != v."""

    node_count: int
    ordered: bool = False

    def __len__(self) -> int:
        pairs = self.node_count * (self.node_count - 1)
        return pairs if self.ordered else pairs // 2

    def __iter__(self) -> Iterator[tuple[int, int]]:
        nodes = range(self.node_count)
        return permutations(nodes, 2) if self.ordered else combinations(nodes, 2)

    def __contains__(self, pair: object) -> bool:
        if not isinstance(pair, tuple) or len(pair) != 2:
            return False
        nodes = range(self.node_count)
        u, v = pair
        return u in nodes and v in nodes and (u != v if self.ordered else u < v)

    @overload
    def __getitem__(self, at: int) -> tuple[int, int]: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[tuple[int, int], ...]: ...
    def __getitem__(self, at: int | slice) -> tuple[int, int] | tuple[tuple[int, int], ...]:
        if isinstance(at, slice):
            return tuple(self._pair(i) for i in range(len(self))[at])
        return self._pair(range(len(self))[at])

    def _pair(self, i: int) -> tuple[int, int]:
        n = self.node_count
        if self.ordered:
            u, v = divmod(i, n - 1)
            return u, v + (v >= u)
        # From the end backwards, a node is the lower one in 1, 2, 3, ... pairs.
        left = len(self) - 1 - i
        k = (isqrt(8 * left + 1) - 1) // 2
        return n - 2 - k, n - 1 - (left - k * (k + 1) // 2)


@dataclass(frozen=True)
class AllOthers(Sequence[int]):
    """The nodes 0..n-1 but one, ascending."""

    node_count: int
    node: int

    def __len__(self) -> int:
        return self.node_count - 1

    def __iter__(self) -> Iterator[int]:
        return chain(range(self.node), range(self.node + 1, self.node_count))

    def __contains__(self, other: object) -> bool:
        return other in range(self.node_count) and other != self.node

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[int, ...]: ...
    def __getitem__(self, at: int | slice) -> int | tuple[int, ...]:
        if isinstance(at, slice):
            return tuple(self)[at]
        v = range(len(self))[at]
        return v + (v >= self.node)
