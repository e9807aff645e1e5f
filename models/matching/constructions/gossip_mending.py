"""Gossip by simulated annealing in the second half of the rounds, with the time turned round again and again.

A move puts a call into a round of the second half, in place of the calls of its two nodes; nodes that it
leaves idle get other calls where possible. Only the sets of items that it changes are followed, as bit sets:
two or four nodes in its round, at most twice as many in the next. A gossip run backwards misses as many
pairs (node, item), so after some moves the rounds are reversed, and what was the first half is changed.

Source: simulated annealing after Kirkpatrick, Gelatt, Vecchi (Science 1983).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import exp

from schedsolve.network.graph import Network

Pair = tuple[int, int]

IDLE = -1
"""In a round: the node has no call, or hears nobody."""
BIAS = 0.3
"""The share of the moves that begin at a node from which a node that misses items hears."""

Changes = list[dict[int, int]]
"""For a round and the rounds after it, the nodes whose items change, with these items."""


class GossipMending:
    """A gossip schedule whose rounds are matchings, changed move by move.

    Parameters
    ----------
    network
        It must be connected (strongly, when directed).
    two_way
        Whether calls are two-way.
    rounds
        The calls of every round to begin with, as pairs of nodes, one-way (sender, receiver).
    generator
        The source of random numbers.
    """

    def __init__(
        self, network: Network, *, two_way: bool, rounds: Sequence[Sequence[Pair]], generator: random.Random
    ) -> None:
        n = self._n = network.node_count
        self._two_way, self._random = two_way, generator.random
        self._backwards = False
        self._near: list[list[Pair]] = [[] for _ in range(n)]
        # For every node the calls that it can make, as (sender, receiver).
        for u, v in network.edges if two_way else network.arcs:
            self._near[u].append((u, v))
            self._near[v].append((u, v))
        self._mate = [[IDLE] * n for _ in rounds]
        self._hears = self._mate if two_way else [[IDLE] * n for _ in rounds]
        for t, calls in enumerate(rounds):
            for u, v in calls:
                self._put(t, u, v)
            for u in generator.sample(range(n), n):
                self._fill(t, u)
        self._follow()

    def _put(self, t: int, u: int, v: int) -> None:
        self._mate[t][u], self._mate[t][v] = v, u
        self._hears[t][v] = u

    def _fill(self, t: int, u: int) -> int:
        """Give an idle node a call with another idle node, if it can; return this node."""
        mate = self._mate[t]
        if mate[u] == IDLE:
            free = [(x, y) for x, y in self._near[u] if mate[x] == mate[y] == IDLE]
            if free:
                self._put(t, *free[int(self._random() * len(free))])
        return mate[u]

    def _follow(self) -> None:
        """Follow all items through all rounds."""
        held = [1 << v for v in range(self._n)]
        self._known = [held]
        for hears in self._hears:
            held = [items if u == IDLE else items | held[u] for items, u in zip(held, hears, strict=True)]
            self._known.append(held)
        self._end()
        self.missing = sum(self._n - held.bit_count() for held in self._known[-1])
        """The pairs (node, item) that are missing after the last round."""

    def _end(self) -> None:
        everything = (1 << self._n) - 1
        self._lacking = [v for v, items in enumerate(self._known[-1]) if items != everything]

    def reverse(self) -> None:
        """Let the rounds run backwards; one-way, senders and receivers change places."""
        self._backwards = not self._backwards
        self._mate.reverse()
        if not self._two_way:
            self._near = [[(v, u) for u, v in calls] for calls in self._near]
            self._hears = [
                [v if v != IDLE and hears[v] == u else IDLE for u, v in enumerate(mate)]
                for mate, hears in zip(self._mate, reversed(self._hears), strict=True)
            ]
        self._follow()

    def step(self, temperature: float) -> None:
        """Try one move; one by which more is missing is kept with probability exp(-more / temperature)."""
        rounds = len(self._mate)
        t = rounds - 1 - int(self._random() * (rounds - rounds // 2))
        near = self._near[self._node(t)]
        u, v = near[int(self._random() * len(near))]
        mate, hears = self._mate[t], self._hears[t]
        if hears[v] == u:
            return
        touched = {x for x in (u, v, mate[u], mate[v]) if x != IDLE}
        before = [(x, mate[x], hears[x]) for x in touched]
        for x in touched:
            mate[x] = hears[x] = IDLE
        self._put(t, u, v)
        for x in touched - {u, v}:
            other = self._fill(t, x)
            if other not in touched and other != IDLE:
                before.append((other, IDLE, IDLE))
        changes = self._changes(t, [x for x, _, _ in before])
        known = self._known
        more = sum(known[-1][x].bit_count() - items.bit_count() for x, items in changes[-1].items())
        if more <= 0 or self._random() < exp(-more / temperature):
            for held, changed in zip(known[t + 1 :], changes, strict=False):
                for x, items in changed.items():
                    held[x] = items
            self.missing += more
            if changes[-1]:
                self._end()
            return
        for x, other, heard in before:
            mate[x], hears[x] = other, heard

    def _node(self, t: int) -> int:
        """Return a random node, or one from which a node that misses items may hear after round t."""
        if not self._lacking or self._random() >= BIAS:
            return int(self._random() * self._n)
        u = self._lacking[int(self._random() * len(self._lacking))]
        for hears in reversed(self._hears[t + 1 :]):
            if hears[u] != IDLE and self._random() < 0.5:
                u = hears[u]
        return u

    def _changes(self, t: int, touched: Sequence[int]) -> Changes:
        """Follow what changes from a round to the last; less rounds if nothing does any more."""
        held, after, hears = self._known[t], self._known[t + 1], self._hears[t]
        changed: dict[int, int] = {}
        for x in touched:
            u = hears[x]
            items = held[x] if u == IDLE else held[x] | held[u]
            if items != after[x]:
                changed[x] = items
        changes = [changed]
        for s in range(t + 1, len(self._mate)):
            if not changed:
                break
            held, after, mate, hears = self._known[s], self._known[s + 1], self._mate[s], self._hears[s]
            following: dict[int, int] = {}
            for x, items in changed.items():
                u = hears[x]
                new = items if u == IDLE else items | (changed[u] if u in changed else held[u])
                if new != after[x]:
                    following[x] = new
                y = mate[x]
                if y not in changed and y != IDLE and hears[y] == x:
                    new = held[y] | items
                    if new != after[y]:
                        following[y] = new
            changed = following
            changes.append(changed)
        return changes

    def calls(self) -> list[list[Pair]]:
        """Return the calls of every round as pairs of nodes; one-way pairs are (sender, receiver)."""
        rounds: list[list[Pair]] = []
        for hears in reversed(self._hears) if self._backwards else self._hears:
            pairs = ((u, v) for v, u in enumerate(hears) if u != IDLE and not (self._two_way and u > v))
            rounds.append(
                sorted((v, u) if self._backwards and not self._two_way else (u, v) for u, v in pairs)
            )
        return rounds
