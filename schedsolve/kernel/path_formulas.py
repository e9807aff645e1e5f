"""The formulas for "M rounds of calls along paths suffice", satisfiable if and only if they do.

The calls of a round are described by arcs: an arc that a call uses either starts a call or
continues one from one arc before, and the call either ends with it or continues with one arc
after. So the arcs of a round form the paths of its calls (and cycles, which bring nothing).
"""

from __future__ import annotations

from itertools import product
from typing import Any

from .calls import Calls, break_symmetries
from .clauses import Formula, at_most
from .gossip_formula import Known
from .message_formula import kept_nodes
from .network import Network
from .refutation import refute
from .tasks import as_broadcast, targets_of
from .wrong import require


class Paths:
    """What the formulas share: calls, knowledge and paths.

    For arc a and round t, starts[a, t] and ends[a, t] say "a call starts (ends) with the arc";
    after[a, t] and before[b, t] list other arc and variable of "a call continues from a to b".

    - No link is used in both directions in a round.
    - An arc with which a call starts or ends, or which it continues from or to, is used.
    - A used arc starts a call, or a call continues to it from another arc.
    - With an arc a call ends, or it continues to one other arc, but not both or to several.
    """

    def __init__(self, network: Network, rounds: int, items: int) -> None:
        arcs = network.arcs
        self.network, self.rounds, self.calls = network, rounds, Calls(arcs, rounds)
        self.known = Known(self.calls, network.n, items)
        self.formula = Formula(self.known(network.n - 1, items - 1, rounds))
        self.starts, self.ends = dict[Any, int](), dict[Any, int]()
        self.after, self.before = dict[Any, Any](), dict[Any, Any]()
        for t in range(1, rounds + 1):
            self.before.update({(a, t): [] for a in range(len(arcs))})
            for a, (u, v) in enumerate(arcs):
                self.starts[a, t], self.ends[a, t] = self.formula.new(), self.formula.new()
                onwards = [b for b, (x, y) in enumerate(arcs) if x == v and y != u]
                self.after[a, t] = [(b, self.formula.new()) for b in onwards]
                for b, turn in self.after[a, t]:
                    self.before[b, t].append((a, turn))
                if not network.directed and u < v:
                    self.formula.add(-self.calls(a, t), -self.calls(arcs.index((v, u)), t))
            for a in range(len(arcs)):
                used, turns_in = self.calls(a, t), [turn for _, turn in self.before[a, t]]
                leaving = [self.ends[a, t], *(turn for _, turn in self.after[a, t])]
                for x in (self.starts[a, t], *leaving, *turns_in):
                    self.formula.add(-x, used)
                self.formula.add(-used, self.starts[a, t], *turns_in)
                self.formula.at_most_one(leaving)

    def of(self, end: int, v: int) -> list[int]:
        """Return the arcs of which v is the tail (end 0) or the head (end 1)."""
        return [a for a, arc in enumerate(self.network.arcs) if arc[end] == v]

    def limit_ports(self, claim: dict[str, Any], calls: list[int]) -> None:
        """Require that at most as many of the calls are made as there are ports."""
        if claim["ports"] is not None:
            at_most(self.formula, calls, claim["ports"])


def path_message_refuted(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """proof.lrat refutes the formula for one round less, which is built from the rules.

    - The paths of a round: see `Paths`. A call starts at a node that knew the message before.
    - A node that knows the message after a round knew it before, or a call of the round ends there.
    - With K ports, at most K calls start at a node: no node that knows the message need be called,
      and no node need be called twice in a round.
    """
    rounds, network = int(claim["lower_bound"]) - 1, as_broadcast(claim, network)
    f, n = Paths(network, rounds, 1), network.n
    if claim.get("open"):
        f.formula.at_most_one([f.known(v, 0, 0) for v in range(n)])
    for v in () if claim.get("open") else range(n):
        f.formula.add(f.known(v, 0, 0) if v in claim["sources"] else -f.known(v, 0, 0))
    for t in range(1, rounds + 1):
        for v in range(n):
            for b in f.of(0, v):
                f.formula.add(-f.starts[b, t], f.known(v, 0, t - 1))
            ends = [f.ends[a, t] for a in f.of(1, v)]
            f.formula.add(-f.known(v, 0, t), f.known(v, 0, t - 1), *ends)
            f.limit_ports(claim, [f.starts[b, t] for b in f.of(0, v)])
    for v in targets_of(claim, n):
        f.formula.add(f.known(v, 0, rounds))
    symmetries = claim["evidence"]["symmetries"]
    break_symmetries(f.formula, f.calls, network, symmetries, kept_nodes(claim, n))
    refute(f.formula, files)
    return rounds + 1


def path_gossip_refuted(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """proof.lrat refutes the formula for one round less, which is built from the rules.

    - The paths of a round: see `Paths`; a used arc starts a call or continues one, not both.
    - With K ports, at most K calls of a round start or end at a node.
    - A node that knows an item after a round knew it before, or a call that ends there brings it
      forwards, or one that starts there brings it backwards.
    - What a call has forwards on an arc, it has on the arc before, or its first node knew it before
      the round; the same holds backwards.
    """
    require(claim["task"] == "gossip", "the formula is that of a gossip")
    rounds, n = int(claim["lower_bound"]) - 1, network.n
    f = Paths(network, rounds, n)
    for t in range(1, rounds + 1):
        for v in range(n):
            starts, ends = [f.starts[b, t] for b in f.of(0, v)], [f.ends[a, t] for a in f.of(1, v)]
            f.limit_ports(claim, starts + ends)
        for a in range(len(network.arcs)):
            f.formula.at_most_one([f.starts[a, t], *(turn for _, turn in f.before[a, t])])
        for item in range(n):
            there, back = carried(f, item, t)
            for v in range(n):
                sources = []
                pairs = [(f.ends[a, t], there[a]) for a in f.of(1, v)]
                for pair in pairs + [(f.starts[b, t], back[b]) for b in f.of(0, v)]:
                    sources.append(f.formula.new())
                    for literal in pair:
                        f.formula.add(-sources[-1], literal)
                f.formula.add(-f.known(v, item, t), f.known(v, item, t - 1), *sources)
    for v, item in product(range(n), range(n)):
        f.formula.add(f.known(v, item, 0) if v == item else -f.known(v, item, 0))
        f.formula.add(f.known(v, item, rounds))
    break_symmetries(f.formula, f.calls, network, claim["evidence"]["symmetries"])
    refute(f.formula, files)
    return rounds + 1


def carried(f: Paths, item: int, t: int) -> tuple[list[int], list[int]]:
    """Return for every arc a variable that its call carries the item forwards, and backwards."""
    forwards = [f.formula.new() for _ in f.network.arcs]
    backwards = [f.formula.new() for _ in f.network.arcs]
    for a, (u, v) in enumerate(f.network.arcs):
        there, back = forwards[a], backwards[a]
        f.formula.add(-there, f.calls(a, t))
        f.formula.add(-there, -f.starts[a, t], f.known(u, item, t - 1))
        for b, turn in f.before[a, t]:
            f.formula.add(-there, -turn, forwards[b])
        f.formula.add(-back, f.ends[a, t], *(turn for _, turn in f.after[a, t]))
        f.formula.add(-back, -f.ends[a, t], f.known(v, item, t - 1))
        for b, turn in f.after[a, t]:
            f.formula.add(-back, -turn, backwards[b])
    return forwards, backwards
