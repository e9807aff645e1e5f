"""Generators of a large automorphism group, enough to tell which nodes and which arcs are equivalent.

A group of thousands of elements has few generators. They are searched for one pair of nodes at a time: an
automorphism that maps one node to the other joins their orbits, and usually many more. Generators that are
not found within the allowed steps are omitted; the orbits are then finer than they could be.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from typing import Any

from schedsolve.network.automorphisms import Automorphism, AutomorphismSearch
from schedsolve.network.graph import Network
from schedsolve.network.partition import Partition

MOST_FAILURES = 40
"""The number of failed searches after which no more are made for nodes, and for arcs."""
MANY_JOINS = 6
"""Automorphisms found in the order of the nodes or arcs; after them the order is shuffled."""
MOST_REPLACED = 60
"""The most generators in whose place products are tried."""
MOST_PRODUCTS = 5
"""The most products of generators that are tried in their place."""


@lru_cache(maxsize=16)
def automorphism_generators(
    network: Network, *, fixing: tuple[int, ...] = (), steps: int = 1_000_000
) -> tuple[Automorphism, ...]:
    """Return automorphisms whose group has few orbits of nodes and of arcs.

    They preserve bandwidths and switches.

    Parameters
    ----------
    network
        The network.
    fixing
        Nodes that every automorphism maps to themselves.
    steps
        The most backtracking steps in total.
    """
    search = _Search(network, fixing, steps)
    nodes = Partition(range(network.node_count))
    arcs = Partition(network.arcs)
    found: list[Automorphism] = []

    def join(start: Mapping[int, int]) -> bool:
        image = search.extension(start)
        if image is not None:
            found.append(image)
            _join_orbits(network, image, nodes, arcs)
        return image is not None

    _join_classes(
        [((search.colour[v],), v) for v in range(network.node_count)], nodes, lambda v, w: join({v: w})
    )
    firsts = nodes.firsts()
    for near in (0, 1):
        around = [
            ((arc[near], search.colour[arc[1 - near]], network.bandwidth_of[arc]), arc)
            for arc in network.arcs
            if arc[near] in firsts
        ]
        _join_classes(around, arcs, lambda one, other: join(dict(zip(one, other, strict=True))))
    return _few(network, found)


def is_vertex_transitive(network: Network, *, steps: int = 200_000) -> bool | None:
    """Return whether automorphisms map every node to every other, or None if `steps` do not suffice."""
    search = _Search(network, (), steps)
    if len(set(search.colour)) > 1:
        return False
    orbits = Partition(range(network.node_count))
    for v in range(1, network.node_count):
        if orbits.first(v) != orbits.first(0):
            image = search.extension({0: v})
            if image is None:
                return False if search.steps > 0 else None
            orbits.join(enumerate(image))
    return True


def _few(network: Network, found: Sequence[Automorphism]) -> tuple[Automorphism, ...]:
    """Return as few random products of the automorphisms as have the same orbits.

    Many automorphisms move few nodes each, and a few products do not replace them.
    """
    if len(found) > MOST_REPLACED:
        return tuple(found)
    wanted = _orbit_counts(network, found)
    rng = random.Random(len(found))
    for count in range(1, min(len(found), MOST_PRODUCTS + 1)):
        products = []
        for _ in range(count):
            product = tuple(range(network.node_count))
            for image in rng.choices(found, k=2 * len(found)):
                product = tuple(image[v] for v in product)
            products.append(product)
        if _orbit_counts(network, products) == wanted:
            return tuple(products)
    return tuple(found)


def _orbit_counts(network: Network, images: Sequence[Automorphism]) -> tuple[int, int]:
    """Return the number of orbits of nodes and of arcs."""
    nodes, arcs = Partition(range(network.node_count)), Partition(network.arcs)
    for image in images:
        _join_orbits(network, image, nodes, arcs)
    return len(nodes.firsts()), len(arcs.firsts())


def _join_orbits(
    network: Network, image: Automorphism, nodes: Partition[int], arcs: Partition[tuple[int, int]]
) -> None:
    """Join every node and every arc that an automorphism moves to its image."""
    moved = [v for v, w in enumerate(image) if v != w]
    nodes.join((v, image[v]) for v in moved)
    for u in moved:
        arcs.join(((u, v), (image[u], image[v])) for v in network.successors[u])
        arcs.join(((v, u), (image[v], image[u])) for v in network.predecessors[u])


def _join_classes(
    items: Iterable[tuple[Hashable, Any]], partition: Partition[Any], join: Callable[[Any, Any], bool]
) -> None:
    """Try to join every item to an item of its class in another orbit.

    Parameters
    ----------
    items
        The items, each with its class.
    partition
        The orbits found so far.
    join
        Searches for an automorphism that maps one item to the other, and joins the orbits that it
        connects.
    """
    failures = joins = 0
    seen: dict[Hashable, list[Any]] = {}
    waiting = list(reversed(list(items)))
    while waiting:
        kind, item = waiting.pop()
        others = seen.setdefault(kind, [])
        for other in others:
            if partition.first(item) == partition.first(other):
                break
            if failures < MOST_FAILURES:
                if join(other, item):
                    joins += 1
                    break
                failures += 1
        else:
            others.append(item)
        if joins == MANY_JOINS:
            # An automorphism often joins the items between the two that it is asked to join, and neighbors
            # in order have none between them.
            joins += 1
            random.Random(len(waiting)).shuffle(waiting)


class _Search(AutomorphismSearch):
    """A search that chooses nodes with few candidates first."""

    def __init__(self, network: Network, fixing: Sequence[int], steps: int) -> None:
        super().__init__(network, [[v] for v in fixing], steps)
        # Images are tried in the order of a set, which for numbers is fixed and not ascending: the first
        # automorphisms in ascending order move little, and more of them are needed to generate the group.
        self.near = [{w: near[w] for w in set(near)} for near in self.near]
        self.fixing = {v: v for v in fixing}
        self._orders: dict[tuple[int, ...], tuple[list[int], list[list[int]]]] = {}

    def _order(self, start: tuple[int, ...]) -> tuple[list[int], list[list[int]]]:
        """Return the nodes in search order after `start`, and the earlier neighbors of each.

        The next node is adjacent to a node of small degree, and among these has the most earlier neighbors.
        """
        if start in self._orders:
            return self._orders[start]
        order: list[int] = []
        earlier: list[list[int]] = []
        placed: dict[int, list[int]] = {v: [] for v in range(len(self.near))}
        done: set[int] = set()
        heap = [(-1, 0, i, v) for i, v in enumerate(start)]
        for root in range(len(self.near)):
            if not heap and root not in done:
                heap = [(0, 0, root, root)]
            while heap:
                *_, v = heappop(heap)
                if v in done:
                    continue
                done.add(v)
                order.append(v)
                earlier.append(list(placed[v]))
                for w in self.near[v]:
                    placed[w].append(v)
                    if w not in done:
                        least = min(len(self.near[u]) for u in placed[w])
                        heappush(heap, (least, -len(placed[w]), len(order), w))
        self._orders[start] = order, earlier
        return order, earlier

    def extension(self, start: Mapping[int, int]) -> Automorphism | None:
        """Return an automorphism that maps nodes as given, or None if there is none or none is found."""
        forced = {**self.fixing, **start}
        return next(self.extensions(*self._order(tuple(forced)), forced), None)
