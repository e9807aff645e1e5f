"""Calls, rounds and schedules: pure data and their JSON; what is legal is for a model's referee to say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from schedsolve.errors import InputError
from schedsolve.network.graph import Label, Network


class Call(NamedTuple):
    """One call of a round between two nodes.

    sender, receiver: the two nodes; in a two-way call both send and receive, and their order means nothing.
    two_way: whether both directions are used.
    path: of a long-distance call all nodes from sender to receiver, both included; empty where calls are
    between neighbours.
    packets: of a message that is cut into packets, the numbers of those sent, from 0; empty where messages
    are not cut.
    upstream_ports: of a message through a fat-tree's routers, the port (0 or 1) by which it goes up from each
    level, the lowest first.
    operands: of a partial result, the first and the last of the consecutive operands in it, from 0; empty
    where nothing is computed.
    """

    sender: int
    receiver: int
    two_way: bool = False
    path: tuple[int, ...] = ()
    packets: tuple[int, ...] = ()
    upstream_ports: tuple[int, ...] = ()
    operands: tuple[int, ...] = ()

    def reversed(self) -> Call:
        """The call turned round, its path with it; a two-way call uses both directions as before."""
        return self._replace(sender=self.receiver, receiver=self.sender, path=self.path[::-1])

    def moved(self, image: Sequence[int]) -> Call:
        """The call when node v is renumbered to image[v]."""
        return self._replace(
            sender=image[self.sender], receiver=image[self.receiver], path=tuple(image[v] for v in self.path)
        )


class Message(NamedTuple):
    """One message of a clocked schedule: sent by the sender at time `start`, 0 or later; operands: as in a
    call.
    """

    sender: int
    receiver: int
    start: int
    operands: tuple[int, ...] = ()


Round = tuple[Call, ...]
LARGEST_COUNT = 10**6
"""The greatest period, and the greatest number of packets, that a file may give."""


@dataclass(frozen=True)
class Schedule:
    """The rounds of a protocol in order; `rounds[0]` is round 1.

    period: of a systolic schedule, after how many rounds it repeats; `rounds` lists every executed round all
    the same.
    messages: of a clocked schedule, what is sent when; it has no rounds then. None in a schedule of rounds.
    packet_count: how many packets of the same size the message is cut into, where it is.
    """

    rounds: tuple[Round, ...] = ()
    period: int | None = None
    messages: tuple[Message, ...] | None = None
    packet_count: int | None = None

    @classmethod
    def one_way(cls, rounds: Iterable[Iterable[tuple[int, int]]]) -> Schedule:
        """A schedule of one-way calls from (sender, receiver) pairs, round by round."""
        return cls(tuple(tuple(Call(u, v) for u, v in calls) for calls in rounds))

    @classmethod
    def two_way(cls, rounds: Iterable[Iterable[tuple[int, int]]]) -> Schedule:
        """A schedule of two-way calls from pairs of nodes, round by round.

        ```pycon
        >>> Schedule.two_way([[(1, 0), (2, 3)], [(1, 2)]]).call_count
        3

        ```
        """
        return cls(tuple(tuple(Call(min(u, v), max(u, v), True) for u, v in calls) for calls in rounds))

    @property
    def call_count(self) -> int:
        """The number of calls in all rounds together."""
        return sum(len(calls) for calls in self.rounds)

    @property
    def different_rounds(self) -> Iterable[Round]:
        """The rounds in order; those that are one object, as in a long systolic schedule, once."""
        return {id(calls): calls for calls in self.rounds}.values()

    def reversed(self) -> Schedule:
        """The schedule run backwards in time, every one-way call turned round; a clocked one is turned round
        by its model only.
        """
        if self.messages is not None:
            raise ValueError("when the messages of a clocked schedule arrive is for its model to say")
        rounds = tuple(
            tuple(call if call.two_way else call.reversed() for call in calls)
            for calls in reversed(self.rounds)
        )
        return replace(self, rounds=rounds)

    def without_empty_end(self) -> Schedule:
        """The schedule without empty rounds at its end."""
        last = max((t for t, calls in enumerate(self.rounds, 1) if calls), default=0)
        return replace(self, rounds=self.rounds[:last])

    def moved(self, image: Sequence[int]) -> Schedule:
        """The schedule on a network whose nodes are renumbered, node v to image[v]."""
        rounds = tuple(tuple(call.moved(image) for call in calls) for calls in self.rounds)
        messages = self.messages and tuple(
            m._replace(sender=image[m.sender], receiver=image[m.receiver]) for m in self.messages
        )
        return replace(self, rounds=rounds, messages=messages)


def schedule_to_json(schedule: Schedule, labels: Sequence[Label]) -> dict[str, Any]:
    """The schedule as a JSON object that speaks the network's labels."""

    def call_to_json(call: Call) -> dict[str, Any]:
        ends = labels[call.sender], labels[call.receiver]
        data: dict[str, Any] = {"between": list(ends)} if call.two_way else {"from": ends[0], "to": ends[1]}
        if call.path:
            data["path"] = [labels[v] for v in call.path]
        if call.packets:
            data["packets"] = list(call.packets)
        if call.upstream_ports:
            data["upstream_ports"] = list(call.upstream_ports)
        if call.operands:
            data["operands"] = list(call.operands)
        return data

    def message_to_json(m: Message) -> dict[str, Any]:
        data = {"from": labels[m.sender], "to": labels[m.receiver], "start": m.start}
        return {**data, "operands": list(m.operands)} if m.operands else data

    if schedule.messages is not None:
        return {"messages": [message_to_json(m) for m in schedule.messages]}
    head = {"period": schedule.period, "packet_count": schedule.packet_count}
    rounds = [[call_to_json(call) for call in calls] for calls in schedule.rounds]
    return {**{name: value for name, value in head.items() if value is not None}, "rounds": rounds}


def schedule_from_json(data: Any, network: Network) -> Schedule:
    """The schedule that `schedule_to_json` wrote, or a user wrote by hand, on this network.

    Raises InputError, with the round, when the object has another shape or names an unknown node.
    """
    if isinstance(data, Mapping) and "messages" in data:
        if set(data) - {"messages"}:
            raise InputError('a clocked schedule has "messages" and nothing else')
        return Schedule(messages=_messages(data["messages"], network))
    rounds = data.get("rounds") if isinstance(data, Mapping) else None
    if not isinstance(rounds, list) or not all(isinstance(calls, list) for calls in rounds):
        raise InputError(
            'a schedule is {"rounds": [[call, ...], ...]}, one list of calls for every round, or {"messages":'
            " [...]}"
        )
    for name in ("period", "packet_count"):
        if data.get(name) is not None and (
            type(data[name]) is not int or not 1 <= data[name] <= LARGEST_COUNT
        ):
            raise InputError(
                f'"{name}" of a schedule is a whole number from 1 to {LARGEST_COUNT}; not {data[name]!r:.60}'
            )
    calls_by_round = tuple(
        tuple(_call(call, network, t) for call in calls) for t, calls in enumerate(rounds, 1)
    )
    return Schedule(calls_by_round, data.get("period"), packet_count=data.get("packet_count"))


def _messages(data: Any, network: Network) -> tuple[Message, ...]:
    messages = []
    for entry in data if isinstance(data, list) else [None]:
        start = entry.get("start") if isinstance(entry, Mapping) else None
        if (
            not isinstance(entry, Mapping)
            or set(entry) - {"operands"} != {"from", "to", "start"}
            or type(start) is not int
            or start < 0
        ):
            raise InputError(
                'a message of a clocked schedule is {"from": A, "to": B, "start": TIME}, the time 0 or'
                f" later; not {entry!r:.60}"
            )
        call = _call({name: value for name, value in entry.items() if name != "start"}, network, start)
        messages.append(Message(call.sender, call.receiver, start, call.operands))
    return tuple(messages)


def _call(data: Any, network: Network, round_number: int) -> Call:
    keys = set(data) if isinstance(data, Mapping) else set()
    path, packets, ports, operands = (
        data[name] if name in keys else [] for name in ("path", "packets", "upstream_ports", "operands")
    )
    keys -= {"path", "packets", "upstream_ports", "operands"}
    two_way = keys == {"between"}
    if two_way and isinstance(data["between"], list) and len(data["between"]) == 2:
        ends = data["between"]
    elif keys == {"from", "to"}:
        ends = [data["from"], data["to"]]
    else:
        form = '{"from": A, "to": B} or {"between": [A, B]}, a long-distance call with "path": [A, ..., B]'
        raise InputError(f"round {round_number}: a call is {form}; not {data!r:.60}")
    if not isinstance(path, list) or not all(
        isinstance(v, int | str) and not isinstance(v, bool) for v in (*ends, *path)
    ):
        raise InputError(
            f"round {round_number}: a node is named by its label, a number or a text, and a path is a list;"
            f" not {data!r:.60}"
        )
    if not isinstance(packets, list) or not all(type(x) is int and x >= 0 for x in packets):
        raise InputError(
            f"round {round_number}: packets are a list of numbers, 0 or more; not {packets!r:.60}"
        )
    if not isinstance(ports, list) or not all(type(x) is int and x in (0, 1) for x in ports):
        raise InputError(f"round {round_number}: upstream ports are a list of 0 and 1; not {ports!r:.60}")
    if (
        not isinstance(operands, list)
        or not all(type(x) is int and x >= 0 for x in operands)
        or len(operands) not in (0, 2)
    ):
        raise InputError(
            f"round {round_number}: operands are the first and the last of a run, as [2, 5]; not"
            f" {operands!r:.60}"
        )
    try:
        sender, receiver, *nodes = (network.node(label) for label in (*ends, *path))
    except InputError as error:
        raise InputError(f"round {round_number}: {error}") from None
    return Call(sender, receiver, two_way, tuple(nodes), tuple(packets), tuple(ports), tuple(operands))
