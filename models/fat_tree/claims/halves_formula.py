"""A formula that every prefix by the clock within a time satisfies, much smaller than the plain one.

It follows the operands of the first half of the processors into the second half, all of which needs all
of them.

1. A message is taken to carry all operands that its sender knows of, in any order, and other messages
   are left out; so a satisfying assignment need not be a prefix.
2. Before time 6m, m being the height of the tree, no operand crosses the root, crosses back and crosses
   again; so of the messages across the root those from the first half are enough.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from schedsolve.modelkit.formulas.cnf import Cnf

from ..rules.tree import FatTree, meeting_height
from .ladder import at_most_one

Place = tuple[int, int, int]


@dataclass
class HalvesFormula:
    """The formula for a time; t counts from 0 in the first half and from 2m in the second, up to `last`.

    messages[p, q, t] says "p sends to q of its own half at t"; sends[p, t, k] and receives[q, t, k] say "p
    sends, q receives the k-th message across the root that is sent at t"; knows[i, p, t] says "p knows of
    operand i at t"; tells[i, t, k] says "the k-th message across the root that is sent at t tells of
    operand i".
    """

    tree: FatTree
    time: int
    cnf: Cnf = field(default_factory=Cnf)
    messages: dict[Place, int] = field(default_factory=dict)
    sends: dict[Place, int] = field(default_factory=dict)
    receives: dict[Place, int] = field(default_factory=dict)
    knows: dict[Place, int] = field(default_factory=dict)
    tells: dict[Place, int] = field(default_factory=dict)

    @property
    def half(self) -> int:
        """The number of processors of a half."""
        return self.tree.processors // 2

    @property
    def last(self) -> int:
        """The last time, counted in either half."""
        return self.time - 2 * self.tree.height

    @property
    def across(self) -> int:
        """The number of messages that can cross the root at a time."""
        return min(self.half, self.tree.capacities[self.tree.height - 1])

    def names(self) -> dict[int, str]:
        """Return the names of the variables."""
        named = {x: f"sends_{p}_{q}_t{t}" for (p, q, t), x in self.messages.items()}
        named |= {x: f"sends_across_{p}_t{t}_number{k}" for (p, t, k), x in self.sends.items()}
        named |= {x: f"receives_across_{q}_t{t}_number{k}" for (q, t, k), x in self.receives.items()}
        named |= {x: f"tells_of_{i}_t{t}_number{k}" for (i, t, k), x in self.tells.items()}
        return named | {x: f"knows_of_{i}_{p}_t{t}" for (i, p, t), x in self.knows.items()}


def halves_formula(tree: FatTree, time: int) -> HalvesFormula:
    """Return the formula for a time of at least 2m and less than 6m.

    - At time 0 a processor of the first half knows only of its own operand, and one of the second half of
      none; in the end those of the second half know of all.
    - A processor that knows of an operand knew of it one step before, or receives a message that tells of
      it.
    - A message tells of what its sender knew when it was sent.
    - At most w(N/2) messages are sent across the root at a time, each by one processor of the first half to
      one of the second half.
    - A processor sends at most one message at a time and receives at most one.
    - The channels of a subtree of height j > 0 carry at most w(2^j) messages each way.
    - In the first half of the tree, the first half of a subtree is the one that sends a message across the
      root last, or at the same time as the other; in the second half of the tree it is the one that
      receives one first. (Exchange the halves where this fails, from the root downwards.)
    """
    f = HalvesFormula(tree, time)
    half, times = f.half, range(f.last + 1)
    for p in range(2 * half):
        for q in range(2 * half):
            if p != q and (p < half) == (q < half):
                for t in range(f.last + 1 - 2 * meeting_height(p, q)):
                    f.messages[p, q, t] = f.cnf.new()
    for t in times:
        for k in range(f.across):
            f.sends |= {(p, t, k): f.cnf.new() for p in range(half)}
            f.receives |= {(q, t, k): f.cnf.new() for q in range(half, 2 * half)}
            f.tells |= {(i, t, k): f.cnf.new() for i in range(half)}
    f.knows = {(i, p, t): f.cnf.new() for i in range(half) for p in range(2 * half) for t in times}
    _telling(f)
    _knowing(f)
    _channels(f)
    _first_halves(f)
    return f


def _telling(f: HalvesFormula) -> None:
    """Require what the messages across the root tell of."""
    for (i, t, k), tells in f.tells.items():
        f.cnf.add(-tells, *(_both(f, f.sends[p, t, k], f.knows[i, p, t]) for p in range(f.half)))


def _knowing(f: HalvesFormula) -> None:
    """Require how a processor comes to know of an operand, and that all is known in the end."""
    arriving: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for (p, q, t), message in f.messages.items():
        arriving.setdefault((q, t + 2 * meeting_height(p, q)), []).append((message, p))
    for (i, p, t), now in f.knows.items():
        if t == 0 and p == i:
            continue
        reasons = [f.knows[i, p, t - 1]] if t else []
        for message, sender in arriving.get((p, t), ()):
            sent = t - 2 * meeting_height(sender, p)
            reasons.append(_both(f, message, f.knows[i, sender, sent]))
        if p >= f.half:
            reasons += [_both(f, f.receives[p, t, k], f.tells[i, t, k]) for k in range(f.across)]
        f.cnf.add(-now, *reasons)
        if p >= f.half and t == f.last:
            f.cnf.add(now)


def _both(f: HalvesFormula, one: int, other: int) -> int:
    """Return a variable that holds only if both literals do."""
    both = f.cnf.new()
    f.cnf.extend([[-both, one], [-both, other]])
    return both


def _channels(f: HalvesFormula) -> None:
    """Limit what processors send and receive, and what the channels carry."""
    sent: dict[tuple[int, int], list[tuple[int, int]]] = {}
    received: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for (p, q, t), message in f.messages.items():
        height = meeting_height(p, q)
        sent.setdefault((p, t), []).append((height, message))
        received.setdefault((q, t + 2 * height), []).append((height, message))
    for places, crossing in ((sent, f.sends), (received, f.receives)):
        by_number: dict[tuple[int, int], list[int]] = {}
        for (p, t, k), message in crossing.items():
            places.setdefault((p, t), []).append((f.tree.height, message))
            by_number.setdefault((t, k), []).append(message)
        for messages in by_number.values():
            at_most_one(f.cnf, messages)
        for t in range(f.last + 1):
            for j in range(f.tree.height):
                for a in range(f.tree.subtrees(j)):
                    part = range(a << j, (a + 1) << j)
                    _at_most(f, [x for p in part for h, x in places.get((p, t), ()) if h > j], j)


def _at_most(f: HalvesFormula, messages: Sequence[int], height: int) -> None:
    """Require that at most as many of the messages are sent, or received, as a channel carries."""
    most = f.tree.capacities[height] if height else 1
    if most == 1:
        at_most_one(f.cnf, messages)
    elif len(messages) > most:
        f.cnf.at_most(messages, most)


def _first_halves(f: HalvesFormula) -> None:
    """Require which half of every subtree comes first."""
    for height in range(1, f.tree.height):
        part = 1 << (height - 1)
        for first in range(0, 2 * f.half, 2 * part):
            for t in range(f.last + 1):
                if first < f.half:
                    _not_alone(f, f.sends, range(first, first + part), t, range(t, f.last + 1))
                else:
                    _not_alone(f, f.receives, range(first, first + part), t, range(t + 1))


def _not_alone(
    f: HalvesFormula, crossing: Mapping[Place, int], part: range, t: int, times: Sequence[int]
) -> None:
    """Require a message of `part` across the root at one of some times if its sibling has one at time t."""
    some, numbers = f.cnf.new(), range(f.across)
    f.cnf.add(-some, *(crossing[p, u, k] for p in part for u in times for k in numbers))
    f.cnf.extend([-crossing[p + len(part), t, k], some] for p in part for k in numbers)


def halves_formula_size(tree: FatTree, time: int) -> int:
    """Return an estimate of the number of literals of the formula."""
    n, points = tree.processors, max(0, time - 2 * tree.height + 1)
    across = min(n // 2, tree.capacities[tree.height - 1])
    return points * n * n * (n + 2 * across + 20)
