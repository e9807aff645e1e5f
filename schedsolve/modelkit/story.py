"""A schedule as pictures tell it: what moves in every round, who knows what after it, and how full the
channels are; pure data.
"""

from __future__ import annotations

from dataclasses import dataclass

from schedsolve.modelkit.form import Path
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule


@dataclass(frozen=True)
class Stroke:
    """Something that moves in a round.

    nodes: the nodes that it goes through, at least two, the sender first. two_way: whether it goes back too.
    text: what it carries, if that is worth a word. colour: the number of the colour of what it carries, by
    the names in the story's `colours`; None where colours mean nothing. broken: whether it breaks a rule.
    """

    nodes: tuple[int, ...]
    two_way: bool = False
    text: str = ""
    colour: int | None = None
    broken: bool = False


@dataclass(frozen=True)
class Load:
    """How full a channel is. name: the channel in words. load: the messages in it. capacity: how many it can
    take.
    """

    name: str
    load: int
    capacity: int


@dataclass(frozen=True)
class Frame:
    """A round, or a time of a clocked schedule.

    number: of the round, or the time. strokes: what moves in it. known: for every node the items that it
    holds afterwards, as a bit mask. loads: of the channels that are in use, where channels have capacities.
    unit: what is numbered, in a word. largest, sent: of a message cut into parts, how many parts the largest
    call brings, and all calls together.
    """

    number: int
    strokes: tuple[Stroke, ...]
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
    """What keeps a schedule from being better. words: it, for people. links: the links that are full, as
    (from, to). nodes: on the side of a cut from which the links lead; empty where it is no cut.
    """

    words: str
    links: tuple[tuple[int, int], ...]
    nodes: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Story:
    """A schedule, frame by frame.

    problem: with its source or root given. items: the names of what is known, by bit. start: what every node
    holds at the start, and goal: what it must hold in the end, as bit masks. frames: in order. relays: nodes
    that only pass on, and hold nothing. noun: what an item is, in a word. of_nodes: whether item v is the
    item of the node v among those that are no relays. clocked: whether the frames are times, not rounds.
    parts: into how many parts the message is cut; 0 where it goes whole. period: after how many rounds the
    schedule repeats. bottleneck: what keeps it from being better, where that is a matter of links. colours:
    what the colours of strokes mean, by their numbers; the picture takes them in turn. broken: which rule the
    last call breaks, of a schedule that is not legal.
    """

    problem: Problem
    items: tuple[str, ...]
    start: tuple[int, ...]
    goal: tuple[int, ...]
    frames: tuple[Frame, ...]
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
        """For every node and item the number of the frame after which the node first holds it; 0 at the
        start, None for never.
        """
        table: list[list[int | None]] = []
        for v, held in enumerate(self.start):
            row: list[int | None] = [0 if held >> i & 1 else None for i in range(len(self.items))]
            before = held
            for number, frame in enumerate(self.frames, 1):
                fresh = frame.known[v] & ~before
                before |= fresh
                while fresh:
                    lowest = fresh & -fresh
                    row[lowest.bit_length() - 1] = number
                    fresh ^= lowest
            table.append(row)
        return table

    def is_complete(self, frame: int, node: int) -> bool:
        """Whether a node holds all that it must after the frame of this number; 0 is the start."""
        known = self.start if frame == 0 else self.frames[frame - 1].known
        return not self.goal[node] & ~known[node]


def story_of_rounds(problem: Problem, schedule: Schedule) -> Story:
    """The story of a legal schedule of rounds in which a call brings all that its sender knew before the
    round; where calls have a path, along that.
    """
    labels, n = problem.network.labels, problem.network.node_count
    demand = problem.demand()
    of_nodes = demand.item_count == n > 1
    items = tuple(f"item of {v}" for v in labels) if of_nodes else ("the message",) * demand.item_count
    held, frames = list(demand.start), []
    for number, calls in enumerate(schedule.rounds, 1):
        before = list(held)
        for call in calls:
            held[call.receiver] |= before[call.sender]
            if call.two_way:
                held[call.sender] |= before[call.receiver]
        ways = (call.payload if isinstance(call.payload, Path) else call[:2] for call in calls)
        strokes = tuple(Stroke(tuple(way), call.two_way) for way, call in zip(ways, calls, strict=True))
        frames.append(Frame(number, strokes, tuple(held)))
    noun = "item" if of_nodes else "message"
    return Story(
        problem,
        items,
        demand.start,
        demand.goal,
        tuple(frames),
        noun=noun,
        of_nodes=of_nodes,
        period=schedule.period,
    )
