"""Orbits of the group that some permutations generate."""

from __future__ import annotations

from collections.abc import Sequence


def first_of_orbit(count: int, moves: Sequence[Sequence[int]]) -> list[int]:
    """Return the least item of the orbit of every item 0, 1, ..., count - 1.

    Parameters
    ----------
    count
        The number of items.
    moves
        Permutations that generate the group; each maps item i to moves[i].
    """
    first = [-1] * count
    for start in range(count):
        if first[start] < 0:
            first[start] = start
            queue = [start]
            for x in queue:
                for move in moves:
                    if first[move[x]] < 0:
                        first[move[x]] = start
                        queue.append(move[x])
    return first


def carriers(node_count: int, moves: Sequence[Sequence[int]]) -> dict[int, dict[int, Sequence[int]]]:
    """Return, for the first node of every orbit, a group element that maps it to each node of its orbit."""
    orbits: dict[int, dict[int, Sequence[int]]] = {}
    seen: set[int] = set()
    for first in range(node_count):
        if first not in seen:
            images: dict[int, Sequence[int]] = {first: range(node_count)}
            queue = [first]
            for v in queue:
                for move in moves:
                    if move[v] not in images:
                        images[move[v]] = [move[w] for w in images[v]]
                        queue.append(move[v])
            seen.update(images)
            orbits[first] = images
    return orbits
