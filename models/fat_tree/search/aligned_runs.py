"""A formula for prefixes in which messages carry aligned runs of operands only.

It finds good schedules; its refutation says nothing. The runs are the aligned blocks, of 2^j operands
from a multiple of 2^j on, and the prefixes 0..b. A processor handles a run if it lies behind the run,
so that it needs the operands itself, or in the aligned block around it: the next larger one of a block,
the smallest one of a prefix.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..claims.ladder import at_most_one
from ..claims.runs_formula import RunsFormula, round_rules
from ..rules import Run
from ..rules.tree import FatTree, meeting_height

Places = dict[tuple[int, int, int], int]


def aligned_runs_formula(tree: FatTree, time: int, wanted: Mapping[int, Run], *, rounds: bool) -> RunsFormula:
    """Return a formula satisfied by the prefixes within the time that send aligned runs only.

    The rules are those of `claims.runs_formula.runs_formula`.

    - At time 0 a processor can make its own operand only; in the end it can make what is wanted of it.
    - A processor that can make a product could make it one step before, or receives it, or joins two
      adjacent ones.
    - What is sent can be made by the sender then.
    - A processor sends at most one message at a time and receives at most one.
    - The channels of a subtree of height j > 0 carry at most w(2^j) messages each way.
    - In rounds, the rules of rounds.
    """
    f = RunsFormula(tree, time, rounds)
    times = range(f.last + 1)
    f.begins = [f.cnf.new() for _ in times] if rounds else []
    runs = aligned_runs(tree)
    for p in range(tree.processors):
        for run in runs:
            if _deals_with(p, run):
                f.holds |= {(p, run, t): f.cnf.new() for t in times}
    for p, q in f.pairs():
        for run in runs:
            if _deals_with(p, run) and _deals_with(q, run) and run != (q, q):
                for t in range(f.last + 1 - f.delay(p, q)):
                    f.messages[p, q, run, t] = f.cnf.new()
    _making(f)
    for p, run in wanted.items():
        f.cnf.add(f.holds[p, run, f.last])
    _sending(f)
    return f


def aligned_runs(tree: FatTree) -> list[Run]:
    """Return the aligned blocks and the prefixes."""
    n = tree.processors
    blocks = {(a, a + (1 << j) - 1) for j in range(tree.height + 1) for a in range(0, n, 1 << j)}
    return sorted(blocks | {(0, b) for b in range(n)})


def _deals_with(p: int, run: Run) -> bool:
    first, last = run
    height = (first ^ last).bit_length()
    around = height + (last - first + 1 == 1 << height)
    return p > last or p >> around == first >> around


def _making(f: RunsFormula) -> None:
    """Require what a processor can make, and when, and that it sends nothing else."""
    received: dict[tuple[int, Run, int], list[int]] = {}
    for (p, q, run, t), message in f.messages.items():
        f.cnf.add(-message, f.holds[p, run, t])
        received.setdefault((q, run, t + f.delay(p, q)), []).append(message)
    for (p, run, t), now in f.holds.items():
        if t == 0 and run == (p, p):
            continue
        reasons = ([f.holds[p, run, t - 1]] if t else []) + received.get((p, run, t), [])
        for middle in range(run[0], run[1]):
            left, right = (p, (run[0], middle), t), (p, (middle + 1, run[1]), t)
            if left in f.holds and right in f.holds:
                joined = f.cnf.new()
                f.cnf.add(-joined, f.holds[left])
                f.cnf.add(-joined, f.holds[right])
                reasons.append(joined)
        f.cnf.add(-now, *reasons)


def _sending(f: RunsFormula) -> None:
    """Limit what processors send and receive and what channels carry, and require when rounds begin."""
    sent: dict[tuple[int, int], dict[int, list[int]]] = {}
    received: dict[tuple[int, int], dict[int, list[int]]] = {}
    for (p, q, _, t), message in f.messages.items():
        height = meeting_height(p, q)
        sent.setdefault((p, t), {}).setdefault(height, []).append(message)
        received.setdefault((q, t + f.delay(p, q)), {}).setdefault(height, []).append(message)
        if f.rounds:
            f.cnf.add(-message, f.begins[t])
    ups, downs = _one_side(f, sent), _one_side(f, received)
    if f.rounds:
        round_rules(f, ups, downs)


def _one_side(f: RunsFormula, messages: Mapping[tuple[int, int], Mapping[int, list[int]]]) -> Places:
    """Add the rules of sending or of receiving, and return variables that say where there is a message.

    They are by processor, time and height.
    """
    places: Places = {}
    for (p, t), by_height in messages.items():
        at_most_one(f.cnf, [message for some in by_height.values() for message in some])
        for height, some in by_height.items():
            places[p, t, height] = f.cnf.new()
            f.cnf.extend([-message, places[p, t, height]] for message in some)
    for j in range(1, f.tree.height):
        above = range(j + 1, f.tree.height + 1)
        for a in range(f.tree.subtrees(j)):
            for t in range(f.last + 1):
                part = range(a << j, (a + 1) << j)
                crossing = [places[p, t, h] for p in part for h in above if (p, t, h) in places]
                if f.tree.capacities[j] == 1:
                    at_most_one(f.cnf, crossing)
                elif len(crossing) > f.tree.capacities[j]:
                    f.cnf.at_most(crossing, f.tree.capacities[j])
    return places


def aligned_runs_size(tree: FatTree, time: int, *, rounds: bool) -> int:
    """Return an estimate of the number of literals of the formula."""
    n, points = tree.processors, (time // 2 if rounds else time) + 1
    return points * n**3 * 40
