"""Calls, rounds and schedules as pure data; a model's referee decides what is legal.

A call has two ends and a payload. The model declares the payload: a class of the model that knows how it is
written, renumbered and reversed; the form of the model's schedules says how it is read
(`schedsolve.modelkit.form`). A model may have schedules of another kind, with the methods of `AnySchedule`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, Self, cast

from schedsolve.network.graph import Label, Network
from schedsolve.runtime.display.tabular import CallTable
from schedsolve.runtime.errors import InputError, counted, shown

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Node = TypeVar("Node", default=int)
    """A node of a schedule: its number, or the user's node, which may be anything."""
    Image = TypeVar("Image")
else:
    from typing import TypeVar

    Node, Image = TypeVar("Node"), TypeVar("Image")

LONGEST_LINE = 160
"""The number of characters after which a line for a terminal is cut."""
MOST_REPEATED_CALLS = 10_000
"""Rounds that repeat are written once if listing them all would write more calls again."""


class Payload(tuple[int, ...]):
    """What a call carries besides its ends, as integers; a model has its own class.

    `key` is its name in files, and `meaning` says what it is, for people.
    """

    __slots__ = ()
    key: ClassVar[str] = ""
    meaning: ClassVar[str] = "nothing"

    def to_json(self, labels: Sequence[Label]) -> list[Any]:
        """Return the list in a file, with the labels of the network's nodes."""
        return list(self)

    def record(self) -> dict[str, tuple[Any, ...]]:
        """Return the payload by its name, for tables; nothing if it is empty."""
        return {self.key: tuple(self)} if self else {}

    def moved(self, image: Sequence[Any]) -> Self:
        """Return the payload on a network whose node v is renumbered to image[v]."""
        return self

    def turned(self) -> Self:
        """Return the payload of the reversed call."""
        return self

    def shown(self, ends: str, arrow: str, labels: Sequence[Label]) -> str:
        """Return the call for a terminal, given its ends as text and the arrow between two nodes."""
        return ends


NOTHING = Payload()


class Call(NamedTuple, Generic[Node]):
    """One call of a round between two nodes.

    Attributes
    ----------
    sender
        The node that sends; in a two-way call both nodes send and receive, and their order is irrelevant.
    receiver
        The other node.
    two_way
        Whether both directions are used.
    payload
        What else the call carries, in the form that its model declares.
    """

    sender: Node
    receiver: Node
    two_way: bool = False
    payload: Payload = NOTHING

    def reversed(self) -> Call[Node]:
        """Return the call with its payload reversed; a two-way call uses both directions as before."""
        return Call(self.receiver, self.sender, self.two_way, self.payload.turned())

    def moved(self, image: Sequence[Image]) -> Call[Image]:
        """Return the call on a network whose node v is renumbered to image[v]."""
        u: Any = self.sender
        v: Any = self.receiver
        return Call(image[u], image[v], self.two_way, self.payload.moved(image))

    def shown(self, labels: Sequence[Label]) -> str:
        """Return the call for a terminal."""
        arrow = "-" if self.two_way else ">"
        u: Any = self.sender
        v: Any = self.receiver
        ends = f"{labels[u]}{arrow}{labels[v]}"
        return self.payload.shown(ends, arrow, labels) if self.payload else ends


class Message(NamedTuple, Generic[Node]):
    """One message of a clocked schedule, sent at time `start`, 0 or later; its payload is as of a call."""

    sender: Node
    receiver: Node
    start: int
    payload: Payload = NOTHING

    @property
    def call(self) -> Call[Node]:
        """The message without its time."""
        return Call(self.sender, self.receiver, False, self.payload)


Round = tuple[Call, ...]


class AnySchedule(Protocol):
    """The methods of the schedules of every model; labels are those of the network, in node order."""

    @property
    def indexed(self) -> AnySchedule:
        """The schedule on the nodes 0..n-1."""

    def labeled(self, nodes: Sequence[Any]) -> AnySchedule:
        """Return the schedule on the users' nodes."""

    def to_json(self, labels: Sequence[Label]) -> dict[str, Any]:
        """Return the schedule as a JSON object with the network's labels."""

    def lines(self, labels: Sequence[Label]) -> list[str]:
        """Return the schedule as lines for a terminal, with long lines cut."""

    def moved(self, image: Sequence[int]) -> AnySchedule:
        """Return the schedule on a network whose node v is renumbered to image[v]."""

    def without_empty_end(self) -> AnySchedule:
        """Return the schedule without a useless end, such as empty rounds."""


@dataclass(frozen=True, repr=False)
class Schedule(CallTable, Generic[Node]):
    """The rounds of a protocol in order; `rounds[0]` is round 1.

    Attributes
    ----------
    rounds
        The rounds; a systolic schedule lists every executed round too, those that repeat as one object.
    period
        The number of rounds after which a systolic schedule repeats.
    messages
        The timed messages of a clocked schedule, which has no rounds; None in a schedule of rounds.
    head
        Further integers of a model's schedules by name, such as the number of packets of the message.
    origin
        Of a schedule on the users' nodes, as `labeled` returns it, the same schedule on 0..n-1; else None.
    """

    rounds: tuple[tuple[Call[Node], ...], ...] = ()
    period: int | None = None
    messages: tuple[Message[Node], ...] | None = None
    head: Mapping[str, int] = field(default_factory=dict, hash=False)
    origin: Schedule[int] | None = field(default=None, compare=False, repr=False, kw_only=True)

    def __repr__(self) -> str:
        if self.messages is not None:
            return f"<Schedule: {counted(len(self.messages), 'message')}>"
        period = "" if self.period is None else f", period {self.period}"
        return f"<Schedule: {counted(len(self.rounds), 'round')}, {counted(self.call_count, 'call')}{period}>"

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each call: its round (its start, if it is clocked), its ends and its payload."""
        if self.messages is not None:
            return [
                {"start": m.start, "sender": m.sender, "receiver": m.receiver, **m.payload.record()}
                for m in self.messages
            ]
        return [
            {
                "round": number,
                "sender": call.sender,
                "receiver": call.receiver,
                "two_way": call.two_way,
                **call.payload.record(),
            }
            for number, calls in enumerate(self.rounds, 1)
            for call in calls
        ]

    def __iter__(self) -> Iterator[tuple[Call[Node], ...]]:
        return iter(self.rounds)

    def __len__(self) -> int:
        return len(self.rounds)

    def __bool__(self) -> bool:
        return True

    @property
    def indexed(self) -> Schedule[int]:
        """The schedule on the nodes 0..n-1, which everything that takes a schedule reads."""
        return cast("Schedule[int]", self) if self.origin is None else self.origin

    def labeled(self, nodes: Sequence[Any]) -> Schedule[Any]:
        """Return the schedule on the users' nodes, whose calls name them."""
        if all(node is v or (node == v and type(node) is int) for v, node in enumerate(nodes)):
            return self
        return replace(self.moved(nodes), origin=self.indexed)

    @staticmethod
    def one_way(rounds: Iterable[Iterable[tuple[Any, Any]]], network: Network | None = None) -> Schedule[Any]:
        """Return a schedule of one-way calls from (sender, receiver) pairs, round by round.

        The pairs are of numbers of nodes or, with a network, of the users' nodes.

        Raises
        ------
        InputError
            If there is no such node.
        """
        made = Schedule(
            _each_once(rounds, lambda calls: tuple(Call(*_numbers(pair, network)) for pair in calls))
        )
        return made if network is None else made.labeled(network.nodes)

    @staticmethod
    def two_way(rounds: Iterable[Iterable[tuple[Any, Any]]], network: Network | None = None) -> Schedule[Any]:
        """Return a schedule of two-way calls from pairs of nodes, round by round; nodes as in `one_way`.

        ```pycon
        >>> Schedule.two_way([[(1, 0), (2, 3)], [(1, 2)]]).call_count
        3

        ```
        """

        def call(pair: Any) -> Call:
            u, v = _numbers(pair, network)
            return Call(u, v, True) if u <= v else Call(v, u, True)

        made = Schedule(_each_once(rounds, lambda calls: tuple(map(call, calls))))
        return made if network is None else made.labeled(network.nodes)

    @property
    def call_count(self) -> int:
        """The total number of calls."""
        return sum(len(calls) for calls in self.rounds)

    @property
    def different_rounds(self) -> Iterable[tuple[Call[Node], ...]]:
        """The distinct round objects in order; long systolic schedules repeat the same objects."""
        return {id(calls): calls for calls in self.rounds}.values()

    def reversed(self) -> Schedule[Node]:
        """Return the schedule run backwards in time, with every one-way call reversed.

        Raises
        ------
        ValueError
            If the schedule is clocked; only its model can reverse it.
        """
        if self.messages is not None:
            raise ValueError("when the messages of a clocked schedule arrive is for its model to say")
        turned: tuple[tuple[Call[Node], ...], ...] = _each_once(
            self.rounds, lambda calls: tuple(call if call.two_way else call.reversed() for call in calls)
        )
        return replace(self, rounds=turned[::-1], origin=self.origin and self.origin.reversed())

    def without_empty_end(self) -> Schedule[Node]:
        """Return the schedule without empty rounds at its end."""
        last = max((t for t, calls in enumerate(self.rounds, 1) if calls), default=0)
        origin = self.origin and self.origin.without_empty_end()
        return replace(self, rounds=self.rounds[:last], origin=origin)

    def moved(self, image: Sequence[Image]) -> Schedule[Image]:
        """Return the schedule on a network whose node v is renumbered to image[v]."""
        if self.origin is not None:
            return self.origin.moved(image)
        rounds = _each_once(self.rounds, lambda calls: tuple(call.moved(image) for call in calls))
        sent: Iterable[Message[Any]] = self.messages or ()
        messages = tuple(
            Message(image[u], image[v], start, payload.moved(image)) for u, v, start, payload in sent
        )
        return Schedule(rounds, self.period, None if self.messages is None else messages, self.head)

    def to_json(self, labels: Sequence[Label]) -> dict[str, Any]:
        """Return the schedule as a JSON object with the network's labels."""
        if self.origin is not None:
            return self.origin.to_json(labels)

        def payload_to_json(payload: Payload) -> dict[str, Any]:
            return {payload.key: payload.to_json(labels)} if payload else {}

        def call_to_json(call: Call[Any]) -> dict[str, Any]:
            u, v = labels[call.sender], labels[call.receiver]
            data: dict[str, Any] = {"between": [u, v]} if call.two_way else {"from": u, "to": v}
            return data | payload_to_json(call.payload)

        sent: Iterable[Message[Any]] | None = self.messages
        if sent is not None:
            return {
                "messages": [
                    {"from": labels[m.sender], "to": labels[m.receiver], "start": m.start}
                    | payload_to_json(m.payload)
                    for m in sent
                ]
            }
        listed = self.rounds[: self._repeated]
        total = None if len(listed) == len(self.rounds) else len(self.rounds)
        numbers = {"period": self.period, **self.head, "total_rounds": total}
        return {
            **{name: number for name, number in numbers.items() if number is not None},
            "rounds": [[call_to_json(call) for call in calls] for calls in listed],
        }

    @property
    def _repeated(self) -> int:
        """The number of rounds to write, after which they repeat in turn; all, unless that saves a lot."""
        rounds, count = self.rounds, len(self.rounds)
        period = next((t for t in range(1, count) if rounds[t] == rounds[0]), count)
        saved = self.call_count - sum(map(len, rounds[:period]))
        # A tuple is compared call by call even with itself.
        alike = all(a is b or a == b for a, b in zip(rounds[period:], rounds, strict=False))
        return period if alike and saved > MOST_REPEATED_CALLS else count

    def lines(self, labels: Sequence[Label]) -> list[str]:
        """Return one line per round or sending time; a long line is cut and ends with the omitted count."""
        if self.origin is not None:
            return self.origin.lines(labels)
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


def _each_once(
    rounds: Iterable[Iterable[Any]], make: Callable[[Any], tuple[Call[Any], ...]]
) -> tuple[tuple[Call[Any], ...], ...]:
    """Return what is made of the rounds; a round that is given as one object stays one."""
    # The given rounds are kept too, or a later one could have the place in memory, and the id, of another.
    made: dict[int, tuple[Iterable[Any], tuple[Call[Any], ...]]] = {}
    found = []
    for calls in rounds:
        if id(calls) not in made:
            made[id(calls)] = calls, make(calls)
        found.append(made[id(calls)][1])
    return tuple(found)


def _numbers(pair: tuple[Any, Any], network: Network | None) -> tuple[int, int]:
    if not isinstance(pair, tuple | Sequence) or len(pair) != 2:
        raise InputError(f"a call is a pair of nodes, (u, v), and a round a list of calls; not {shown(pair)}")
    u, v = pair
    return (u, v) if network is None else (network.node(u), network.node(v))


def cut(words: list[str]) -> str:
    """Return as many words as fit on a line, at least one, and how many are omitted."""
    kept, length = 0, 0
    while kept < len(words) and (kept == 0 or length + len(words[kept]) < LONGEST_LINE):
        length += len(words[kept]) + 1
        kept += 1
    return " ".join(words[:kept]) + (f" ... and {len(words) - kept} more" if kept < len(words) else "")


class LabeledSchedules(Mapping[Any, Any]):
    """Schedules by the users' nodes, each made when it is asked for."""

    def __init__(self, indexed: Mapping[int, Any], network: Network) -> None:
        self._indexed, self._network = indexed, network

    def __getitem__(self, node: Any) -> Any:
        try:
            found = self._indexed[self._network.node(node)]
        except InputError as error:
            raise KeyError(node) from error
        return found.labeled(self._network.nodes)

    def __iter__(self) -> Iterator[Any]:
        return (self._network.nodes[v] for v in self._indexed)

    def __len__(self) -> int:
        return len(self._indexed)

    def __repr__(self) -> str:
        return f"<Schedules of {counted(len(self), 'node')}>"
