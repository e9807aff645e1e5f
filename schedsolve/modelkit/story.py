"""A schedule as pictures tell it: what moves in every round, who knows what after it, and how full the
channels are; pure data.
"""

from __future__ import annotations

from dataclasses import dataclass

from schedsolve.problem import Problem
from schedsolve.schedule import Call, Schedule


@dataclass(frozen=True)
class Stroke:
    """Something that moves in a round.

    nodes: the nodes that it goes through, at least two, the sender first. two_way: whether it goes back too.
    text: what it carries, if that is worth a word.
    """

    nodes: tuple[int, ...]
    two_way: bool = False
    text: str = ""


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
    """A round, or a step of a clocked schedule.

    title: such as "round 3". strokes: what moves in it. known: for every node the items that it holds
    afterwards, as a bit mask.
    loads: of the channels that are in use, where channels have capacities.
    """

    title: str
    strokes: tuple[Stroke, ...]
    known: tuple[int, ...]
    loads: tuple[Load, ...] = ()


@dataclass(frozen=True)
class Story:
    """A schedule, frame by frame.

    problem: with its source or root given. items: the names of what is known, by bit. start: what every node
    holds at the start, and
    goal: what it must hold in the end, as bit masks. frames: in order. relays: nodes that only pass on, and
    hold nothing.
    """

    problem: Problem
    schedule: Schedule
    items: tuple[str, ...]
    start: tuple[int, ...]
    goal: tuple[int, ...]
    frames: tuple[Frame, ...]
    relays: frozenset[int] = frozenset()

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
    round, or the packets it names.
    """
    labels = problem.network.labels
    n, count = problem.network.node_count, schedule.packet_count
    if count is not None:
        everything = (1 << count) - 1
        start = tuple(everything if v in problem.sources else 0 for v in range(n))
        goal = (everything,) * n
        items = tuple(f"packet {p}" for p in range(count))
    else:
        demand = problem.demand()
        start, goal = tuple(demand.start), tuple(demand.goal)
        items = (
            tuple(f"item of {labels[v]}" for v in range(n))
            if demand.item_count == n > 1
            else ("the message",) * demand.item_count
        )
    held, frames = list(start), []
    for number, calls in enumerate(schedule.rounds, 1):
        before = list(held)
        for call in calls:
            held[call.receiver] |= (
                sum(1 << p for p in call.packets) if count is not None else before[call.sender]
            )
            if call.two_way:
                held[call.sender] |= before[call.receiver]
        frames.append(Frame(f"round {number}", tuple(_stroke(call) for call in calls), tuple(held)))
    return Story(problem, schedule, items, start, goal, tuple(frames))


def _stroke(call: Call) -> Stroke:
    text = ",".join(map(str, call.packets)) if len(call.packets) <= 3 else f"{len(call.packets)} packets"
    return Stroke(call.path or call[:2], call.two_way, text)
