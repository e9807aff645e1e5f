"""The cheapest trees of a problem of few compute nodes under lengths of the links.

With relays and switches that copy not all trees are looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import ranks_of, relays_of
from schedsolve.network.graph import Network

from ..constructions.relays import at_relays
from ..rules.demand import MIRRORED, REDUCTIONS, Link, root_units, tree_roots
from ..rules.schedule import Path, PipelinedSchedule, WeightedTree
from .arborescences import cheapest_arborescence
from .grown_trees import Lengths, Shape, tree_loads
from .ordered_trees import OrderedTrees
from .tree_columns import TreeColumns

MOST_NODES, MOST_SUBSETS = 40, 3
"""Compute nodes up to which trees are searched for, and switches up to which all sets of them are tried."""
Priced = tuple[float, dict[int, int]]
"""A tree as the parent of every node, and its price."""


def cheapest_columns(problem: Problem) -> TreeColumns:
    """Return the program of the trees of a problem, the cheapest of each unit to be added."""
    inward, outward = problem.task in REDUCTIONS, problem.task not in MIRRORED
    if problem.task == "allreduce":
        shapes = [Shape(tree_roots(problem), inward, outward)]
    else:
        shapes = [Shape((r,), inward, outward, units=units) for r, units in root_units(problem).items()]
    return TreeColumns(problem, shapes, lambda lengths: CheapestTrees(problem, lengths).tree, proves=True)


class CheapestTrees:
    """The cheapest trees under lengths of the links."""

    def __init__(self, problem: Problem, lengths: Lengths) -> None:
        self.problem, self.network, self.lengths = problem, problem.network, lengths
        self.ranks, self.relays = ranks_of(problem), relays_of(problem)
        self.hops = cheapest_hops(self.network, lengths, self.relays)
        self.costs = {ends: cost for ends, (cost, _) in self.hops.items()}
        self.turned = {(v, u): cost for (u, v), cost in self.costs.items()}
        ordered = problem.parameters.get("ordered") and problem.task in REDUCTIONS
        self.ordered = OrderedTrees(self.network.compute_nodes, self.costs) if ordered else None

    def tree(self, shape: Shape, root: int) -> tuple[float, WeightedTree] | None:
        """Return the cheapest tree of the shape at a root, and its price; None when there is none."""
        inward: tuple[Path, ...] | None = ()
        paths: tuple[Path, ...] | None = ()
        if shape.inward:
            inward = self._ordered_inward(root) if self.ordered else self._spanning(root, inward=True)
        if shape.outward:
            paths = self._spanning(root, inward=False)
        if inward is None or paths is None:
            return None
        made = PipelinedSchedule(Fraction(1), (WeightedTree(root, Fraction(1), paths, inward),))
        (tree,) = at_relays(self.problem, made).trees
        return sum(times * self.lengths[link] for link, times in tree_loads(tree).items()), tree

    def _ordered_inward(self, root: int) -> tuple[Path, ...] | None:
        assert self.ordered is not None
        if self.ordered.cost(root) == float("inf"):
            return None
        return tuple(self.hops[ends][1] for ends in self.ordered.hops(root))

    def _spanning(self, root: int, *, inward: bool) -> tuple[Path, ...] | None:
        """Return the paths of the cheapest tree that spans the ranks, of those tried.

        It branches at relays, and over switches that copy where they do.
        """
        hops = self.turned if inward else self.costs
        best = self._cheaper(None, root, (), hops)
        for nodes in _sets(sorted(self.relays)):
            best = self._cheaper(best, root, nodes, hops)
        if self.problem.parameters.get("switches_copy"):
            links = {(v, u): x for (u, v), x in self.lengths.items()} if inward else self.lengths
            for nodes in _sets(sorted(self.network.switches | self.relays)):
                best = self._cheaper(best, root, nodes, links)
        return None if best is None else self._paths(best[1], root, inward)

    def _cheaper(
        self, best: Priced | None, root: int, nodes: Collection[int], costs: Lengths
    ) -> Priced | None:
        """Return the cheapest tree that spans the ranks, the root and some nodes, if it is better."""
        wanted = {*self.ranks, root}
        parents = cheapest_arborescence(wanted | set(nodes), costs, root)
        if parents is None:
            return best
        parents = _without_idle(parents, wanted)
        price = sum(costs[u, v] for v, u in parents.items())
        return (price, parents) if best is None or price < best[0] else best

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


def _sets(nodes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield sets of nodes at which trees may branch.

    All, where there are few; else everything and single ones.
    """
    if len(nodes) > MOST_SUBSETS:
        yield tuple(nodes)
        yield from ((w,) for w in nodes)
        return
    for mask in range(1, 1 << len(nodes)):
        yield tuple(w for i, w in enumerate(nodes) if mask >> i & 1)


def _without_idle(parents: Mapping[int, int], wanted: Collection[int]) -> dict[int, int]:
    """Return the tree without nodes that nothing hangs on and nobody wants."""
    kept = dict(parents)
    while idle := [w for w in kept if w not in wanted and w not in kept.values()]:
        for w in idle:
            del kept[w]
    return kept


def cheapest_hops(
    network: Network, lengths: Lengths, relays: Collection[int] = ()
) -> dict[Link, tuple[float, Path]]:
    """Return the cheapest way between every two compute nodes, and its length.

    A way goes over a link or through switches and relays.
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
                if v not in relays:
                    continue
            for w in network.successors[v]:
                if w not in done:
                    heappush(queue, (cost + lengths[v, w], next(ticket), (*way, w)))
    return found
