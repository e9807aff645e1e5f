"""Gossip by simulated annealing, move by move, with what changes followed both ways.

A move puts a call into a round, in place of the calls of its two nodes; nodes that it leaves idle get other
calls where possible. What is minimized is the number of pairs (node, item) that are missing after the last
round. For every round the origins of the items that a node has are kept as bit sets, and so are the nodes
that an item then reaches from it. So a move is judged by the few sets that it changes on the way to the
nearer end: two or four nodes in its round, at most twice as many in the next. Some moves bring the two ends
of a missing pair together.

Source: simulated annealing after Kirkpatrick, Gelatt, Vecchi (Science 1983).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from schedsolve.network.graph import Network

Pair = tuple[int, int]


class GossipMending:
    """A gossip schedule whose rounds are matchings, changed move by move.

    Parameters
    ----------
    network
        It must be connected (strongly, when directed).
    two_way
        Whether calls are two-way.
    rounds
        The calls of every round to begin with, as pairs of nodes, one-way (sender, receiver); at least one
        round.
    generator
        The source of random numbers.
    """

    def __init__(
        self, network: Network, *, two_way: bool, rounds: Sequence[Sequence[Pair]], generator: random.Random
    ) -> None:
        import numpy as np

        from . import mending_moves as moves
        from .compiled_sets import WORD

        self._moves: Any = moves
        self._two_way = two_way
        n = network.node_count
        near: list[list[Pair]] = [[] for _ in range(n)]
        for u, v in network.edges if two_way else network.arcs:
            near[u].append((v, moves.BOTH if two_way else moves.SENDS))
            near[v].append((u, moves.BOTH if two_way else moves.RECEIVES))
        options = [option for of_node in near for option in of_node]
        levels, words = len(rounds) + 1, -(-n // WORD)
        self._state = moves.State(
            calls=np.full((2, len(rounds), n), moves.IDLE),
            first=np.cumsum([0, *map(len, near)]),
            options=np.array(options).T.copy(),
            sets=np.zeros((3, levels, n, words), np.uint64),
            lacks=np.zeros(n, int),
            changes=np.zeros((2, levels, n + 1), int),
            touched=np.zeros((3, moves.TOUCHED), int),
            numbers=np.zeros(2, int),
            random=np.array([generator.randrange(1, 1 << 64)], np.uint64),
        )
        hears, tells = self._state.calls
        for t, calls in enumerate(rounds):
            for u, v in calls:
                tells[t, u], hears[t, v] = v, u
                if two_way:
                    tells[t, v], hears[t, u] = u, v
        moves.begin(self._state)

    @property
    def missing(self) -> int:
        """The pairs (node, item) that are missing after the last round."""
        return int(self._state.numbers[self._moves.MISSING])

    def anneal(self, moves: int, hot: float, cold: float) -> None:
        """Try so many moves, or fewer if nothing is missing any more.

        One by which more pairs are missing is kept with probability exp(-more / temperature), and the
        temperature falls from `hot` to `cold`.
        """
        self._moves.anneal(self._state, moves, hot, cold)

    def calls(self) -> list[list[Pair]]:
        """Return the calls of every round as pairs of nodes; one-way pairs are (sender, receiver)."""
        return [
            [(u, v) for u, v in enumerate(tells) if v != self._moves.IDLE and not (self._two_way and u > v)]
            for tells in self._state.calls[self._moves.TELLS].tolist()
        ]
