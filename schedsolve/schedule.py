"""Calls, rounds and schedules: pure data and their JSON; what is legal is for a model's referee to say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from schedsolve.errors import InputError
from schedsolve.network import Label, Network


class Call(NamedTuple):
    """One call of a round between two nodes.

    sender, receiver: the two nodes; in a two-way call both send and receive, and their order means nothing.
    two_way: whether both directions are used.
    """

    sender: int
    receiver: int
    two_way: bool = False


Round = tuple[Call, ...]


@dataclass(frozen=True)
class Schedule:
    """The rounds of a protocol in order; `rounds[0]` is round 1.

    period: of a systolic schedule, after how many rounds it repeats; `rounds` lists every executed round all the same.
    """

    rounds: tuple[Round, ...]
    period: int | None = None

    @classmethod
    def one_way(cls, rounds: Iterable[Iterable[tuple[int, int]]]) -> Schedule:
        """A schedule of one-way calls from (sender, receiver) pairs, round by round."""
        return cls(tuple(tuple(Call(u, v) for u, v in calls) for calls in rounds))

    @classmethod
    def two_way(cls, rounds: Iterable[Iterable[tuple[int, int]]]) -> Schedule:
        """A schedule of two-way calls from pairs of nodes, round by round."""
        return cls(tuple(tuple(Call(min(u, v), max(u, v), True) for u, v in calls) for calls in rounds))

    @property
    def call_count(self) -> int:
        """The number of calls in all rounds together."""
        return sum(len(calls) for calls in self.rounds)

    def reversed(self) -> Schedule:
        """The schedule run backwards in time, every one-way call turned round."""
        rounds = tuple(tuple(c if c.two_way else Call(c.receiver, c.sender) for c in calls) for calls in reversed(self.rounds))
        return replace(self, rounds=rounds)

    def without_empty_end(self) -> Schedule:
        """The schedule without empty rounds at its end."""
        last = max((t for t, calls in enumerate(self.rounds, 1) if calls), default=0)
        return replace(self, rounds=self.rounds[:last])

    def moved(self, image: Sequence[int]) -> Schedule:
        """The schedule on a network whose nodes are renumbered, node v to image[v]."""
        rounds = tuple(tuple(Call(image[c.sender], image[c.receiver], c.two_way) for c in calls) for calls in self.rounds)
        return replace(self, rounds=rounds)


def schedule_to_json(schedule: Schedule, labels: Sequence[Label]) -> dict[str, Any]:
    """The schedule as a JSON object that speaks the network's labels."""

    def call_to_json(call: Call) -> dict[str, Any]:
        ends = labels[call.sender], labels[call.receiver]
        return {"between": list(ends)} if call.two_way else {"from": ends[0], "to": ends[1]}

    rounds = [[call_to_json(call) for call in calls] for calls in schedule.rounds]
    return {"rounds": rounds} if schedule.period is None else {"period": schedule.period, "rounds": rounds}


def schedule_from_json(data: Any, network: Network) -> Schedule:
    """The schedule that `schedule_to_json` wrote, or a user wrote by hand, on this network.

    Raises InputError, with the round, when the object has another shape or names an unknown node.
    """
    rounds = data.get("rounds") if isinstance(data, Mapping) else None
    if not isinstance(rounds, list) or not all(isinstance(calls, list) for calls in rounds):
        raise InputError('a schedule is {"rounds": [[call, ...], ...]}, one list of calls for every round')
    period = data.get("period")
    if period is not None and (type(period) is not int or period < 1):
        raise InputError(f"the period of a schedule is a number of rounds, 1 or more; not {period!r:.60}")
    return Schedule(tuple(tuple(_call(call, network, t) for call in calls) for t, calls in enumerate(rounds, 1)), period)


def _call(data: Any, network: Network, round_number: int) -> Call:
    keys = set(data) if isinstance(data, Mapping) else set()
    two_way = keys == {"between"}
    if two_way and isinstance(data["between"], list) and len(data["between"]) == 2:
        ends = data["between"]
    elif keys == {"from", "to"}:
        ends = [data["from"], data["to"]]
    else:
        raise InputError(f'round {round_number}: a call is {{"from": A, "to": B}} or {{"between": [A, B]}}, not {data!r:.60}')
    if not all(isinstance(end, int | str) and not isinstance(end, bool) for end in ends):
        raise InputError(f"round {round_number}: a node is named by its label, a number or a text, not {ends!r:.60}")
    try:
        sender, receiver = (network.node(end) for end in ends)
    except InputError as error:
        raise InputError(f"round {round_number}: {error}") from None
    return Call(sender, receiver, two_way)
