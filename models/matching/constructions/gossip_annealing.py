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
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any

from schedsolve.network.orbits import first_of_orbit

from .schedule_groups import Symmetry

if TYPE_CHECKING:
    from schedsolve.network.graph import Network

Pair = tuple[int, int]

TimedCall = tuple[int, int, int]
"""A round, from 0, the sender and the receiver; of a two-way call the ends in either order."""


class GossipAnnealing:
    """A gossip schedule of `rounds` rounds that is changed move by move; at first a random one.

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

        from . import symmetric_moves as moves
        from .compiled_sets import WORD

        self._moves: Any = moves
        self.network, self.two_way = network, two_way
        n = network.node_count
        self.slots = list(_slots(network, two_way, rounds, symmetries))
        """The orbits of calls that can be held in one schedule."""
        calls = np.array([*chain.from_iterable(self.slots)], int).reshape(-1, 3)
        touching: list[list[int]] = [[] for _ in range(rounds * n)]
        for i, slot in enumerate(self.slots):
            for t, *ends in slot:
                for x in ends:
                    touching[t * n + x].append(i)
        first = first_of_orbit(n, [symmetry.image for symmetry in symmetries if not symmetry.turned])
        followed = [v for v in range(n) if first[v] == v]
        self.pairs = n * len(followed)
        """The pairs (node, item) that are followed."""
        sets = np.zeros((2, rounds + 1, -(-len(followed) // WORD), n), np.uint64)
        for i, v in enumerate(followed):
            sets[0, 0, i // WORD, v] = np.uint64(1 << i % WORD)
        self._state = moves.State(
            two_way=two_way,
            first=np.array([0, *accumulate(map(len, self.slots))]),
            calls=calls.T.copy(),
            opposite=np.array(self._opposites(), int),
            start=np.array([0, *accumulate(map(len, touching))]),
            touching=np.array([*chain.from_iterable(touching)], int),
            used=np.full((rounds, n), moves.NONE),
            source=np.tile(np.arange(n, dtype=np.uint32), (rounds, 1)),
            sets=sets,
            newest=np.zeros(rounds + 1, int),
            missing=np.zeros(1, int),
            random=np.array([generator.randrange(1, 1 << 64)], np.uint64),
        )
        order = generator.sample(range(len(self.slots)), len(self.slots))
        moves.begin(self._state, np.array(order, int), self.pairs)

    def _opposites(self) -> list[int]:
        """Return for every slot of one-way calls that of the opposite calls, if there is one."""
        none: int = self._moves.NONE
        if self.two_way:
            return [none] * len(self.slots)
        members = {call: i for i, slot in enumerate(self.slots) for call in slot}
        return [members.get((t, v, u), none) for (t, u, v), *_ in self.slots]

    @property
    def missing(self) -> int:
        """The pairs (node, item) that are missing after the last round, of the items that are followed."""
        return int(self._state.missing[0])

    def anneal(self, moves: int, hot: float, cold: float) -> None:
        """Try so many moves, or fewer if nothing is missing any more; there must be slots.

        One by which more pairs are missing is kept with probability exp(-more / temperature), and the
        temperature falls from `hot` to `cold`.
        """
        self._moves.anneal(self._state, self.pairs, moves, hot, cold)

    def calls(self) -> list[list[Pair]]:
        """Return the calls of every round as pairs of nodes; one-way pairs are (sender, receiver)."""
        rounds: list[list[Pair]] = [[] for _ in self._state.used]
        for slot in sorted({*self._state.used.flat} - {self._moves.NONE}):
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
