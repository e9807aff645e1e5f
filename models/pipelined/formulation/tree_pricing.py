"""The cheapest trees under lengths of the links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, pairwise
from math import inf

from schedsolve.network.graph import Network
from schedsolve.problem import Problem

from ..rules.demand import REDUCTIONS, Link
from ..rules.schedule import Path, WeightedTree
from .arborescences import cheapest_arborescence
from .ordered_trees import OrderedTrees
from .strength import goes_both_ways

MOST_SUBSETS = 3
"""Switches up to which all sets of them are tried."""

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
    """

    roots: tuple[int, ...]
    inward: bool
    outward: bool
    copies: int = 1


def tree_loads(tree: WeightedTree) -> dict[Link, int]:
    """How often a tree crosses every link."""
    loads: dict[Link, int] = {}
    for path in (*tree.inward, *tree.paths):
        for link in pairwise(path):
            loads[link] = loads.get(link, 0) + 1
    return loads


class Pricing:
    """The cheapest trees under lengths of the links.

    Attributes
    ----------
    grown
        Whether trees grow from their root by the nearest compute node (Prim). They are the cheapest ones
        where lengths are the same both ways, and good ones elsewhere.
    exact
        Whether trees are the cheapest ones.
    """

    def __init__(self, problem: Problem, lengths: Lengths, *, grown: bool = False) -> None:
        self.problem, self.network, self.lengths = problem, problem.network, lengths
        self.grown, self.both_ways = grown, goes_both_ways(problem)
        self.exact = not grown or self.both_ways
        if grown:
            return
        self.hops = cheapest_hops(self.network, lengths)
        self.costs = {ends: cost for ends, (cost, _) in self.hops.items()}
        self.turned = {(v, u): cost for (u, v), cost in self.costs.items()}
        ordered = problem.parameters.get("ordered") and problem.task in REDUCTIONS
        self.ordered = OrderedTrees(self.network.compute_nodes, self.costs) if ordered else None

    def tree(self, shape: Shape, root: int) -> tuple[float, WeightedTree] | None:
        """Return the cheapest tree of the shape at a root, and its price; None when there is none."""
        inward: tuple[Path, ...] | None = ()
        paths: tuple[Path, ...] | None = ()
        if self.grown:
            return self._grown(shape, root)
        if shape.inward:
            inward = self._ordered_inward(root) if self.ordered else self._spanning(root, inward=True)
        if shape.outward:
            paths = self._spanning(root, inward=False)
        if inward is None or paths is None:
            return None
        return self._with_price(WeightedTree(root, Fraction(1), paths, inward))

    def _with_price(self, tree: WeightedTree) -> tuple[float, WeightedTree]:
        return sum(times * self.lengths[link] for link, times in tree_loads(tree).items()), tree

    def _grown(self, shape: Shape, root: int) -> tuple[float, WeightedTree] | None:
        """Return a tree grown from the root, or to it, and its price."""
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
        return self._with_price(WeightedTree(root, Fraction(1), paths, inward))

    def _ordered_inward(self, root: int) -> tuple[Path, ...] | None:
        assert self.ordered is not None
        if self.ordered.cost(root) == float("inf"):
            return None
        return tuple(self.hops[ends][1] for ends in self.ordered.hops(root))

    def _spanning(self, root: int, *, inward: bool) -> tuple[Path, ...] | None:
        """Return the paths of the cheapest tree that spans the compute nodes.

        They go over switches that copy where they do.
        """
        compute = self.network.compute_nodes
        parents = cheapest_arborescence(compute, self.turned if inward else self.costs, root)
        best = None if parents is None else (self._price(parents, inward), parents)
        if self.problem.parameters.get("switches_copy"):
            links = {(v, u): x for (u, v), x in self.lengths.items()} if inward else self.lengths
            for switches in _sets_of_switches(self.network):
                parents = cheapest_arborescence([*compute, *switches], links, root)
                if parents is not None:
                    parents = _without_idle(parents, self.network)
                    price = sum(links[u, v] for v, u in parents.items())
                    if best is None or price < best[0]:
                        best = price, parents
        return None if best is None else self._paths(best[1], root, inward)

    def _price(self, parents: Mapping[int, int], inward: bool) -> float:
        costs = self.turned if inward else self.costs
        return sum(costs[u, v] for v, u in parents.items())

    def _paths(self, parents: Mapping[int, int], root: int, inward: bool) -> tuple[Path, ...]:
        """Return the paths in the order in which a part goes out, or the sums come in."""
        children: dict[int, list[int]] = {}
        for v, u in parents.items():
            children.setdefault(u, []).append(v)
        order = [root]
        for u in order:
            order += children.get(u, [])
        if inward:
            return tuple(self._path(v, parents[v]) for v in reversed(order[1:]))
        return tuple(self._path(parents[v], v) for v in order[1:])

    def _path(self, u: int, v: int) -> Path:
        if (u, v) in self.hops and not {u, v} & self.network.switches:
            return self.hops[u, v][1]
        return u, v


def _sets_of_switches(network: Network) -> Iterator[tuple[int, ...]]:
    """Yield sets of switches at which trees may branch.

    All, where there are few; else everything and single ones.
    """
    switches = sorted(network.switches)
    if len(switches) > MOST_SUBSETS:
        yield tuple(switches)
        yield from ((w,) for w in switches)
        return
    for mask in range(1, 1 << len(switches)):
        yield tuple(w for i, w in enumerate(switches) if mask >> i & 1)


def _without_idle(parents: Mapping[int, int], network: Network) -> dict[int, int]:
    """Return the tree without switches that nothing hangs on."""
    kept = dict(parents)
    while idle := [w for w in kept if w in network.switches and w not in kept.values()]:
        for w in idle:
            del kept[w]
    return kept


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


def cheapest_hops(network: Network, lengths: Lengths) -> dict[Link, tuple[float, Path]]:
    """Return the cheapest way between every two compute nodes, and its length.

    A way goes over a link or through switches.
    """
    found: dict[Link, tuple[float, Path]] = {}
    for u in network.compute_nodes:
        done: set[int] = set()
        ticket = count()
        queue: list[tuple[float, int, Path]] = [(0.0, next(ticket), (u,))]
        while queue:
            cost, _, way = heappop(queue)
            v = way[-1]
            if v in done:
                continue
            done.add(v)
            if v != u and v not in network.switches:
                found[u, v] = cost, way
                continue
            for w in network.successors[v]:
                if w not in done:
                    heappush(queue, (cost + lengths[v, w], next(ticket), (*way, w)))
    return found
