"""Orbits under permutations that generate a group."""

from __future__ import annotations

from collections.abc import Sequence


def first_of_orbit(count: int, moves: Sequence[Sequence[int]]) -> list[int]:
    """Of every item 0, 1, ..., count - 1 the least one of its orbit.

    moves: permutations that generate the group, each with the item that it takes every item to.
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
    """For the first node of every orbit the nodes of its orbit, each with an element of the group that
    carries the first one there: what element takes node v to what node.
    """
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
