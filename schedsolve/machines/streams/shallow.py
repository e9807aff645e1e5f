"""Trees made shallower without any link carrying more: what follows each other in a program gets shorter.

Of two hops through one node, in one tree or in two, the ways behind that node are exchanged: what came from u
comes from u' and the reverse. Every link carries as much as before, so the time of a unit stays what it was.
A local search does so as long as the sum of the squared depths, by weight, becomes less.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from schedsolve.models.pipelined.constructions.allreduce import paired
from schedsolve.models.pipelined.rules.schedule import Path, WeightedTree

MOST_COMPARED, MOST_FOR_BATCHES = 2_000_000, 10_000_000
"""Pairs of hops, in each direction. The second where a schedule is to be put into batches: their number grows
with the depth, while messages that leave one by one queue more where many leave a root at once.
"""
MOST_TREES = 3
"""Times as many trees as there were: two trees of different weights exchange hops for the smaller one, and
what is left of the larger becomes a tree of its own.
"""


class _Branching:
    """The hops of a tree, as they lead away from the root.

    Attributes
    ----------
    root
        Where it begins.
    into
        The path by which every other node is reached, from its parent through switches.
    depth
        Of every node.
    above
        The nodes from the root to each, itself included, as a set of bits.
    size, total
        The number of nodes from each on downwards, and the sum of their depths.
    """

    def __init__(self, root: int, into: dict[int, Path]) -> None:
        self.root, self.into = root, into
        children: dict[int, list[int]] = defaultdict(list)
        for v, path in into.items():
            children[path[0]].append(v)
        self.depth, self.above = {root: 0}, {root: 1 << root}
        order = [root]
        for u in order:
            for v in children[u]:
                self.depth[v], self.above[v] = self.depth[u] + 1, self.above[u] | 1 << v
                order.append(v)
        self.size, self.total = dict.fromkeys(order, 1), dict(self.depth)
        for v in reversed(order[1:]):
            self.size[into[v][0]] += self.size[v]
            self.total[into[v][0]] += self.total[v]
        self.order = order

    def change(self, v: int, parent: int) -> int | None:
        """Return by how much the squared depths grow when v hangs from another node; None below v itself."""
        if self.above[parent] >> v & 1:
            return None
        by = self.depth[parent] + 1 - self.depth[v]
        return by * (2 * self.total[v] + by * self.size[v])


@dataclass
class _Tree:
    """A tree while it changes; weight: in parts of a unit, a whole number of them."""

    weight: int
    branching: _Branching


def shallower(trees: Sequence[WeightedTree], most_compared: int = MOST_COMPARED) -> tuple[WeightedTree, ...]:
    """Return trees of the same roots and weights in all, which load every link as these do.

    What comes in and what goes out are made shallower each for itself, and joined again: the deepest of the
    one and the shallowest of the other.

    Parameters
    ----------
    trees
        Of a schedule in which any order of adding up will do.
    most_compared
        Pairs of hops, in each direction.

    Returns
    -------
    tuple[WeightedTree, ...]
        Trees whose weights are multiples of whatever all weights were multiples of.
    """
    going_out = [replace(tree, inward=()) for tree in trees if tree.paths]
    coming_in = [replace(tree.turned(), inward=()) for tree in trees if tree.inward]
    outward = _improved(going_out, most_compared)
    # Where sums come in as results go out, which is common, one search is enough.
    inward = outward if set(coming_in) == set(going_out) else _improved(coming_in, most_compared)
    if not outward or not inward:
        return (*outward, *(tree.turned() for tree in inward))
    found: list[WeightedTree] = []
    for root in dict.fromkeys(tree.root for tree in trees):
        going = sorted((tree for tree in outward if tree.root == root), key=_depth)
        coming = sorted((tree for tree in inward if tree.root == root), key=_depth, reverse=True)
        found += paired([tree.turned() for tree in coming], going, 1)
    return tuple(found)


def _improved(trees: Sequence[WeightedTree], most_compared: int) -> Sequence[WeightedTree]:
    search = _Search(trees, most_compared)
    search.improve()
    return search.result()


def _branching(tree: WeightedTree) -> _Branching:
    return _Branching(tree.root, {path[-1]: path for path in tree.paths})


def _depth(tree: WeightedTree) -> int:
    return max(_branching(tree).depth.values())


class _Search:
    """The local search, over trees that lead away from their roots."""

    def __init__(self, trees: Sequence[WeightedTree], most_compared: int) -> None:
        self.parts = lcm(*(tree.weight.denominator for tree in trees))
        self.trees = [
            _Tree(
                int(tree.weight * self.parts), _Branching(tree.root, {path[-1]: path for path in tree.paths})
            )
            for tree in trees
        ]
        self.roots = [tree.root for tree in trees]
        self.most = MOST_TREES * len(trees)
        self.left = most_compared

    def improve(self) -> None:
        """Exchange hops until no exchange is worth it, the deepest first."""
        through: dict[int, set[tuple[int, int]]] = defaultdict(set)
        for number in range(len(self.trees)):
            self._list(through, number)
        improved = True
        while improved and self.left > 0:
            improved = False
            for number, v in self._deepest():
                if self.left <= 0:
                    break
                found = self._best(through, number, v)
                if found is not None:
                    self._exchange(through, number, v, *found)
                    improved = True

    def _deepest(self) -> list[tuple[int, int]]:
        hops = [
            (-tree.weight * tree.branching.depth[v], number, v)
            for number, tree in enumerate(self.trees)
            for v in tree.branching.into
        ]
        return [(number, v) for _, number, v in sorted(hops)]

    def _best(
        self, through: dict[int, set[tuple[int, int]]], number: int, v: int
    ) -> tuple[int, int, int] | None:
        """Return the hop with which an exchange is worth most, and the node behind which both stay."""
        one = self.trees[number].branching
        best: tuple[int, int, int, int] | None = None
        path, full = one.into[v], len(self.trees) >= self.most
        for joint in path[1:]:
            for other_number, w in through[joint]:
                other = self.trees[other_number].branching
                self.left -= 1
                parent = other.into[w][0]
                if parent == path[0] or one.depth[parent] >= one.depth[path[0]]:
                    continue
                weights = self.trees[number].weight, self.trees[other_number].weight
                if full and weights[0] != weights[1]:
                    continue
                change, also = one.change(v, parent), other.change(w, path[0])
                if change is None or also is None or change + also >= 0:
                    continue
                found = min(weights) * (change + also), other_number, w, joint
                if (best is None or found < best) and _simple(path, other.into[w], joint):
                    best = found
        return None if best is None else best[1:]

    def _exchange(
        self,
        through: dict[int, set[tuple[int, int]]],
        number: int,
        v: int,
        other_number: int,
        w: int,
        joint: int,
    ) -> None:
        """Exchange two hops behind a node, for the smaller of the weights of their trees."""
        one, other = self.trees[number], self.trees[other_number]
        for larger, smaller, root in ((one, other, number), (other, one, other_number)):
            if larger.weight > smaller.weight:
                self.trees.append(_Tree(larger.weight - smaller.weight, larger.branching))
                self.roots.append(self.roots[root])
                larger.weight = smaller.weight
                self._list(through, len(self.trees) - 1)
        crossed = _crossed(one.branching.into[v], other.branching.into[w], joint)
        for place, node, path in ((number, v, crossed[0]), (other_number, w, crossed[1])):
            branching = self.trees[place].branching
            for passed in branching.into[node][1:]:
                through[passed].discard((place, node))
            for passed in path[1:]:
                through[passed].add((place, node))
            self.trees[place].branching = _Branching(branching.root, {**branching.into, node: path})

    def _list(self, through: dict[int, set[tuple[int, int]]], number: int) -> None:
        """List the hops of a tree under all nodes that they enter."""
        for v, path in self.trees[number].branching.into.items():
            for passed in path[1:]:
                through[passed].add((number, v))

    def result(self) -> Sequence[WeightedTree]:
        """Return the trees, those that became equal as one."""
        weights: dict[WeightedTree, int] = defaultdict(int)
        for root, tree in zip(self.roots, self.trees, strict=True):
            hops = tree.branching
            weights[WeightedTree(root, Fraction(1), tuple(hops.into[v] for v in hops.order[1:]))] += (
                tree.weight
            )
        return [replace(tree, weight=Fraction(weight, self.parts)) for tree, weight in weights.items()]


def _crossed(path: Path, other: Path, joint: int) -> tuple[Path, Path]:
    """Return both paths with what is before the joint exchanged."""
    at, there = path.index(joint), other.index(joint)
    return other[:there] + path[at:], path[:at] + other[there:]


def _simple(path: Path, other: Path, joint: int) -> bool:
    return all(len(set(made)) == len(made) for made in _crossed(path, other, joint))
