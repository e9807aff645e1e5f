"""Heuristic for gossip in any network: simulated annealing over the trails of every round.

In a round every edge lies on one trail. At each node that a trail reaches, the node either ends it or
continues it by another edge; a closed trail has no end. The two ends of a trail call each other along
it. So every combination of the nodes' choices yields edge-disjoint calls, and changing one choice
changes few of them.

Source: simulated annealing after Kirkpatrick, Gelatt and Vecchi (1983).
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce
from math import exp
from operator import or_

from schedsolve.modelkit.search import Effort
from schedsolve.network.graph import Network

from .flow_search import simple_path
from .gossip_search import gossip_through_centre
from .tree_broadcast import LineCall, Rounds

FIRST_RUN = 3000
"""The number of changes that the first run tries; it doubles with every run."""
HOT, COLD = 1.2, 0.3
"""The temperatures of a run at its start and end, in pairs (node, item) that a gossip lacks."""
ENDS, DROPPED = -1, -2
"""A trail ends at a node with a call, or without one because the node has no port left."""


def annealed_gossip(network: Network, ports: int | None, effort: Effort) -> Rounds:
    """Return a gossip whose calls are two-way, in an undirected network.

    It starts from a gossip through a centre and looks for one with one round less, as long as
    annealing finds one.

    Parameters
    ----------
    network
        A connected undirected network.
    ports
        The most calls of a round in which a node may take part; None for any number.
    effort
        The gossip through a centre is built in any case.
    """
    end = time.process_time() + effort.seconds
    generator = random.Random(effort.seed)
    best = gossip_through_centre(network, ports)
    while len(best) > max(effort.goal, 1):
        found = Annealing(network, ports, len(best) - 1, generator).gossip(end)
        if found is None:
            break
        best = found
    return best


@dataclass
class Annealing:
    """The search for a gossip in `rounds` >= 1 rounds, by runs that double in length.

    It can be resumed at any time. `trails` are those of every round; `known` is what all nodes know
    after 0, 1, ... rounds, as bit sets; `missing` is the number of pairs (node, item) that the gossip
    lacks. `changes` is the length of the current run and `made` the number of changes tried in it;
    they are equal at first, because only `gossip`, which watches the time, begins a run.
    """

    network: Network
    ports: int | None
    rounds: int
    generator: random.Random
    changes: int = FIRST_RUN // 2
    made: int = FIRST_RUN // 2
    temperature: float = HOT
    trails: list[Trails] = field(default_factory=list)
    known: list[list[int]] = field(default_factory=list)
    missing: int = 1

    def gossip(self, end: float) -> Rounds | None:
        """Return the gossip; None if the time `end` of the processor's clock comes before one is found."""
        while self.missing:
            if time.process_time() > end:
                return None
            if self.made == self.changes:
                self._begin(2 * self.changes)
            else:
                self._try_change()
        return [trails.calls() for trails in self.trails]

    def _begin(self, changes: int) -> None:
        """Begin a run of `changes` changes, from calls between neighbours."""
        n = self.network.node_count
        self.changes, self.made, self.temperature = changes, 0, HOT
        self.trails = [Trails.of(self.network, self.ports, self.generator) for _ in range(self.rounds)]
        start = [1 << v for v in range(n)]
        self.known = [start, *_spread(start, self.trails)]
        self.missing = n * n - sum(map(int.bit_count, self.known[-1]))

    def _try_change(self) -> None:
        """Change the trails at a node, and undo that if it increases `missing` too much."""
        t = self.generator.randrange(self.rounds)
        trails, before = self.trails[t], self.known[t]
        undo = trails.change(self.generator)
        after = self.known[t + 1].copy()
        for v in {trails.head[end] for end in undo.called}:
            after[v] = reduce(or_, [before[u] for u in trails.called[v]], before[v])
        later = [after, *_spread(after, self.trails[t + 1 :])]
        left = len(before) ** 2 - sum(map(int.bit_count, later[-1]))
        more = left - self.missing
        if more <= 0 or self.generator.random() < exp(-more / self.temperature):
            self.known[t + 1 :] = later
            self.missing = left
        else:
            trails.take_back(undo)
        self.made += 1
        self.temperature *= (COLD / HOT) ** (1 / self.changes)


def _spread(before: list[int], rounds: Iterable[Trails]) -> list[list[int]]:
    """Return what all nodes know after each of the rounds, as bit sets, given what they knew before."""
    known = []
    for trails in rounds:
        after = []
        for v, called in enumerate(trails.called):
            items = before[v]
            for u in called:
                items |= before[u]
            after.append(items)
        known.append(after)
        before = after
    return known


@dataclass
class Change:
    """The state before a change, by arc: how trails continued, and whom their ends called."""

    onward: dict[int, int]
    called: dict[int, int]


@dataclass
class Trails:
    """The trails of one round.

    Edge e is arc 2e in one direction and arc 2e + 1 in the other. head[a] is the node at which arc a
    arrives, arriving[v] lists the arcs that arrive at v, and place[a] is the index of a in the list
    of its head. onward[a] is the arc by which the trail that arrives by a continues, or ENDS or
    DROPPED. called[v] says, in the order of arriving[v], whom v calls by the trail that ends there; v
    itself if there is no such call.
    """

    ports: int | None
    head: list[int]
    place: list[int]
    arriving: list[list[int]]
    onward: list[int] = field(default_factory=list)
    called: list[list[int]] = field(default_factory=list)

    @classmethod
    def of(cls, network: Network, ports: int | None, generator: random.Random) -> Trails:
        """Return trails of one edge each."""
        head = [v for u, w in network.edges for v in (w, u)]
        arriving: list[list[int]] = [[] for _ in range(network.node_count)]
        place = []
        for arc, v in enumerate(head):
            place.append(len(arriving[v]))
            arriving[v].append(arc)
        trails = cls(ports, head, place, arriving, [ENDS] * len(head))
        trails.called = [[v] * len(arcs) for v, arcs in enumerate(arriving)]
        for v, arcs in enumerate(arriving):
            trails._take(trails._with_ports(v, dict.fromkeys(arcs, ENDS), generator))
        return trails

    def change(self, generator: random.Random) -> Change:
        """Make a random change at a node, and return what undoes it.

        The trails that arrive by two random arcs are joined, or the trail that arrives by a random
        arc ends.
        """
        a = generator.randrange(len(self.head))
        v = self.head[a]
        b = generator.choice(self.arriving[v])
        onward = self.onward
        fresh = {}
        left = [onward[arc] ^ 1 for arc in (a, b) if onward[arc] >= 0]
        for arc in left:
            fresh[arc] = ENDS
        if len(left) == 2 and left[0] not in (a, b) and a != b and generator.random() < 0.5:
            fresh[left[0]], fresh[left[1]] = left[1] ^ 1, left[0] ^ 1
        fresh[a], fresh[b] = (b ^ 1, a ^ 1) if a != b else (ENDS, ENDS)
        return self._take(self._with_ports(v, fresh, generator))

    def _with_ports(self, v: int, fresh: dict[int, int], generator: random.Random) -> dict[int, int]:
        """Return the change, with calls dropped at random if the node has too few ports for them."""
        if self.ports is None:
            return fresh
        arcs = self.arriving[v]
        ending = [arc for arc in arcs if fresh.get(arc, self.onward[arc]) < 0]
        calls = set(generator.sample(ending, min(self.ports, len(ending))))
        return {**fresh, **{arc: ENDS if arc in calls else DROPPED for arc in ending}}

    def _take(self, fresh: dict[int, int]) -> Change:
        """Continue trails as `fresh` says by arc, let their new ends call each other, and return the undo."""
        onward, called, head, place = self.onward, self.called, self.head, self.place
        before = {arc: onward[arc] for arc in fresh}
        ends = {*fresh, *map(self._other_end, fresh)}
        for arc, to in fresh.items():
            onward[arc] = to
        ends.update(map(self._other_end, fresh))
        were = {}
        for end in ends:
            if end is None:
                continue
            v, i = head[end], place[end]
            were[end] = called[v][i]
            other = self._other_end(end) if onward[end] == ENDS else None
            called[v][i] = v if other is None or onward[other] != ENDS else head[other]
        return Change(before, were)

    def take_back(self, change: Change) -> None:
        """Undo the last change."""
        for arc, to in change.onward.items():
            self.onward[arc] = to
        for arc, v in change.called.items():
            self.called[self.head[arc]][self.place[arc]] = v

    def _other_end(self, arc: int) -> int | None:
        """Return the arc by which a trail arrives at its other end; None if the trail is closed.

        The trail is the one that leaves, by the edge of `arc`, the node at which `arc` arrives.
        """
        onward = self.onward
        at = start = arc ^ 1
        while onward[at] >= 0:
            at = onward[at]
            if at == start:
                return None
        return at

    def calls(self) -> list[LineCall]:
        """Return the calls of the round, each with its path; at most one between two nodes."""
        found: dict[tuple[int, int], LineCall] = {}
        for arc, to in enumerate(self.onward):
            v = self.head[arc]
            u = self.called[v][self.place[arc]]
            if to == ENDS and v < u:
                path = [v]
                at = arc ^ 1
                while self.onward[at] >= 0:
                    path.append(self.head[at])
                    at = self.onward[at]
                path.append(u)
                found.setdefault((v, u), (v, u, simple_path(path)))
        return list(found.values())
