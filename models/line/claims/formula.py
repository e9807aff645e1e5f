"""The plain formulas of the line model for "M rounds suffice"; a refutation of one proves that M rounds do
not suffice.

The calls of a round are described by arcs: an arc that a call uses either starts a call or goes on from one
arc before it, and the call ends with it or goes on with one arc after it. So the arcs of a round fall into
the paths of its calls (and cycles, which bring nothing).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from schedsolve.errors import ClaimError
from schedsolve.formulas.cnf import Cnf
from schedsolve.modelkit.refutation import (
    CallsFormula,
    break_symmetries,
    refuse_large_formula,
    refuted_rounds,
    used_symmetries,
)
from schedsolve.network.graph import Network
from schedsolve.problem import Problem

from ..rules import ports_of

ArcInRound = tuple[int, int]
"""The number of an arc, and a round."""


@dataclass(frozen=True)
class LineFormula(CallsFormula):
    """A formula that has a model exactly when the task can be done on `network` within `rounds` rounds.

    Its variables are call(a, t), "a call uses arc a in round t"; known(v, i, t), "node v knows item i after
    round t = 0..rounds"; starts and ends, by arc and round, "a call starts (ends) with the arc"; and "a call
    goes on from arc a to arc b in round t", listed with the other arc in after[a, t] and in before[b, t].

    reversed_time: the formula speaks of the broadcast that an accumulation run backwards is, on the network
    with all arcs turned round.
    """

    item_count: int
    reversed_time: bool = False
    starts: dict[ArcInRound, int] = field(default_factory=dict)
    ends: dict[ArcInRound, int] = field(default_factory=dict)
    after: dict[ArcInRound, list[tuple[int, int]]] = field(default_factory=dict)
    before: dict[ArcInRound, list[tuple[int, int]]] = field(default_factory=dict)

    def known(self, v: int, item: int, t: int) -> int:
        """The variable of node v knowing the item after round t = 0..rounds."""
        return self.rounds * len(self.links) + (t * self.network.node_count + v) * self.item_count + item + 1

    def other_names(self) -> dict[int, str]:
        """Who knows what when, and where calls start, end and go on."""
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
    """The plain formula for "`rounds` rounds suffice". An accumulation is a broadcast run backwards on the
    network with its arcs turned.
    """
    if problem.task == "gossip":
        return gossip_formula(problem, rounds)
    return message_formula(problem, rounds)


def message_formula(problem: Problem, rounds: int) -> LineFormula:
    """The plain formula of a broadcast, multicast or accumulation.

    - The paths of a round: see `_paths`.
    - Before round 1 just the sources know the message; with the source left open at most one node does. After
      the last round every target knows it.
    - A call starts at a node that knew the message before the round.
    - A node that knows the message after a round knew it before, or a call of the round ends there.
    - With K ports, at most K calls start at a node in a round. (Without loss of generality nobody is called
      who knows the message, so no node both calls and is called, and nobody is called twice in a round.)
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
    """The plain formula of a gossip; every call is two-way.

    - The paths of a round: see `_paths`; besides, an arc that a call uses starts a call or goes on from one
      arc, and not both or several.
    - Before round 1 every node knows its own item only; after the last round all.
    - With K ports, at most K calls of a round start or end at a node.
    - A node that knows an item after a round knew it before, or a call that ends there brings it forwards, or
      one that starts there brings it backwards.
    - What a call has forwards on an arc, it has on the arc before, or its first node knew it before the
      round; so too backwards.
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
    """The formula that describes the paths of every round.

    - No edge is used in both directions in a round.
    - An arc with which a call starts, ends, or from which it goes on, is used; so is the arc to which it goes
      on.
    - A used arc starts a call, or a call goes on to it from another arc.
    - With an arc a call ends, or it goes on to one other arc, and not both or several.
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
    """For every arc the variables "the call along it in round t carries the item" forwards and backwards."""
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
    """A fresh variable that implies both."""
    both = f.cnf.new()
    f.cnf.extend([[-both, x], [-both, y]])
    return both


def _limit_ports(f: LineFormula, problem: Problem, calls: list[int]) -> None:
    ports = ports_of(problem)
    if ports is not None:
        f.cnf.at_most(calls, ports)


def _arcs_by_end(network: Network, end: int) -> list[list[int]]:
    """For every node the numbers of the arcs of which it is the tail (end 0) or the head (end 1)."""
    arcs: list[list[int]] = [[] for _ in range(network.node_count)]
    for a, arc in enumerate(network.arcs):
        arcs[arc[end]].append(a)
    return arcs


def refutation_formula(problem: Problem, evidence: Mapping[str, Any]) -> tuple[int, Cnf]:
    """What a refutation must refute: the bound that it proves, and the formula.

    evidence: "rounds", which are claimed not to suffice, and "symmetries", the automorphisms that the proof
    may use, as the image of every node in node order. Raises ClaimError when they are none, or when the
    formula would be too large.
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
    """About how many literals the plain formula for `rounds` rounds has."""
    network = problem.network
    turns = sum(
        len(into) * len(out) for into, out in zip(network.predecessors, network.successors, strict=True)
    )
    squares = sum(
        len(into) * len(out) ** 2 for into, out in zip(network.predecessors, network.successors, strict=True)
    )
    gossip = 6 * turns * network.node_count if problem.task == "gossip" else 0
    return rounds * (8 * turns + squares + 10 * len(network.arcs) + gossip)
