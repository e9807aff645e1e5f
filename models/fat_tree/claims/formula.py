"""The plain formula for "a broadcast takes at most `time`", written straight from the rules.

1. It describes a broadcast from processor 0 in which every other processor receives exactly one
   message; to drop every later message to a processor changes nothing.
2. A broadcast from any other processor s is equivalent: map p to p xor s, which is an automorphism of
   the tree.
3. The processors are named so that in every subtree the first one is the first to be informed, or among
   the first: exchange the two halves of each subtree where this fails, from the root downwards.
4. That first processor then received its message from outside the subtree, as a sender inside would
   have been informed even earlier.

The formula bounds a product and a prefix too: in a product run backwards, with every message reversed,
the messages that carry what becomes part of the result bring the root's message to all processors; and
a prefix brings operand 0 to all processors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from schedsolve.modelkit.formulas.cnf import Cnf

from ..rules.tree import FatTree

LARGEST_FORMULA = 20_000_000
"""The most literals of a formula; a larger one is not built."""


@dataclass
class BroadcastFormula:
    """A formula that is satisfiable exactly when a broadcast from processor 0 takes at most `time`.

    The variable sends[p, t, h] says "processor p sends at time t to a processor that it meets at height h";
    receives[p, t, h] says "processor p receives, at time t, a message from a processor that it meets at
    height h"; informed[p, t] says "processor p holds the message at time t".

    In the round model a unit of time is two steps, so that a message takes h units; begins[t] says "a round
    begins at time t".
    """

    tree: FatTree
    time: int
    rounds: bool
    cnf: Cnf = field(default_factory=Cnf)
    sends: dict[tuple[int, int, int], int] = field(default_factory=dict)
    receives: dict[tuple[int, int, int], int] = field(default_factory=dict)
    informed: dict[tuple[int, int], int] = field(default_factory=dict)
    begins: list[int] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The last point of time, in units."""
        return self.time // 2 if self.rounds else self.time

    def delay(self, height: int) -> int:
        """Return how many units of time a message to a height takes."""
        return height if self.rounds else 2 * height

    def earliest(self, processor: int) -> int:
        """Return the arrival time of a message sent straight from the source; none arrives earlier."""
        return self.delay(processor.bit_length())

    def names(self) -> dict[int, str]:
        """Return the names of the variables."""
        named = {x: f"round_begins_t{t}" for t, x in enumerate(self.begins)}
        named |= {x: f"sends_{p}_t{t}_height{h}" for (p, t, h), x in self.sends.items()}
        named |= {x: f"receives_{p}_t{t}_height{h}" for (p, t, h), x in self.receives.items()}
        return named | {x: f"holds_{p}_t{t}" for (p, t), x in self.informed.items()}

    def sent(self, processor: int, t: int, above: int = 0) -> list[int]:
        """Return the variables of the processor sending at time t to a height greater than `above`."""
        return [
            self.sends[processor, t, h]
            for h in range(above + 1, self.tree.height + 1)
            if (processor, t, h) in self.sends
        ]

    def received(self, processor: int, t: int, above: int = 0) -> list[int]:
        """Return the variables of the processor receiving at time t from a height greater than `above`."""
        return [
            self.receives[processor, t, h]
            for h in range(above + 1, self.tree.height + 1)
            if (processor, t, h) in self.receives
        ]


def broadcast_formula(tree: FatTree, time: int, *, rounds: bool) -> BroadcastFormula:
    """Return the plain formula of a broadcast (all nodes are targets) or multicast.

    It is the same for both modes, as a useful call goes one way.

    - Every processor but the source is informed in the end; it is informed from the time on when it
      receives its only message, and not before a message straight from the source could arrive.
    - A processor sends at most one message at a time, and only if it holds the message then.
    - At any time at most as many processors of half a subtree receive from the other half as sent to it
      from there, the duration of the message earlier.
    - Of a subtree of height j, at most w(2^j) processors send at a time to a height above j, and at most
      w(2^j) receive at a time from a height above j.
    - The first processor of a subtree receives from outside the subtree, and is informed no later than the
      first one of the other half (steps 3 and 4 above).
    - In rounds: messages are sent when a round begins, and no round begins before they have arrived.
    """
    f = BroadcastFormula(tree, time, rounds)
    declare_variables(f, f.cnf.new)
    for p in range(tree.processors):
        _one_processor(f, p)
    for h in range(1, tree.height + 1):
        half = 1 << (h - 1)
        for a in range(0, tree.processors, 2 * half):
            for t in range(f.last + 1 - f.delay(h)):
                _crossing(f, h, range(a, a + half), range(a + half, a + 2 * half), t)
                _crossing(f, h, range(a + half, a + 2 * half), range(a, a + half), t)
            for t in range(f.last + 1):
                if (a, t) in f.informed and (a + half, t) in f.informed:
                    f.cnf.add(-f.informed[a + half, t], f.informed[a, t])
    for j in range(tree.height):
        if tree.capacities[j] < 1 << j:
            for a in range(0, tree.processors, 1 << j):
                _capacity(f, j, range(a, a + (1 << j)))
    if rounds:
        _barriers(f)
    return f


def declare_variables(f: BroadcastFormula, new: Callable[[], int]) -> None:
    """Declare the variables, each made by `new`; a message that is sent arrives within the time."""
    f.begins = [new() for _ in range(f.last + 1)] if f.rounds else []
    for p in range(f.tree.processors):
        leads = (p & -p).bit_length() - 1 if p else f.tree.height
        for t in range(f.earliest(p), f.last + 1):
            if p:
                f.informed[p, t] = new()
            for h in range(1, f.tree.height + 1):
                if t + f.delay(h) <= f.last:
                    f.sends[p, t, h] = new()
                if p and h > leads and t >= f.delay(h):
                    f.receives[p, t, h] = new()


def _one_processor(f: BroadcastFormula, p: int) -> None:
    """Require what concerns one processor alone: holding, sending and receiving."""
    cnf = f.cnf
    before: list[int] = []
    for t in range(f.earliest(p), f.last + 1):
        sent = f.sent(p, t)
        cnf.at_most_one(sent)
        if not p:
            continue
        now, received = f.informed[p, t], f.received(p, t)
        cnf.extend([-variable, now] for variable in sent)
        cnf.at_most_one(received)
        cnf.add(-now, *before, *received)
        for variable in received:
            cnf.add(-variable, now)
            cnf.extend([-variable, -held] for held in before)
        cnf.extend([-held, now] for held in before)
        before = [now]
    if p:
        cnf.add(*before)


def _crossing(f: BroadcastFormula, h: int, here: Sequence[int], there: Sequence[int], t: int) -> None:
    """Require that at most as many messages arrive on one side as were sent on the other.

    At most the capacity of the channel arrives in any case, so larger numbers need not be counted.
    """
    senders = [f.sends[p, t, h] for p in here if (p, t, h) in f.sends]
    arrival = t + f.delay(h)
    receivers = [f.receives[q, arrival, h] for q in there if (q, arrival, h) in f.receives]
    if not receivers:
        return
    counted = min(len(senders) + 1, f.tree.capacities[h - 1])
    at_least = at_least_so_many(f.cnf, receivers, counted)
    at_most = at_most_so_many(f.cnf, senders, counted)
    for k, many in enumerate(at_least):
        f.cnf.add(-many, *at_most[k : k + 1])


def at_least_so_many(cnf: Cnf, literals: Sequence[int], most: int) -> list[int]:
    """Return variables for k = 1..`most` or fewer, the k-th of which must hold if at least k literals do."""
    if len(literals) == 1:
        return list(literals)
    middle = len(literals) // 2
    left, right = (
        at_least_so_many(cnf, literals[:middle], most),
        at_least_so_many(cnf, literals[middle:], most),
    )
    total = [cnf.new() for _ in range(min(most, len(left) + len(right)))]
    for i, one in enumerate([0, *left]):
        for j, other in enumerate([0, *right]):
            if 0 < i + j <= len(total):
                cnf.add(*(-x for x in (one, other) if x), total[i + j - 1])
    return total


def at_most_so_many(cnf: Cnf, literals: Sequence[int], most: int) -> list[int]:
    """Return variables for k = 1..`most` or fewer, the k-th of which can hold only if k literals do."""
    if len(literals) <= 1:
        return list(literals)
    middle = len(literals) // 2
    left, right = at_most_so_many(cnf, literals[:middle], most), at_most_so_many(cnf, literals[middle:], most)
    total = [cnf.new() for _ in range(min(most, len(left) + len(right)))]
    for i in range(len(left) + 1):
        for j in range(len(right) + 1):
            if i + j < len(total):
                cnf.add(-total[i + j], *left[i : i + 1], *right[j : j + 1])
    return total


def _capacity(f: BroadcastFormula, height: int, subtree: Sequence[int]) -> None:
    """Require that the channels above a subtree carry no more than they can."""
    most = f.tree.capacities[height]
    for t in range(f.last + 1):
        for crossing in (
            [x for p in subtree for x in f.sent(p, t, height)],
            [x for p in subtree for x in f.received(p, t, height)],
        ):
            if len(crossing) > most:
                counted = at_least_so_many(f.cnf, crossing, most + 1)
                f.cnf.add(-counted[most])


def _barriers(f: BroadcastFormula) -> None:
    """Require that messages are sent only when a round begins, and that none begins before they arrive."""
    for (_, t, h), sent in f.sends.items():
        f.cnf.add(-sent, f.begins[t])
        f.cnf.extend([-sent, -f.begins[u]] for u in range(t + 1, t + h))


def formula_size(tree: FatTree, time: int, *, rounds: bool) -> int:
    """Return an estimate of the number of literals of the plain formula."""
    points = max(1, time // 2 if rounds else time)
    return (
        points
        * tree.processors
        * tree.height
        * (12 + 2 * tree.height + 3 * min(tree.capacities[-1], tree.processors) // 2)
    )
