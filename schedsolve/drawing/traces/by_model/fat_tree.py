"""The traces of schedules on fat-trees for animations: messages on their way, and the loads of channels.

The loads are shown in every step of the clock.
"""

from __future__ import annotations

from collections import Counter

from schedsolve.drawing.traces.trace import Load, Trace, TraceStep, Transfer
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.models.fat_tree.rules import Sending, sendings_of, subtree_name, wanted_runs
from schedsolve.models.fat_tree.rules.tree import (
    FatTree,
    in_rounds,
    meeting_height,
    processor_count,
    tree_of,
)

MOST_TIMES = 60
"""The greatest time up to which every time has a step; later, only times of events have one."""


def climb(n: int, u: int, v: int) -> tuple[int, ...]:
    """Return the nodes of the network `fat-tree:n` on the path from processor u to processor v."""
    up, down = [u], [v]
    for _ in range(meeting_height(u, v)):
        up.append(n + up[-1] // 2)
        down.append(n + down[-1] // 2)
    return (*up, *reversed(down[:-1]))


def trace(problem: Problem, schedule: Schedule) -> Trace:
    """Return the trace of a legal schedule: a step for every round, or for every time of the clock.

    In a schedule longer than MOST_TIMES, only the times at which something is sent or arrives have a step.

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
    held, steps, before = list(start), [], -1
    for number, sent, now in groups:
        arrived = sent if now is None else [s for s in sendings if s.arrival == now]
        for s in arrived:
            held[s.receiver] |= _carried(s)
        transfers = tuple(Transfer(climb(n, s.sender, s.receiver), text=_run_text(s)) for s in sent)
        clock_steps = None if now is None else range(before + 1, now + 1)
        steps.append(
            TraceStep(
                number,
                transfers,
                tuple(held),
                _loads(tree, sent if now is None else sendings, clock_steps),
                unit="round" if now is None else "time",
            )
        )
        before = before if now is None else now
    whole = problem.task == "broadcast"
    return Trace(
        problem,
        items,
        tuple(start),
        tuple(goal),
        tuple(steps),
        frozenset(range(n, nodes)),
        noun="message" if whole else "operand",
        of_nodes=not whole,
        clocked=not in_rounds(problem),
    )


def _carried(s: Sending) -> int:
    return sum(1 << i for i in range(s.operands[0], s.operands[-1] + 1)) if s.operands else 1


def _run_text(s: Sending) -> str:
    return f"{s.operands[0]}..{s.operands[-1]}" if s.operands else ""


def _loads(tree: FatTree, sendings: list[Sending], clock_steps: range | None) -> tuple[Load, ...]:
    """Return the channels in use, each in the fullest of `clock_steps` (None: of all).

    Step t of the clock ends at time t.
    """
    loads: Counter[tuple[int, int, bool, int]] = Counter()
    for s in sendings:
        top = meeting_height(s.sender, s.receiver)
        for j in range(top):
            loads[j, s.sender >> j, True, s.start + j + 1] += 1
            loads[j, s.receiver >> j, False, s.start + 2 * top - j] += 1
    fullest: dict[tuple[int, int, bool], int] = {}
    for (height, subtree, up, clock_step), load in loads.items():
        if height and (clock_steps is None or clock_step in clock_steps):
            fullest[height, subtree, up] = max(load, fullest.get((height, subtree, up), 0))
    return tuple(
        Load(_channel_name(*channel), load, tree.capacities[channel[0]])
        for channel, load in sorted(fullest.items())
    )


def _channel_name(height: int, subtree: int, up: bool) -> str:
    processors = subtree_name(height, subtree).removeprefix("the subtree of processors ")
    return f"{'up from' if up else 'down to'} {processors}"
