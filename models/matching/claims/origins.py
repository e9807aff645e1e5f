"""One-way gossip by origins and destinations: what its first and its last round leave to be done.

Premise. Let S be the senders of round 1 and R the receivers of the last of M >= 2 rounds.

- Nobody hears of a receiver's item but through the receiver, who holds its sender's item after round 1. So
  whoever learns all items of nodes outside S learns those in S too.
- A receiver of the last round knows all after it if its sender did before, who does not receive.

So M rounds suffice for a gossip if and only if there are such S and R, and M - 2 rounds in which the items of
the nodes outside S reach all nodes outside R. Fewer items or destinations ask for less: only S and R that no
larger such set contains are needed. A gossip run backwards is one: on an undirected network S and R may
change places. So of the pairs that automorphisms and this make of one another, one is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import (
    LARGEST_SYMMETRY_PART,
    add_lex_leader,
    refuse_large_formula,
    refuted_rounds,
    used_symmetries,
)
from schedsolve.modelkit.task import Demand
from schedsolve.network.automorphisms import is_automorphism
from schedsolve.network.classes.bipartite import full_matching
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError
from schedsolve.runtime.limits.budget import spend

from ..rules import is_two_way
from .formula import RoundsFormula, formula_size, gossip_formula

LARGEST_NETWORK = 12
"""Nodes up to which all sets of senders are looked at."""
PREMISE = "origins and destinations"
MOST_STEPS = 20_000_000
"""The most images of pairs of senders and receivers that are looked at to find their orbits."""

Image = Sequence[int]
Pair = tuple[frozenset[int], frozenset[int]]


@dataclass(frozen=True)
class OriginsFormula(RoundsFormula):
    """The formula over the rounds between the first and the last.

    Attributes
    ----------
    senders, receivers
        For every set of a pair, the variable of its being chosen.
    """

    senders: Mapping[frozenset[int], int] = field(kw_only=True)
    receivers: Mapping[frozenset[int], int] = field(kw_only=True)

    def other_names(self) -> dict[int, str]:
        """Who knows what when, and which sets are chosen."""
        return super().other_names() | {
            variable: "_".join([kind, *map(str, sorted(nodes))])
            for kind, sets in (("senders", self.senders), ("receivers", self.receivers))
            for nodes, variable in sets.items()
        }


def sender_sets(network: Network) -> list[frozenset[int]]:
    """Return the sets of nodes that can all call in one round, those of them that no other contains."""
    n, found, possible = network.node_count, list[frozenset[int]](), set[int]()
    for size in range(n // 2, -1, -1):
        for senders in map(frozenset, combinations(range(n), size)):
            bits = sum(1 << v for v in senders)
            # With a set that can call, so can each of its subsets.
            contained = any(bits | 1 << v in possible for v in range(n) if v not in senders)
            if contained or first_calls(network, senders) is not None:
                possible.add(bits)
                if not contained:
                    found.append(senders)
    return found


def first_calls(network: Network, senders: frozenset[int]) -> list[tuple[int, int]] | None:
    """Return a round in which just these nodes call others.

    A matching by augmenting paths; None when there is none.
    """
    caller = full_matching(senders, lambda u: (v for v in network.successors[u] if v not in senders))
    return None if caller is None else [(u, v) for v, u in caller.items()]


def pair_orbits(network: Network, images: Sequence[Image]) -> list[Pair]:
    """Return a pair of senders and receivers for every orbit under the automorphisms.

    The group is the one that they generate, on an undirected network with the exchange of the two.

    Raises ClaimError when one of them is no automorphism, or there are too many pairs.
    """
    if network.node_count > LARGEST_NETWORK:
        raise ClaimError(f"{PREMISE} are for at most {LARGEST_NETWORK} nodes")
    _refuse_asymmetry(network, images)
    first, last = sender_sets(network), sender_sets(network.reversed())
    width = len(last)
    if len(first) * width * (len(images) + 1) > MOST_STEPS:
        raise ClaimError("too many pairs of senders and receivers")
    moves = list(zip(_moved_sets(first, images), _moved_sets(last, images), strict=True))
    seen = bytearray(len(first) * width)
    representatives = []
    for start in range(len(seen)):
        if not seen[start]:
            seen[start] = 1
            representatives.append((first[start // width], last[start % width]))
            pending = [start]
            while pending:
                s, r = divmod(pending.pop(), width)
                around = [sets[s] * width + others[r] for sets, others in moves]
                # Undirected: the two lists are the same.
                for other in around if network.directed else [*around, r * width + s]:
                    if not seen[other]:
                        seen[other] = 1
                        pending.append(other)
    return representatives


def _moved_sets(sets: Sequence[frozenset[int]], images: Sequence[Image]) -> list[list[int]]:
    """For every automorphism, the place in the list of the image of each set."""
    place = {nodes: k for k, nodes in enumerate(sets)}
    return [[place[frozenset([image[v] for v in nodes])] for nodes in sets] for image in images]


def _refuse_asymmetry(network: Network, images: Sequence[Image]) -> None:
    if not all(is_automorphism(network, image) for image in images):
        raise ClaimError("a symmetry that the proof uses is no automorphism of the network")


def origins_formula(
    network: Network, rounds: int, pairs: Sequence[Pair], keeping: Sequence[Image] = ()
) -> OriginsFormula:
    """Return the formula for "`rounds` >= 2 rounds suffice for a one-way gossip".

    It is over the rounds between the first and the last.

    - The calls and who knows what are as in `gossip_formula`, with no goal.
    - Some S is chosen, and some R of which the two are one of the pairs.
    - All nodes outside R hold all items of nodes outside S at the end.
    - No node of S, which holds nothing wanted, calls in the first of these rounds, and no node of R, which
      need not know, is called in the last.
    - If (S, R) is chosen, the calls of the first of these rounds are lexicographically at least their image
      under each of the automorphisms `keeping` that keep S and R. (These turn schedules for the pair into
      such; of all that they generate, the one with the largest first round is at least its images.)

    Raises ClaimError for one that is no automorphism, or when they are too many.
    """
    n, between = network.node_count, rounds - 2
    _refuse_asymmetry(network, keeping)
    demand = Demand(n, tuple(1 << v for v in range(n)), (0,) * n)
    plain = gossip_formula(network, demand, False, between)
    cnf = plain.cnf
    sends, receives = ([cnf.new() for _ in range(n)] for _ in range(2))
    for v in range(n):
        cnf.extend([plain.held(v, i, between), receives[v], sends[i]] for i in range(n))
    if between > 0:
        for a, (u, v) in enumerate(plain.links):
            cnf.add(-sends[u], -plain.call(a, 1))
            cnf.add(-receives[v], -plain.call(a, between))
    senders = {nodes: cnf.new() for nodes in dict.fromkeys(s for s, _ in pairs)}
    receivers = {nodes: cnf.new() for nodes in dict.fromkeys(r for _, r in pairs)}
    cnf.add(*senders.values())
    for sets, member in ((senders, sends), (receivers, receives)):
        for nodes, choice in sets.items():
            cnf.extend([-choice, member[v] if v in nodes else -member[v]] for v in range(n))
    with_senders: dict[frozenset[int], list[int]] = {}
    for s, r in pairs:
        with_senders.setdefault(s, []).append(receivers[r])
    for nodes, choice in senders.items():
        cnf.add(-choice, *with_senders[nodes])
    f = OriginsFormula(cnf, network, plain.links, between, n, senders=senders, receivers=receivers)
    _break_symmetries_of_pairs(f, pairs, keeping if between > 0 else ())
    return f


def _break_symmetries_of_pairs(f: OriginsFormula, pairs: Sequence[Pair], keeping: Sequence[Image]) -> None:
    compared = 0
    for pair in pairs if keeping else ():
        for image in keeping:
            if all({image[v] for v in nodes} == nodes for nodes in pair):
                compared += len(f.links)
                if compared > LARGEST_SYMMETRY_PART:
                    raise ClaimError("too many automorphisms keep pairs of senders and receivers")
                add_lex_leader(f, image, f.senders[pair[0]], f.receivers[pair[1]])


def origins_refuted(problem: Problem, evidence: Mapping[str, Any]) -> tuple[int, Cnf]:
    """Return what a refutation with this premise must refute: the bound that it proves, and the formula.

    Parameters
    ----------
    problem
        The problem.
    evidence
        As in `refutation_formula`; "symmetries" are those whose orbits of pairs are reduced to one, and
        "keeping" those whose images of the rounds between are compared.

    Raises
    ------
    ClaimError
        If the premise does not apply.
    """
    rounds = refuted_rounds(evidence)
    if problem.task != "gossip" or is_two_way(problem) or rounds < 2:
        raise ClaimError(f"{PREMISE}: for one-way gossip in at least two rounds")
    refuse_large_formula(formula_size(problem, rounds), rounds, 2 * problem.network.node_count - 1)
    keeping = used_symmetries(evidence, "keeping")
    spend("symmetries", len(keeping))
    pairs = pair_orbits(problem.network, used_symmetries(evidence))
    formula = origins_formula(problem.network, rounds, pairs, keeping)
    formula.cnf.names = formula.names
    return rounds + 1, formula.cnf
