"""The formula for "a broadcast between the leaves of a tree takes at most a given time".

It describes a broadcast from leaf 0 in which every other leaf receives exactly one message; to
drop every later message to a leaf changes nothing. A broadcast from leaf s is equivalent: map
leaf p to p xor s. Leaves are named so that in every subtree the first leaf is the first to be
informed, or among the first: exchange the halves of each subtree where this fails, from the
root downwards. That leaf then received its message from outside the subtree, as a sender inside
would have been informed earlier.

A broadcast is part of a product run backwards, and of a prefix: the formula bounds these too.
"""

from __future__ import annotations

from typing import Any

from .clauses import Formula
from .network import Network
from .refutation import refute
from .tree_messages import processors_of


class Times(Formula):
    """The formula and its variables.

    sends[p, t, h] and receives[p, t, h] say "leaf p sends (receives) at time t to (from) a leaf
    that it meets at height h"; informed[p, t] says "leaf p holds the message at time t", and
    begins[t] "a round begins at time t". A unit of time is two steps in rounds, where a message
    takes h units, and one step by the clock, where it takes 2h.
    """

    def __init__(self, claim: dict[str, Any], n: int, time: int) -> None:
        super().__init__()
        self.n, self.height, self.capacities = n, n.bit_length() - 1, claim["capacities"]
        self.unit = 1 if claim["in_rounds"] else 2
        self.last = time // 2 if claim["in_rounds"] else time
        self.begins = [self.new() for _ in range(self.last + 1)] if claim["in_rounds"] else []
        self.sends: dict[tuple[int, int, int], int] = {}
        self.receives: dict[tuple[int, int, int], int] = {}
        self.informed: dict[tuple[int, int], int] = {}
        for p in range(n):
            leads = (p & -p).bit_length() - 1 if p else self.height
            for t in range(self.earliest(p), self.last + 1):
                if p:
                    self.informed[p, t] = self.new()
                for h in range(1, self.height + 1):
                    if t + self.unit * h <= self.last:
                        self.sends[p, t, h] = self.new()
                    if p and h > leads and t >= self.unit * h:
                        self.receives[p, t, h] = self.new()

    def earliest(self, p: int) -> int:
        """Return when a message sent straight from leaf 0 reaches leaf p."""
        return self.unit * p.bit_length()

    def above(self, table: Any, p: int, t: int, height: int = 0) -> list[int]:
        """Return the variables of leaf p sending, or receiving, at time t above a height."""
        heights = range(height + 1, self.height + 1)
        return [table[p, t, h] for h in heights if (p, t, h) in table]

    def at_least(self, literals: list[int], most: int) -> list[int]:
        """Return variables, the k-th of which must hold if at least k of the literals do."""
        if len(literals) == 1:
            return literals
        middle = len(literals) // 2
        left, right = (self.at_least(half, most) for half in (literals[:middle], literals[middle:]))
        total = [self.new() for _ in range(min(most, len(left) + len(right)))]
        for i, one in enumerate([0, *left]):
            for j, other in enumerate([0, *right]):
                if 0 < i + j <= len(total):
                    self.add(*(-x for x in (one, other) if x), total[i + j - 1])
        return total

    def at_most_so_many(self, literals: list[int], most: int) -> list[int]:
        """Return variables, the k-th of which can hold only if at least k of the literals do."""
        if len(literals) <= 1:
            return literals
        middle = len(literals) // 2
        halves = literals[:middle], literals[middle:]
        left, right = (self.at_most_so_many(half, most) for half in halves)
        total = [self.new() for _ in range(min(most, len(left) + len(right)))]
        for i in range(len(left) + 1):
            for j in range(len(right) + 1):
                if i + j < len(total):
                    self.add(-total[i + j], *left[i : i + 1], *right[j : j + 1])
        return total


def broadcast_formula(claim: dict[str, Any], n: int, time: int) -> Times:
    """Return the formula for "a broadcast takes at most `time`".

    - Every leaf but the first is informed in the end, from the arrival of its only message on, and
      not before a message straight from the source could arrive.
    - A leaf sends at most one message at a time, and only if it holds the message then.
    - At any time at most as many leaves of half a subtree receive from the other half as sent to it
      from there, the duration of the message earlier.
    - The first leaf of a subtree receives from outside it, and is informed no later than the first
      leaf of the other half.
    - Of a subtree of height j, at most w(2^j) leaves send above j at a time; so too for receiving.
    - Messages are sent when a round begins, and no round begins before they have arrived.
    """
    f = Times(claim, n, time)
    for p in range(n):
        one_leaf(f, p)
    for h in range(1, f.height + 1):
        half = 1 << (h - 1)
        for a in range(0, n, 2 * half):
            left, right = range(a, a + half), range(a + half, a + 2 * half)
            for t in range(f.last + 1 - f.unit * h):
                crossing(f, h, left, right, t)
                crossing(f, h, right, left, t)
            for t in range(f.last + 1):
                if (a, t) in f.informed and (a + half, t) in f.informed:
                    f.add(-f.informed[a + half, t], f.informed[a, t])
    for j in range(f.height):
        for a in range(0, n, 1 << j) if f.capacities[j] < 1 << j else ():
            channel(f, j, range(a, a + (1 << j)))
    for (_, t, h), sent in f.sends.items() if claim["in_rounds"] else ():
        f.add(-sent, f.begins[t])
        for u in range(t + 1, t + h):
            f.add(-sent, -f.begins[u])
    return f


def channel(f: Times, height: int, subtree: Any) -> None:
    """Require that the channels above a subtree carry no more than they can."""
    most = f.capacities[height]
    for t in range(f.last + 1):
        for table in (f.sends, f.receives):
            above = [x for p in subtree for x in f.above(table, p, t, height)]
            if len(above) > most:
                f.add(-f.at_least(above, most + 1)[most])


def one_leaf(f: Times, p: int) -> None:
    """Require what concerns one leaf alone: holding, sending and receiving."""
    before: list[int] = []
    for t in range(f.earliest(p), f.last + 1):
        sent = f.above(f.sends, p, t)
        f.at_most_one(sent)
        if p:
            now, received = f.informed[p, t], f.above(f.receives, p, t)
            for variable in sent:
                f.add(-variable, now)
            f.at_most_one(received)
            f.add(-now, *before, *received)
            for variable in received:
                f.add(-variable, now)
                for held in before:
                    f.add(-variable, -held)
            for held in before:
                f.add(-held, now)
            before = [now]
    if p:
        f.add(*before)


def crossing(f: Times, h: int, here: Any, there: Any, t: int) -> None:
    """Require at most as many arrivals there as messages from here, counted up to capacity."""
    senders = [f.sends[p, t, h] for p in here if (p, t, h) in f.sends]
    arrival = t + f.unit * h
    receivers = [f.receives[q, arrival, h] for q in there if (q, arrival, h) in f.receives]
    if receivers:
        counted = min(len(senders) + 1, f.capacities[h - 1])
        arriving, sent = f.at_least(receivers, counted), f.at_most_so_many(senders, counted)
        for k, many in enumerate(arriving):
            f.add(-many, *sent[k : k + 1])


def broadcast_time_refuted(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """proof.lrat refutes the formula for a smaller time, which is built from the definition."""
    time = claim["evidence"]["time"]
    refute(broadcast_formula(claim, processors_of(network), time), files)
    return int(time + 2 - time % 2 if claim["in_rounds"] else time + 1)
