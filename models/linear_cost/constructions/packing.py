"""Packets on the arcs of given call graphs, found by SAT.

Source of the restriction on the source: what it sends in the first rounds is fresh on every arc, since it
loses nothing by that while there are packets left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from schedsolve.backends.sat import find_model
from schedsolve.modelkit.formulas.cnf import Cnf

from .flow_costs import CallGraph
from .protocol import Message, Protocol, without_vain_packets

LARGEST_FORMULA = 2_000_000
"""Variables for packets on arcs beyond which no formula is written."""


def packing_size(call_graphs: Sequence[CallGraph], packets: int) -> int:
    """Return the number of variables for packets on arcs."""
    return sum(len(graph) for graph in call_graphs) * packets


def packed_on(
    nodes: int,
    call_graphs: Sequence[CallGraph],
    capacities: Sequence[int],
    packets: int,
    emissions: int,
    seconds: float,
) -> Protocol | None:
    """Return a broadcast of packets from node 0 within capacities.

    The arcs of round t carry up to capacities[t - 1] packets each.

    emissions: the rounds in which the source sends fresh packets only, while there are any. None when there
    is no such protocol, or none is found in about so many seconds.
    """
    if packing_size(call_graphs, packets) > LARGEST_FORMULA:
        return None
    used = [graph if capacity else () for graph, capacity in zip(call_graphs, capacities, strict=True)]
    packing = _Packing(nodes, used, capacities, packets)
    if not packing.write(emissions):
        return None
    true = find_model(packing.cnf, seconds)
    return None if true is None else packing.protocol(true)


@dataclass
class _Packing:
    """The formula.

    - `owns[v, p]`, a list by round: node v owns packet p after the round; where no way over time leads there,
      it does not. All own all in the end.
    - `sent[t, u, v, p]`: u sends p to v in round t. It owned p before.
    - A node owns a packet if it owned it before, or is sent it.
    - An arc carries no more packets than the round's capacity.
    """

    nodes: int
    call_graphs: Sequence[CallGraph]
    capacities: Sequence[int]
    packets: int
    cnf: Cnf = field(default_factory=Cnf)
    sent: dict[tuple[int, int, int, int], int] = field(default_factory=dict)
    given: dict[tuple[int, int], list[int]] = field(default_factory=dict)

    def write(self, emissions: int) -> bool:
        """Write the formula; False when some packet cannot reach some node."""
        self.emissions = emissions
        self.first = self._plan(emissions)
        # By packet and node, the round after which the node can own it at the earliest.
        self.earliest = [self._earliest(of_packet, emissions) for of_packet in self.first]
        if any(e is None for of_packet in self.earliest for e in of_packet[1:]):
            return False
        owns: list[list[int]] = [[0] * self.nodes for _ in range(self.packets)]
        for t, graph in enumerate(self.call_graphs, 1):
            coming: dict[int, list[int]] = {}
            for u, v in graph:
                if v != 0:
                    coming.setdefault(v, []).append(u)
            before = [list(of_packet) for of_packet in owns]
            for v, senders in coming.items():
                self._write_receipts(t, v, senders, before, owns)
        for of_packet in owns:
            if not all(of_packet[1:]):
                return False
            for x in of_packet[1:]:
                self.cnf.add(x)
        return True

    def _write_receipts(
        self, t: int, v: int, senders: Sequence[int], before: list[list[int]], owns: list[list[int]]
    ) -> None:
        """Write what node v may be sent in round t.

        Ownership, `owns`, is by packet and node, before the round and after it.
        """
        cnf = self.cnf
        by_arc: dict[int, list[int]] = {u: [] for u in senders}
        for p in range(self.packets):
            reach, old = self.earliest[p][v], before[p][v]
            if reach is None or t < reach:
                continue
            sends = []
            for u in senders:
                from_source = u == 0 and (t > self.emissions or self.first[p] == (t, v))
                if not from_source and not (u and before[p][u]):
                    continue
                self.sent[t, u, v, p] = x = cnf.new()
                by_arc[u].append(x)
                sends.append(x)
                if u:
                    cnf.add(-x, before[p][u])
                elif t <= self.emissions:
                    cnf.add(x)
            if not sends:
                continue
            owns[p][v] = new = cnf.new()
            cnf.add(-new, *sends, *([old] if old else []))
            if old:
                cnf.add(-old, new)
        for sends in by_arc.values():
            if len(sends) > self.capacities[t - 1]:
                cnf.at_most(sends, self.capacities[t - 1])

    def _plan(self, emissions: int) -> list[tuple[int, int] | None]:
        """For every packet the round and the node at which the source sends it first.

        None for those of later rounds.
        """
        plan: list[tuple[int, int] | None] = []
        for t, graph in enumerate(self.call_graphs[:emissions], 1):
            for u, v in sorted(graph):
                for _ in range(self.capacities[t - 1] if u == 0 else 0):
                    if len(plan) < self.packets:
                        plan.append((t, v))
        return plan + [None] * (self.packets - len(plan))

    def _earliest(self, first: tuple[int, int] | None, emissions: int) -> list[int | None]:
        """By node the round after which it can own a packet at the earliest; None when it never can."""
        when: list[int | None] = [None] * self.nodes
        for t, graph in enumerate(self.call_graphs, 1):
            fresh = []
            for u, v in graph:
                if v == 0 or when[v] is not None:
                    continue
                sender = when[u]
                from_source = u == 0 and (t > emissions or first == (t, v))
                if from_source or (u and sender is not None and sender < t):
                    fresh.append(v)
            for v in fresh:
                when[v] = t
        return when

    def protocol(self, true: set[int]) -> Protocol:
        """Return the protocol that a model stands for."""
        rounds: list[dict[tuple[int, int], list[int]]] = [{} for _ in self.call_graphs]
        for (t, u, v, p), x in self.sent.items():
            if x in true:
                rounds[t - 1].setdefault((u, v), []).append(p)
        messages: list[list[Message]] = [
            [(u, v, tuple(p)) for (u, v), p in sorted(sends.items())] for sends in rounds
        ]
        return without_vain_packets(self.nodes, self.packets, messages)
