"""Protocols for given coordinates and capacities of the rounds, found by SAT: which packets go over which
arcs.

Source of the restriction on the source: what it sends first in a round is fresh on every link, since it loses
nothing by that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from schedsolve.backends.sat import find_model
from schedsolve.formulas.cnf import Cnf

from ..constructions.protocol import Message, Protocol, digit, with_digit, without_vain_packets

LARGEST_PACKING = 1_500_000
"""Variables for packets on arcs beyond which no formula is written."""


def packing_size(ports: int, dimension: int, rounds: int, packet_count: int) -> int:
    """The number of variables for packets on arcs."""
    nodes: int = (ports + 1) ** dimension
    return nodes * ports * rounds * packet_count


def packed_protocol(
    ports: int,
    dimension: int,
    order: Sequence[int],
    capacities: Sequence[int],
    packet_count: int,
    seconds: float,
) -> Protocol | None:
    """A broadcast of so many packets in which round t sends up to capacities[t-1] of them over each arc of
    coordinate order[t-1].

    The source sends fresh packets on every link while there are any for all of them; in the last T rounds it
    sends the remaining ones, at least the last packet, on all links, and whatever else there is room for.
    None when there is no such protocol, when none is found in about so many seconds, or when the formula
    would be too large.
    """
    if packing_size(ports, dimension, len(order), packet_count) > LARGEST_PACKING:
        return None
    packing = _Packing(ports, dimension, tuple(order), tuple(capacities), packet_count)
    if not packing.write():
        return None
    true = find_model(packing.cnf, seconds)
    return None if true is None else packing.protocol(true)


@dataclass
class _Packing:
    """The formula.

    - `owns[v, t, p]`: node v owns packet p after round t. Nobody but the source does at the start, and all do
      in the end.
    - `sent[u, v, t, p]`: u sends p to v in round t. It owned p before, and v did not.
    - A node owns a packet after a round if and only if it owned it before or is sent it in the round, by one
      node at most.
    - An arc carries no more packets than the round's capacity.
    - The source sends its planned packets, and where there is room others.
    """

    ports: int
    dimension: int
    order: tuple[int, ...]
    capacities: tuple[int, ...]
    packet_count: int
    cnf: Cnf = field(default_factory=Cnf)
    owns: dict[tuple[int, int, int], int] = field(default_factory=dict)
    sent: dict[tuple[int, int, int, int], int] = field(default_factory=dict)

    def write(self) -> bool:
        """Write the formula; False when the packets are more than the source can send in time."""
        plan = self._plan()
        if plan is None:
            return False
        nodes = range(1, (self.ports + 1) ** self.dimension)
        for v in nodes:
            for t in range(len(self.order) + 1):
                for p in range(self.packet_count):
                    self.owns[v, t, p] = self.cnf.new()
        for v in nodes:
            for p in range(self.packet_count):
                self.cnf.add(-self.owns[v, 0, p])
                self.cnf.add(self.owns[v, len(self.order), p])
        for t in range(1, len(self.order) + 1):
            for v in nodes:
                self._write_receipts(t, v, plan[t - 1])
        return True

    def _plan(self) -> list[list[list[int]]] | None:
        """For every round and value of its coordinate the packets that the source sends; None when they do
        not suffice.
        """
        fresh, plan = 0, []
        emissions = len(self.order) - self.dimension
        last = self.packet_count - self.ports * sum(self.capacities[:emissions])
        last = max(1, last)
        if last > self.capacities[emissions]:
            return None
        for t in range(len(self.order)):
            links: list[list[int]] = [[]]
            for _ in range(self.ports):
                if t < emissions:
                    amount = min(self.capacities[t], self.packet_count - last - fresh)
                    links.append(list(range(fresh, fresh + amount)))
                    fresh += amount
                else:
                    links.append(
                        list(range(self.packet_count - last, self.packet_count))[: self.capacities[t]]
                    )
            plan.append(links)
        return plan

    def _write_receipts(self, t: int, v: int, planned: list[list[int]]) -> None:
        """What node v may be sent in round t."""
        cnf, radix, coordinate, capacity = self.cnf, self.ports + 1, self.order[t - 1], self.capacities[t - 1]
        coming: list[list[int]] = [[] for _ in range(self.packet_count)]
        own = digit(v, coordinate, radix)
        for value in range(radix):
            if value == own:
                continue
            u = with_digit(v, coordinate, value, radix)
            fixed = planned[own] if u == 0 else []
            sends = []
            for p in range(self.packet_count):
                if p not in fixed and len(fixed) == capacity:
                    continue
                self.sent[u, v, t, p] = x = cnf.new()
                coming[p].append(x)
                if p in fixed:
                    cnf.add(x, self.owns[v, t - 1, p])
                else:
                    sends.append(x)
                if u:
                    cnf.add(-x, self.owns[u, t - 1, p])
                cnf.add(-x, -self.owns[v, t - 1, p])
            if len(fixed) < capacity:
                cnf.at_most(sends, capacity - len(fixed))
        for p, sends in enumerate(coming):
            before, after = self.owns[v, t - 1, p], self.owns[v, t, p]
            cnf.add(-after, before, *sends)
            cnf.add(-before, after)
            for x in sends:
                cnf.add(-x, after)
            cnf.at_most_one(sends)

    def protocol(self, true: set[int]) -> Protocol:
        """The protocol that a model stands for."""
        rounds: list[dict[tuple[int, int], list[int]]] = [{} for _ in self.order]
        for (u, v, t, p), x in self.sent.items():
            if x in true:
                rounds[t - 1].setdefault((u, v), []).append(p)
        messages: list[list[Message]] = [
            [(u, v, tuple(p)) for (u, v), p in sorted(sends.items())] for sends in rounds
        ]
        return without_vain_packets((self.ports + 1) ** self.dimension, self.packet_count, messages)
