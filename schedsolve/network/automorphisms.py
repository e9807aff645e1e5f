"""Automorphisms of a network: permutations of the nodes that preserve edges, bandwidths and switches."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import islice

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
    search = _Backtracking(network, fixing, steps)
    identity = tuple(range(network.node_count))
    found = [image for image in islice(search.extensions([]), limit + 2) if image != identity]
    if len(found) > limit:
        search.steps = steps
        found = list(islice(search.transversals(), limit))
    return tuple(found)


class _Backtracking:
    """Extends partial automorphisms node by node.

    In its order, every node has an earlier neighbor if that is possible.
    """

    def __init__(self, network: Network, fixing: Sequence[Collection[int]], steps: int) -> None:
        self.network = network
        self.steps = steps
        self.neighbours = [
            set(a) | set(b) for a, b in zip(network.successors, network.predecessors, strict=True)
        ]
        self.colour = _stable_colouring(network, fixing)
        self.order = self._search_order()
        place = {v: i for i, v in enumerate(self.order)}
        self.earlier = [[w for w in self.neighbours[v] if place[w] < place[v]] for v in self.order]

    def _search_order(self) -> list[int]:
        counts: dict[int, int] = {}
        for c in self.colour:
            counts[c] = counts.get(c, 0) + 1
        order: list[int] = []
        seen: set[int] = set()
        for start in sorted(range(self.network.node_count), key=lambda v: (counts[self.colour[v]], v)):
            reached = [] if start in seen else [start]
            seen.update(reached)
            for v in reached:
                fresh = sorted(w for w in self.neighbours[v] if w not in seen)
                reached += fresh
                seen.update(fresh)
            order += reached
        return order

    def _candidates(self, depth: int, image: dict[int, int], used: set[int]) -> list[int]:
        v = self.order[depth]
        bandwidth = self.network.bandwidth_of
        near = self.earlier[depth]
        pool = self.neighbours[image[near[0]]] if near else range(self.network.node_count)
        return [
            x
            for x in sorted(pool)
            if x not in used
            and self.colour[x] == self.colour[v]
            and len(self.neighbours[x] & used) == len(self.earlier[depth])
            and all(
                bandwidth.get((v, w)) == bandwidth.get((x, image[w]))
                and bandwidth.get((w, v)) == bandwidth.get((image[w], x))
                for w in self.earlier[depth]
            )
        ]

    def extensions(self, prefix: Sequence[int]) -> Iterator[Automorphism]:
        """Yield all automorphisms that map the first nodes of the order to `prefix`, which is consistent."""
        n = self.network.node_count
        image = dict(zip(self.order, prefix, strict=False))
        used = set(prefix)
        if len(image) == n:
            yield tuple(image[v] for v in range(n))
            return
        stack = [iter(self._candidates(len(prefix), image, used))]
        while stack and self.steps > 0:
            self.steps -= 1
            depth = len(prefix) + len(stack) - 1
            v = self.order[depth]
            if v in image:
                used.discard(image.pop(v))
            x = next(stack[-1], None)
            if x is None:
                stack.pop()
                continue
            image[v] = x
            used.add(x)
            if depth + 1 == n:
                yield tuple(image[w] for w in range(n))
            else:
                stack.append(iter(self._candidates(depth + 1, image, used)))

    def transversals(self) -> Iterator[Automorphism]:
        """Yield one automorphism for every depth and every other image of the node at that depth.

        Each fixes all earlier nodes of the order.
        """
        for depth, v in enumerate(self.order):
            fixed = self.order[:depth]
            for x in self._candidates(depth, {w: w for w in fixed}, set(fixed)):
                if x != v:
                    yield from islice(self.extensions([*fixed, x]), 1)


def _stable_colouring(network: Network, fixing: Sequence[Collection[int]]) -> list[int]:
    """Return colors that the automorphisms preserve, refined by the neighbors' colors until stable."""
    sets = [network.switches, *(frozenset(members) for members in fixing)]
    colour = _numbered([tuple(v in members for members in sets) for v in range(network.node_count)])
    rank = {b: i for i, b in enumerate(sorted(set(network.bandwidth_of.values())))}
    size = {arc: rank[b] for arc, b in network.bandwidth_of.items()}
    while True:
        refined = _numbered(
            [
                (
                    c,
                    *(
                        x
                        for end in sorted((colour[w], size[v, w]) for w in network.successors[v])
                        for x in end
                    ),
                    -1,
                    *(
                        x
                        for end in sorted((colour[w], size[w, v]) for w in network.predecessors[v])
                        for x in end
                    ),
                )
                for v, c in enumerate(colour)
            ]
        )
        if max(refined) == max(colour):
            return refined
        colour = refined


def _numbered(keys: Sequence[tuple[int, ...]]) -> list[int]:
    numbers = {key: i for i, key in enumerate(sorted(set(keys)))}
    return [numbers[key] for key in keys]
