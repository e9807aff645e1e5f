"""Delivery rounds as pictures tell them: messages on their way through the fat-tree, and which are
delivered.
"""

from __future__ import annotations

from collections import Counter

from schedsolve.modelkit.story import Frame, Load, Story, Stroke
from schedsolve.models.fat_tree.story import climb
from schedsolve.problem import Problem
from schedsolve.schedule import Call, Round, Schedule

from .rules import messages_of, processor_count, turning_level


def story(problem: Problem, schedule: Schedule) -> Story:
    """The story of a legal schedule: what is known are the messages, at first by their sources, in the end by
    their destinations too.
    """
    n, nodes = processor_count(problem.network), problem.network.node_count
    messages, labels = messages_of(problem), problem.network.labels
    start, goal = [0] * nodes, [0] * nodes
    numbers: dict[tuple[int, int], list[int]] = {}
    for number, (source, destination) in enumerate(messages):
        start[source] |= 1 << number
        goal[destination] |= 1 << number
        numbers.setdefault((source, destination), []).append(number)
    sent: Counter[tuple[int, int]] = Counter()
    held, frames = list(start), []
    for t, calls in enumerate(schedule.rounds, 1):
        for call in calls:
            ends = (call.sender, call.receiver)
            held[call.receiver] |= 1 << numbers[ends][sent[ends]]
            sent[ends] += 1
        strokes = tuple(Stroke(climb(n, *call[:2]), text=_ports(call)) for call in calls)
        frames.append(Frame(t, strokes, tuple(held), _loads(calls)))
    items = tuple(f"{labels[u]}>{labels[v]}" for u, v in messages)
    relays = frozenset(range(n, nodes))
    return Story(problem, items, tuple(start), tuple(goal), tuple(frames), relays, noun="message")


def _ports(call: Call) -> str:
    """The ports by which a message goes up, if it does."""
    return f"up by ports {' '.join(map(str, call.payload))}" if call.payload else ""


def _loads(calls: Round) -> tuple[Load, ...]:
    """How many of the wires between router nodes, and to and from processing nodes, are taken."""
    taken: Counter[tuple[int, int, str]] = Counter()
    for call in calls:
        for level in range(turning_level(*call[:2]) + 1):
            taken[level, call.sender >> level, "up from"] += 1
            taken[level, call.receiver >> level, "down to"] += 1
    return tuple(
        Load(f"{way} {_nodes(level, part)}", load, 1 << level)
        for (level, part, way), load in sorted(taken.items())
        if level
    )


def _nodes(level: int, part: int) -> str:
    return f"{part << level}..{((part + 1) << level) - 1}"
