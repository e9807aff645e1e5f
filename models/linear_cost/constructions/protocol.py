"""Protocols of packets on the nodes of Z_(k+1)^T, and what turns one into another.

Node x has the number sum of x_i (k+1)^(i-1) over its coordinates i = 1..T; the source is 0. A line of
coordinate i is the k + 1 nodes that agree in all other coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from schedsolve.modelkit.schedule import Call, Schedule

from ..rules import Packets

Message = tuple[int, int, tuple[int, ...]]
"""Sender, receiver, and the numbers of the packets sent."""


@dataclass(frozen=True)
class Protocol:
    """A broadcast from node 0.

    Attributes
    ----------
    packet_count
        Into how many packets of the same size the message is cut.
    rounds
        The messages of every round.
    """

    packet_count: int
    rounds: tuple[tuple[Message, ...], ...]

    @property
    def cost(self) -> Fraction:
        """The sum over the rounds of the largest message, the whole message having size 1."""
        return Fraction(
            sum(max((len(p) for _, _, p in messages), default=0) for messages in self.rounds),
            self.packet_count,
        )

    def schedule(self, node: Callable[[int], int]) -> Schedule:
        """Return the schedule on a network in which x has the number node(x)."""
        rounds = tuple(
            tuple(Call(node(u), node(v), payload=Packets(p)) for u, v, p in messages)
            for messages in self.rounds
        )
        return Schedule(rounds, head={"packet_count": self.packet_count})


def without_vain_packets(node_count: int, packet_count: int, rounds: Iterable[Iterable[Message]]) -> Protocol:
    """Return the protocol without packets that bring nothing new.

    Their receiver owns them already, or gets them in the same round from a node named before.
    """
    owned = [0] * node_count
    owned[0] = (1 << packet_count) - 1
    kept = []
    for messages in rounds:
        useful = []
        for u, v, packets in messages:
            fresh = tuple(p for p in packets if not owned[v] >> p & 1)
            if fresh:
                useful.append((u, v, fresh))
                # A node sends what it owned before the round; `rounds` may be lazy, so only the receivers'
                # side is looked at here.
                for p in fresh:
                    owned[v] |= 1 << p
        kept.append(tuple(useful))
    return Protocol(packet_count, tuple(kept))


def digit(x: int, coordinate: int, radix: int) -> int:
    """Return the coordinate of node x, counted from 1."""
    step: int = radix ** (coordinate - 1)
    return x // step % radix


def with_digit(x: int, coordinate: int, value: int, radix: int) -> int:
    """Return the node that agrees with x but in this coordinate."""
    step: int = radix ** (coordinate - 1)
    return x + (value - digit(x, coordinate, radix)) * step
