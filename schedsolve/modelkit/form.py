"""The form of a model's schedules.

What they say besides calls in rounds, how they are read from files, and what is foreign to them; all from one
declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeGuard

from schedsolve.modelkit.schedule import NOTHING, Call, Message, Payload, Round, Schedule
from schedsolve.network.graph import Label, Network
from schedsolve.runtime.errors import InputError, shown

LARGEST_COUNT = 10**6
"""The greatest period, and the greatest number in the head of a schedule, that a file may give."""
LONGEST_PATH = 9
TOTAL = "total_rounds"
"""How many rounds a schedule has whose file lists them only until they repeat."""


class ForeignError(InputError):
    """A schedule says something that means nothing in its model; the message says what."""


class ScheduleForm(Protocol):
    """What a model declares of its schedules; `CallForm` is the usual one."""

    @property
    def schedule(self) -> type:
        """The class of the schedules."""

    def read(self, data: Any, network: Network) -> Any:
        """Return the schedule in JSON data.

        Raises
        ------
        InputError
            If the data are malformed or name an unknown node.
        ForeignError
            If it says what means nothing here.
        """


def fitting_schedule(given: Any, form: ScheduleForm, network: Network) -> Any:
    """Return the schedule on the nodes 0..n-1 of a schedule or a result.

    Raises
    ------
    InputError
        If it is neither, or is for another model or network.
    """
    indexed = getattr(given, "indexed", None)
    if indexed is None:
        raise InputError(
            "a schedule is what a result has, or what Schedule.two_way and Schedule.one_way make of pairs of"
            f" nodes; not {shown(given)}"
        )
    if not isinstance(indexed, form.schedule):
        raise InputError(f"the model has schedules of another kind, {form.schedule.__name__}; not {given!r}")
    rounds: Iterable[Iterable[Call]] = indexed.rounds if isinstance(indexed, Schedule) else ()
    for call in (call for calls in rounds for call in calls):
        for v in call[:2]:
            if type(v) is not int or not 0 <= v < network.node_count:
                raise InputError(
                    f"a call names {shown(v)}, which is no number of a node, 0..{network.node_count - 1};"
                    " Schedule.two_way(rounds, network) takes the nodes of a network"
                )
    return indexed


@dataclass(frozen=True)
class CallForm:
    """The form of schedules that are made of calls in rounds, or of messages by the clock.

    Attributes
    ----------
    payload
        The class of what a call says besides its ends; None for nothing.
    read_payload
        From the list in a file, whose entries are whole numbers or texts, to the payload; raises InputError.
    brings
        What a call brings, for people.
    period
        Whether a schedule may say after how many rounds it repeats.
    head
        The names of the numbers that a schedule may give.
    clocked
        Whether it may be clocked.
    """

    payload: type[Payload] | None = None
    read_payload: Callable[[list[Any], Network], Payload] | None = None
    brings: str = "all that its sender knows"
    period: bool = False
    head: tuple[str, ...] = ()
    clocked: bool = False
    schedule: type = Schedule

    def foreign(self, schedule: Schedule, *, period: int | None = None) -> str | None:
        """Return what a schedule says that means nothing in this form, or with the period that is asked for.

        None if nothing.
        """
        if schedule.messages is not None and not self.clocked:
            return "the schedule is clocked, with messages in place of rounds; here calls are made in rounds"
        for name in schedule.head:
            if name not in self.head:
                return (
                    f'the schedule gives "{name:.60}", which means nothing here; a call brings {self.brings}'
                )
        for number, calls in enumerate(schedule.different_rounds, 1):
            for call in calls:
                if self._means_nothing(call.payload):
                    return (
                        f'round {number}: a call has "{call.payload.key}"; here a call brings {self.brings}'
                    )
        for message in schedule.messages or ():
            if self._means_nothing(message.payload):
                return f'a message has "{message.payload.key}"; here it brings {self.brings}'
        if schedule.period not in (None, period):
            asked = f"the period is {period}" if self.period else "the problem has no period"
            return (
                f"the schedule has a period, it says that it repeats every {schedule.period} rounds; but"
                f" {asked}"
            )
        return None

    def _means_nothing(self, payload: Payload) -> bool:
        return bool(payload) and not isinstance(payload, self.payload or ())

    def read(self, data: Any, network: Network) -> Schedule:
        """Return the schedule that `Schedule.to_json` wrote, or a user wrote by hand, on this network.

        Raises
        ------
        InputError
            If the data are malformed or name an unknown node; the message names the round.
        ForeignError
            For what means nothing in this form.
        """
        if isinstance(data, Mapping) and "messages" in data:
            if set(data) - {"messages"}:
                raise InputError('a clocked schedule has "messages" and nothing else')
            return Schedule(messages=tuple(self._messages(data["messages"], network)))
        data = data if isinstance(data, Mapping) else {}
        rounds = data.get("rounds")
        if not isinstance(rounds, list) or not all(isinstance(calls, list) for calls in rounds):
            raise InputError(
                'a schedule is {"rounds": [[call, ...], ...]}, one list of calls for every round, or'
                ' {"messages": [...]}'
            )
        for name, value in data.items():
            if name == "rounds" or value is None:
                continue
            if name not in ("period", TOTAL) and name not in self.head:
                raise ForeignError(f'"{name:.60}" means nothing here; a call brings {self.brings}')
            if type(value) is not int or not 1 <= value <= LARGEST_COUNT:
                raise InputError(
                    f'"{name}" of a schedule is a whole number from 1 to {LARGEST_COUNT}; not {value!r:.60}'
                )
        plain: dict[tuple[bool, Label, Label], Call] = {}
        calls_by_round = tuple(
            tuple(self._calls(calls, network, t, plain)) for t, calls in enumerate(rounds, 1)
        )
        head = {name: data[name] for name in self.head if data.get(name) is not None}
        return Schedule(_executed(calls_by_round, data), data.get("period"), head=head)

    def _messages(self, data: Any, network: Network) -> list[Message]:
        messages = []
        entries: list[Any] = data if isinstance(data, list) else [None]
        for entry in entries:
            start = entry.get("start") if isinstance(entry, Mapping) else None
            if type(start) is not int or start < 0 or "between" in entry:
                raise InputError(
                    'a message of a clocked schedule is {"from": A, "to": B, "start": TIME}, the time 0 or'
                    f" later; not {entry!r:.60}"
                )
            call = self._call({name: x for name, x in entry.items() if name != "start"}, network, start)
            messages.append(Message(call.sender, call.receiver, start, call.payload))
        return messages

    def _calls(
        self,
        entries: list[Any],
        network: Network,
        round_number: int,
        plain: dict[tuple[bool, Label, Label], Call],
    ) -> Iterator[Call]:
        """Yield the calls of a round; of plain ones between the same ends, one object serves all rounds."""
        for entry in entries:
            key = _plain(entry)
            if key is None:
                yield self._call(entry, network, round_number)
            else:
                call = plain.get(key)
                if call is None:
                    call = plain[key] = self._call(entry, network, round_number)
                yield call

    def _call(self, data: Any, network: Network, round_number: int) -> Call:
        keys = set(data) if isinstance(data, Mapping) else set()
        if "between" in keys and isinstance(data["between"], list) and len(data["between"]) == 2:
            ends, rest = data["between"], keys - {"between"}
        elif keys >= {"from", "to"}:
            ends, rest = [data["from"], data["to"]], keys - {"from", "to"}
        else:
            form = '{"from": A, "to": B} or {"between": [A, B]}'
            raise InputError(f"round {round_number}: a call is {form}; not {data!r:.60}")
        key = self.payload.key if self.payload is not None else None
        for name in sorted(rest - {key}, key=str):
            may = f'; it may have "{key}", {self.payload.meaning}' if self.payload is not None else ""
            raise ForeignError(
                f'round {round_number}: a call has "{name:.60}", which means nothing here{may}'
            )
        values = data[key] if key in rest else []
        if not isinstance(values, list) or not all(map(is_label, (*ends, *values))):
            also = "" if key is None else f", and {key} are a list"
            raise InputError(
                f"round {round_number}: a node is named by its label, a number or a text{also}; not"
                f" {data!r:.60}"
            )
        try:
            sender, receiver = (network.node(label) for label in ends)
            payload = NOTHING
            if key in rest:
                assert self.read_payload is not None
                payload = self.read_payload(values, network)
        except InputError as error:
            raise InputError(f"round {round_number}: {error}") from None
        return Call(sender, receiver, "between" in keys, payload)


def _plain(data: Any) -> tuple[bool, Label, Label] | None:
    """Return whether a call without a payload is two-way, and its ends; None for any other entry."""
    if type(data) is not dict:
        return None
    two_way = "between" in data
    ends: Any = data["between"] if two_way else (data.get("from"), data.get("to"))
    if len(data) != 2 - two_way or type(ends) not in (list, tuple) or len(ends) != 2:
        return None
    u, v = ends
    # True and 1.0 would stand for 1 among the keys of a dictionary.
    return (two_way, u, v) if type(u) in (int, str) and type(v) in (int, str) else None


def _executed(listed: tuple[Round, ...], data: Mapping[str, Any]) -> tuple[Round, ...]:
    """Return the rounds that are executed: the listed ones in turn, up to the number that is given."""
    total, count = data.get(TOTAL), len(listed)
    if total is None:
        return listed
    if not 1 <= count <= total:
        raise InputError(
            f'"{TOTAL}" counts the rounds listed, at least one, and their repetitions; it is {count} or more'
        )
    return tuple(listed[t % count] for t in range(total))


def is_label(value: Any) -> TypeGuard[Label]:
    """Whether a JSON value can be a node's label."""
    return isinstance(value, int | str) and not isinstance(value, bool)


def natural_numbers(kind: type[Payload]) -> Callable[[list[Any], Network], Payload]:
    """Return the reader of a payload of whole numbers of 0 or more."""

    def read(values: list[Any], _: Network) -> Payload:
        if not all(type(x) is int and x >= 0 for x in values):
            raise InputError(f"{kind.key} are a list of numbers, 0 or more; not {values!r:.60}")
        return kind(values)

    return read


class Path(Payload):
    """All nodes that a long-distance call goes through, from its sender to its receiver."""

    __slots__ = ()
    key = "path"
    meaning = "all nodes from its sender to its receiver, both included"

    def to_json(self, labels: Sequence[Label]) -> list[Any]:
        """Return the labels of its nodes."""
        return [labels[v] for v in self]

    def moved(self, image: Sequence[int]) -> Path:
        """Return the path on a network whose nodes are renumbered."""
        return Path(image[v] for v in self)

    def turned(self) -> Path:
        """Return the path back."""
        return Path(self[::-1])

    def shown(self, ends: str, arrow: str, labels: Sequence[Label]) -> str:
        """Its nodes; of a long one the first and the last two."""
        names = [str(labels[v]) for v in self]
        few = [*names[:2], f"({len(names) - 4} more)", *names[-2:]]
        return arrow.join(names if len(names) <= LONGEST_PATH else few)


def read_path(values: list[Any], network: Network) -> Path:
    """Return the path through nodes that are named by their labels.

    Raises
    ------
    InputError
        For an unknown one.
    """
    return Path(network.node(label) for label in values)
