"""The referee of the ideal fat-tree: timing by the clock or in rounds, capacities, and contents of messages.

N = 2^m processors are the leaves of a complete binary tree. A subtree of n < N leaves is joined to its
parent by two channels, up and down, that carry at most w(n) messages per step. A message between
processors whose lowest common ancestor has height h arrives 2h steps after it was sent: sent at time s,
it goes up through the channel of a subtree of height j < h in step s + j + 1, and down in step s + 2h -
j, where step t lasts from time t - 1 to time t. A processor sends at most one message and receives at
most one per step.

Clock: a message can be sent at any time 0, 1, 2, ...; a processor that holds something at time s may
send it at s. The value of a schedule is the time of the last arrival. Rounds: all messages of a round
are sent when it begins, a processor sends or receives at most one of them, and the round lasts until
the last one has arrived, twice its height; an empty round takes no time. The value is the sum over the
rounds.

Broadcast: a message brings what the source holds. Product and prefix: the `operands` of a message are
the run of consecutive operands whose product it carries; its sender can make that product of what it
holds by joining adjacent runs, and keeps a copy of it. Operations take no time.

Source: Bilardi, Codenotti, Del Corso, Pinotti, Resta, Broadcast and associative operations on
fat-trees, section 2 and section 4.2.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from schedsolve.modelkit.form import CallForm
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Replay
from schedsolve.modelkit.schedule import Payload, Schedule
from schedsolve.network.graph import Label, Network
from schedsolve.runtime.errors import InputError

from .tree import FatTree, in_rounds, meeting_height, tree_of

LATEST_START = 10**12
"""The latest time of sending that is accepted; no schedule needs a later one."""
Run = tuple[int, int]
"""The first and the last of a run of consecutive operands."""


class Operands(Payload):
    """The run of consecutive operands that a partial result is made of: the first and the last."""

    __slots__ = ()
    key = "operands"
    meaning = "the first and the last of the run of operands that it carries"

    def shown(self, ends: str, arrow: str, labels: Sequence[Label]) -> str:
        """Return the ends followed by the run."""
        return f"{ends} [{self[0]}..{self[-1]}]"


def _read_run(values: list[Any], _: Network) -> Operands:
    if not all(type(x) is int and x >= 0 for x in values) or len(values) != 2:
        raise InputError(f"operands are the first and the last of a run, as [2, 5]; not {values!r:.60}")
    return Operands(values)


FORM = CallForm(Operands, _read_run, "a whole message, whose path is determined", clocked=True)
"""The form of a call: a message of a product or prefix names its run; schedules may be clocked."""


class Sending(NamedTuple):
    """A message with its time and the run that it carries, if any; `round` is 0 without rounds."""

    sender: int
    receiver: int
    start: int
    round: int
    operands: tuple[int, ...]

    @property
    def arrival(self) -> int:
        """The time of its arrival."""
        return self.start + 2 * meeting_height(self.sender, self.receiver)


def replay(problem: Problem, schedule: Schedule) -> Replay:
    """Replay a schedule; the value is its time.

    The violation is the first broken rule: first of form, then of sending and receiving, then an overloaded
    channel, in the order of steps, then a message that its sender does not hold, last a processor that
    lacks something in the end.
    """
    form = _foreign_form(problem, schedule)
    if form:
        return Replay(0, form)
    tree = tree_of(problem)
    broken = _broken_ends(problem, tree, schedule)
    if broken:
        return Replay(0, broken)
    sendings, value = sendings_of(schedule)
    violation = _broken_participation(problem, sendings) or _overload(tree, sendings)
    if violation:
        return Replay(value, violation)
    held = _spread if problem.task == "broadcast" else _combine
    violation, missing = held(problem, tree, sendings)
    return Replay(value, violation or missing, legal=violation is None)


def _foreign_form(problem: Problem, schedule: Schedule) -> str | None:
    """Return what a schedule contains that means nothing in this model, or None."""
    foreign = FORM.foreign(schedule)
    if foreign:
        return foreign
    if in_rounds(problem) and schedule.messages is not None:
        return "the schedule is clocked, but the timing is by rounds"
    if not in_rounds(problem) and schedule.messages is None:
        return (
            'the schedule has rounds, but the timing is by the clock; give "messages", each with its "start"'
        )
    if any(call.two_way for calls in schedule.rounds for call in calls):
        return "a message of a fat-tree goes one way"
    return None


def _broken_ends(problem: Problem, tree: FatTree, schedule: Schedule) -> str | None:
    """Return a message with an end that is not a processor, or with invalid operands, or None."""
    labels, n = problem.network.labels, tree.processors
    wants = problem.task != "broadcast"
    for where, message in _located(schedule):
        name = f"{where}the message from {labels[message.sender]} to {labels[message.receiver]}"
        if max(message.sender, message.receiver) >= n:
            return f"{name} ends at a switch; messages are between processors {labels[0]}..{labels[n - 1]}"
        if message.sender == message.receiver:
            return f"{name} has one end only"
        if wants != bool(message.operands):
            return (
                f"{name} {'says no' if wants else 'says'} operands; in a {problem.task} it"
                f" {'says which' if wants else 'has none'}"
            )
        if wants and not 0 <= message.operands[0] <= message.operands[-1] < n:
            return (
                f"{name} carries operands {message.operands[0]}..{message.operands[-1]}; there are operands"
                f" 0..{n - 1}, in order"
            )
        if message.start > LATEST_START:
            return f"{name} is sent later than time {LATEST_START}"
    return None


def _located(schedule: Schedule) -> Iterator[tuple[str, Sending]]:
    """Yield the messages, each with its round as text; in a schedule of rounds all are at time 0."""
    for message in schedule.messages or ():
        yield (
            f"time {message.start}: ",
            Sending(message.sender, message.receiver, message.start, 0, message.payload),
        )
    for number, calls in enumerate(schedule.rounds, 1):
        for call in calls:
            yield f"round {number}: ", Sending(call.sender, call.receiver, 0, number, call.payload)


def sendings_of(schedule: Schedule) -> tuple[list[Sending], int]:
    """Return the messages with their times, in this order, and the time that the schedule takes."""
    if schedule.messages is not None:
        ordered = sorted(schedule.messages, key=lambda message: message.start)
        sendings = [Sending(m.sender, m.receiver, m.start, 0, m.payload) for m in ordered]
        return sendings, max((sending.arrival for sending in sendings), default=0)
    sendings, start = [], 0
    for number, calls in enumerate(schedule.rounds, 1):
        sendings += [Sending(call.sender, call.receiver, start, number, call.payload) for call in calls]
        start += 2 * max((meeting_height(call.sender, call.receiver) for call in calls), default=0)
    return sendings, start


def _broken_participation(problem: Problem, sendings: Sequence[Sending]) -> str | None:
    """Return a processor that sends or receives too often, or None."""
    labels = problem.network.labels
    busy: set[tuple[str, int, int]] = set()
    for s in sendings:
        ends: tuple[tuple[str, int, int], ...] = (
            ("sends", s.start, s.sender),
            ("receives", s.arrival, s.receiver),
        )
        if s.round:
            ends = ("takes part in", s.round, s.sender), ("takes part in", s.round, s.receiver)
        for end in ends:
            if end in busy:
                verb, when, processor = end
                where = "round" if s.round else "time"
                return f"{where} {when}: processor {labels[processor]} {verb} two messages"
            busy.add(end)
    return None


class ChannelLoad(NamedTuple):
    """The load of a channel: the most in a step, which step that is, and the total.

    The channel is above the subtree with number `subtree`, counted from the left, of its height.
    """

    height: int
    subtree: int
    up: bool
    most: int
    step: int
    total: int


def channel_loads(tree: FatTree, sendings: Sequence[Sending]) -> Iterator[ChannelLoad]:
    """Yield the load of every used channel, by height, upward channels first, from left to right."""
    import numpy

    count = len(sendings)
    columns = numpy.array([(s.sender, s.receiver, s.start) for s in sendings], dtype=numpy.int64).reshape(
        count, 3
    )
    sender, receiver, start = columns.T
    heights = numpy.fromiter(
        (meeting_height(s.sender, s.receiver) for s in sendings), dtype=numpy.int64, count=count
    )
    for j in range(tree.height):
        passing = heights > j
        up = sender[passing] >> j, start[passing] + j + 1
        down = receiver[passing] >> j, start[passing] + 2 * heights[passing] - j
        for upwards, (subtree, step) in ((True, up), (False, down)):
            if not len(subtree):
                continue
            order = numpy.lexsort((step, subtree))
            pairs = numpy.stack((subtree[order], step[order]))
            first = numpy.flatnonzero(
                numpy.concatenate(([True], (pairs[:, 1:] != pairs[:, :-1]).any(axis=0)))
            )
            loads = numpy.diff(numpy.append(first, pairs.shape[1]))
            yield from _fullest(j, upwards, pairs[:, first].T.tolist(), loads.tolist())


def _fullest(
    height: int, up: bool, places: Sequence[Sequence[int]], loads: Sequence[int]
) -> Iterator[ChannelLoad]:
    """Yield the loads of the channels of a height and direction, from the place (subtree, step) of each."""
    i = 0
    while i < len(places):
        subtree, end = places[i][0], i
        while end < len(places) and places[end][0] == subtree:
            end += 1
        best = max(range(i, end), key=lambda k: loads[k])
        yield ChannelLoad(height, subtree, up, loads[best], places[best][1], sum(loads[i:end]))
        i = end


def _overload(tree: FatTree, sendings: Sequence[Sending]) -> str | None:
    """Return the overloaded channel whose fullest step comes first, or None."""
    over = [load for load in channel_loads(tree, sendings) if load.most > tree.capacities[load.height]]
    if not over:
        return None
    load = min(over, key=lambda load: (load.step, load.height, not load.up, load.subtree))
    capacity = tree.capacities[load.height]
    direction = "up from" if load.up else "down to"
    rounds = [s.round for s in sendings if s.start < load.step]
    where = f"round {rounds[-1]}, " if rounds and rounds[-1] else ""
    return (
        f"{where}step {load.step}: the channel {direction} {subtree_name(load.height, load.subtree)} carries"
        f" {load.most} messages, its capacity is {capacity}"
    )


def subtree_name(height: int, subtree: int) -> str:
    """Return a description of a subtree by its processors."""
    first, size = subtree << height, 1 << height
    return f"processor {first}" if size == 1 else f"the subtree of processors {first}..{first + size - 1}"


def _spread(problem: Problem, tree: FatTree, sendings: Sequence[Sending]) -> tuple[str | None, str | None]:
    """Return, for a broadcast, a message that its sender does not hold, and who lacks it in the end."""
    labels, n = problem.network.labels, tree.processors
    first: dict[int, int] = {problem.sources[0]: 0}
    for s in sendings:
        held = first.get(s.sender)
        if held is None or held > s.start:
            return _not_held(problem, s, "the message"), None
        first[s.receiver] = min(first.get(s.receiver, s.arrival), s.arrival)
    missing = [str(labels[p]) for p in range(n) if p not in first]
    if not missing:
        return None, None
    return None, f"in the end the message has not reached {_some(missing)}"


def _some(names: Sequence[str], limit: int = 6) -> str:
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return f"processor{'s' if len(names) > 1 else ''} {', '.join(names[:limit])}{more}"


def _not_held(problem: Problem, s: Sending, what: str) -> str:
    labels = problem.network.labels
    where = f"round {s.round}" if s.round else f"time {s.start}"
    return (
        f"{where}: processor {labels[s.sender]} sends {what} to {labels[s.receiver]} but does not hold it"
        " then"
    )


class Runs:
    """The runs whose products a processor holds: its own operand and those that have arrived."""

    def __init__(self, own: int) -> None:
        self._ends: defaultdict[int, set[int]] = defaultdict(set)
        self._ends[own].add(own)

    def add(self, run: Run) -> None:
        """Hold the product of another run."""
        self._ends[run[0]].add(run[1])

    def reaches(self, run: Run) -> bool:
        """Return whether the product of the run can be made by joining adjacent runs that are held."""
        reached, seen = [run[0]], {run[0]}
        for start in reached:
            for end in self._ends.get(start, ()):
                if end == run[1]:
                    return True
                if end < run[1] and end + 1 not in seen:
                    seen.add(end + 1)
                    reached.append(end + 1)
        return False


def _combine(problem: Problem, tree: FatTree, sendings: Sequence[Sending]) -> tuple[str | None, str | None]:
    """Return, for a product or prefix, a message that its sender cannot make, and who lacks what."""
    labels, n = problem.network.labels, tree.processors
    held = [Runs(p) for p in range(n)]
    under_way = sorted(sendings, key=lambda s: s.arrival)
    arrived = 0
    for s in sendings:
        while arrived < len(under_way) and under_way[arrived].arrival <= s.start:
            _receive(held, under_way[arrived])
            arrived += 1
        run = s.operands[0], s.operands[-1]
        if not held[s.sender].reaches(run):
            return _not_held(problem, s, f"the product of operands {run[0]}..{run[1]}"), None
    for s in under_way[arrived:]:
        _receive(held, s)
    for p, run in wanted_runs(problem, n).items():
        if not held[p].reaches(run):
            return (
                None,
                f"in the end processor {labels[p]} does not hold the product of operands {run[0]}..{run[1]}",
            )
    return None, None


def _receive(held: Sequence[Runs], s: Sending) -> None:
    held[s.receiver].add((s.operands[0], s.operands[-1]))


def wanted_runs(problem: Problem, n: int) -> dict[int, Run]:
    """Return the run whose product each processor must hold in the end."""
    if problem.task == "product":
        return {problem.sources[0]: (0, n - 1)}
    return {p: (0, p) for p in range(n)}
