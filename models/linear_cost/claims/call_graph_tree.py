"""All sequences of call graphs of a small network, as a tree, and what bounds the cost below a prefix of one.

A call graph says which links are used in a round. Only the maximal ones matter, as a link more never hurts,
and only links from informed nodes to others than the source carry anything. Prefixes that an automorphism of
the network maps to each other, keeping the source, cost the same, so of the continuations of a prefix one is
kept for every orbit of the automorphisms that keep the prefix.

Two kinds of evidence bound the cost l_1 + .. + l_R of every broadcast that begins with the call graphs of a
prefix:

- Cuts. A cut says when every node crosses over to the source's side: the source at time 0, and at least one
  node never, which is written R + 1. What the nodes of the far side own in the end has crossed: the message,
  of measure 1. In round t it crosses from nodes on the near side after round t - 1 to nodes on the far side
  after round t, by arcs of the round's call graph, each of which carries l_t at most. So for multipliers of
  cuts the sum of the multipliers is at most the sum over the rounds of l_t times the load of the round: the
  multipliers of the cuts that its arcs cross, added up. Where no round has a load above 1, whichever call
  graphs follow the prefix, the multipliers prove their own sum.
- Prices, when the prefix has all rounds. The first receipts of a bit form an arborescence over time. Prices
  of the arcs that add up to at most 1 in every round prove the least price of an arborescence, which is found
  here by going through all sets of informed nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm

from schedsolve.modelkit.problem import Problem
from schedsolve.network.automorphisms import automorphisms, is_automorphism
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import SchedsolveError

from ..rules import rounds_allowed

Arc = tuple[int, int]
CallGraph = tuple[Arc, ...]
"""The arcs that can carry something, sorted."""
TimedArc = tuple[int, int, int]
"""Round, from 1, sender, receiver."""
Cut = tuple[int, ...]
"""For every node the round after which it is on the source's side."""

MOST_NODES = 10
MOST_CALL_GRAPHS = 20_000
"""Call graphs of one round beyond which the tree is not looked at."""
MOST_AUTOMORPHISMS = 5040


class TooManyCallGraphsError(SchedsolveError, ValueError):
    """A round has more maximal call graphs than are looked at."""


@dataclass(frozen=True)
class Prefix:
    """The call graphs of the first rounds.

    The nodes informed after them, as bits; the automorphisms that keep them all.
    """

    call_graphs: tuple[CallGraph, ...]
    informed: int
    group: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Setting:
    """What the tree depends on: the network, its source, K ports (weak or not) and R rounds."""

    network: Network
    source: int
    ports: int
    weak: bool
    rounds: int
    _graphs: dict[int, list[CallGraph]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, problem: Problem) -> Setting:
        """Return the setting of a problem."""
        return cls(
            problem.network,
            problem.sources[0],
            problem.parameters["ports"],
            bool(problem.parameters.get("weak_ports")),
            rounds_allowed(problem),
        )

    @cached_property
    def root(self) -> Prefix:
        """The prefix of no rounds."""
        images = automorphisms(self.network, fixing=((self.source,),), limit=MOST_AUTOMORPHISMS)
        group = tuple(g for g in images if g[self.source] == self.source and is_automorphism(self.network, g))
        return Prefix((), 1 << self.source, group)

    def call_graphs(self, informed: int) -> list[CallGraph]:
        """Return the maximal call graphs of a round before which these nodes are informed, sorted.

        Raises
        ------
        TooManyCallGraphsError
        """
        if informed not in self._graphs:
            arcs = [a for a in self.network.arcs if informed >> a[0] & 1 and a[1] != self.source]
            n = self.network.node_count
            if self.weak:
                items: list[tuple[Arc, ...]] = [((u, v),) for u, v in arcs]
                slots = [(u, n + v) for u, v in arcs]
            else:
                useful = set(arcs)
                links = sorted({(min(a), max(a)) for a in arcs})
                items = [tuple(a for a in (link, link[::-1]) if a in useful) for link in links]
                slots = list(links)
            chosen = maximal_choices(slots, self.ports, MOST_CALL_GRAPHS)
            self._graphs[informed] = sorted(tuple(sorted(a for i in c for a in items[i])) for c in chosen)
        return self._graphs[informed]

    def continuations(self, prefix: Prefix) -> Iterator[Prefix]:
        """Yield the prefixes of one round more, one of every orbit, in the order of their call graphs."""
        seen: set[CallGraph] = set()
        for graph in self.call_graphs(prefix.informed):
            if graph in seen:
                continue
            group = []
            for g in prefix.group:
                image = tuple(sorted((g[u], g[v]) for u, v in graph))
                if image == graph:
                    group.append(g)
                else:
                    seen.add(image)
            informed = prefix.informed
            for _, v in graph:
                informed |= 1 << v
            yield Prefix((*prefix.call_graphs, graph), informed, tuple(group))

    def is_cut(self, cut: Sequence[int]) -> bool:
        """Whether it begins with the source alone at time 0 and leaves somebody out until the end."""
        return (
            len(cut) == self.network.node_count
            and cut[self.source] == 0
            and max(cut) == self.rounds + 1
            and min(cut) >= 0
        )


def cuts_bound(setting: Setting, prefix: Prefix, weighted: Iterable[tuple[Cut, Fraction]]) -> Fraction:
    """Return what cuts with multipliers of at least 0 prove.

    Their sum, divided by the greatest load of a round where that is above 1.

    The load of a round is the sum over the arcs of its call graph, after the prefix of the heaviest call
    graph, of the multipliers of the cuts that the arc crosses.
    """
    chosen = list(weighted)
    scale = lcm(*(w.denominator for _, w in chosen))
    whole = [(cut, (w * scale).numerator) for cut, w in chosen]
    greatest = scale
    everybody = (1 << setting.network.node_count) - 1
    useful = [arc for arc in setting.network.arcs if arc[1] != setting.source]
    for t in range(1, setting.rounds + 1):
        now = t <= len(prefix.call_graphs)
        weight: dict[Arc, int] = {}
        for cut, w in whole:
            near = [x < t for x in cut]
            far = [x > t for x in cut]
            for arc in prefix.call_graphs[t - 1] if now else useful:
                if near[arc[0]] and far[arc[1]]:
                    weight[arc] = weight.get(arc, 0) + w
        for graph in (prefix.call_graphs[t - 1],) if now else setting.call_graphs(everybody):
            greatest = max(greatest, sum(weight.get(arc, 0) for arc in graph))
    return Fraction(sum(w for _, w in whole), greatest)


def prices_bound(setting: Setting, prefix: Prefix, prices: Mapping[TimedArc, Fraction]) -> Fraction:
    """Return what prices of arcs prove for a prefix of all rounds.

    The least price of an arborescence over time, divided by the greatest sum of a round where that is above
    1; R + 1 where there is no arborescence.
    """
    loads = [Fraction(0)] * (setting.rounds + 1)
    for t, graph in enumerate(prefix.call_graphs, 1):
        loads[t] = sum((prices.get((t, u, v), Fraction(0)) for u, v in graph), Fraction(0))
    found = cheapest_arborescence(setting, prefix, prices)
    return Fraction(setting.rounds + 1, 1) if found is None else found[0] / max(Fraction(1), *loads)


def cheapest_arborescence(
    setting: Setting, prefix: Prefix, prices: Mapping[TimedArc, Fraction | int]
) -> tuple[Fraction | int, tuple[TimedArc, ...]] | None:
    """Return the least price of an arborescence over time in a prefix of all rounds, and its sorted arcs.

    Among equal ones the first found, by going through all sets of informed nodes; None where some node cannot
    be reached.
    """
    known: dict[int, Fraction | int] = {1 << setting.source: 0}
    steps: list[dict[int, tuple[int, tuple[TimedArc, ...]]]] = []
    for t, graph in enumerate(prefix.call_graphs, 1):
        after = dict(known)
        step: dict[int, tuple[int, tuple[TimedArc, ...]]] = {}
        for informed, price in known.items():
            cheapest: dict[int, tuple[Fraction | int, TimedArc]] = {}
            for u, v in graph:
                if informed >> u & 1 and not informed >> v & 1:
                    x = prices.get((t, u, v), 0)
                    if v not in cheapest or x < cheapest[v][0]:
                        cheapest[v] = (x, (t, u, v))
            grown: list[tuple[int, Fraction | int, tuple[TimedArc, ...]]] = [(informed, price, ())]
            for v, (x, arc) in cheapest.items():
                grown += [(one | 1 << v, total + x, (*arcs, arc)) for one, total, arcs in grown]
            for one, total, arcs in grown:
                if one not in after or total < after[one]:
                    after[one] = total
                    step[one] = (informed, arcs)
        known = after
        steps.append(step)
    at = everybody = (1 << setting.network.node_count) - 1
    if everybody not in known:
        return None
    chosen: list[TimedArc] = []
    for step in reversed(steps):
        if at in step:
            at, arcs = step[at]
            chosen += arcs
    return known[everybody], tuple(sorted(chosen))


def maximal_choices(slots: Sequence[tuple[int, int]], capacity: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the maximal sets of items that fit into slots.

    Each item takes up a place in two slots, and every slot has `capacity` places.

    slots: the two of every item. Raises TooManyCallGraphsError beyond so many sets.
    """
    used: dict[int, int] = {slot: 0 for pair in slots for slot in pair}
    left = {slot: sum(slot in pair for pair in slots) for slot in used}
    chosen: list[int] = []
    count = 0

    def choose(i: int) -> Iterator[tuple[int, ...]]:
        nonlocal count
        if i == len(slots):
            if all(
                i in taken or used[a] >= capacity or used[b] >= capacity
                for taken in (set(chosen),)
                for i, (a, b) in enumerate(slots)
            ):
                count += 1
                if count > most:
                    raise TooManyCallGraphsError(f"a round has more than {most} maximal call graphs")
                yield tuple(chosen)
            return
        a, b = slots[i]
        left[a] -= 1
        left[b] -= 1
        if used[a] < capacity and used[b] < capacity:
            used[a] += 1
            used[b] += 1
            chosen.append(i)
            yield from choose(i + 1)
            chosen.pop()
            used[a] -= 1
            used[b] -= 1
        if used[a] + left[a] >= capacity or used[b] + left[b] >= capacity:
            yield from choose(i + 1)
        left[a] += 1
        left[b] += 1

    return choose(0)
