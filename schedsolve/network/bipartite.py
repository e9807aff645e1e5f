"""Matchings in bipartite graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def full_matching(lefts: Iterable[int], partners: Callable[[int], Iterable[int]]) -> dict[int, int] | None:
    """A partner for every node of the left side, all different, by augmenting paths: the left nodes by their
    partners; None when there is no such matching.

    partners: of a node of the left side those that it may have.
    """
    owner: dict[int, int] = {}

    def place(left: int, tried: set[int]) -> bool:
        for right in partners(left):
            if right not in tried:
                tried.add(right)
                if right not in owner or place(owner[right], tried):
                    owner[right] = left
                    return True
        return False

    return owner if all(place(left, set()) for left in lefts) else None
