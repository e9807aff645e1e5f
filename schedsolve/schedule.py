"""Calls, rounds and schedules: pure data; what is legal is for a model's referee to say.

A call is two ends and a payload. What a payload is its model declares: it is a class of that model, which
knows how it is written, moved and turned round; how it is read is said by the form of the model's schedules
(`schedsolve.modelkit.form`). A model may have schedules of another kind, which do what `AnySchedule` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Protocol, Self

from schedsolve.network.graph import Label

LONGEST_LINE = 160
"""Characters after which a line for a terminal is cut."""


class Payload(tuple[int, ...]):
    """What a call says besides its ends, as whole numbers; a model's own is a class of its own.

    key: its name in files. meaning: what it says, for people.
    """

    __slots__ = ()
    key: ClassVar[str] = ""
    meaning: ClassVar[str] = "nothing"

    def to_json(self, labels: Sequence[Label]) -> list[Any]:
        """The list in a file; labels: of the network's nodes."""
        return list(self)

    def moved(self, image: Sequence[int]) -> Self:
        """The payload on a network whose nodes are renumbered, node v to image[v]."""
        return self

    def turned(self) -> Self:
        """The payload of the call turned round."""
        return self

    def shown(self, ends: str, arrow: str, labels: Sequence[Label]) -> str:
        """The call for a terminal. ends: it without its payload. arrow: what stands between two nodes."""
        return ends


NOTHING = Payload()


class Call(NamedTuple):
    """One call of a round between two nodes.

    sender, receiver: the two nodes; in a two-way call both send and receive, and their order means nothing.
    two_way: whether both directions are used.
    payload: what else the call says, in the form that its model declares.
    """

    sender: int
    receiver: int
    two_way: bool = False
    payload: Payload = NOTHING

    def reversed(self) -> Call:
        """The call turned round, its payload with it; a two-way call uses both directions as before."""
        return Call(self.receiver, self.sender, self.two_way, self.payload.turned())

    def moved(self, image: Sequence[int]) -> Call:
        """The call when node v is renumbered to image[v]."""
        return Call(image[self.sender], image[self.receiver], self.two_way, self.payload.moved(image))

    def shown(self, labels: Sequence[Label]) -> str:
        """The call for a terminal."""
        arrow = "-" if self.two_way else ">"
        ends = f"{labels[self.sender]}{arrow}{labels[self.receiver]}"
        return self.payload.shown(ends, arrow, labels) if self.payload else ends


class Message(NamedTuple):
    """One message of a clocked schedule: sent by the sender at time `start`, 0 or later; payload: as of a
    call.
    """

    sender: int
    receiver: int
    start: int
    payload: Payload = NOTHING

    @property
    def call(self) -> Call:
        """The message without its time."""
        return Call(self.sender, self.receiver, False, self.payload)


Round = tuple[Call, ...]


class AnySchedule(Protocol):
    """What a schedule of any model does; labels: of the network's nodes, in node order."""

    def to_json(self, labels: Sequence[Label]) -> dict[str, Any]:
        """The schedule as a JSON object that speaks the network's labels."""

    def lines(self, labels: Sequence[Label]) -> list[str]:
        """The schedule for a terminal, long lines cut."""

    def moved(self, image: Sequence[int]) -> Self:
        """The schedule on a network whose nodes are renumbered, node v to image[v]."""

    def without_empty_end(self) -> Self:
        """The schedule without what it does in vain at its end."""


@dataclass(frozen=True)
class Schedule:
    """The rounds of a protocol in order; `rounds[0]` is round 1.

    period: of a systolic schedule, after how many rounds it repeats; `rounds` lists every executed round all
    the same.
    messages: of a clocked schedule, what is sent when; it has no rounds then. None in a schedule of rounds.
    head: whole numbers that a model's schedules give besides, by name; such as into how many packets the
    message is cut.
    """

    rounds: tuple[Round, ...] = ()
    period: int | None = None
    messages: tuple[Message, ...] | None = None
    head: Mapping[str, int] = field(default_factory=dict, hash=False)

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
        """The schedule run backwards in time, every one-way call turned round.

        Raises ValueError for a clocked schedule, which is turned round by its model only.
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
            Message(image[u], image[v], start, payload.moved(image)) for u, v, start, payload in self.messages
        )
        return replace(self, rounds=rounds, messages=messages)

    def to_json(self, labels: Sequence[Label]) -> dict[str, Any]:
        """The schedule as a JSON object that speaks the network's labels."""

        def payload_to_json(payload: Payload) -> dict[str, Any]:
            return {payload.key: payload.to_json(labels)} if payload else {}

        def call_to_json(call: Call) -> dict[str, Any]:
            ends = labels[call.sender], labels[call.receiver]
            data: dict[str, Any] = (
                {"between": list(ends)} if call.two_way else {"from": ends[0], "to": ends[1]}
            )
            return data | payload_to_json(call.payload)

        if self.messages is not None:
            return {
                "messages": [
                    {"from": labels[m.sender], "to": labels[m.receiver], "start": m.start}
                    | payload_to_json(m.payload)
                    for m in self.messages
                ]
            }
        period = {} if self.period is None else {"period": self.period}
        return {
            **period,
            **self.head,
            "rounds": [[call_to_json(call) for call in calls] for calls in self.rounds],
        }

    def lines(self, labels: Sequence[Label]) -> list[str]:
        """The schedule, one round or one time of sending a line; long ones are cut, with the number of calls
        left out.
        """
        if self.messages is not None:
            sent: dict[int, list[str]] = {}
            for message in sorted(self.messages, key=lambda message: message.start):
                sent.setdefault(message.start, []).append(message.call.shown(labels))
            width = len(str(max(sent, default=0)))
            return [f"  time {t:>{width}}: {cut(words)}" for t, words in sent.items()]
        width = len(str(len(self.rounds)))
        return [
            f"  round {t:>{width}}: {cut([call.shown(labels) for call in calls])}"
            for t, calls in enumerate(self.rounds, 1)
        ]


def cut(words: list[str]) -> str:
    """The words in a line, as many as fit, and how many are left out; one at least."""
    kept, length = 0, 0
    while kept < len(words) and (kept == 0 or length + len(words[kept]) < LONGEST_LINE):
        length += len(words[kept]) + 1
        kept += 1
    return " ".join(words[:kept]) + (f" ... and {len(words) - kept} more" if kept < len(words) else "")
