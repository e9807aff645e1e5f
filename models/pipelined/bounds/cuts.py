"""The largest rates that no cut forbids: Dinkelbach's steps on minimum cuts with whole capacities.

Trees (allgather, broadcast): every root sends its unit to all compute nodes. A set S of nodes that misses a
compute node lets out at most its bandwidth B+(S) in a unit of time, and every unit whose root is in S must
get out: roots in S times the rate <= B+(S). One flow (scatter, gather): likewise with the units that must
cross.

Source: Zhao et al., ForestColl (arXiv 2402.06787), for the cuts and their optimality; Dinkelbach 1967 for the
steps: each violated cut gives a smaller rate, until none is violated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from schedsolve.backends.max_flow import MaximumFlows
from schedsolve.modelkit.formulas.flows import RootedFlows
from schedsolve.network.graph import Network

from ..claims.existence import LOOKS_DEPTH_FIRST, in_turn
from ..rules.demand import Link, bandwidth_across, whole_bandwidths

FIRST_LOOKS = LOOKS_DEPTH_FIRST + 32
"""How often all nodes are looked at for paths of any length; after that the paths are to be short."""
FEWEST_NEAR, LINKS_A_NODE = 50, 20
"""How many nodes are looked at for short paths: so many, and one more for so many links.

About as long as the solver takes for a flow.
"""


@dataclass(frozen=True)
class Bottleneck:
    """rate: the largest number of units of every root in a unit of time that no cut forbids.

    Attributes
    ----------
    nodes
        A set of nodes whose cut allows no more.
    """

    rate: Fraction
    nodes: frozenset[int]

    @property
    def time(self) -> Fraction:
        """Of one unit of every root."""
        return 1 / self.rate


def tree_bottleneck(network: Network, roots: Mapping[int, int]) -> Bottleneck:
    """Return the bottleneck of sending units from the roots to all compute nodes.

    Parameters
    ----------
    network
        The network.
    roots
        How many units start at a compute node; at least one unit, and at least two compute nodes that all
        reach each other as needed (else some cut has no bandwidth and a ZeroDivisionError follows).
    """
    return _tree_bottleneck(network, tuple(roots.items()))


@lru_cache(maxsize=4)
def _tree_bottleneck(network: Network, units: tuple[tuple[int, int], ...]) -> Bottleneck:
    """Return `tree_bottleneck`, which the bounds and the search for trees ask for."""
    roots = dict(units)
    nodes, rate = _narrowest_end(network, roots)
    flows = _TreeFlows(network, roots, rate)
    for v in in_turn(network, roots, lambda: flows.looked_at):
        while True:
            smaller = flows.violated(rate, v)
            if smaller is None:
                break
            nodes = smaller
            rate = _tree_rate(network, roots, nodes)
    return Bottleneck(rate, nodes)


def _tree_rate(network: Network, roots: Mapping[int, int], nodes: frozenset[int]) -> Fraction:
    """Return the largest rate that the cut of the nodes, which has roots, allows."""
    return bandwidth_across(network, nodes) / sum(k for v, k in roots.items() if v in nodes)


def _narrowest_end(network: Network, roots: Mapping[int, int]) -> tuple[frozenset[int], Fraction]:
    """Return the best of the cuts that leave out a single compute node."""
    units, bandwidth = sum(roots.values()), network.bandwidth_of
    rate, end = min(
        (Fraction(sum(bandwidth[u, v] for u in network.predecessors[v])) / (units - roots.get(v, 0)), v)
        for v in network.compute_nodes
        if any(r != v for r in roots)
    )
    return frozenset(range(network.node_count)) - {end}, rate


class _TreeFlows:
    """Flows from a super source, which feeds every root at the rate, to one compute node after the other.

    The nodes that are known to get enough join the source: a cut that leaves out one of them needs no other
    look. Most get enough over short paths from those next to them; the solver decides on the others.
    """

    def __init__(self, network: Network, roots: Mapping[int, int], rate: Fraction) -> None:
        self.roots, self.units = roots, sum(roots.values())
        self.unit, self.whole = whole_bandwidths(network)
        self.source = network.node_count
        self.merged: list[int] = []
        self.entry = {v: len(self.whole) + i for i, v in enumerate(network.compute_nodes)}
        self.arcs: list[Link] = [*self.whole, *((self.source, v) for v in self.entry)]
        self._set_rate(rate)

    def violated(self, rate: Fraction, sink: int) -> frozenset[int] | None:
        """Return a cut between the nodes that were merged and the sink that forbids the rate.

        None if there is none; then the sink is merged.
        """
        if rate != self.rate:
            self._set_rate(rate)
        left = FIRST_LOOKS * self.source - self.looked_at
        most = max(left, FEWEST_NEAR + len(self.whole) // LINKS_A_NODE)
        if not self.near.spread_to(sink, self.needed, most):
            if self.flows.value(self.source, sink) < self.needed:
                return self.flows.source_side() - {self.source}
            self.near.join(sink)
        self.merged.append(sink)
        self.flows.set_capacity(self.entry[sink], self.largest)
        return None

    @property
    def looked_at(self) -> int:
        """How many nodes the search for short paths has looked at, for the present rate."""
        return self.near.looked_at

    def _set_rate(self, rate: Fraction) -> None:
        self.rate = rate
        # With bandwidths times unit, and all times the rate's denominator, everything is whole.
        rate *= self.unit
        capacities = [c * rate.denominator for c in self.whole.values()]
        self.needed = self.units * rate.numerator
        self.largest = max(self.needed, *capacities)
        capacities += [self.roots.get(v, 0) * rate.numerator for v in self.entry]
        self.near = RootedFlows(self.source + 1, self.arcs, capacities, [self.source, *self.merged])
        for v in self.merged:
            capacities[self.entry[v]] = self.largest
        tails, heads = [u for u, _ in self.arcs], [v for _, v in self.arcs]
        self.flows = MaximumFlows(tails, heads, capacities, self.largest)


def single_bottleneck(network: Network, root: int, out: bool) -> tuple[Bottleneck, dict[Link, Fraction]]:
    """Return the bottleneck of one unit between the root and every other compute node, and a flow.

    One goes from the root to each (out), or from each to the root; the flow in a unit of time attains it.
    """
    others = [v for v in network.compute_nodes if v != root]
    source, sink = (root, network.node_count) if out else (network.node_count, root)
    nodes = frozenset({root} if out else range(network.node_count)) - (frozenset() if out else {root})
    unit, bandwidths = whole_bandwidths(network)
    arcs = [*bandwidths, *((v, sink) if out else (source, v) for v in others)]
    while True:
        crossing = sum((v not in nodes) == out for v in others)
        rate = bandwidth_across(network, nodes) / crossing
        whole = rate * unit
        capacities = [c * whole.denominator for c in bandwidths.values()]
        capacities += [whole.numerator] * len(others)
        flows = MaximumFlows([u for u, _ in arcs], [v for _, v in arcs], capacities, max(capacities))
        if flows.value(source, sink) == whole.numerator * len(others):
            scale = whole.denominator * unit
            carried = zip(bandwidths, flows.flow(), strict=False)
            return Bottleneck(rate, nodes), {link: Fraction(x, scale) for link, x in carried if x}
        nodes = flows.source_side() - {network.node_count}
