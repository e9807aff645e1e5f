"""The plain formula for "a product or a prefix takes at most `time`", written straight from the rules.

It describes what every message carries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from schedsolve.modelkit.formulas.cnf import Cnf

from ..rules import Run
from ..rules.tree import FatTree, meeting_height


@dataclass
class RunsFormula:
    """A formula that is satisfiable exactly when all processors can hold the wanted products within `time`.

    messages[p, q, run, t] says "p sends the product of the run to q at time t"; holds[p, run, t] says "p
    can make the product of the run at t".

    In the round model a unit of time is two steps; begins[t] says "a round begins at time t".
    """

    tree: FatTree
    time: int
    rounds: bool
    cnf: Cnf = field(default_factory=Cnf)
    messages: dict[tuple[int, int, Run, int], int] = field(default_factory=dict)
    holds: dict[tuple[int, Run, int], int] = field(default_factory=dict)
    begins: list[int] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The last point of time, in units."""
        return self.time // 2 if self.rounds else self.time

    def delay(self, p: int, q: int) -> int:
        """Return how many units of time a message takes."""
        return meeting_height(p, q) * (1 if self.rounds else 2)

    def names(self) -> dict[int, str]:
        """Return the names of the variables."""
        named = {x: f"round_begins_t{t}" for t, x in enumerate(self.begins)}
        named |= {
            x: f"sends_{p}_{q}_run_{run[0]}_{run[1]}_t{t}" for (p, q, run, t), x in self.messages.items()
        }
        return named | {
            x: f"can_make_{p}_run_{run[0]}_{run[1]}_t{t}" for (p, run, t), x in self.holds.items()
        }

    @cached_property
    def runs(self) -> list[Run]:
        """Return all runs of operands."""
        return [(a, b) for a in range(self.tree.processors) for b in range(a, self.tree.processors)]

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield every sender with every receiver."""
        n = self.tree.processors
        return ((p, q) for p in range(n) for q in range(n) if p != q)


def runs_formula(tree: FatTree, time: int, wanted: Mapping[int, Run], *, rounds: bool) -> RunsFormula:
    """Return the plain formula for a product or prefix within the time, by the clock or in rounds.

    - At time 0 a processor can make its own operand only; in the end it can make what is wanted of it.
    - A processor that can make a product could make it one step before, or receives it, or can make two
      products of adjacent runs that join to it.
    - What is sent can be made by the sender then.
    - A processor sends at most one message at a time and receives at most one; in rounds it sends or
      receives at most one in a round.
    - Of a subtree of height j, at most w(2^j) messages leave at a time that go to a height above j, and at
      most w(2^j) arrive from there.
    - In rounds: messages are sent when a round begins, and no round begins before they have arrived.
    """
    f = RunsFormula(tree, time, rounds)
    times = range(f.last + 1)
    f.begins = [f.cnf.new() for _ in times] if rounds else []
    for p, q in f.pairs():
        for run in f.runs:
            for t in range(f.last + 1 - f.delay(p, q)):
                f.messages[p, q, run, t] = f.cnf.new()
    f.holds = {(p, run, t): f.cnf.new() for p in range(tree.processors) for run in f.runs for t in times}
    for p in range(tree.processors):
        _making(f, p)
    for p, run in wanted.items():
        f.cnf.add(f.holds[p, run, f.last])
    f.cnf.extend([-message, f.holds[p, run, t]] for (p, _, run, t), message in f.messages.items())
    sending_rules(f)
    return f


def _making(f: RunsFormula, p: int) -> None:
    """Require what a processor can make, and when."""
    for run in f.runs:
        for t in range(f.last + 1):
            now = f.holds[p, run, t]
            reasons = [f.holds[p, run, t - 1]] if t else []
            if not t and run == (p, p):
                continue
            for q in range(f.tree.processors):
                if q != p and (q, p, run, t - f.delay(q, p)) in f.messages:
                    reasons.append(f.messages[q, p, run, t - f.delay(q, p)])
            for middle in range(run[0], run[1]):
                joined = f.cnf.new()
                f.cnf.add(-joined, f.holds[p, (run[0], middle), t])
                f.cnf.add(-joined, f.holds[p, (middle + 1, run[1]), t])
                reasons.append(joined)
            f.cnf.add(-now, *reasons)


def sending_rules(f: RunsFormula) -> None:
    """Limit what processors send and receive and what channels carry, and require when rounds begin."""
    sent: dict[tuple[int, int, int], list[int]] = {}
    received: dict[tuple[int, int, int], list[int]] = {}
    for (p, q, _, t), message in f.messages.items():
        height = meeting_height(p, q)
        sent.setdefault((p, t, height), []).append(message)
        received.setdefault((q, t + f.delay(p, q), height), []).append(message)
        if f.rounds:
            f.cnf.add(-message, f.begins[t])
    ups, downs = (
        {place: _any(f.cnf, messages) for place, messages in places.items()} for places in (sent, received)
    )
    heights = range(1, f.tree.height + 1)
    for t in range(f.last + 1):
        for j in range(f.tree.height):
            for a in range(f.tree.subtrees(j)):
                part = range(a << j, (a + 1) << j)
                for places in (ups, downs):
                    crossing = [
                        places[p, t, h] for p in part for h in heights if h > j and (p, t, h) in places
                    ]
                    f.cnf.at_most(crossing, f.tree.capacities[j] if j else 1)
    for messages in [*sent.values(), *received.values()]:
        f.cnf.at_most(messages, 1)
    if f.rounds:
        round_rules(f, ups, downs)


def _any(cnf: Cnf, literals: list[int]) -> int:
    """Return a variable that holds if one of the literals does."""
    if len(literals) == 1:
        return literals[0]
    some = cnf.new()
    cnf.extend([-literal, some] for literal in literals)
    return some


def round_rules(
    f: RunsFormula, ups: Mapping[tuple[int, int, int], int], downs: Mapping[tuple[int, int, int], int]
) -> None:
    """Require that no round begins before all messages have arrived.

    A processor does not send and receive in the same round.
    """
    for (p, t, h), sends in ups.items():
        f.cnf.extend([-sends, -f.begins[u]] for u in range(t + 1, t + h))
        for g in range(1, f.tree.height + 1):
            if (p, t + g, g) in downs:
                f.cnf.add(-sends, -downs[p, t + g, g])
    for (p, t, h), receives in downs.items():
        for g in range(1, f.tree.height + 1):
            later = t - h + g
            if g > h and (p, later, g) in downs:
                f.cnf.add(-receives, -downs[p, later, g])


def runs_formula_size(tree: FatTree, time: int, *, rounds: bool) -> int:
    """Return an estimate of the number of literals of the formula."""
    n, points = tree.processors, (time // 2 if rounds else time) + 1
    runs = n * (n + 1) // 2
    return points * (runs * n * n * (12 + 2 * tree.height) + runs * n * 3 * n)
