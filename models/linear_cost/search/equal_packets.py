"""Protocols in which every message is one packet, found by SAT: P packets in R rounds cost R / P.

No call graphs are given: the formula chooses the links of every round too. With many extra rounds such
protocols are near the least cost on any network, and a formula of a few hundred thousand clauses has a model
within a second.

Variables, by round t: `link`, whether a link (with weak ports, an arc) is used; `owns`, whether a node owns a
packet after the round; `sends`, whether a packet is sent along an arc, to a node that lacks it. The packets
leave the source in their order, as renumbering them makes any protocol do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor, inf

from schedsolve.backends.sat import decide
from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.modelkit.search import Finding, Question
from schedsolve.runtime.limits.own_limits import met

from ..rules import Packets, rounds_allowed, shape_of

Arc = tuple[int, int]
LARGEST = 300_000
"""Arcs times rounds times packets beyond which no formula is written."""
FIRST_SECONDS, LONGEST_SECONDS = 0.5, 40.0


def size_for(problem: Problem) -> int:
    """Return the size of the formula for the fewest packets that are worth trying."""
    rounds = rounds_allowed(problem)
    return len(problem.network.arcs) * rounds * max(1, rounds // 4)


def too_many_arcs(problem: Problem) -> str | None:
    """Return why no formula is written; None when one is."""
    too_large = size_for(problem) > LARGEST
    return "the formula of equal packets would be too large" if too_large else None


def equal_packets_search(question: Question) -> Iterator[Finding]:
    """Yield cheaper and cheaper protocols: first as many packets as pass in all rounds, then in fewer rounds.

    Each number of packets and rounds gets more and more time.
    """
    problem, lower = question.problem, Fraction(question.value)
    most, arcs = rounds_allowed(problem), len(problem.network.arcs)
    best = Fraction(most + 1) if question.best is None else Fraction(question.best)
    refuted: list[tuple[int, int]] = []
    answer: bool | None
    seconds = FIRST_SECONDS
    while seconds <= LONGEST_SECONDS:
        waiting = False
        for rounds in range(most, 0, -1):
            found: Finding = None
            reached, step = floor(rounds / best), 1
            largest = min(rounds / lower if lower else inf, LARGEST / (arcs * rounds))
            if largest == LARGEST / (arcs * rounds):
                met("arcs times rounds times packets", LARGEST)
            while reached < floor(largest):
                packets = min(reached + step, floor(largest))
                if any(packets >= p and rounds <= r for p, r in refuted):
                    answer = False
                else:
                    protocol = EqualPackets(problem, packets, rounds)
                    protocol.write()
                    answer, true = decide(protocol.cnf, seconds)
                if answer:
                    best, reached, step = Fraction(rounds, packets), packets, 2 * step
                    found = problem, protocol.schedule(true)
                    continue
                refuted += [] if answer is None else [(packets, rounds)]
                if packets == reached + 1:
                    waiting |= answer is None
                    break
                step = 1
            yield found
        if not waiting:
            return
        seconds *= 4


@dataclass
class EqualPackets:
    """The formula for so many packets in so many rounds."""

    problem: Problem
    packets: int
    rounds: int
    cnf: Cnf = field(default_factory=Cnf)
    link: dict[tuple[Arc, int], int] = field(default_factory=dict)
    owns: dict[tuple[int, int, int], int] = field(default_factory=dict)
    sends: dict[tuple[Arc, int, int], int] = field(default_factory=dict)

    def write(self) -> None:
        """Write all rules."""
        network, (source,) = self.problem.network, self.problem.sources
        distance = network.distances_from([source])
        weak = bool(self.problem.parameters.get("weak_ports"))
        for t in range(1, self.rounds + 1):
            for link in network.arcs if weak else network.edges:
                self.link[link, t] = self.cnf.new()
        for p in range(self.packets):
            for t in range(self.rounds + 1):
                for v in range(network.node_count):
                    self.owns[v, p, t] = self.cnf.new()
                for u, v in network.arcs:
                    if v != source and (distance[u] or 0) < t:
                        self.sends[(u, v), p, t] = self.cnf.new()
        self._few_links(weak)
        self._messages(weak)
        self._packets(source)
        self._in_order(source)

    def _few_links(self, weak: bool) -> None:
        ports = shape_of(self.problem).ports
        for t in range(1, self.rounds + 1):
            for v in range(self.problem.network.node_count):
                near = self.problem.network.successors[v]
                if weak:
                    self._few([self.link[(v, w), t] for w in near], ports)
                    self._few([self.link[(w, v), t] for w in near], ports)
                else:
                    self._few([self.link[(min(v, w), max(v, w)), t] for w in near], ports)

    def _few(self, literals: list[int], most: int) -> None:
        if len(literals) > most:
            self.cnf.at_most(literals, most)

    def _messages(self, weak: bool) -> None:
        """Require that a message is one packet that its receiver lacks, from an owner along a used link."""
        of_message: dict[tuple[Arc, int], list[int]] = {}
        for ((u, v), p, t), sent in self.sends.items():
            link = (u, v) if weak else (min(u, v), max(u, v))
            self.cnf.add(-sent, self.link[link, t])
            self.cnf.add(-sent, self.owns[u, p, t - 1])
            self.cnf.add(-sent, -self.owns[v, p, t - 1])
            of_message.setdefault(((u, v), t), []).append(sent)
        for packets in of_message.values():
            self.cnf.at_most_one(packets)

    def _packets(self, source: int) -> None:
        """Require that what a node owns it owned or is sent, that the source owns all, and in the end all."""
        network = self.problem.network
        for (v, p, t), owns in self.owns.items():
            if t == self.rounds or v == source:
                self.cnf.add(owns)
            if not t and v != source:
                self.cnf.add(-owns)
            if t and v != source:
                before = self.owns[v, p, t - 1]
                arriving = (self.sends.get(((u, v), p, t)) for u in network.predecessors[v])
                self.cnf.add(-owns, before, *(sent for sent in arriving if sent))
                self.cnf.add(-before, owns)

    def _in_order(self, source: int) -> None:
        """Packet p leaves the source after packet p - 1, or with it."""
        earlier: list[int] = []
        for p in range(self.packets):
            left: list[int] = []
            for t in range(1, self.rounds + 1):
                gone = self.cnf.new()
                leaving = [self.sends[(source, v), p, t] for v in self.problem.network.successors[source]]
                self.cnf.add(-gone, *leaving, *left[-1:])
                self.cnf.extend([-x, gone] for x in (*leaving, *left[-1:]))
                if earlier:
                    self.cnf.add(-gone, earlier[t - 1])
                left.append(gone)
            earlier = left

    def schedule(self, true: set[int]) -> Schedule:
        """Return the protocol of a model."""
        rounds: list[list[Call[int]]] = [[] for _ in range(self.rounds)]
        for ((u, v), p, t), sent in self.sends.items():
            if sent in true:
                rounds[t - 1].append(Call(u, v, payload=Packets((p,))))
        made = Schedule(tuple(map(tuple, rounds)), head={"packet_count": self.packets})
        return made.without_empty_end()
