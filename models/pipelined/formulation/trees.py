"""Allgather and broadcast.

The trees that attain the bottleneck's rate, from the minimum cuts to paths through switches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd

from schedsolve.network.graph import Network

from ..rules.demand import whole_bandwidths
from ..rules.schedule import Path, PipelinedSchedule, WeightedTree
from .packing import Tree, pack_trees
from .program_ways import split
from .splitting import Logical, without_switches


def packed_trees(
    network: Network, roots: Mapping[int, int], time: Fraction
) -> Iterator[PipelinedSchedule | float]:
    """Trees by which the units of every root get to all compute nodes in the time, which no cut forbids.

    roots: how many units each has. While the trees are made, the share of their links that is known is
    yielded, the schedule at the end; nothing after the last 0 when a switch cannot be removed.
    """
    unit, bandwidths = whole_bandwidths(network)
    rate = unit / time
    capacities = {link: b * rate.denominator for link, b in bandwidths.items()}
    common = gcd(rate.numerator, *capacities.values())
    copies = rate.numerator // common
    capacities = {link: c // common for link, c in capacities.items()}
    needed = {root: copies * units for root, units in roots.items()}
    logical: Logical | None = None
    for links in without_switches(network.compute_nodes, network.switches, capacities, needed):
        yield 0.0
        logical = links
    if logical is None:
        return
    trees: list[WeightedTree] = []
    for tree in pack_trees(network.compute_nodes, logical.capacities, needed):
        if isinstance(tree, float):
            yield tree
        else:
            trees += _through_switches(tree, logical, copies)
    yield PipelinedSchedule(time, tuple(_merged(trees)))


def _through_switches(tree: Tree, logical: Logical, copies: int) -> Iterator[WeightedTree]:
    """Yield the tree over paths through switches; several trees where a link of it takes several paths."""
    bundles = {
        link: [(path, Fraction(share, copies)) for path, share in logical.take(link, tree.copies)]
        for link in tree.links
    }
    yield from split(WeightedTree(tree.root, Fraction(tree.copies, copies), tuple(tree.links)), bundles)


def _merged(trees: Sequence[WeightedTree]) -> Iterator[WeightedTree]:
    """Trees of the same paths as one."""
    weights: dict[tuple[int, tuple[Path, ...]], Fraction] = {}
    for tree in trees:
        key = tree.root, tree.paths
        weights[key] = weights.get(key, Fraction(0)) + tree.weight
    for (root, paths), weight in weights.items():
        yield WeightedTree(root, weight, paths)
