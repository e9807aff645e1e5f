"""The referee of the routing model: messages through the routers of a fat-tree of full bandwidth.

The network has n = 2^h processing nodes, and at every level as many wires up, and down, as processing
nodes. A router node of level l = 0..h-1 joins 2^(l+1) consecutive processing nodes and consists of 2^l
routers, each with two downstream ports, to the left and to the right half, and two upstream ports. A
message from s to d goes up to level L, the lowest whose router node joins s and d, and down again; it
may take either upstream port at each of the levels 0..L-1, and its way down is determined. Port p of
router r of level l leads to router r + p 2^l of level l+1, so the bits of the router of level l on a
message's route are its first l ports, the lowest bit first. Every link has a wire up and a wire down
(full-duplex).

No two messages of a round use the same wire. The wires between a node and its router thus imply that a
node sends at most one message, and receives at most one, per round.

Source: Strumpen and Krishnamurthy, A collision model for randomized routing in fat-tree networks (JPDC
2005), section 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from schedsolve.modelkit.form import CallForm
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Replay
from schedsolve.modelkit.schedule import Call, Payload, Round, Schedule
from schedsolve.network.graph import Label, Network
from schedsolve.runtime.errors import InputError

Message = tuple[int, int]
"""The source and the destination of a message."""
Wire = tuple[str, int, int, int]
"""A wire: its direction "up" or "down", the level of the router at its upper end, the subtree below it,
and the router.

The subtree is the number that its nodes have without their lowest `level` bits.
"""


def processor_count(network: Network) -> int:
    """Return the number n of processing nodes of a fat-tree, which are its nodes 0..n-1."""
    return (network.node_count + 1) // 2


def messages_of(problem: Problem) -> list[Message]:
    """Return the messages of a problem, in order."""
    return [(source, destination) for source, destination in problem.parameters["messages"]]


def turning_level(source: int, destination: int) -> int:
    """Return the lowest level whose router node joins two distinct nodes."""
    return (source ^ destination).bit_length() - 1


def wires(source: int, destination: int, ports: Sequence[int]) -> Iterator[Wire]:
    """Yield the wires of a message in order, up to its turning level and down from there.

    Parameters
    ----------
    source
        The processing node that sends the message.
    destination
        The processing node that receives it.
    ports
        The upstream ports, 0 or 1, from level 0 upward; there are as many as the turning level says.
    """
    top = len(ports)
    routers = [0]
    for level, port in enumerate(ports):
        routers.append(routers[-1] + (port << level))
    yield from (("up", level, source >> level, routers[level]) for level in range(top + 1))
    yield from (("down", level, destination >> level, routers[level]) for level in range(top, -1, -1))


class UpstreamPorts(Payload):
    """The ports, 0 or 1, by which a message leaves the levels below its turning level, the lowest first."""

    __slots__ = ()
    key = "upstream_ports"
    meaning = "the port, 0 or 1, by which it goes up from each level, the lowest first"

    def shown(self, ends: str, arrow: str, labels: Sequence[Label]) -> str:
        """Return the ends followed by the ports."""
        return f"{ends}:{''.join(map(str, self))}"


def _read_ports(values: list[Any], _: Network) -> UpstreamPorts:
    if not all(type(x) is int and x in (0, 1) for x in values):
        raise InputError(f"upstream ports are a list of 0 and 1; not {values!r:.60}")
    return UpstreamPorts(values)


FORM = CallForm(UpstreamPorts, _read_ports, "a whole message through the routers that its ports say")
"""The form of a call: a message lists the upstream ports that it takes."""


def replay(problem: Problem, schedule: Schedule) -> Replay:
    """Replay a schedule; the value is the number of rounds.

    The violation is the first broken rule in the order of rounds and calls; this includes a call that
    delivers no message of the problem, or one already delivered. If no rule is broken, the violation is the
    first message that is not delivered after the last round.
    """
    rounds = len(schedule.rounds)
    foreign = FORM.foreign(schedule)
    if foreign:
        return Replay(rounds, foreign)
    left = Counter(messages_of(problem))
    for number, calls in enumerate(schedule.rounds, 1):
        broken = broken_rule(processor_count(problem.network), calls, left)
        if broken:
            return Replay(rounds, f"round {number}: {broken}")
        left.subtract(call[:2] for call in calls)
    missing = sorted(message for message, count in left.items() if count)
    if missing:
        source, destination = missing[0]
        others = f" and {left.total() - 1} more" if left.total() > 1 else ""
        return Replay(
            rounds,
            f"after the last round ({rounds}): the message from {source} to {destination}{others} is not"
            " delivered",
            legal=True,
        )
    return Replay(rounds, legal=True)


def broken_rule(n: int, calls: Round, left: Mapping[Message, int]) -> str | None:
    """Return the first rule that the calls of one round break, or None if the round is legal.

    Parameters
    ----------
    n
        The number of processing nodes.
    calls
        The calls of the round.
    left
        How often each message is still to be delivered.
    """
    used: dict[Wire, Call] = {}
    sent: Counter[Message] = Counter()
    for call in calls:
        name = f"the call from {call.sender} to {call.receiver}"
        broken = _broken_form(n, call)
        if broken:
            return f"{name} {broken}"
        sent[call[:2]] += 1
        if sent[call[:2]] > left.get(call[:2], 0):
            return f"{name} delivers no message that is still to be delivered"
        for wire in wires(*call[:2], call.payload):
            if wire in used:
                return (
                    f"{name} uses {_wire_name(wire)}, as does the call from {used[wire].sender} to"
                    f" {used[wire].receiver}"
                )
            used[wire] = call
    return None


def _broken_form(n: int, call: Call) -> str | None:
    """Return what is wrong with one call on its own, or None."""
    if call.two_way:
        return "is two-way; a message goes one way"
    if max(call[:2]) >= n:
        return f"has an end that is not a processing node; these are 0..{n - 1}"
    if call.sender == call.receiver:
        return "has one end only"
    level = turning_level(*call[:2])
    if len(call.payload) != level or not set(call.payload) <= {0, 1}:
        return (
            f'needs "upstream_ports" with {level} entries of 0 or 1, one for every level that it goes up from'
        )
    return None


def _wire_name(wire: Wire) -> str:
    direction, level, subtree, router = wire
    if level == 0:
        return f"the wire {'from' if direction == 'up' else 'to'} node {subtree}"
    ends = f"nodes {subtree << level}..{(subtree + 1 << level) - 1}"
    return f"the wire {direction} between {ends} and router {router} of level {level}"
