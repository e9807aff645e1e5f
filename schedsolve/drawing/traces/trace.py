"""A schedule as pictures tell it.

What moves in every round, who knows what after it, and how full the channels are; pure data.
"""

from __future__ import annotations

from dataclasses import dataclass

from schedsolve.modelkit.directions import with_directions
from schedsolve.modelkit.form import Path
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.modelkit.task import items_in


@dataclass(frozen=True)
class Transfer:
    """Something that moves in a round.

    Attributes
    ----------
    nodes
        The nodes that it goes through, at least two, the sender first.
    two_way
        Whether it goes back too.
    text
        What it carries, if that is worth a word.
    colour
        The number of the colour of what it carries, by the names in the trace's `colours`; None where colours
        mean nothing.
    broken
        Whether it breaks a rule.
    """

    nodes: tuple[int, ...]
    two_way: bool = False
    text: str = ""
    colour: int | None = None
    broken: bool = False


@dataclass(frozen=True)
class Load:
    """How full a channel is.

    Attributes
    ----------
    name
        The channel in words.
    load
        The messages in it.
    capacity
        How many it can take.
    """

    name: str
    load: int
    capacity: int


@dataclass(frozen=True)
class TraceStep:
    """A round, or a time of a clocked schedule.

    Attributes
    ----------
    number
        Of the round, or the time.
    transfers
        What moves in it.
    known
        For every node the items that it holds afterwards, as a bit mask.
    loads
        Of the channels that are in use, where channels have capacities.
    unit
        What is numbered, in a word.
    largest, sent
        Of a message cut into parts, how many parts the largest call brings, and all calls together.
    """

    number: int
    transfers: tuple[Transfer, ...]
    known: tuple[int, ...]
    loads: tuple[Load, ...] = ()
    unit: str = "round"
    largest: int = 0
    sent: int = 0

    @property
    def title(self) -> str:
        """Such as "round 3"."""
        return f"{self.unit} {self.number}"


@dataclass(frozen=True)
class Bottleneck:
    """What keeps a schedule from being better.

    Attributes
    ----------
    words
        It, for people.
    links
        The links that are full, as (from, to).
    nodes
        On the side of a cut from which the links lead; empty where it is no cut.
    """

    words: str
    links: tuple[tuple[int, int], ...]
    nodes: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Trace:
    """A schedule, step by step.

    Attributes
    ----------
    problem
        With its source or root given.
    items
        The names of what is known, by bit.
    start
        What every node holds at the start, and goal: what it must hold in the end, as bit masks.
    steps
        In order.
    relays
        Nodes that only pass on, and hold nothing.
    noun
        What an item is, in a word.
    of_nodes
        Whether item v is the item of the node v among those that are no relays.
    clocked
        Whether the steps are times, not rounds.
    parts
        Into how many parts the message is cut; 0 where it goes whole.
    period
        After how many rounds the schedule repeats.
    bottleneck
        What keeps it from being better, where that is a matter of links.
    colours
        What the colours of transfers mean, by their numbers; the picture takes them in turn.
    broken
        Which rule the last call breaks, of a schedule that is not legal.
    """

    problem: Problem
    items: tuple[str, ...]
    start: tuple[int, ...]
    goal: tuple[int, ...]
    steps: tuple[TraceStep, ...]
    relays: frozenset[int] = frozenset()
    noun: str = "item"
    of_nodes: bool = False
    clocked: bool = False
    parts: int = 0
    period: int | None = None
    bottleneck: Bottleneck | None = None
    colours: tuple[str, ...] = ()
    broken: str = ""

    def arrivals(self) -> list[list[int | None]]:
        """For every node and item the number of the step after which the node first holds it.

        0 at the start, None for never.
        """
        table: list[list[int | None]] = []
        for v, held in enumerate(self.start):
            row: list[int | None] = [0 if held >> i & 1 else None for i in range(len(self.items))]
            before = held
            for number, step in enumerate(self.steps, 1):
                fresh = step.known[v] & ~before
                before |= fresh
                for item in items_in(fresh):
                    row[item] = number
            table.append(row)
        return table

    def is_complete(self, step: int, node: int) -> bool:
        """Whether a node holds all that it must after the step of this number; 0 is the start."""
        known = self.start if step == 0 else self.steps[step - 1].known
        return not self.goal[node] & ~known[node]


def trace_of_rounds(problem: Problem, schedule: Schedule) -> Trace:
    """Return the trace of a legal schedule of rounds.

    A call brings all that its sender knew before the round; where calls have a path, along that.
    """
    labels, n = problem.network.labels, problem.network.node_count
    demand = problem.demand()
    schedule = with_directions(problem, schedule)
    of_nodes = demand.item_count == n > 1
    items = tuple(f"item of {v}" for v in labels) if of_nodes else ("the message",) * demand.item_count
    held, steps = list(demand.start), list[TraceStep]()
    made: dict[Call, Transfer] = {}
    for number, calls in enumerate(schedule.rounds, 1):
        before = list(held)
        for call in calls:
            held[call.receiver] |= before[call.sender]
            if call.two_way:
                held[call.sender] |= before[call.receiver]
        transfers = tuple(made.get(call) or made.setdefault(call, _transfer(call)) for call in calls)
        steps.append(TraceStep(number, transfers, tuple(held)))
    noun = "item" if of_nodes else "message"
    return Trace(
        problem,
        items,
        demand.start,
        demand.goal,
        tuple(steps),
        noun=noun,
        of_nodes=of_nodes,
        period=schedule.period,
    )


def _transfer(call: Call) -> Transfer:
    return Transfer(tuple(call.payload if isinstance(call.payload, Path) else call[:2]), call.two_way)
