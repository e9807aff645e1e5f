"""The plain formulas for "M rounds suffice with period p".

A refutation of such a formula proves that M rounds do not suffice. Calls have one variable for every
slot of the period, so that rounds a period apart share them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schedsolve.modelkit.evidence import refuse_fields
from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import (
    CallsFormula,
    break_symmetries,
    refuse_large_formula,
    refuted_rounds,
    used_symmetries,
)
from schedsolve.models.matching.claims import formula as matching
from schedsolve.models.matching.claims.formula import (
    RoundsFormula,
    broadcast_formula,
    gossip_formula,
    matching_rounds,
)
from schedsolve.models.matching.claims.refutations import refuted
from schedsolve.models.matching.rules import is_two_way
from schedsolve.runtime.errors import ClaimError

from ..rules import is_edge_colouring, period_of


def horizon(problem: Problem) -> int:
    """Return p (n - 1): all that a period of p rounds can achieve is achieved within that many rounds.

    Proof. Let a schedule of more rounds do the task.

    1. An item reaches a node by a sequence of calls, each to a new node, so by at most n - 1 calls;
       take those by which every node on the way got it first.
    2. Each of these calls is made again in every p consecutive rounds, since the schedule repeats.
    3. So after the first p rounds the item has made the first of them, after 2 p rounds the second,
       and after p (n - 1) rounds it has arrived: the first p (n - 1) rounds do the task.
    """
    return period_of(problem) * (problem.network.node_count - 1)


def without_period(problem: Problem) -> Problem:
    """Return the same problem for schedules that need not repeat."""
    return problem.with_parameters(period=None, edge_colouring=None)


def nothing_repeats(problem: Problem, rounds: int) -> bool:
    """Return whether the period requires nothing of so few rounds.

    The question then is one of the model without a period.
    """
    return rounds <= period_of(problem) and not is_edge_colouring(problem)


def systolic_formula(problem: Problem, rounds: int) -> CallsFormula:
    """Return the plain formula for "`rounds` rounds suffice".

    There is one for gossip in a tree, one for other gossip, one for one message, and one for the
    horizon.
    """
    if rounds >= horizon(problem):
        return connection_formula(problem)
    if problem.task != "gossip":
        return tree_of_calls_formula(problem, rounds)
    two_way, period = is_two_way(problem), period_of(problem)
    f: CallsFormula
    if problem.network.is_tree:
        f = tree_gossip_formula(problem, rounds)
    else:
        f = gossip_formula(problem.network, problem.demand(), two_way, rounds, period=period)
    _colour_edges(f, problem)
    return f


def _colour_edges(f: CallsFormula, problem: Problem) -> None:
    """With edge colouring, require that every edge is called at most once in a period, either way."""
    if is_edge_colouring(problem):
        along: dict[frozenset[int], list[int]] = {}
        for a, link in enumerate(f.links):
            along.setdefault(frozenset(link), []).extend(f.call(a, t) for t in range(1, f.slots + 1))
        for calls in along.values():
            f.cnf.at_most_one(calls)


@dataclass(frozen=True)
class TreeFormula(CallsFormula):
    """The formula of a gossip in a tree.

    Its other variables are known(a, t), "the head of arc a knows all behind the arc after round t".
    Behind an arc u -> v lie the nodes that the tree without the edge keeps together with u.
    """

    def known(self, arc: int, t: int) -> int:
        """Return the variable "the head of arc number `arc` knows all behind it after round t".

        Arcs are numbered as in `network.arcs`, and t is in 0..rounds.
        """
        return self.slots * len(self.links) + t * len(self.network.arcs) + arc + 1

    def other_names(self) -> dict[int, str]:
        """Return the names of the variables of knowledge."""
        return {
            self.known(a, t): f"all_behind_{u}_{v}_t{t}"
            for t in range(self.rounds + 1)
            for a, (u, v) in enumerate(self.network.arcs)
        }


def tree_gossip_formula(problem: Problem, rounds: int) -> TreeFormula:
    """Return the plain formula of a gossip in a tree, small enough for hundreds of nodes.

    - In every round every node takes part in at most one call; rounds that are a period apart have
      the same calls.
    - Before round 1 no head knows what lies behind its arc; after the last round every head does.
    - A head that knows it after round t knew it before, or is called along the arc in round t.
    - A head that knows it after round t knew it before, or the tail knew before round t all that lies
      behind each of the tail's other arcs.

    It has a model if and only if the rounds suffice: all that lies behind u -> v is at v as soon as
    one call came after all of it was at u, because what u knows only grows.
    """
    network, two_way = problem.network, is_two_way(problem)
    f = TreeFormula(
        Cnf(), network, network.edges if two_way else network.arcs, rounds, period=period_of(problem)
    )
    f.cnf.variable_count = f.known(len(network.arcs) - 1, rounds)
    matching_rounds(f)
    link_number = {link: a for a, link in enumerate(f.links)}
    arc_number = {arc: a for a, arc in enumerate(network.arcs)}
    for a, (u, v) in enumerate(network.arcs):
        link = link_number[min(u, v), max(u, v)] if two_way else link_number[u, v]
        behind = [arc_number[w, u] for w in network.successors[u] if w != v]
        f.cnf.add(-f.known(a, 0))
        for t in range(1, rounds + 1):
            before, after = f.known(a, t - 1), f.known(a, t)
            f.cnf.add(-after, before, f.call(link, t))
            f.cnf.extend([-after, before, f.known(b, t - 1)] for b in behind)
        f.cnf.add(f.known(a, rounds))
    return f


def tree_of_calls_formula(problem: Problem, rounds: int) -> RoundsFormula:
    """Return the plain formula of a broadcast, multicast or accumulation.

    It is that of the model without a period, with a limit on the calls of every node:

    - A call in round t is not made by a node that was informed in round t - p or before; a source
      counts as informed in round 0.

    It has a model if and only if the rounds suffice with period p. Proof:

    1. Of a p-systolic schedule keep, for every node, the first call that informs it. The calls that a
       node keeps are in different slots, so there are at most p of them, the one that informs it
       included.
    2. Let every node make its calls one after another from the round after it is informed: no node is
       informed later than before, and the clauses hold.
    3. Conversely, a node's calls in a model are within p rounds, so in different slots, and repeating
       all of them with period p makes a schedule (Lemma 2.4 of the paper; run backwards, Lemma 2.5).
    """
    reverse = problem.task == "accumulation"
    network = problem.network.reversed() if reverse else problem.network
    sources = None if problem.choice == "min" else problem.sources
    f = broadcast_formula(network, sources, problem.targets, rounds, reversed_time=reverse)
    period = period_of(problem)
    for t in range(period + 1, rounds + 1):
        for a, (u, _) in enumerate(network.arcs):
            f.cnf.add(-f.call(a, t), -f.held(u, 0, t - period))
    return f


def connection_formula(problem: Problem) -> CallsFormula:
    """Return the plain formula for "some number of rounds suffices".

    The calls of a period lead from wherever an item is to wherever it is wanted:

    - In every slot every node takes part in at most one call.
    - For a gossip, node 0 reaches every node along the period's calls and, with one-way calls, every
      node reaches node 0.
    - For one message, the sources reach every target along calls; if the source is open, some node
      does.

    A period whose calls connect these completes the task within p (n - 1) rounds; other periods never
    do. Reaching is expressed step by step: after 0 steps only the starting nodes are reached, and
    after n - 1 steps all that are wanted. A node that is reached after a step and not before is the
    head of an arc that is called in some slot and whose tail was reached before the step.
    """
    gossip = problem.task == "gossip"
    network = problem.broadcast_network
    both_ways = gossip and is_two_way(problem)
    links = network.edges if both_ways else network.arcs
    period = period_of(problem)
    f = CallsFormula(Cnf(), network, links, period, period=period)
    f.cnf.variable_count = period * len(links)
    matching_rounds(f)
    _colour_edges(f, problem)
    used = [f.cnf.new() for _ in links]
    for a, variable in enumerate(used):
        f.cnf.add(-variable, *(f.call(a, t) for t in range(1, period + 1)))
    forwards = [(u, v, used[a]) for a, (u, v) in enumerate(links)]
    backwards = [(v, u, used[a]) for a, (u, v) in enumerate(links)]
    if both_ways:
        _reaches(f, forwards + backwards, [0], problem.targets)
    elif gossip:
        _reaches(f, forwards, [0], problem.targets)
        _reaches(f, backwards, [0], problem.targets)
    else:
        _reaches(f, forwards, None if problem.choice == "min" else problem.sources, problem.targets)
    return f


def _reaches(
    f: CallsFormula,
    arcs: Sequence[tuple[int, int, int]],
    starts: Sequence[int] | None,
    targets: Sequence[int],
) -> None:
    """Require that the starts, or some one node, reach all targets in n - 1 steps along the used arcs.

    Each arc is (tail, head, variable "the arc is used").
    """
    n = f.network.node_count
    reached = [f.cnf.new() for _ in range(n)]
    if starts is None:
        f.cnf.at_most_one(reached)
    else:
        f.cnf.extend([x if v in starts else -x] for v, x in enumerate(reached))
    for _ in range(n - 1):
        after = [f.cnf.new() for _ in range(n)]
        through: list[list[int]] = [[] for _ in range(n)]
        for u, v, used in arcs:
            passed = f.cnf.new()
            f.cnf.extend([[-passed, used], [-passed, reached[u]]])
            through[v].append(passed)
        f.cnf.extend([-after[v], reached[v], *through[v]] for v in range(n))
        reached = after
    f.cnf.extend([reached[v]] for v in targets)


def refutation_formula(problem: Problem, evidence: Mapping[str, Any]) -> tuple[int, Cnf]:
    """Return the bound that a refutation proves, and the formula that it must refute.

    Parameters
    ----------
    problem
        The problem, with its source or root given or chosen as the best one.
    evidence
        "rounds", the number claimed not to suffice, and "symmetries", the automorphisms that the
        proof may use, each as the images of all nodes in node order; a premise only if nothing
        repeats.

    Raises
    ------
    ClaimError
        If a symmetry is not an automorphism, or if there are more rounds than the horizon.
    """
    rounds, symmetries = refuted_rounds(evidence), used_symmetries(evidence)
    if nothing_repeats(problem, rounds):
        return refuted(without_period(problem), evidence)
    refuse_fields(evidence, "premise")
    if rounds > horizon(problem) or problem.choice == "max":
        raise ClaimError("a refutation is for at most p (n - 1) rounds, and for a given or the best source")
    refuse_large_formula(formula_size(problem, rounds), rounds)
    f = systolic_formula(problem, rounds)
    break_symmetries(f, problem, symmetries)
    f.cnf.names = f.names
    return rounds + 1, f.cnf


def formula_size(problem: Problem, rounds: int) -> int:
    """Return the approximate number of literals of the plain formula for `rounds` rounds."""
    network, n = problem.network, problem.network.node_count
    arcs, pairs = len(network.arcs), sum(len(out) ** 2 for out in network.successors)
    slots = min(period_of(problem), max(1, rounds))
    colouring = len(network.edges) * slots**2 * 4 if is_edge_colouring(problem) else 0
    if rounds >= horizon(problem):
        return colouring + 4 * slots * pairs + 14 * n * arcs
    if problem.task != "gossip":
        return matching.formula_size(without_period(problem), rounds) + 2 * rounds * arcs
    if network.is_tree:
        return colouring + 4 * slots * pairs + rounds * (3 * arcs + 3 * pairs)
    return colouring + 4 * slots * pairs + 8 * rounds * n * arcs
