"""The spanning trees of an allreduce that attain the strength of a network (`..bounds.strength`)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import gcd

from schedsolve.network.graph import Network

from ..bounds.strength import strength
from ..rules.schedule import PipelinedSchedule, WeightedTree
from .packing import pack_trees

MOST_CENTERS = 400
"""How many nodes are looked at for the one from which the farthest is nearest."""


def spanning_trees(network: Network) -> Iterator[PipelinedSchedule | None]:
    """Trees by which an allreduce takes the least time, which is 1 / strength; None while they are made.

    Every tree is there in both directions, so that it loads each of its links once.
    """
    found = strength(network)
    root = center(network)
    charges = found.charges
    charges.collect((root,), charges.most)
    links = {(u, v): share for v, at in enumerate(charges.at) for u, share in at.items() if share}
    common = gcd(charges.most, *links.values())
    copies = charges.most // common
    capacities = {link: share // common for link, share in links.items()}
    trees = []
    for tree in pack_trees(network.compute_nodes, capacities, {root: copies}):
        if isinstance(tree, float):
            yield None
        else:
            out = WeightedTree(root, Fraction(tree.copies, copies), tuple(tree.links))
            trees.append(WeightedTree(root, out.weight, out.paths, out.turned().inward))
    yield PipelinedSchedule(1 / found.rate, tuple(trees))


def center(network: Network) -> int:
    """Return the first node from which the farthest is nearest; in a large network one near it, perhaps.

    A node is as far from the farthest as it is from any. Nodes that are far from others tell which to look
    at next: those that may still be nearer to all than the best so far.

    References
    ----------
    Takes, Kosters 2013 (Algorithms 6), for bounds on all nodes by distances from a few.
    """
    backwards = network.reversed()
    least = dict.fromkeys(network.compute_nodes, 0)
    best = (network.node_count, -1)
    for _ in range(MOST_CENTERS):
        v = min(least, key=lambda u: (least[u], u))
        if (least[v], v) >= best:
            break
        distances = [d or 0 for d in network.distances_from([v])]
        least[v] = max(distances)
        best = min(best, (least[v], v))
        to_farthest = backwards.distances_from([distances.index(least[v])])
        for u in least:
            least[u] = max(least[u], to_farthest[u] or 0)
    return best[1]
