"""Automorphisms of a network: permutations of the nodes that preserve edges, bandwidths and switches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from schedsolve.network.graph import Network

Automorphism = tuple[int, ...]


def is_automorphism(network: Network, image: Sequence[int]) -> bool:
    """Return whether mapping every node v to image[v] is an automorphism.

    It must be a permutation that maps every arc to an arc of the same bandwidth, and every switch to
    a switch.
    """
    if sorted(image) != list(range(network.node_count)):
        return False
    bandwidth = network.bandwidth_of
    return all(bandwidth.get((image[u], image[v])) == b for (u, v), b in bandwidth.items()) and all(
        image[v] in network.switches for v in network.switches
    )


@lru_cache(maxsize=16)
def automorphisms(
    network: Network, *, fixing: tuple[tuple[int, ...], ...] = (), limit: int = 256, steps: int = 150_000
) -> tuple[Automorphism, ...]:
    """Return automorphisms, without the identity, that map every set in `fixing` to itself.

    All of them are returned if there are at most `limit`. Of a larger group, at most `limit` are returned,
    which move the first nodes one after another: for every node, in order, one automorphism for every image
    that the node can have while the nodes before it stay fixed. Automorphisms that are not found within
    `steps` of backtracking are omitted.
    """
    search = AutomorphismSearch(network, fixing, steps)
    order = _search_order(search)
    earlier = search.earlier(order)
    found = list(islice(search.extensions(order, earlier, {}), limit + 2))
    if len(found) > limit + 1:
        search.steps = steps
        found = list(islice(_transversals(search, order, earlier), limit))
    identity = tuple(range(network.node_count))
    return tuple(image for image in found if image != identity)


class AutomorphismSearch:
    """Extends partial automorphisms node by node, within a number of steps.

    Attributes
    ----------
    near
        For every node its neighbors in either direction, each with the bandwidths there and back.
    colour
        For every node a number that all automorphisms preserve.
    """

    def __init__(self, network: Network, fixing: Iterable[Collection[int]], steps: int) -> None:
        self.steps = steps
        bandwidth = network.bandwidth_of
        self.near: list[dict[int, tuple[Any, Any]]] = [
            {w: (bandwidth.get((v, w)), bandwidth.get((w, v))) for w in sorted({*after, *before})}
            for v, (after, before) in enumerate(zip(network.successors, network.predecessors, strict=True))
        ]
        sets = [network.switches, *map(frozenset, fixing)]
        self.colour = self._refined([tuple(v in members for members in sets) for v in range(len(self.near))])

    def _refined(self, marks: Iterable[Hashable]) -> list[int]:
        """Return colors that tell marks apart, refined by the neighbors' colors until nothing changes.

        In a round only neighbors of nodes with new colors are looked at. The others of a color still have
        equal neighborhoods, and keep it; if there are none, the largest part does.
        """
        kinds = {kind: i for i, kind in enumerate({kind for near in self.near for kind in near.values()})}
        colour, count = _numbered(marks)
        size = Counter(colour)
        fresh: Iterable[int] = range(len(colour))
        while fresh:
            parts: dict[int, dict[Hashable, list[int]]] = {}
            for v in {w for u in fresh for w in self.near[u]}:
                seen = tuple(sorted((colour[w], kinds[kind]) for w, kind in self.near[v].items()))
                parts.setdefault(colour[v], {}).setdefault(seen, []).append(v)
            fresh = []
            for old, found in parts.items():
                pieces = sorted(found.values(), key=len)
                if sum(map(len, pieces)) == size[old]:
                    pieces.pop()
                for piece in pieces:
                    for v in piece:
                        colour[v] = count
                    size[count], size[old] = len(piece), size[old] - len(piece)
                    count += 1
                    fresh += piece
        return colour

    def earlier(self, order: Sequence[int]) -> list[list[int]]:
        """Return for every node in an order the neighbors that come before it."""
        place = {v: i for i, v in enumerate(order)}
        return [[w for w in self.near[v] if place[w] < place[v]] for v in order]

    def extensions(
        self, order: Sequence[int], earlier: Sequence[Sequence[int]], forced: Mapping[int, int]
    ) -> Iterator[Automorphism]:
        """Yield the automorphisms that map nodes as they are forced to; the steps count choices.

        Parameters
        ----------
        order
            The nodes in the order in which they get their images, those that are forced first.
        earlier
            For every node in this order the neighbors before it.
        forced
            The images of some nodes.
        """
        n = len(order)
        image: dict[int, int] = {}
        used: set[int] = set()
        used_near = [0] * n

        def fits(v: int, x: int, before: Sequence[int]) -> bool:
            near = self.near[x]
            return (
                x not in used
                and self.colour[x] == self.colour[v]
                and used_near[x] == len(before)
                and all(near.get(image[w]) == self.near[v][w] for w in before)
            )

        def candidates(depth: int) -> Iterator[int]:
            # One at a time: the first often leads to the end, and then the others are never looked at.
            v, before = order[depth], earlier[depth]
            if v in forced:
                pool: Iterable[int] = [forced[v]]
            elif before:
                pool = self.near[image[min(before, key=lambda w: len(self.near[w]))]]
            else:
                pool = range(n)
            return (x for x in pool if fits(v, x, before))

        stack = [candidates(0)]
        while stack and self.steps > 0:
            v = order[len(stack) - 1]
            self.steps -= v not in forced
            if v in image:
                used.discard(image[v])
                for w in self.near[image.pop(v)]:
                    used_near[w] -= 1
            x = next(stack[-1], None)
            if x is None:
                stack.pop()
                continue
            image[v] = x
            used.add(x)
            for w in self.near[x]:
                used_near[w] += 1
            if len(stack) == n:
                yield tuple(image[w] for w in range(n))
            else:
                stack.append(candidates(len(stack)))


def _numbered(keys: Iterable[Hashable]) -> tuple[list[int], int]:
    """Return equal numbers for equal keys, and how many there are."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys], len(numbers)


def _search_order(search: AutomorphismSearch) -> list[int]:
    """Return the nodes part by part, each with an earlier neighbor if that is possible, rare colors first."""
    counts = Counter(search.colour)
    order: list[int] = []
    seen: set[int] = set()
    for start in sorted(range(len(search.near)), key=lambda v: (counts[search.colour[v]], v)):
        reached = [] if start in seen else [start]
        seen.update(reached)
        for v in reached:
            fresh = [w for w in search.near[v] if w not in seen]
            reached += fresh
            seen.update(fresh)
        order += reached
    return order


def _transversals(
    search: AutomorphismSearch, order: Sequence[int], earlier: Sequence[Sequence[int]]
) -> Iterator[Automorphism]:
    """Yield an automorphism for every node and every other image that it can have, those before it fixed."""
    for depth, v in enumerate(order):
        fixed = {w: w for w in order[:depth]}
        for x in search.near[earlier[depth][0]] if earlier[depth] else range(len(order)):
            if x != v and x not in fixed:
                yield from islice(search.extensions(order, earlier, {**fixed, v: x}), 1)
