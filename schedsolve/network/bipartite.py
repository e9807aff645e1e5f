"""Matchings in bipartite graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def full_matching(lefts: Iterable[int], partners: Callable[[int], Iterable[int]]) -> dict[int, int] | None:
    """A partner for every node of the left side, all different, by augmenting paths: the left nodes by their
    partners; None when there is no such matching.

    partners: of a node of the left side those that it may have.
    """
    owner: dict[int, int] = {}
    return owner if all(_place(left, partners, owner) for left in lefts) else None


def _place(left: int, partners: Callable[[int], Iterable[int]], owner: dict[int, int]) -> bool:
    """Give a node a partner, by the first augmenting path of a search in depth; whether there is one.

    path: the nodes that change their partners, each with those it may have that were not yet tried. taken:
    the partners that they would have, in the same order; the owner of each is the next node of the path.
    """
    tried: set[int] = set()
    path, taken = [(left, iter(partners(left)))], list[int]()
    while path:
        right = next((right for right in path[-1][1] if right not in tried), None)
        if right is None:
            path.pop()
            del taken[-1:]
            continue
        tried.add(right)
        taken.append(right)
        if right not in owner:
            owner.update((partner, node) for partner, (node, _) in zip(taken, path, strict=True))
            return True
        path.append((owner[right], iter(partners(owner[right]))))
    return False
