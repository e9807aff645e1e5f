"""The plain formula for "M rounds suffice", written straight from the rules.

A refutation of it proves that M rounds do not suffice.

The one thing here that makes solving faster is the breaking of symmetries, by automorphisms that are tested
(`break_symmetries`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from schedsolve.modelkit.task import Demand
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError

from ..rules import is_two_way


@dataclass(frozen=True)
class RoundsFormula(CallsFormula):
    """A formula that has a model exactly when the task can be done on `network` within `rounds` rounds.

    Its other variables are held(v, i, t), "node v holds item i after round t".

    Attributes
    ----------
    reversed_time
        The formula speaks of the broadcast that an accumulation run backwards is, on the network with all
        arcs turned round.
    """

    item_count: int
    reversed_time: bool = False

    def held(self, v: int, item: int, t: int) -> int:
        """Return the variable of node v holding the item after round t = 0..rounds."""
        return self.slots * len(self.links) + (t * self.network.node_count + v) * self.item_count + item + 1

    def other_names(self) -> dict[int, str]:
        """Who knows what when."""
        return {
            self.held(v, i, t): f"knows_{v}_{i}_t{t}"
            for t in range(self.rounds + 1)
            for v in range(self.network.node_count)
            for i in range(self.item_count)
        }


def rounds_formula(problem: Problem, rounds: int) -> RoundsFormula:
    """Return the plain formula for "`rounds` rounds suffice" for a problem of a matching model.

    A gossip, and a multi-item task in general, gets `gossip_formula`. A broadcast or multicast gets
    `broadcast_formula`, in which only useful calls are made. An accumulation is a broadcast run backwards in
    time on the network with every arc turned round (a_v = b_v, section 2 of the paper): the calls of a
    schedule that brings every item to the root, run backwards, bring the root's item to all.
    """
    if problem.task == "gossip":
        return gossip_formula(problem.network, problem.demand(), is_two_way(problem), rounds)
    reverse = problem.task == "accumulation"
    network = problem.network.reversed() if reverse else problem.network
    sources = None if problem.choice == "min" else problem.sources
    return broadcast_formula(network, sources, problem.targets, rounds, reversed_time=reverse)


def gossip_formula(
    network: Network, demand: Demand, two_way: bool, rounds: int, *, period: int | None = None
) -> RoundsFormula:
    """Return the plain formula of a task with many items, in either mode.

    - In every round every node takes part in at most one call.
    - Rounds that are a period apart have the same calls, when there is a period.
    - Before round 1 a node holds just the items it starts with; after the last round it holds the items of
      its goal.
    - A node that holds an item after round t held it before, or is called in round t.
    - A node that holds an item after round t and is called by u in round t held it before, or u held it
      before.
    """
    links = network.edges if two_way else network.arcs
    f = RoundsFormula(Cnf(), network, links, rounds, demand.item_count, period=period)
    knowledge_by_calls(f, two_way)
    for v in range(network.node_count):
        for i in range(demand.item_count):
            f.cnf.add(f.held(v, i, 0) if demand.start[v] >> i & 1 else -f.held(v, i, 0))
            if demand.goal[v] >> i & 1:
                f.cnf.add(f.held(v, i, rounds))
    return f


def knowledge_by_calls(f: RoundsFormula, two_way: bool) -> None:
    """Add what `gossip_formula` says of the rounds, with nothing said of their start and their end."""
    network, items = f.network, range(f.item_count)
    f.cnf.variable_count = f.held(network.node_count - 1, f.item_count - 1, f.rounds)
    matching_rounds(f)
    calling = callers(network, f.links, two_way)
    for t in range(1, f.rounds + 1):
        for v in range(network.node_count):
            calls = [(f.call(a, t), u) for a, u in calling[v]]
            for i in items:
                before, after = f.held(v, i, t - 1), f.held(v, i, t)
                f.cnf.clauses.append([-after, before, *(call for call, _ in calls)])
                f.cnf.clauses.extend([-after, before, -call, f.held(u, i, t - 1)] for call, u in calls)


def broadcast_formula(
    network: Network,
    sources: Sequence[int] | None,
    targets: Sequence[int],
    rounds: int,
    *,
    reversed_time: bool = False,
) -> RoundsFormula:
    """Return the plain formula of a broadcast (all nodes are targets) or multicast.

    It is the same for both modes, as a useful call goes one way.

    Without loss of generality every call is useful: dropping a call that informs nobody changes nothing.

    - Before round 1 just the sources are informed; with `sources` None, at most one node is. After the last
      round every target is.
    - A call in round t goes from a node informed before to a node not informed before, which is informed
      after.
    - A node informed after round t was informed before, or is called in round t.
    - In every round every node calls at most one node and is called by at most one. (Useful calls keep it
      from doing both.)
    - A node informed once stays informed.
    """
    n = network.node_count
    f = RoundsFormula(Cnf(), network, network.arcs, rounds, 1, reversed_time)
    f.cnf.variable_count = f.held(n - 1, 0, rounds)
    into: list[list[int]] = [[] for _ in range(n)]
    out: list[list[int]] = [[] for _ in range(n)]
    for a, (u, v) in enumerate(network.arcs):
        out[u].append(a)
        into[v].append(a)
    for t in range(1, rounds + 1):
        before, after = f.held(0, 0, t - 1), f.held(0, 0, t)
        for a, (u, v) in enumerate(network.arcs):
            call = f.call(a, t)
            f.cnf.extend(([-call, before + u], [-call, -(before + v)], [-call, after + v]))
        for v in range(n):
            called = [f.call(a, t) for a in into[v]]
            f.cnf.at_most_one(called)
            f.cnf.at_most_one([f.call(a, t) for a in out[v]])
            f.cnf.extend(([-(after + v), before + v, *called], [-(before + v), after + v]))
    if sources is None:
        f.cnf.at_most_one([f.held(v, 0, 0) for v in range(n)])
    else:
        f.cnf.extend([f.held(v, 0, 0) if v in sources else -f.held(v, 0, 0)] for v in range(n))
    f.cnf.extend([f.held(v, 0, rounds)] for v in targets)
    return f


def matching_rounds(formula: CallsFormula) -> None:
    """Say that in every round every node takes part in at most one call."""
    touching: list[list[int]] = [[] for _ in range(formula.network.node_count)]
    for a, (u, v) in enumerate(formula.links):
        touching[u].append(a)
        touching[v].append(a)
    for t in range(1, formula.slots + 1):
        for links in touching:
            formula.cnf.at_most_one([formula.call(a, t) for a in links])


def callers(network: Network, links: Sequence[tuple[int, int]], two_way: bool) -> list[list[tuple[int, int]]]:
    """For every node the links by which it is called, each with its caller."""
    calling: list[list[tuple[int, int]]] = [[] for _ in range(network.node_count)]
    for a, (u, v) in enumerate(links):
        calling[v].append((a, u))
        if two_way:
            calling[u].append((a, v))
    return calling


def refutation_formula(problem: Problem, evidence: Mapping[str, Any]) -> tuple[int, Cnf]:
    """Return what a refutation must refute.

    The bound that it proves, and the formula that "one round fewer suffices" comes to.

    Parameters
    ----------
    problem
        The problem.
    evidence
        "rounds", which are claimed not to suffice, and "symmetries", the automorphisms that the proof may
        use, as the image of every node in node order.

    Raises
    ------
    ClaimError
        If they are none.
    """
    rounds, symmetries = refuted_rounds(evidence), used_symmetries(evidence)
    if rounds >= 2 * problem.network.node_count or problem.choice == "max":
        raise ClaimError(
            "a refutation is for fewer rounds than twice the nodes, and for a given or the best source"
        )
    refuse_large_formula(formula_size(problem, rounds), rounds)
    formula = rounds_formula(problem, rounds)
    break_symmetries(formula, problem, symmetries)
    formula.cnf.names = formula.names
    return rounds + 1, formula.cnf


def formula_size(problem: Problem, rounds: int) -> int:
    """About how many literals the plain formula for `rounds` rounds has."""
    items = problem.network.node_count if problem.task == "gossip" else 1
    pairs = sum(len(out) ** 2 for out in problem.network.successors)
    return rounds * (8 * items * len(problem.network.arcs) + 4 * pairs)
