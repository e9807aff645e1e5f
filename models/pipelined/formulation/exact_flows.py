"""Flows in fractions from a corner that a float solver found.

The links that carry something, source by source, hold a spanning tree and some extra links. What the extra
links carry determines the tree, so that only they are unknown; at a corner the links that are used up to
their limit determine them, once the time is known.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import lcm

from schedsolve.modelkit.formulas.exact_equations import solve_exactly
from schedsolve.network.graph import Network

from ..rules.demand import Link
from ..rules.orbits import Orbits

Flows = dict[int, dict[Link, Fraction]]

ROUGH = 10**4
"""The largest denominator of amounts that are only near."""


def exact_flows(
    network: Network,
    orbits: Orbits,
    units: Mapping[int, Mapping[int, int]],
    about: Mapping[int, Mapping[Link, float]],
    full: Collection[Link],
    time: Fraction,
) -> Flows | None:
    """Return the flows of an alltoall on the given support, in fractions.

    They carry something just where the given ones do, and use the full links up to the limit in this time;
    None unless there is one solution with nothing below 0.

    units: what every source sends to others. about: by source and link what it carries, above 0; the sources
    stand for their orbits. full: the first links of their orbits.
    """
    trees = {s: _SourceTree(network, s, flow, units[s]) for s, flow in about.items()}
    if not all(tree.spans for tree in trees.values()):
        return None
    extras = [(s, link) for s, tree in trees.items() for link in tree.extras]
    number = {first: i for i, first in enumerate(full)}
    rows = [[0] * len(extras) for _ in full]
    used = [0] * len(number)
    for j, (s, extra) in enumerate(extras):
        for link, sign in trees[s].circle(extra):
            i = number.get(orbits.link[link])
            if i is not None:
                rows[i][j] += sign * orbits.node_count[orbits.node[s]]
    for s, tree in trees.items():
        for link, amount in tree.amounts({}).items():
            i = number.get(orbits.link[link])
            if i is not None:
                used[i] += int(amount) * orbits.node_count[orbits.node[s]]
    limits = [time * orbits.link_count[first] * Fraction(network.bandwidth_of[first]) for first in full]
    scale = lcm(*(limit.denominator for limit in limits))
    right = [int((limit - x) * scale) for limit, x in zip(limits, used, strict=True)]
    solution = solve_exactly(rows, right) if extras else []
    if solution is None:
        return None
    by_source: dict[int, dict[Link, Fraction]] = {s: {} for s in trees}
    for (s, link), x in zip(extras, solution, strict=True):
        by_source[s][link] = x / scale
    flows = {s: tree.amounts(by_source[s]) for s, tree in trees.items()}
    if any(x < 0 for flow in flows.values() for x in flow.values()):
        return None
    return {s: {link: x for link, x in flow.items() if x} for s, flow in flows.items()}


def rounded_flows(
    network: Network, units: Mapping[int, Mapping[int, int]], about: Mapping[int, Mapping[Link, float]]
) -> Flows:
    """Flows in fractions near the given ones that conserve exactly; none when some amount fell below 0.

    units: what every source sends to others.
    """
    flows: Flows = {}
    for s, flow in about.items():
        tree = _SourceTree(network, s, flow, units[s])
        if not tree.spans:
            return {}
        extras = {link: Fraction(flow[link]).limit_denominator(ROUGH) for link in tree.extras}
        flows[s] = {link: x for link, x in tree.amounts(extras).items() if x}
    return flows if all(x > 0 for flow in flows.values() for x in flow.values()) else {}


class _SourceTree:
    """The links that carry something of one source's flow.

    A tree in which every node is reached by the link that carries most, as far as that goes, and the extras.
    """

    def __init__(
        self, network: Network, source: int, flow: Mapping[Link, float], units: Mapping[int, int]
    ) -> None:
        self.network, self.source, self.units = network, source, units
        leaving: dict[int, list[int]] = {}
        for u, v in flow:
            leaving.setdefault(u, []).append(v)
        self.parent: dict[int, int] = {}
        self.order = [source]
        heap = [(-flow[source, v], source, v) for v in leaving.get(source, ())]
        heapify(heap)
        while heap:
            _, u, v = heappop(heap)
            if v not in self.parent and v != source:
                self.parent[v] = u
                self.order.append(v)
                for w in leaving.get(v, ()):
                    heappush(heap, (-flow[v, w], v, w))
        self.extras = [(u, v) for u, v in flow if self.parent.get(v) != u]
        reached = set(self.order)
        self.spans = reached.issuperset(units) and all(u in reached for u, _ in flow)

    def circle(self, extra: Link) -> list[tuple[Link, int]]:
        """Return what changes with every unit on an extra link.

        It carries 1 more, and the tree more to its start and less to its end.
        """
        u, v = extra
        return [
            (extra, 1),
            *((link, 1) for link in self._way_to(u)),
            *((link, -1) for link in self._way_to(v)),
        ]

    def _way_to(self, v: int) -> list[Link]:
        way = []
        while v != self.source:
            way.append((self.parent[v], v))
            v = self.parent[v]
        return way

    def amounts(self, extras: Mapping[Link, Fraction]) -> dict[Link, Fraction]:
        """Return what every link carries when the extras carry so much."""
        amounts = dict(extras)
        needed = {v: Fraction(self.units.get(v, 0)) for v in self.order}
        for (u, v), x in extras.items():
            needed[u] += x
            needed[v] -= x
        for v in reversed(self.order[1:]):
            amounts[self.parent[v], v] = needed[v]
            needed[self.parent[v]] += needed[v]
        return amounts
