"""The plain formulas of the line model for "M rounds suffice".

A refutation of such a formula proves that M rounds do not suffice. The calls of a round are described by
arcs: an arc that a call uses either starts the call or follows one arc before it, and the call either
ends with it or continues on one arc after it. So the arcs of a round split into the paths of its calls
(and cycles, which have no effect).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import (
    CallsFormula,
    break_symmetries,
    refuse_large_formula,
    refuted_rounds,
    used_symmetries,
)
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError

from ..rules import ports_of

ArcInRound = tuple[int, int]
"""The number of an arc, and a round."""


@dataclass(frozen=True)
class LineFormula(CallsFormula):
    """A formula that has a model if and only if the task can be done on `network` in `rounds` rounds.

    Its variables are call(a, t), "a call uses arc a in round t"; known(v, i, t), "node v knows item i after
    round t = 0..rounds"; starts and ends, by arc and round, "a call starts (ends) with the arc"; and "a call
    continues from arc a to arc b in round t", listed with the other arc in after[a, t] and in before[b, t].

    If `reversed_time` is true, the task is an accumulation and the formula describes the broadcast that is
    the accumulation run backwards, on the network with all arcs reversed.
    """

    item_count: int
    reversed_time: bool = False
    starts: dict[ArcInRound, int] = field(default_factory=dict)
    ends: dict[ArcInRound, int] = field(default_factory=dict)
    after: dict[ArcInRound, list[tuple[int, int]]] = field(default_factory=dict)
    before: dict[ArcInRound, list[tuple[int, int]]] = field(default_factory=dict)

    def known(self, v: int, item: int, t: int) -> int:
        """Return the variable "node v knows the item after round t", where t = 0..rounds."""
        return self.rounds * len(self.links) + (t * self.network.node_count + v) * self.item_count + item + 1

    def other_names(self) -> dict[int, str]:
        """Return the names of the variables of knowledge, and of where calls start, end and continue."""
        named = {
            self.known(v, i, t): f"knows_{v}_{i}_t{t}"
            for t in range(self.rounds + 1)
            for v in range(self.network.node_count)
            for i in range(self.item_count)
        }
        for word, table in (("starts", self.starts), ("ends", self.ends)):
            named |= {x: f"{word}_{self._arc(a)}_t{t}" for (a, t), x in table.items()}
        for (a, t), turns in self.after.items():
            named |= {x: f"goes_on_{self._arc(a)}_{self._arc(b)}_t{t}" for b, x in turns}
        return named

    def _arc(self, a: int) -> str:
        return f"{self.links[a][0]}_{self.links[a][1]}"


def line_formula(problem: Problem, rounds: int) -> LineFormula:
    """Return the plain formula for "`rounds` rounds suffice".

    An accumulation is a broadcast run backwards on the network with its arcs reversed.
    """
    if problem.task == "gossip":
        return gossip_formula(problem, rounds)
    return message_formula(problem, rounds)


def message_formula(problem: Problem, rounds: int) -> LineFormula:
    """Return the plain formula of a broadcast, multicast or accumulation.

    - The paths of a round: see `_paths`.
    - Before round 1 exactly the sources know the message; if the source is left open, at most one node
      does. After the last round every target knows it.
    - A call starts at a node that knew the message before the round.
    - A node that knows the message after a round knew it before, or a call of the round ends there.
    - With K ports, at most K calls start at a node in a round. (Without loss of generality no node that
      knows the message is called: calls to it can be left out. So no node both calls and is called, and no
      node is called twice in a round.)
    """
    reverse = problem.task == "accumulation"
    network = problem.network.reversed() if reverse else problem.network
    f = _paths(network, rounds, 1, reverse)
    into, out_of = _arcs_by_end(network, 1), _arcs_by_end(network, 0)
    everyone = range(network.node_count)
    if problem.choice == "min":
        f.cnf.at_most_one([f.known(v, 0, 0) for v in everyone])
    else:
        sources = set(problem.sources)
        f.cnf.extend([f.known(v, 0, 0) if v in sources else -f.known(v, 0, 0)] for v in everyone)
    for t in range(1, rounds + 1):
        for v in everyone:
            for b in out_of[v]:
                f.cnf.add(-f.starts[b, t], f.known(v, 0, t - 1))
            f.cnf.add(-f.known(v, 0, t), f.known(v, 0, t - 1), *(f.ends[a, t] for a in into[v]))
            _limit_ports(f, problem, [f.starts[b, t] for b in out_of[v]])
    f.cnf.extend([f.known(v, 0, rounds)] for v in problem.targets)
    return f


def gossip_formula(problem: Problem, rounds: int) -> LineFormula:
    """Return the plain formula of a gossip; every call is two-way.

    - The paths of a round: see `_paths`; in addition, an arc that a call uses either starts the call or
      follows exactly one arc.
    - Before round 1 every node knows only its own item; after the last round it knows all items.
    - With K ports, at most K calls of a round start or end at a node.
    - A node that knows an item after a round knew it before, or a call that ends there carries it forwards,
      or one that starts there carries it backwards.
    - An item that a call carries forwards on an arc is carried on the arc before as well, or the call starts
      with the arc and its first node knew the item before the round; backwards likewise.
    """
    network, n = problem.network, problem.network.node_count
    f = _paths(network, rounds, n, reversed_time=False)
    into, out_of = _arcs_by_end(network, 1), _arcs_by_end(network, 0)
    for t in range(1, rounds + 1):
        for v in range(n):
            _limit_ports(f, problem, [f.starts[b, t] for b in out_of[v]] + [f.ends[a, t] for a in into[v]])
        for a in range(len(network.arcs)):
            f.cnf.at_most_one([f.starts[a, t], *(turn for _, turn in f.before[a, t])])
        for item in range(n):
            forwards, backwards = _carried(f, item, t)
            for v in range(n):
                sources = [_both(f, f.ends[a, t], forwards[a]) for a in into[v]] + [
                    _both(f, f.starts[b, t], backwards[b]) for b in out_of[v]
                ]
                f.cnf.add(-f.known(v, item, t), f.known(v, item, t - 1), *sources)
    for v in range(n):
        for item in range(n):
            f.cnf.add(f.known(v, item, 0) if v == item else -f.known(v, item, 0))
            f.cnf.add(f.known(v, item, rounds))
    return f


def _paths(network: Network, rounds: int, item_count: int, reversed_time: bool) -> LineFormula:
    """Return the formula that describes the paths of every round.

    - No edge is used in both directions in a round.
    - An arc with which a call starts or ends, or from which or to which it continues, is used.
    - A used arc starts a call, or a call continues to it from another arc.
    - A call either ends with a used arc or continues on exactly one other arc.
    """
    links = network.arcs
    f = LineFormula(Cnf(), network, links, rounds, item_count, reversed_time)
    f.cnf.variable_count = f.known(network.node_count - 1, item_count - 1, rounds)
    number = {arc: a for a, arc in enumerate(links)}
    out_of = _arcs_by_end(network, 0)
    for t in range(1, rounds + 1):
        for a, (u, v) in enumerate(links):
            f.starts[a, t], f.ends[a, t] = f.cnf.new(), f.cnf.new()
            f.before.setdefault((a, t), [])
            f.after[a, t] = [(b, f.cnf.new()) for b in out_of[v] if links[b][1] != u]
            for b, turn in f.after[a, t]:
                f.before.setdefault((b, t), []).append((a, turn))
            if not network.directed and u < v:
                f.cnf.add(-f.call(a, t), -f.call(number[v, u], t))
        for a in range(len(links)):
            used, turns_in, turns_out = f.call(a, t), f.before[a, t], f.after[a, t]
            leaving = [f.ends[a, t], *(turn for _, turn in turns_out)]
            f.cnf.extend([-x, used] for x in (f.starts[a, t], *leaving, *(turn for _, turn in turns_in)))
            f.cnf.add(-used, f.starts[a, t], *(turn for _, turn in turns_in))
            f.cnf.at_most_one(leaving)
    return f


def _carried(f: LineFormula, item: int, t: int) -> tuple[list[int], list[int]]:
    """Return for every arc the variables "the call along it carries the item", forwards and backwards."""
    forwards = [f.cnf.new() for _ in f.links]
    backwards = [f.cnf.new() for _ in f.links]
    for a, (u, v) in enumerate(f.links):
        there, back = forwards[a], backwards[a]
        f.cnf.add(-there, f.call(a, t))
        f.cnf.add(-there, -f.starts[a, t], f.known(u, item, t - 1))
        f.cnf.extend([-there, -turn, forwards[b]] for b, turn in f.before[a, t])
        f.cnf.add(-back, f.ends[a, t], *(turn for _, turn in f.after[a, t]))
        f.cnf.add(-back, -f.ends[a, t], f.known(v, item, t - 1))
        f.cnf.extend([-back, -turn, backwards[b]] for b, turn in f.after[a, t])
    return forwards, backwards


def _both(f: LineFormula, x: int, y: int) -> int:
    """Return a fresh variable that implies both literals."""
    both = f.cnf.new()
    f.cnf.extend([[-both, x], [-both, y]])
    return both


def _limit_ports(f: LineFormula, problem: Problem, calls: list[int]) -> None:
    ports = ports_of(problem)
    if ports is not None:
        f.cnf.at_most(calls, ports)


def _arcs_by_end(network: Network, end: int) -> list[list[int]]:
    """Return for every node the numbers of the arcs of which it is the tail (end 0) or the head (end 1)."""
    arcs: list[list[int]] = [[] for _ in range(network.node_count)]
    for a, arc in enumerate(network.arcs):
        arcs[arc[end]].append(a)
    return arcs


def refutation_formula(problem: Problem, evidence: Mapping[str, Any]) -> tuple[int, Cnf]:
    """Return the bound that a refutation proves, and the formula that it must refute.

    Parameters
    ----------
    problem
        The problem, with its source or root given or chosen as the best one.
    evidence
        "rounds", the number claimed not to suffice, and "symmetries", the automorphisms that the proof may
        use, each as the images of all nodes in node order.

    Raises
    ------
    ClaimError
        If a symmetry is not an automorphism, or if the formula would be too large.
    """
    rounds, symmetries = refuted_rounds(evidence), used_symmetries(evidence)
    if rounds >= 2 * problem.network.node_count or problem.choice == "max":
        raise ClaimError(
            "a refutation is for fewer rounds than twice the nodes, and for a given or the best source"
        )
    refuse_large_formula(formula_size(problem, rounds), rounds)
    f = line_formula(problem, rounds)
    break_symmetries(f, problem, symmetries)
    f.cnf.names = f.names
    return rounds + 1, f.cnf


def formula_size(problem: Problem, rounds: int) -> int:
    """Return the approximate number of literals of the plain formula for `rounds` rounds."""
    network = problem.network
    turns = sum(
        len(into) * len(out) for into, out in zip(network.predecessors, network.successors, strict=True)
    )
    squares = sum(
        len(into) * len(out) ** 2 for into, out in zip(network.predecessors, network.successors, strict=True)
    )
    gossip = 6 * turns * network.node_count if problem.task == "gossip" else 0
    return rounds * (8 * turns + squares + 10 * len(network.arcs) + gossip)
