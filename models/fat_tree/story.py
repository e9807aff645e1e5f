"""Schedules on fat-trees as pictures tell them: messages on their way through the switches, and how full the
channels are in every step.
"""

from __future__ import annotations

from collections import Counter

from schedsolve.modelkit.story import Frame, Load, Story, Stroke
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule

from .rules import Sending, sendings_of, subtree_name, wanted_runs
from .rules.tree import FatTree, in_rounds, meeting_height, processor_count, tree_of

MOST_TIMES = 60
"""The time up to which every time has a frame; beyond, those at which something happens."""


def climb(n: int, u: int, v: int) -> tuple[int, ...]:
    """The nodes of the network `fat-tree:n` from processor u to processor v."""
    up, down = [u], [v]
    for _ in range(meeting_height(u, v)):
        up.append(n + up[-1] // 2)
        down.append(n + down[-1] // 2)
    return (*up, *reversed(down[:-1]))


def story(problem: Problem, schedule: Schedule) -> Story:
    """The story of a legal schedule: a frame for every round, or for every time of the clock.

    Of a schedule longer than MOST_TIMES, the times at which something is sent or arrives have a frame.

    In a product or prefix a node is said to know the operands that are in the products that it holds.
    """
    tree, n = tree_of(problem), processor_count(problem.network) or 1
    sendings, end = sendings_of(schedule)
    labels, nodes = problem.network.labels, problem.network.node_count
    if problem.task == "broadcast":
        items: tuple[str, ...] = ("the message",)
        start = [1 if v in problem.sources else 0 for v in range(nodes)]
        goal = [1 if v < n else 0 for v in range(nodes)]
    else:
        items = tuple(f"operand {labels[p]}" for p in range(n))
        start = [1 << v if v < n else 0 for v in range(nodes)]
        goal = [0] * nodes
        for p, (first, last) in wanted_runs(problem, n).items():
            goal[p] = sum(1 << i for i in range(first, last + 1))
    groups: list[tuple[int, list[Sending], int | None]]
    if in_rounds(problem):
        groups = [
            (r, [s for s in sendings if s.round == r], None) for r in range(1, len(schedule.rounds) + 1)
        ]
    else:
        events = {s.start for s in sendings} | {s.arrival for s in sendings} | {end}
        times = list(range(end + 1)) if end <= MOST_TIMES else sorted(events)
        groups = [(t, [s for s in sendings if s.start == t], t) for t in times]
    held, frames, before = list(start), [], -1
    for number, sent, now in groups:
        arrived = sent if now is None else [s for s in sendings if s.arrival == now]
        for s in arrived:
            held[s.receiver] |= _carried(s)
        strokes = tuple(Stroke(climb(n, s.sender, s.receiver), text=_run_text(s)) for s in sent)
        steps = None if now is None else range(before + 1, now + 1)
        frames.append(
            Frame(
                number,
                strokes,
                tuple(held),
                _loads(tree, sent if now is None else sendings, steps),
                unit="round" if now is None else "time",
            )
        )
        before = before if now is None else now
    whole = problem.task == "broadcast"
    return Story(
        problem,
        items,
        tuple(start),
        tuple(goal),
        tuple(frames),
        frozenset(range(n, nodes)),
        noun="message" if whole else "operand",
        of_nodes=not whole,
        clocked=not in_rounds(problem),
    )


def _carried(s: Sending) -> int:
    return sum(1 << i for i in range(s.operands[0], s.operands[-1] + 1)) if s.operands else 1


def _run_text(s: Sending) -> str:
    return f"{s.operands[0]}..{s.operands[-1]}" if s.operands else ""


def _loads(tree: FatTree, sendings: list[Sending], steps: range | None) -> tuple[Load, ...]:
    """The channels in use, each in the fullest of these steps (None: of all): step t ends at time t."""
    loads: Counter[tuple[int, int, bool, int]] = Counter()
    for s in sendings:
        top = meeting_height(s.sender, s.receiver)
        for j in range(top):
            loads[j, s.sender >> j, True, s.start + j + 1] += 1
            loads[j, s.receiver >> j, False, s.start + 2 * top - j] += 1
    fullest: dict[tuple[int, int, bool], int] = {}
    for (height, subtree, up, step), load in loads.items():
        if height and (steps is None or step in steps):
            fullest[height, subtree, up] = max(load, fullest.get((height, subtree, up), 0))
    return tuple(
        Load(_channel_name(*channel), load, tree.capacities[channel[0]])
        for channel, load in sorted(fullest.items())
    )


def _channel_name(height: int, subtree: int, up: bool) -> str:
    processors = subtree_name(height, subtree).removeprefix("the subtree of processors ")
    return f"{'up from' if up else 'down to'} {processors}"
