"""Gossip refuted by some of its pairs: nodes so far apart that an item may lose hardly a round on its way.

Premise. In a gossip of M rounds the item of node i reaches node j for every pair (i, j) that is looked at.
Let an item's goals be the nodes j of its pairs. A call takes an item one link further, so

- a node at distance d from i does not hold the item before round d;
- that a node at distance r from the nearest goal comes to hold the item after round M - r is of no use to
  any goal.

Whether a node holds the item is asked only in the rounds between. The answers that a gossip gives fulfil the
formula: a node that holds the item after round t, and not before, was called in round t by one that held it
before, and for the caller the rounds in question begin and end at most one round earlier. So a formula
without a model proves that M rounds do not suffice, whichever the pairs are. The refutation needs no more
pairs than make the nodes near them too busy.

This is a theorem of Coq for the same formula (theory/DistantPairs.v, `distant_pairs_refuted`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import CallsFormula, refuse_large_formula, refuted_rounds
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError

from ..rules import is_two_way
from .formula import callers, matching_rounds

PREMISE = "distant pairs"

Pair = tuple[int, int]
Window = tuple[int, int, int]
"""A node, and the first and the last round after which it is asked whether it holds an item."""


@dataclass(frozen=True)
class DistantPairsFormula(CallsFormula):
    """The formula over who calls whom, and over who holds the items of some pairs.

    Attributes
    ----------
    held
        For an item, a node and a round, the variable of the node holding the item after the round, where
        that is asked.
    """

    held: dict[tuple[int, int, int], int] = field(kw_only=True)

    def other_names(self) -> dict[int, str]:
        """Who knows what when."""
        return {variable: f"knows_{v}_{i}_t{t}" for (i, v, t), variable in self.held.items()}


def windows(network: Network, rounds: int, pairs: Sequence[Pair]) -> dict[int, list[Window]]:
    """Return for every item of the pairs where and when it is asked who holds it.

    Parameters
    ----------
    network
        The network.
    rounds
        The rounds, M.
    pairs
        Nodes i and j: the item of i is to reach j.

    Raises
    ------
    ClaimError
        If the distance of a pair is 0, or more than the rounds.
    """
    goals: dict[int, list[int]] = {}
    for i, j in pairs:
        goals.setdefault(i, []).append(j)
    reversed_network = network.reversed() if network.directed else network
    found = {}
    for i, nodes in goals.items():
        from_item = network.distances_from([i])
        if not all(0 < (rounds + 1 if (d := from_item[j]) is None else d) <= rounds for j in nodes):
            raise ClaimError(f"{PREMISE}: nodes at a distance from 1 to {rounds}, the rounds")
        to_goal = reversed_network.distances_from(nodes)
        found[i] = [
            (v, d, rounds - r)
            for v, (d, r) in enumerate(zip(from_item, to_goal, strict=True))
            if d is not None and r is not None and 0 < d <= rounds - r
        ]
    return found


def formula_size(network: Network, two_way: bool, rounds: int, asked: Mapping[int, Sequence[Window]]) -> int:
    """About how many literals the formula has, by its `windows`."""
    degree = [len(into) for into in network.predecessors]
    knowing = sum(
        (last - first + 1) * (2 + 5 * degree[v]) for each in asked.values() for v, first, last in each
    )
    return knowing + rounds * sum((d if two_way else 2 * d) ** 2 for d in degree)


def distant_pairs_formula(
    network: Network, two_way: bool, rounds: int, asked: Mapping[int, Sequence[Window]], pairs: Sequence[Pair]
) -> DistantPairsFormula:
    """Return the formula for "the items of these pairs arrive within `rounds` rounds".

    - In every round every node takes part in at most one call.
    - The node j of a pair (i, j) holds the item of i after the last round.
    - A node that holds an item after round t held it before, or is called in round t.
    - A node that holds an item after round t and is called by u in round t held it before, or u held it
      before.

    Of a node and a round outside its window nothing is said but that the item's own node holds it always,
    and another not before the window. `asked`: the `windows` of the pairs.
    """
    links = network.edges if two_way else network.arcs
    f = DistantPairsFormula(Cnf(rounds * len(links)), network, links, rounds, held={})
    matching_rounds(f)
    calling = callers(network, links, two_way)
    for i, nodes in asked.items():
        for v, first, last in nodes:
            for t in range(first, last + 1):
                f.held[i, v, t] = f.cnf.new()
        for v, first, last in nodes:
            for t in range(first, last + 1):
                _learnt(f, i, v, t, calling[v])
    f.cnf.extend([f.held[i, j, rounds]] for i, j in pairs)
    return f


def _learnt(f: DistantPairsFormula, i: int, v: int, t: int, calling: Sequence[tuple[int, int]]) -> None:
    """Say how node v comes to hold item i after round t."""
    after, before = f.held[i, v, t], f.held.get((i, v, t - 1))
    unless = [-after] if before is None else [-after, before]
    possible = list(unless)
    for a, u in calling:
        call, known = f.call(a, t), f.held.get((i, u, t - 1))
        if u == i:
            possible.append(call)
        elif known is not None:
            possible.append(call)
            f.cnf.add(*unless, -call, known)
    f.cnf.clauses.append(possible)


def distant_pairs_refuted(problem: Problem, evidence: Mapping[str, Any]) -> tuple[int, Cnf]:
    """Return what a refutation with this premise must refute: the bound that it proves, and the formula.

    Parameters
    ----------
    problem
        The problem.
    evidence
        "rounds", which are claimed not to suffice, and "pairs", whose items are followed.

    Raises
    ------
    ClaimError
        If the premise does not apply.
    """
    rounds, pairs, network = refuted_rounds(evidence), _pairs(problem, evidence), problem.network
    refuse_large_formula(0, rounds, 2 * network.node_count - 1)
    asked, two_way = windows(network, rounds, pairs), is_two_way(problem)
    refuse_large_formula(formula_size(network, two_way, rounds, asked), rounds)
    formula = distant_pairs_formula(network, two_way, rounds, asked, pairs)
    formula.cnf.names = formula.names
    return rounds + 1, formula.cnf


def _pairs(problem: Problem, evidence: Mapping[str, Any]) -> list[Pair]:
    if problem.task != "gossip":
        raise ClaimError(f"{PREMISE}: for gossip")
    pairs, nodes = evidence.get("pairs"), range(problem.network.node_count)
    if not isinstance(pairs, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(type(v) is int and v in nodes for v in pair)
        for pair in pairs
    ):
        raise ClaimError(f"{PREMISE}: pairs of node numbers")
    return [(i, j) for i, j in pairs]
