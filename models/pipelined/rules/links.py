"""The links of a machine, as the pipelined model sees them: directed, with bandwidths, between compute nodes and
switches.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

Link = tuple[int, int]
Number = int | Fraction


@dataclass(frozen=True)
class Links:
    """node_count: nodes are 0..node_count-1. compute: the nodes that are no switches, ascending.
    bandwidths: of every link (from, to), above 0: units of data in a unit of time.
    """

    node_count: int
    compute: tuple[int, ...]
    bandwidths: Mapping[Link, Number]

    @cached_property
    def switches(self) -> frozenset[int]:
        """The nodes that only forward."""
        return frozenset(range(self.node_count)) - frozenset(self.compute)

    @cached_property
    def unit(self) -> int:
        """The least number that makes all bandwidths whole."""
        return lcm(*(Fraction(b).denominator for b in self.bandwidths.values()))

    @cached_property
    def capacities(self) -> dict[Link, int]:
        """The bandwidths times `unit`."""
        return {link: int(b * self.unit) for link, b in self.bandwidths.items()}

    def leaving(self, nodes: Collection[int]) -> list[Link]:
        """The links from the nodes to others."""
        return [(u, v) for u, v in self.bandwidths if u in nodes and v not in nodes]

    def bandwidth_of(self, links: Iterable[Link]) -> Fraction:
        """The sum of the links' bandwidths."""
        return sum((Fraction(self.bandwidths[link]) for link in links), Fraction(0))

    def unbalanced_switches(self) -> list[int]:
        """The switches with more bandwidth on one side than on the other, ascending."""
        surplus = dict.fromkeys(self.switches, Fraction(0))
        for (u, v), b in self.bandwidths.items():
            if u in surplus:
                surplus[u] -= b
            if v in surplus:
                surplus[v] += b
        return sorted(w for w, rest in surplus.items() if rest)
