"""What may be asked of a one-way gossip in M rounds, if there is one.

That it has the fewest calls, and the senders of its first round come early in an order of all sets of
senders.

Premise. Of all gossips in M >= 3 rounds look at those with the fewest calls; on an undirected network they
can be run backwards. Of these, and all that the automorphisms make of them, take one whose first round is
largest: lexicographically, first as a vector over the nodes that tells who calls, then as one over the arcs;
and of such ones one whose last round is.

- Let S be the senders of round 1 and R the receivers of the last round. It is a gossip as soon as all nodes
  outside R know the items of all nodes outside S before the last round (`.origins`).
- If u calls v in round t, and v has not called before, u does not call again before it is called. For let u
  call w in round t' without having been called since, and leave this call out. What u knew, v knows since
  round t, before anybody else heard of v's item. So this item did not take the call, and wherever it comes
  all that u knew comes too; what u did not know did not take the call either. So this is a gossip, with
  fewer calls. The same holds of the gossip run backwards: if u calls v in round t, and u is not called
  later, then v is not called earlier, unless it calls in between.
- S may call any nodes outside S: so where two calls of the first round could exchange their receivers, the
  larger of the two rounds is made. The same holds of the last.
- In the first round and in the last all nodes but one at most take part, so that just p = ceil(n/2) nodes do
  not call in the first and just p are not called in the last. This is no choice but is proven of all gossips
  in M rounds, by `.ends`; where it is not, the premise is refused.
- Prices may say how many calls of the second round go from a node outside S to another, and how many of the
  last but one from a node outside R to another (`.prices_outer`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any

from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import (
    LARGEST_SYMMETRY_PART,
    add_largest,
    moved_links,
    refuse_large_formula,
    refuted_rounds,
    used_symmetries,
)
from schedsolve.modelkit.task import Demand
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError
from schedsolve.runtime.limits.budget import spend

from ..rules import is_two_way
from .ends import End, Sets, ends_are_full, pairs_excluded, take_part
from .formula import RoundsFormula, formula_size, gossip_formula
from .prices_outer import Outer, excluded_outer_calls

PREMISE = "fewest calls"
LEAST_ROUNDS = 3


@dataclass(frozen=True)
class FewestCallsFormula(RoundsFormula):
    """The formula over all rounds.

    Attributes
    ----------
    senders, receivers
        The variables of every node's sending in the first round, and being called in the last.
    """

    senders: Sequence[int] = field(kw_only=True)
    receivers: Sequence[int] = field(kw_only=True)


def fewest_calls_formula(
    problem: Problem,
    rounds: int,
    images: Sequence[Sequence[int]],
    excluded: Collection[Outer] = (),
    short: tuple[Sets, Sets] | None = None,
) -> FewestCallsFormula:
    """Return the formula for "`rounds` >= 3 rounds suffice" for a gossip with full ends.

    In its first and last rounds all nodes take part but one at most (`ends_are_full`); with `short`, the
    formula for one with busy ends (`.busy_ends`).

    - The calls and who holds what are as in `gossip_formula`, with no goal.
    - A node sends, or is called, in a round if one of its calls says so; it has sent before, or is called
      later, if it was so in some round.
    - Before the last round, whoever is not called in it holds the item of whoever does not send in the first.
    - All nodes but one at most take part in the first round, and in the last. So just floor(n/2) nodes send
      in the first, and are called in the last. With `short`, it is so or a set of `short` sends or is called.
    - Whoever calls a node that has not sent before does not send again before it is called.
    - Whoever is called by a node that is not called later was not called since it last sent.
    - Two calls of the first round that could exchange their receivers are the larger round of the two; so in
      the last.
    - The senders and then the calls of the first round are lexicographically at least their image under each
      automorphism; and on an undirected network the senders at least the image of who is called in the last.
    - For no excluded pair (c, c') there are just c calls of the second round between nodes that do not send
      in the first, and c' calls of the last but one between nodes that are not called in the last. Where they
      are more than p nodes, it holds of any p of them.

    `images` are automorphisms, as the image of each node; `excluded` are pairs that `.prices_outer` proves;
    `short` is what `.busy_ends.short_ends` finds. Raises ClaimError for an image that is no automorphism.
    """
    network, n = problem.network, problem.network.node_count
    f = gossip_formula(network, Demand(n, tuple(1 << v for v in range(n)), (0,) * n), False, rounds)
    sends, called = _taking_part(f, 0), _taking_part(f, 1)
    senders, receivers = [row[0] for row in sends], [row[-1] for row in called]
    for v in range(n):
        f.cnf.extend([f.held(v, i, rounds - 1), receivers[v], senders[i]] for i in range(n))
    first, last = ((), ()) if short is None else short
    for t in (1, rounds):
        _exchange_receivers(f, t)
    ends = (take_part(f, 1, senders, first), take_part(f, rounds, receivers, last))
    _call_only_with_news(f, sends, called)
    _begin_largest(f, senders, receivers, images)
    if excluded:
        second = _between_outsiders(f, 2, senders)
        _exclude(f, second, _between_outsiders(f, rounds - 1, receivers), ends, excluded)
    return FewestCallsFormula(
        f.cnf, f.network, f.links, rounds, f.item_count, senders=senders, receivers=receivers
    )


def _begin_largest(
    f: RoundsFormula, senders: Sequence[int], receivers: Sequence[int], images: Sequence[Sequence[int]]
) -> None:
    """No image of the first round is larger, nor are the senders of that of the last turned round."""
    first = [f.call(a, 1) for a in range(len(f.links))]

    def moved(image: Sequence[int]) -> list[int]:
        return [*(senders[v] for v in image), *(f.call(a, 1) for a in moved_links(f, image))]

    add_largest(
        f.cnf, f.network, images, [*senders, *first], moved, lambda image: [receivers[v] for v in image]
    )


def _between_outsiders(f: RoundsFormula, t: int, inside: Sequence[int]) -> list[int]:
    """Return variables that count the calls of round t between outsiders.

    For k = 1, 2, ...: whether at least k calls go from one node to another for neither of which its variable
    of `inside` holds.
    """
    calls = []
    for a, (u, v) in enumerate(f.links):
        calls.append(f.cnf.new())
        f.cnf.extend([-calls[-1], literal] for literal in (f.call(a, t), -inside[u], -inside[v]))
        f.cnf.add(calls[-1], -f.call(a, t), inside[u], inside[v])
    return f.cnf.counted(calls, f.network.node_count // 2)


def _exclude(
    f: RoundsFormula,
    second: Sequence[int],
    last_but_one: Sequence[int],
    ends: tuple[list[End], list[End]],
    excluded: Collection[Outer],
) -> None:
    """Forbid the numbers of outer calls, counted by these variables, that are excluded at such ends."""
    for one, other in product(*ends):
        unless = (*one.unless, *other.unless)
        for c, d in pairs_excluded(one.spare, other.spare, f.network.node_count // 2, excluded):
            f.cnf.add(*unless, *not_just(second, c), *not_just(last_but_one, d))


def not_just(at_least: Sequence[int], k: int) -> list[int]:
    """Literals of which one holds if the number counted is not k."""
    return [*(-x for x in at_least[max(k - 1, 0) : k]), *at_least[k : k + 1]]


def _exchange_receivers(f: RoundsFormula, t: int) -> None:
    """Require the smallest arc in round t of two pairs of calls that could swap receivers.

    Of two pairs of calls between the same senders and receivers, round t has the one with the smallest arc.
    """
    number = {link: a for a, link in enumerate(f.links)}
    for (a, (u, v)), (b, (x, y)) in combinations(enumerate(f.links), 2):
        exchanged = [number[link] for link in ((u, y), (x, v)) if link in number]
        # Calls that share a node are exchanged for themselves, or for a call of a node to itself.
        if len(exchanged) == 2 and min(exchanged) < a:
            f.cnf.add(-f.call(a, t), -f.call(b, t))


def _call_only_with_news(
    f: RoundsFormula, sends: Sequence[Sequence[int]], called: Sequence[Sequence[int]]
) -> None:
    """Whoever called a node that had not sent before waits until it is called; and so backwards.

    Parameters
    ----------
    f
        The formula.
    sends, called
        For every node the variables of its doing so in each round.
    """
    rounds, cnf = f.rounds, f.cnf
    sent_before = [_ever(cnf, row) for row in sends]
    called_later = [_ever(cnf, row[::-1])[::-1] for row in called]
    for t in range(1, rounds + 1):
        for a, (u, v) in enumerate(f.links):
            call = f.call(a, t)
            for later in range(t + 1, rounds + 1):
                cnf.add(-call, sent_before[v][t - 1], -sends[u][later - 1], *called[u][t : later - 1])
            for earlier in range(1, t):
                cnf.add(-call, called_later[u][t - 1], -called[v][earlier - 1], *sends[v][earlier : t - 1])


def _taking_part(f: RoundsFormula, end: int) -> list[list[int]]:
    """For every node and round the variable of the node being at this end of a call."""
    found = []
    for v in range(f.network.node_count):
        row = [f.cnf.new() for _ in range(f.rounds)]
        for t, variable in enumerate(row, 1):
            calls = [f.call(a, t) for a, link in enumerate(f.links) if link[end] == v]
            f.cnf.add(-variable, *calls)
            f.cnf.extend([variable, -call] for call in calls)
        found.append(row)
    return found


def _ever(cnf: Cnf, row: Sequence[int]) -> list[int]:
    """For every place in the row the variable of one of those before it being true."""
    found = [cnf.new()]
    cnf.add(-found[0])
    for variable in row[:-1]:
        before, now = found[-1], cnf.new()
        cnf.add(-now, before, variable)
        cnf.extend([now, -one] for one in (before, variable))
        found.append(now)
    return found


def allowed_refutation(
    problem: Problem, evidence: Mapping[str, Any], premise: str, compared: int, least: int = LEAST_ROUNDS
) -> tuple[int, Sequence[Sequence[int]], frozenset[Outer]]:
    """Return the rounds that are refuted, the symmetries that the proof uses, and the excluded outer calls.

    Parameters
    ----------
    problem
        The problem.
    evidence
        "rounds" and "symmetries"; "outer_calls", if given, as in `.prices_outer`.
    premise
        The premise that it names.
    compared
        How many variables the formula compares for each symmetry.
    least
        The fewest rounds that the premise is for.

    Raises
    ------
    ClaimError
        If the premise is not for such a problem, the formula would be too large, or prices prove nothing.
    """
    rounds, symmetries = refuted_rounds(evidence), used_symmetries(evidence)
    if problem.task != "gossip" or is_two_way(problem) or rounds < least:
        raise ClaimError(f"{premise}: for one-way gossip in at least {least} rounds")
    refuse_large_formula(formula_size(problem, rounds), rounds, 2 * problem.network.node_count - 1)
    if compared * (len(symmetries) + 1) > LARGEST_SYMMETRY_PART:
        raise ClaimError("the proof uses too many symmetries")
    spend("symmetries", len(symmetries))
    return rounds, symmetries, excluded_outer_calls(problem, rounds, evidence.get("outer_calls", []))


def compared_variables(network: Network) -> int:
    """Return how many variables the formula compares for each automorphism."""
    return 2 * network.node_count + len(network.arcs)


def fewest_calls_refuted(problem: Problem, evidence: Mapping[str, Any]) -> tuple[int, Cnf]:
    """Return what a refutation with this premise must refute: the bound that it proves, and the formula.

    Parameters
    ----------
    problem
        The problem.
    evidence
        "rounds" and "symmetries" as in `refutation_formula`; "outer_calls", if given, as in `.prices_outer`.

    Raises
    ------
    ClaimError
        If the premise does not apply.
    """
    compared = compared_variables(problem.network)
    rounds, symmetries, excluded = allowed_refutation(problem, evidence, PREMISE, compared)
    if not ends_are_full(problem.network.node_count, rounds, excluded):
        raise ClaimError(f"{PREMISE}: nodes may be idle in the first of {rounds} rounds, or in the last")
    formula = fewest_calls_formula(problem, rounds, symmetries, excluded)
    formula.cnf.names = formula.names
    return rounds + 1, formula.cnf
