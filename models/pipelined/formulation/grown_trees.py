"""Trees that grow by the nearest compute node under lengths of the links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise
from math import inf

from schedsolve.network.graph import Network

from ..rules.demand import Link
from ..rules.schedule import Path, WeightedTree

Lengths = Mapping[Link, float]


@dataclass(frozen=True)
class Shape:
    """What the trees of a unit are.

    Attributes
    ----------
    roots
        Where they may have their root.
    inward, outward
        What they do.
    copies
        How many units are like this one, under the symmetries.
    units
        What they weigh together.
    """

    roots: tuple[int, ...]
    inward: bool
    outward: bool
    copies: int = 1
    units: int = 1


def tree_loads(tree: WeightedTree) -> Counter[Link]:
    """How often a tree crosses every link."""
    return Counter(link for path in (*tree.inward, *tree.paths) for link in pairwise(path))


@dataclass(frozen=True)
class GrownTrees:
    """Cheap trees under lengths of the links.

    They are the cheapest ones where lengths are the same both ways, and good ones elsewhere.

    Attributes
    ----------
    both_ways
        Whether a tree from the root is turned round for the way to it.
    """

    network: Network
    lengths: Lengths
    both_ways: bool

    def tree(self, shape: Shape, root: int) -> tuple[float, WeightedTree] | None:
        """Return a tree grown from the root, or to it, and its price; None when there is none."""
        inward: tuple[Path, ...] | None = ()
        paths: tuple[Path, ...] | None = ()
        if shape.outward:
            paths = grown_tree(self.network, self.lengths, root)
        if shape.inward and shape.outward and self.both_ways and paths is not None:
            inward = tuple(path[::-1] for path in reversed(paths))
        elif shape.inward:
            turned = {(v, u): x for (u, v), x in self.lengths.items()}
            found = grown_tree(self.network.reversed(), turned, root)
            inward = None if found is None else tuple(path[::-1] for path in reversed(found))
        if inward is None or paths is None:
            return None
        tree = WeightedTree(root, Fraction(1), paths, inward)
        return sum(times * self.lengths[link] for link, times in tree_loads(tree).items()), tree


def grown_tree(network: Network, lengths: Lengths, root: int) -> tuple[Path, ...] | None:
    """Return a tree that grows from its root by the nearest compute node; None if it does not reach all.

    Ways go through switches only. When a compute node is reached, ways start at it too, and may come to a
    switch that had been reached by a longer one.

    References
    ----------
    Prim 1957; Dijkstra 1959.
    """
    distance, before = {root: 0.0}, {root: -1}
    reached: set[int] = set()
    queue = [(0.0, root)]
    paths: list[Path] = []
    while queue:
        d, u = heappop(queue)
        if d > distance[u] or u in reached:
            continue
        if u not in network.switches:
            reached.add(u)
            way = [u]
            while before[way[-1]] >= 0 and (len(way) == 1 or way[-1] in network.switches):
                way.append(before[way[-1]])
            if len(way) > 1:
                paths.append(tuple(reversed(way)))
            d = distance[u] = 0.0
        for v in network.successors[u]:
            through = d + lengths[u, v]
            if v not in reached and through < distance.get(v, inf):
                distance[v], before[v] = through, u
                heappush(queue, (through, v))
    return tuple(paths) if len(reached) == len(network.compute_nodes) else None
