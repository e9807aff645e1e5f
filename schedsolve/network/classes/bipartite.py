"""Matchings in bipartite graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def full_matching(lefts: Iterable[int], partners: Callable[[int], Iterable[int]]) -> dict[int, int] | None:
    """Return a matching that covers the left side, or None if there is none, by augmenting paths.

    Parameters
    ----------
    lefts
        The nodes of the left side.
    partners
        Returns the nodes of the right side to which a left node can be matched.

    Returns
    -------
    dict
        The partner of every left node; all partners are distinct.
    """
    owner: dict[int, int] = {}
    return owner if all(_place(left, partners, owner) for left in lefts) else None


def _place(left: int, partners: Callable[[int], Iterable[int]], owner: dict[int, int]) -> bool:
    """Match a node by the first augmenting path of a depth-first search; return whether there is one.

    `path` holds the nodes that change their partners, each with the candidates that were not yet tried;
    `taken` holds the partners that they would get, in the same order. The owner of each is the next node of
    the path.
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
