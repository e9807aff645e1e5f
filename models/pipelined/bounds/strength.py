"""The strength of an undirected network, and a packing of spanning trees that attains it.

Networks without switches whose links have the same bandwidth in both directions. Spanning trees of total
weight k fit into the bandwidths if and only if every partition into K groups has bandwidth k (K - 1) between
its groups (Tutte 1961, Nash-Williams 1961). The largest such k is the strength.

Steps, for a k that some partition does not exceed:

1. Edge after edge takes as much of its bandwidth as leaves every set S of nodes with k (|S| - 1) inside at
   most. The bounds are those of a polymatroid, so that the order does not matter for the total.
2. Where an edge cannot take all, a set that holds both its ends is full. Full sets that meet have a full
   union; edges between the last ones are taken whole.
3. If these sets are K groups, k (n - 1) is taken in all if and only if k (K - 1) is between them. Otherwise
   they are a partition with less, which gives the next k (Cunningham 1985).

For step 1 what is taken is charged to the ends of the edges, k to every node at most; a new edge can take
what its two ends have left beyond k, when all charges are moved on to other nodes as far as they go (the
pebble game of Lee and Streinu 2008, with amounts).

In the end every node but one has a charge of k, and that one none. Charges are links into their nodes. A set
S without the root has k |S| charged to its nodes, of which k (|S| - 1) at most are for edges inside, so that
k enter it, and trees out of the root can be packed as Edmonds' theorem says.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from schedsolve.modelkit.problem import Problem
from schedsolve.network.graph import Network
from schedsolve.network.groups import bandwidth_between

from ..rules.demand import Link, whole_bandwidths


@dataclass(frozen=True)
class Strength:
    """The strength of a network.

    Attributes
    ----------
    rate
        The total weight of spanning trees that fit into the bandwidths.
    groups
        A partition of the nodes into K groups with bandwidth rate x (K - 1) between them.
    charges
        What every node is charged, by edge.
    """

    rate: Fraction
    groups: Sequence[frozenset[int]]
    charges: Charges


class Charges:
    """Shares of the edges' bandwidths, each charged to the ends of its edge.

    Attributes
    ----------
    most
        What a node is charged at most.
    left
        By node, what it is charged less than that.
    at
        By node and neighbor, what of the edge between them is charged to the node.
    """

    def __init__(self, node_count: int, most: int) -> None:
        self.most = most
        self.left = [most] * node_count
        self.at: list[dict[int, int]] = [{} for _ in range(node_count)]

    def collect(self, ends: Sequence[int], wanted: int) -> set[int] | None:
        """Move charges away from the ends of an edge until they have so much left together.

        None when they have; otherwise the nodes that charges can get to, which have nothing left but at the
        ends.
        """
        while (missing := wanted - sum(self.left[v] for v in ends)) > 0:
            way = self._way(ends)
            if isinstance(way, set):
                return way
            amount = min(missing, self.left[way[-1]], *(self.at[x][y] for x, y in pairwise(way)))
            for x, y in pairwise(way):
                self.at[x][y] -= amount
                self.at[y][x] = self.at[y].get(x, 0) + amount
            self.left[way[0]] += amount
            self.left[way[-1]] -= amount
        return None

    def _way(self, ends: Sequence[int]) -> list[int] | set[int]:
        """Return the shortest way along which a charge can move to a node that has something left.

        All nodes that are reached when there is none.
        """
        before: dict[int, int] = dict.fromkeys(ends, -1)
        queue = deque(ends)
        while queue:
            x = queue.popleft()
            for y, charge in self.at[x].items():
                if charge and y not in before:
                    before[y] = x
                    if self.left[y]:
                        way = [y]
                        while before[way[-1]] >= 0:
                            way.append(before[way[-1]])
                        return way[::-1]
                    queue.append(y)
        return set(before)

    def charge(self, u: int, v: int, amount: int) -> None:
        """Charge an amount of an edge to its ends, which have as much left."""
        for x, y, share in ((u, v, min(amount, self.left[u])), (v, u, amount - min(amount, self.left[u]))):
            self.left[x] -= share
            self.at[x][y] = self.at[x].get(y, 0) + share


def goes_both_ways(problem: Problem) -> bool:
    """Whether an allreduce may as well use one tree both to its root and from it.

    It does so among all compute nodes, in any order of them, with links of the same bandwidth in both
    directions, through switches that do not copy. Then half of a tree of sums T and half of what goes out
    along T', each used in both directions, load a link with the mean of what T and T' load it and its reverse
    with.
    """
    bandwidths = problem.network.bandwidth_of
    if problem.task != "allreduce" or {"ordered", "switches_copy", "ranks"} & set(problem.parameters):
        return False
    return all(bandwidths.get((v, u)) == b for (u, v), b in bandwidths.items())


def has_strength(problem: Problem) -> bool:
    """Whether the strength is the rate of a problem: one that goes both ways, without switches."""
    return goes_both_ways(problem) and not problem.network.switches


def strength(network: Network) -> Strength:
    """Return the strength of a connected network of two nodes or more (see `has_strength`).

    References
    ----------
    Cunningham 1985, Optimal attack and reinforcement of a network.
    """
    unit, whole = whole_bandwidths(network)
    groups: Sequence[frozenset[int]] = [frozenset({v}) for v in range(network.node_count)]
    while True:
        rate = bandwidth_between(network, groups, inward=True) / (2 * (len(groups) - 1))
        scaled = rate * unit
        edges = {link: b * scaled.denominator for link, b in whole.items() if link[0] < link[1]}
        charges, full = _charged(network.node_count, edges, scaled.numerator)
        if sum(charges.left) == charges.most:
            return Strength(rate, groups, charges)
        groups = full


def _charged(
    node_count: int, edges: Mapping[Link, int], most: int
) -> tuple[Charges, Sequence[frozenset[int]]]:
    """Charge the edges as far as they go; return the charges, and the full sets with the nodes in none."""
    charges = Charges(node_count, most)
    group_of = [{v} for v in range(node_count)]
    for (u, v), capacity in edges.items():
        if group_of[u] is group_of[v]:
            continue
        full = charges.collect((u, v), most + capacity)
        charges.charge(u, v, min(capacity, charges.left[u] + charges.left[v] - most))
        if full is not None:
            union = set().union(*(group_of[w] for w in full))
            for w in union:
                group_of[w] = union
    return charges, list({id(group): frozenset(group) for group in group_of}.values())
