"""The largest rates that no cut forbids: Dinkelbach's steps on minimum cuts with whole capacities.

Trees (allgather, broadcast): every root sends its unit to all compute nodes. A set S of nodes that misses a compute
node lets out at most its bandwidth B+(S) in a unit of time, and every unit whose root is in S must get out:
roots in S times the rate <= B+(S). One flow (scatter, gather): likewise with the units that must cross.

Source: Zhao et al., ForestColl (arXiv 2402.06787), for the cuts and their optimality; Dinkelbach 1967 for the
steps: each violated cut gives a smaller rate, until none is violated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from schedsolve.backends.max_flow import MaximumFlows

from ..rules.links import Link, Links


@dataclass(frozen=True)
class Bottleneck:
    """rate: the largest number of units of every root in a unit of time that no cut forbids. nodes: a set of nodes
    whose cut allows no more.
    """

    rate: Fraction
    nodes: frozenset[int]

    @property
    def time(self) -> Fraction:
        """Of one unit of every root."""
        return 1 / self.rate


def tree_bottleneck(links: Links, roots: Mapping[int, int]) -> Bottleneck:
    """The bottleneck of sending units from the roots to all compute nodes.

    roots: how many units start at a compute node; at least one unit, and at least two compute nodes that all reach
    each other as needed (else some cut has no bandwidth and a ZeroDivisionError follows).
    """
    nodes, rate = _narrowest_end(links, roots)
    order = sorted(links.compute, key=lambda v: v not in roots)
    flows = _TreeFlows(links, roots)
    for v in order:
        while True:
            smaller = flows.violated(rate, v)
            if smaller is None:
                break
            nodes = smaller
            rate = _tree_rate(links, roots, nodes)
        flows.merge(v)
    return Bottleneck(rate, nodes)


def _tree_rate(links: Links, roots: Mapping[int, int], nodes: frozenset[int]) -> Fraction:
    """The largest rate that the cut of the nodes, which has roots, allows."""
    return links.bandwidth_of(links.leaving(nodes)) / sum(k for v, k in roots.items() if v in nodes)


def _narrowest_end(links: Links, roots: Mapping[int, int]) -> tuple[frozenset[int], Fraction]:
    """The best of the cuts that leave out a single compute node."""
    everything = frozenset(range(links.node_count))
    cuts = [everything - {v} for v in links.compute if any(r != v for r in roots)]
    rates = [(_tree_rate(links, roots, nodes), i) for i, nodes in enumerate(cuts)]
    rate, i = min(rates)
    return cuts[i], rate


class _TreeFlows:
    """Flows from a super source, which feeds every root at the rate, to one compute node after the other. The nodes
    that are known to get enough join the source: a cut that leaves out one of them needs no other look.
    """

    def __init__(self, links: Links, roots: Mapping[int, int]) -> None:
        self.links, self.roots = links, roots
        self.source = links.node_count
        self.merged: set[int] = set()
        self.arcs: list[Link] = [*links.capacities, *((self.source, v) for v in links.compute)]
        self.rate = Fraction(0)

    def violated(self, rate: Fraction, sink: int) -> frozenset[int] | None:
        """A cut between the nodes that were merged and the sink that forbids the rate; None if there is none."""
        if rate != self.rate:
            self._set_rate(rate)
        if self.flows.value(self.source, sink) >= self.needed:
            return None
        return self.flows.source_side() - {self.source}

    def merge(self, v: int) -> None:
        """Count a node among the sources from now on."""
        self.merged.add(v)
        if self.rate:
            self.flows.set_capacity(self._entry(v), self.largest)

    def _entry(self, v: int) -> int:
        """The number of the arc from the super source."""
        return len(self.links.capacities) + self.links.compute.index(v)

    def _set_rate(self, rate: Fraction) -> None:
        self.rate = rate
        # With bandwidths times unit, and all times the rate's denominator, everything is whole.
        whole = rate * self.links.unit
        capacities = [c * whole.denominator for c in self.links.capacities.values()]
        self.needed = sum(self.roots.values()) * whole.numerator
        self.largest = max(self.needed, *capacities)
        capacities += [
            self.largest if v in self.merged else self.roots.get(v, 0) * whole.numerator
            for v in self.links.compute
        ]
        self.flows = MaximumFlows(
            [u for u, _ in self.arcs], [v for _, v in self.arcs], capacities, self.largest
        )


def single_bottleneck(links: Links, root: int, out: bool) -> tuple[Bottleneck, dict[Link, Fraction]]:
    """The bottleneck of one unit from the root to every other compute node (out), or of one from each of them to the
    root, and the flow in a unit of time that attains it.
    """
    others = [v for v in links.compute if v != root]
    source, sink = (root, links.node_count) if out else (links.node_count, root)
    nodes = frozenset({root} if out else range(links.node_count)) - (frozenset() if out else {root})
    arcs = [*links.capacities, *((v, sink) if out else (source, v) for v in others)]
    while True:
        crossing = sum((v not in nodes) == out for v in others)
        rate = links.bandwidth_of(links.leaving(nodes)) / crossing
        whole = rate * links.unit
        capacities = [c * whole.denominator for c in links.capacities.values()]
        capacities += [whole.numerator] * len(others)
        flows = MaximumFlows([u for u, _ in arcs], [v for _, v in arcs], capacities, max(capacities))
        if flows.value(source, sink) == whole.numerator * len(others):
            scale = whole.denominator * links.unit
            carried = zip(links.capacities, flows.flow(), strict=False)
            return Bottleneck(rate, nodes), {link: Fraction(x, scale) for link, x in carried if x}
        nodes = flows.source_side() - {links.node_count}
