"""The referee of the linear cost model: broadcasts of a message that is cut into packets of the same size.

In a round a node sends packets that it owned before the round to neighbours, along links that are
full-duplex. With K ports it uses at most K links in a round, for sending and receiving together, each both
ways (the strict reading); with weak ports it sends to at most K nodes and receives from at most K. The cost
of a round is the size of its largest message, the size of the whole message being 1, and the cost of a
schedule is the sum over its rounds. A broadcast with r extra rounds takes at most T + r rounds in all, T the
least number in which the network allows one, and ends with every node owning every packet.

Source: Beauquier, Delmas, Perennes, Tight bounds for broadcasting in the linear cost model (INRIA RR-3827,
1999), section 2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from schedsolve.modelkit.form import CallForm, natural_numbers
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Replay
from schedsolve.modelkit.schedule import Call, Payload, Round, Schedule
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import counted


@dataclass(frozen=True)
class Shape:
    """The numbers that a problem comes down to.

    Attributes
    ----------
    ports
        K.
    nodes
        N.
    extra_rounds
        Rounds beyond T of the complete network with so many nodes, of which the bounds speak that hold for
        every network.
    """

    ports: int
    nodes: int
    extra_rounds: int

    @property
    def dimension(self) -> int:
        """T, the least number of rounds of a broadcast in a complete network.

        The least T with (K + 1)^T >= N.
        """
        dimension = 0
        while (self.ports + 1) ** dimension < self.nodes:
            dimension += 1
        return dimension

    @property
    def rounds(self) -> int:
        """T + r, the number of rounds allowed."""
        return self.dimension + self.extra_rounds

    @property
    def is_perfect(self) -> bool:
        """Whether N = (K + 1)^T, the case of the paper."""
        most: int = (self.ports + 1) ** self.dimension
        return most == self.nodes


class Packets(Payload):
    """The packets of a message, by their numbers from 0."""

    __slots__ = ()
    key = "packets"
    meaning = "the numbers of the packets that it brings, from 0"


FORM = CallForm(Packets, natural_numbers(Packets), "the packets that it names", head=("packet_count",))
"""A schedule says into how many packets of the same size the message is cut, and a call which it brings."""


def packet_count(schedule: Schedule) -> int:
    """Into how many packets the message is cut; 1 where a schedule does not say so."""
    return schedule.head.get("packet_count", 1)


def shape_of(problem: Problem) -> Shape:
    """Return the numbers of a problem; more ports than other nodes are of no use, and not counted."""
    nodes = problem.network.node_count
    shape = Shape(min(problem.parameters["ports"], max(1, nodes - 1)), nodes, 0)
    return replace(shape, extra_rounds=rounds_allowed(problem) - shape.dimension)


def rounds_allowed(problem: Problem) -> int:
    """R, the number of rounds that a schedule may take; also the horizon.

    A schedule in R rounds costs R at most, as the largest message of a round is at most the whole message, of
    size 1.

    So a bound above R proves that there is none.

    A problem that does not say it, as files of version 0.1.0, has extra rounds beyond the least number of the
    complete network.
    """
    parameters, nodes = problem.parameters, problem.network.node_count
    if "total_rounds" in parameters:
        total: int = parameters["total_rounds"]
        return total
    shape = Shape(min(parameters["ports"], max(1, nodes - 1)), nodes, parameters.get("extra_rounds", 0))
    return shape.rounds


def replay(problem: Problem, schedule: Schedule) -> Replay:
    """Replay a schedule; the value is its cost, an exact fraction.

    The violation is the first broken rule in the order of rounds and messages, else what is still missing
    where after the last round.
    """
    foreign = FORM.foreign(schedule)
    if foreign is None and "packet_count" not in schedule.head:
        foreign = '"packet_count" should say into how many packets the message is cut'
    if foreign:
        return Replay(Fraction(0), foreign)
    shape, count = shape_of(problem), packet_count(schedule)
    cost = Fraction(
        sum(max((len(call.payload) for call in calls), default=0) for calls in schedule.rounds), count
    )
    if len(schedule.rounds) > shape.rounds:
        return Replay(
            cost, f"the schedule has {counted(len(schedule.rounds), 'round')}, {shape.rounds} are allowed"
        )
    owned = [0] * shape.nodes
    for source in problem.sources:
        owned[source] = (1 << count) - 1
    for number, calls in enumerate(schedule.rounds, 1):
        broken = _broken_port_rule(problem, calls) or _broken_packets(problem.network, calls, owned, count)
        if broken:
            return Replay(cost, f"round {number}: {broken}")
        for call in calls:
            for packet in call.payload:
                owned[call.receiver] |= 1 << packet
    labels = problem.network.labels
    for v, packets in enumerate(owned):
        missing = ~packets & ((1 << count) - 1)
        if missing:
            packet = (missing & -missing).bit_length() - 1
            return Replay(
                cost,
                f"after round {len(schedule.rounds)} node {labels[v]} misses packet {packet}",
                legal=True,
            )
    kind = "weak" if problem.parameters.get("weak_ports") else "strict"
    notes = (
        f"rounds: {len(schedule.rounds)}, at most {_allowance(problem)} are allowed",
        f"ports: no node uses more than {shape.ports} in a round ({kind} reading)",
        f"complete: all {shape.nodes} nodes own all {count} packets",
    )
    return Replay(cost, legal=True, notes=notes)


def _allowance(problem: Problem) -> str:
    """Return the number of rounds allowed, as T + r where the problem says so."""
    total, extra = rounds_allowed(problem), problem.parameters.get("extra_rounds")
    return str(total) if extra is None else f"T + r = {total - extra} + {extra}"


def _broken_port_rule(problem: Problem, calls: Round) -> str | None:
    """Return the first node that needs more ports than there are, or the first message sent twice.

    None when there is none.
    """
    ports, labels = problem.parameters["ports"], problem.network.labels
    weak = bool(problem.parameters.get("weak_ports"))
    sent: set[tuple[int, int]] = set()
    links: dict[tuple[int, str], set[int]] = {}
    for call in calls:
        if call[:2] in sent:
            return (
                f"two messages go from {labels[call.sender]} to {labels[call.receiver]}; put their packets"
                " into one"
            )
        sent.add(call[:2])
        for end, other, way in (
            (call.sender, call.receiver, "sends to"),
            (call.receiver, call.sender, "receives from"),
        ):
            used = links.setdefault((end, way if weak else "is linked with"), set())
            used.add(other)
            if len(used) > ports:
                return (
                    f"node {labels[end]} {way if weak else 'is linked with'} more than {ports}"
                    f" node{'s' if ports > 1 else ''}"
                )
    return None


def _broken_packets(network: Network, calls: Round, owned: list[int], count: int) -> str | None:
    """Return the first message that cannot be sent.

    No link, no packets, or packets that its sender does not own; None when there is none.
    """
    labels = network.labels
    for call in calls:
        name = f"the message from {labels[call.sender]} to {labels[call.receiver]}"
        broken = _broken_form(network, call)
        if broken:
            return f"{name} {broken}"
        for packet in call.payload:
            if packet >= count:
                return f"{name} has packet {packet}, but the {count} packets are numbered from 0"
            if not owned[call.sender] >> packet & 1:
                return f"{name} has packet {packet}, which its sender does not own yet"
    return None


def _broken_form(network: Network, call: Call) -> str | None:
    if call.two_way:
        return 'should be one-way, {"from", "to", "packets"}; what comes back is a message of its own'
    if not network.has_arc(call.sender, call.receiver):
        return "uses a link that the network does not have"
    if not call.payload:
        return "has no packets"
    return "has a packet twice" if len(set(call.payload)) < len(call.payload) else None
