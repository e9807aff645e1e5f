"""Broadcasts mended by moving trees of calls about, compiled by numba: finds, never refutes.

Every node but the sources has a round in which it is called, and most have a sender, called earlier, that
calls nobody else in that round. A node without one is loose: it keeps its round and whom it calls. A move
gives a node a sender and a round; who loses its sender by that is loose then. What is minimized is the number
of loose nodes, early ones counting more, by simulated annealing (Kirkpatrick, Gelatt and Vecchi).

Whoever makes a `LooseTrees` waits for numba.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from schedsolve.network.graph import Network

from ..constructions.compiled_sets import below, compiled, drawn

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.signedinteger[Any]]
    Words = npt.NDArray[np.uint64]

Pairs = list[list[tuple[int, int]]]

NONE = -1
WALK = 8
"""A move begins with a node fewer steps than this from a loose one."""
EARLIER = 1.6
"""A loose node counts so many times as much as one whose round is a round later."""


@compiled
def _loosen(loose: Integers, place: Integers, sender: Integers, count: Integers, v: int) -> None:
    sender[v] = NONE
    place[v] = count[0]
    loose[count[0]] = v
    count[0] += 1


@compiled
def _fasten(loose: Integers, place: Integers, count: Integers, v: int) -> None:
    count[0] -= 1
    last = loose[count[0]]
    loose[place[v]] = last
    place[last] = place[v]


@compiled
def _growth(
    time: Integers, sender: Integers, called: Integers, costs: Floats, u: int, v: int, t: int
) -> float:
    """Return how much more the loose cost when u calls v in round t."""
    more = 0.0
    if sender[v] == NONE:
        more -= costs[time[v]]
    if called[u, t] != NONE:
        more += costs[t]
    for early in range(time[v] + 1, t + 1):
        if called[v, early] != NONE:
            more += costs[early]
    return more


@compiled
def move_about(
    first: Integers,
    senders: Integers,
    time: Integers,
    sender: Integers,
    called: Integers,
    loose: Integers,
    place: Integers,
    count: Integers,
    costs: Floats,
    random: Words,
    moves: int,
    temperature: float,
) -> None:
    """Try so many moves, or fewer if nobody is loose any more.

    first, senders: those that can call node v are senders[first[v]:first[v + 1]]. called: by node and round
    whom it calls, or NONE. loose, place: the loose nodes, and where each stands among them. costs: of a loose
    node by its round.
    """
    rounds = len(costs) - 1
    for _ in range(moves):
        if count[0] == 0:
            return
        v = loose[below(random, count[0])]
        for _ in range(below(random, WALK)):
            v = senders[first[v] + below(random, first[v + 1] - first[v])]
        u = senders[first[v] + below(random, first[v + 1] - first[v])]
        if time[v] == 0 or time[u] >= rounds:
            continue
        t = time[u] + 1 + below(random, rounds - time[u])
        if called[u, t] == v:
            continue
        more = _growth(time, sender, called, costs, u, v, t)
        if more > 0 and drawn(random) >= np.exp(-more / temperature):
            continue
        if sender[v] == NONE:
            _fasten(loose, place, count, v)
        else:
            called[sender[v], time[v]] = NONE
        if called[u, t] != NONE:
            _loosen(loose, place, sender, count, called[u, t])
        for early in range(time[v] + 1, t + 1):
            if called[v, early] != NONE:
                _loosen(loose, place, sender, count, called[v, early])
                called[v, early] = NONE
        time[v], sender[v], called[u, t] = t, u, v


class LooseTrees:
    """A broadcast to all nodes that is mended move by move.

    Parameters
    ----------
    network
        Undirected or directed; every node but the sources has a predecessor.
    sources
        Nodes from 0.
    schedule
        Legal rounds of calls to nodes not informed before; whom they leave out is loose at first.
    rounds
        In which all are to be informed, no fewer than those of the schedule.
    generator
        The source of random numbers.
    """

    def __init__(
        self,
        network: Network,
        sources: Collection[int],
        schedule: Sequence[Sequence[tuple[int, int]]],
        rounds: int,
        generator: random.Random,
    ) -> None:
        n = network.node_count
        movable = [v for v in range(n) if v not in set(sources)]
        predecessors = network.predecessors
        self.time = np.full(n, rounds, np.int16)
        self.time[list(sources)] = 0
        self.sender, self.called = np.full(n, NONE, np.int32), np.full((n, rounds + 1), NONE, np.int32)
        for t, calls in enumerate(schedule, 1):
            for u, v in calls:
                self.time[v], self.sender[v], self.called[u, t] = t, u, v
        loose = [v for v in movable if self.sender[v] == NONE]
        self._count = np.array([len(loose)])
        self._loose, self._place = np.zeros(n, int), np.zeros(n, int)
        self._loose[: len(loose)] = loose
        self._place[loose] = range(len(loose))
        self._movable = np.array(movable, int)
        self._first = np.append(0, np.cumsum([len(each) for each in predecessors]))
        self._senders = np.array([u for each in predecessors for u in each], int)
        self._costs = EARLIER ** np.arange(rounds, -1.0, -1.0)
        self._random = np.array([generator.randrange(1, 1 << 64)], np.uint64)

    @property
    def loose(self) -> list[int]:
        """The nodes without a sender."""
        return [int(v) for v in self._loose[: self._count[0]]]

    def anneal(self, moves: int, temperature: float) -> None:
        """Try so many moves, or fewer if nobody is loose any more.

        One that costs more is made with probability exp(-more / temperature).
        """
        move_about(
            self._first,
            self._senders,
            self.time,
            self.sender,
            self.called,
            self._loose,
            self._place,
            self._count,
            self._costs,
            self._random,
            moves,
            temperature,
        )

    def rounds(self) -> Pairs:
        """Return the calls of all rounds; legal, and to all nodes, if nobody is loose."""
        rounds: Pairs = [[] for _ in range(self.called.shape[1] - 1)]
        for v in self._movable.tolist():
            rounds[int(self.time[v]) - 1].append((int(self.sender[v]), v))
        return rounds
