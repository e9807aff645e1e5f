"""Pipelined trees, with rounds of equal costs and of two different ones.

Round t uses the lines of coordinate d(t) = ((t-1) mod T) + 1. A packet that the source sends in round s to u
= j e_d(s) spreads in the next T rounds over all lines: its tree is (s, j). A node other than the source
serves in round t the tree (s, j) of the first round s of t-T..t-1 with x_d(s) = j other than 0, if that is a
round; so the trees of one round are disjoint.

Sources: Beauquier, Delmas, Perennes (1999), Proposition 25, its coordinates renumbered. The protocol with
unequal costs disproves their Conjecture 31.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from .protocol import Message, Protocol, digit, with_digit, without_vain_packets

Label = tuple[int, ...]
"""Which packet: its tree (s, j), and in a large round its number c = 0..k behind them."""


def pipelined_trees(ports: int, dimension: int, extra_rounds: int) -> Protocol:
    """Return the protocol of kr + 1 packets in T + r rounds of the same cost (Proposition 25).

    It needs r >= T - 1 and T >= 1.
    """
    return _numbered(ports, dimension, extra_rounds, ())


def unequal_costs(ports: int, dimension: int) -> Protocol:
    """Return a broadcast with r = T + 3 extra rounds of cost (2T + 3k + 3) / (k(T+3) + 2k^2 + 1).

    Needs T >= 2.

    In the large rounds 1, T+2 and 2T+3 messages have k + 1 packets, in the others one.
    """
    return _numbered(ports, dimension, dimension + 3, (1, dimension + 2, 2 * dimension + 3))


def _numbered(ports: int, dimension: int, extra_rounds: int, large: tuple[int, ...]) -> Protocol:
    """Return the protocol with its packets numbered in the order in which the source first sends them."""
    number: dict[Label, int] = {}
    fresh = count()
    rounds: list[list[Message]] = []
    for t in range(1, dimension + extra_rounds + 1):
        messages = []
        for u, v, labels in _Trees(ports, dimension, extra_rounds, large).sends(t):
            for label in labels:
                if label not in number:
                    number[label] = next(fresh)
            messages.append((u, v, tuple(number[label] for label in labels)))
        rounds.append(messages)
    return without_vain_packets((ports + 1) ** dimension, len(number), rounds)


class _Trees:
    """Who sends what in which round.

    ports: k. dimension: T. last_emission: r. large: the rounds whose messages have k + 1 packets.
    """

    def __init__(self, ports: int, dimension: int, last_emission: int, large: tuple[int, ...]) -> None:
        self.ports = ports
        self.radix = ports + 1
        self.dimension = dimension
        self.last_emission = last_emission
        self.large = large

    def coordinate(self, t: int) -> int:
        """d(t), the coordinate whose lines round t uses."""
        return (t - 1) % self.dimension + 1

    def sends(self, t: int) -> Iterator[tuple[int, int, list[Label]]]:
        """Yield the messages of round t."""
        d = self.coordinate(t)
        for j in range(1, self.radix):
            yield 0, with_digit(0, d, j, self.radix), self._emitted(t, j)
        for x in range(1, self.radix**self.dimension):
            for value in range(self.radix):
                y = with_digit(x, d, value, self.radix)
                labels = self._relayed(t, x, value) if y not in (0, x) else []
                if labels:
                    yield x, y, labels

    def _emitted(self, t: int, j: int) -> list[Label]:
        """Return what the source sends to its neighbour j.

        Fresh packets; after round r the last packet, and what it has to exchange.
        """
        if t > self.last_emission:
            return [(0,), *(self._exchanged(t, 0))]
        return [(t, j, c) for c in range(self.radix)] if t in self.large else [(t, j)]

    def _relayed(self, t: int, x: int, value: int) -> list[Label]:
        """Return what node x sends in round t to the node of its line with this coordinate."""
        s = next((s for s in range(t - self.dimension, t) if digit(x, self.coordinate(s), self.radix)), None)
        labels = [] if s is None or s < 1 else [self._served(t, s, x, value)]
        labels += self._exchanged(t, digit(x, self.coordinate(t), self.radix))
        return list(dict.fromkeys(self._repaired(t, x, value, labels)))

    def _exchanged(self, t: int, c: int) -> list[Label]:
        """Return what a node with coordinate c sends to all its line in a large round.

        Packet c of every tree of the large round before.
        """
        before = t - self.dimension - 1
        return (
            [(before, j, c) for j in range(1, self.radix)] if t in self.large and before in self.large else []
        )

    def _served(self, t: int, s: int, x: int, value: int) -> Label:
        """Return the packet of the tree that node x serves.

        Of a large round, first packet c to neighbour c, then the one that x got so.
        """
        j = digit(x, self.coordinate(s), self.radix)
        if s > self.last_emission:
            return (0,)
        if s not in self.large:
            return s, j
        return (s, j, value) if t == s + 1 else (s, j, digit(x, self.coordinate(s + 1), self.radix))

    def _repaired(self, t: int, x: int, value: int, labels: list[Label]) -> list[Label]:
        """Return the last large round's messages to y = j e_d(T+2), repaired.

        They missed packet 0 of all trees of round 1 when these were exchanged.

        Its neighbour with coordinate c sends one of them in place of packet c of the tree (T+2, j), which y
        has as its root.
        """
        root, d = self.dimension + 2, self.coordinate(t)
        c, j = digit(x, d, self.radix), digit(x, self.coordinate(root), self.radix)
        y = with_digit(x, d, 0, self.radix)
        if (
            t not in self.large[2:]
            or value
            or not j
            or y != with_digit(0, self.coordinate(root), j, self.radix)
        ):
            return labels
        return [(1, c, 0) if label == (root, j, c) else label for label in labels]
