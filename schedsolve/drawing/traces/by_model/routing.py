"""The trace of delivery rounds for animations: messages on their way through the fat-tree."""

from __future__ import annotations

from collections import Counter

from schedsolve.drawing.traces.by_model.fat_tree import climb
from schedsolve.drawing.traces.trace import Load, Trace, TraceStep, Transfer
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Round, Schedule
from schedsolve.models.routing.rules import messages_of, processor_count, turning_level


def trace(problem: Problem, schedule: Schedule) -> Trace:
    """Return the trace of a legal schedule, whose items are the messages.

    At first the sources hold the messages, and in the end the destinations do too.
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
    held, steps = list(start), []
    for t, calls in enumerate(schedule.rounds, 1):
        for call in calls:
            ends = (call.sender, call.receiver)
            held[call.receiver] |= 1 << numbers[ends][sent[ends]]
            sent[ends] += 1
        transfers = tuple(Transfer(climb(n, *call[:2]), text=_ports(call)) for call in calls)
        steps.append(TraceStep(t, transfers, tuple(held), _loads(calls)))
    items = tuple(f"{labels[u]}>{labels[v]}" for u, v in messages)
    relays = frozenset(range(n, nodes))
    return Trace(problem, items, tuple(start), tuple(goal), tuple(steps), relays, noun="message")


def _ports(call: Call) -> str:
    """Return the ports by which a message goes up, or an empty text if it does not go up."""
    return f"up by ports {' '.join(map(str, call.payload))}" if call.payload else ""


def _loads(calls: Round) -> tuple[Load, ...]:
    """Return how many wires between router nodes are taken, by direction and subtree."""
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
