"""Gossip by simulated annealing over the matchings of its rounds, among schedules with given symmetries.

A move puts an orbit of calls into the schedule: a call together with all that the symmetries make of it. The
calls that it displaces are removed, and nodes that they leave idle get other calls where possible, so that
every round is a matching throughout. What is minimized is the number of pairs (node, item) that are missing
after the last round.

Only the items of one node of every orbit of nodes are followed, as bit sets, and only from the first round
that a move changes: if every symmetry that leaves time alone maps the schedule to itself, and all nodes
learn the item of node v, then all nodes learn the item of every image of v.

Source: simulated annealing after Kirkpatrick, Gelatt, Vecchi (Science 1983).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from math import exp
from typing import TYPE_CHECKING, Any

from schedsolve.network.orbits import first_of_orbit

from .schedule_groups import Symmetry

if TYPE_CHECKING:
    from schedsolve.network.graph import Network

Pair = tuple[int, int]

IDLE = -1
"""In `used`: the node has no call in the round."""
WORD = 64
"""The bits of a word of a bit set."""


TimedCall = tuple[int, int, int]
"""A round, from 0, the sender and the receiver; of a two-way call the ends in either order."""


class GossipAnnealing:
    """A gossip schedule of `rounds` rounds that is changed step by step.

    Parameters
    ----------
    network
        It must be connected (strongly, when directed).
    two_way
        Whether calls are two-way.
    rounds
        The number of rounds, at least 1.
    symmetries
        Generators of the symmetries of all schedules that are looked at; empty for none. Those of them that
        leave time alone must generate all that do.
    generator
        The source of random numbers.
    """

    def __init__(
        self,
        network: Network,
        *,
        two_way: bool,
        rounds: int,
        symmetries: Sequence[Symmetry],
        generator: random.Random,
    ) -> None:
        import numpy as np

        self._numpy: Any = np
        self.network, self.two_way, self.rounds = network, two_way, rounds
        self._rng = generator
        n = network.node_count
        self.slots = list(_slots(network, two_way, rounds, symmetries))
        """The orbits of calls that can be held in one schedule."""
        self._ends = [[t * n + x for t, u, v in slot for x in (u, v)] for slot in self.slots]
        self._at = [np.array(ends) for ends in self._ends] if two_way else []
        self._from = []
        for slot in self.slots:
            heard = [x for _, u, v in slot for x in ((v, u) if two_way else (u,))]
            self._from.append(np.array(heard))
            if not two_way:
                self._at.append(np.array([t * n + v for t, _, v in slot]))
        self._first = [min(t for t, _, _ in slot) for slot in self.slots]
        self._touching: list[list[int]] = [[] for _ in range(rounds * n)]
        for i, ends in enumerate(self._ends):
            for end in ends:
                self._touching[end].append(i)
        self._used = [IDLE] * (rounds * n)
        self._own = np.tile(np.arange(n), rounds)
        self._source = self._own.copy()
        self._sources = list(self._source.reshape(rounds, n))
        start = self._start(symmetries)
        self._known = [start, *(np.zeros_like(start) for _ in range(rounds))]
        self._next = [np.zeros_like(start) for _ in range(rounds + 1)]
        self._buffer = np.zeros_like(start)
        self.missing = self._missing_from(0)
        """The pairs (node, item) that are missing after the last round, of the items that are followed."""
        self._accept(0)

    def _start(self, symmetries: Sequence[Symmetry]) -> Any:
        """Return the bit sets of what the nodes know at first, a row for each if they take several words."""
        np, n = self._numpy, self.network.node_count
        first = first_of_orbit(n, [symmetry.image for symmetry in symmetries if not symmetry.turned])
        firsts = [v for v in range(n) if first[v] == v]
        start = np.zeros((n, -(-len(firsts) // WORD)), np.uint64)
        for i, v in enumerate(firsts):
            start[v, i // WORD] = np.uint64(1 << i % WORD)
        self.pairs = n * len(firsts)
        """The pairs (node, item) that are followed."""
        return start[:, 0].copy() if len(firsts) <= WORD else start

    @cached_property
    def _reversal(self) -> list[int | None]:
        """For every slot of one-way calls that of the opposite calls, if there is one."""
        number = {slot[0]: i for i, slot in enumerate(self.slots)}
        members = {call: i for i, slot in enumerate(self.slots) for call in slot}
        return [members.get((t, v, u)) for t, u, v in number]

    def _put(self, slot: int) -> None:
        self._source[self._at[slot]] = self._from[slot]
        for end in self._ends[slot]:
            self._used[end] = slot

    def _drop(self, slot: int) -> None:
        at = self._at[slot]
        self._source[at] = self._own[at]
        for end in self._ends[slot]:
            self._used[end] = IDLE

    def _is_free(self, slot: int) -> bool:
        """Return whether a slot's nodes are idle: if those of its first call are, so are their images."""
        u, v = self._ends[slot][:2]
        return self._used[u] == IDLE and self._used[v] == IDLE

    def _missing_from(self, first: int) -> int:
        """Follow the items from a round, 0 for all, and return how many pairs are missing in the end."""
        take, unite = self._numpy.take, self._numpy.bitwise_or
        now, buffer = self._known[first], self._buffer
        for t in range(first, self.rounds):
            take(now, self._sources[t], axis=0, out=buffer, mode="clip")
            now = unite(now, buffer, out=self._next[t + 1])
        return self.pairs - int(self._numpy.bitwise_count(now).sum())

    def _accept(self, first: int) -> None:
        """Keep what was followed from a round."""
        known, following = self._known, self._next
        known[first + 1 :], following[first + 1 :] = following[first + 1 :], known[first + 1 :]

    def begin(self, noise: float | None) -> None:
        """Begin with a maximal schedule.

        Parameters
        ----------
        noise
            Round by round the calls by which most is learnt are taken, up to this relative noise; None for
            random calls.
        """
        for slot in {slot for slot in self._used if slot != IDLE}:
            self._drop(slot)
        by_round: list[list[int]] = [[] for _ in range(self.rounds)]
        for slot, first in enumerate(self._first):
            by_round[first].append(slot)
        for t, slots in enumerate(by_round):
            self._rng.shuffle(slots)
            if noise is not None:
                self._missing_from(t - 1 if t else 0)
                self._accept(max(t - 1, 0))
                slots.sort(key=self._learnt(t, noise))
            for slot in slots:
                if self._is_free(slot):
                    self._put(slot)
        self.missing = self._missing_from(0)
        self._accept(0)

    def _learnt(self, t: int, noise: float) -> Any:
        """Return a key that sorts the slots of a round by how much their first calls teach, most first."""
        known, count, rng = self._known[t], self._numpy.bitwise_count, self._rng

        def key(slot: int) -> float:
            _, u, v = self.slots[slot][0]
            fresh = known[u] ^ known[v] if self.two_way else known[u] & ~known[v]
            return -float(count(fresh).sum()) * (1 + noise * rng.random())

        return key

    def step(self, temperature: float) -> None:
        """Try one move; one by which more is missing is kept with probability exp(-more / temperature)."""
        rng, used = self._rng, self._used
        slot = rng.randrange(len(self.slots))
        ends = self._ends[slot]
        if used[ends[0]] == slot and (self.two_way or self._reversal[slot] is None):
            return
        added = [slot]
        if used[ends[0]] == slot:
            removed, added = [slot], [self._reversal[slot] or 0]
        else:
            removed = list({used[end] for end in ends} - {IDLE})
        for old in removed:
            self._drop(old)
        self._put(added[0])
        for old in removed:
            added += self._filled(old)
        first = min(self._first[changed] for changed in (*removed, *added))
        missing = self._missing_from(first)
        more = missing - self.missing
        if more <= 0 or rng.random() < exp(-more / temperature):
            self.missing = missing
            self._accept(first)
            return
        for new in added:
            self._drop(new)
        for old in removed:
            self._put(old)

    def _filled(self, slot: int) -> Iterator[int]:
        """Give the nodes of a removed slot other calls at random where possible, and yield these slots."""
        for end in self._ends[slot][:2]:
            if self._used[end] == IDLE:
                free = [other for other in self._touching[end] if self._is_free(other)]
                if free:
                    new = self._rng.choice(free)
                    self._put(new)
                    yield new

    def calls(self) -> list[list[Pair]]:
        """Return the calls of every round as pairs of nodes; one-way pairs are (sender, receiver)."""
        rounds: list[list[Pair]] = [[] for _ in range(self.rounds)]
        for slot in sorted({slot for slot in self._used if slot != IDLE}):
            for t, u, v in self.slots[slot]:
                rounds[t].append((u, v))
        return rounds


def _slots(
    network: Network, two_way: bool, rounds: int, symmetries: Sequence[Symmetry]
) -> Iterator[tuple[TimedCall, ...]]:
    """Yield the orbits of calls whose calls of a round share no node, in the order of their first calls."""
    seen: set[TimedCall] = set()
    for t in range(rounds):
        for u, v in network.edges if two_way else network.arcs:
            if (t, u, v) in seen:
                continue
            orbit = [(t, u, v)]
            seen.add((t, u, v))
            for call in orbit:
                for symmetry in symmetries:
                    moved = _moved(call, symmetry, rounds)
                    if two_way and moved[1] > moved[2]:
                        moved = moved[0], moved[2], moved[1]
                    if moved not in seen:
                        seen.add(moved)
                        orbit.append(moved)
            if len({(t, x) for t, u, v in orbit for x in (u, v)}) == 2 * len(orbit):
                yield tuple(orbit)


def _moved(call: TimedCall, symmetry: Symmetry, rounds: int) -> TimedCall:
    """Return the image of a call; turned, its ends change places and the rounds run backwards."""
    t, *ends = call
    u, v = (symmetry.image[x] for x in ends)
    return (rounds - 1 - t, v, u) if symmetry.turned else (t, u, v)
