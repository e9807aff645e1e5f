"""One-way gossip decided by origins and destinations, on small networks.

`claims.origins` holds the premise and the formula; here the automorphisms are chosen, the sets of
senders are refuted one after the other, and a model becomes a schedule.
"""

from __future__ import annotations

from collections.abc import Sequence

from schedsolve.backends.sat import SatQuestion, decide_by_sat
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import LARGEST_SYMMETRY_PART
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import GivenUpError, Question, RunningSearch
from schedsolve.network.automorphism_generators import automorphism_generators
from schedsolve.network.automorphisms import Automorphism, automorphisms
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError

from ..claims.formula import formula_size
from ..claims.origins import (
    LARGEST_NETWORK,
    PREMISE,
    OriginsFormula,
    Pair,
    first_calls,
    origins_formula,
    pair_orbits,
)
from ..constructions.useful_calls import only_useful_calls
from ..rules import is_two_way
from .sat import windows

FEW_PAIRS, MOST_KEEPING = 20, 30
"""Of up to so many pairs, the symmetry of each is broken by up to so many automorphisms."""


def origins_search(question: Question) -> RunningSearch | None:
    """Decide whether so many rounds suffice by the senders of the first and the receivers of the last."""
    problem, rounds = question.problem, question.value
    network = problem.network
    if problem.task != "gossip" or is_two_way(problem) or not 2 <= rounds < 2 * network.node_count:
        return None
    if not 2 <= network.node_count <= LARGEST_NETWORK:
        return None

    def build() -> SatQuestion:
        generators = automorphism_generators(network)
        try:
            pairs = pair_orbits(network, generators)
        except ClaimError:
            raise GivenUpError from None
        keeping = _keeping(network, pairs)
        formula = origins_formula(network, rounds, pairs, keeping)
        evidence = {
            "kind": "refutation",
            "premise": PREMISE,
            "rounds": rounds,
            "symmetries": [list(image) for image in generators],
            "keeping": [list(image) for image in keeping],
        }
        early = windows(formula, [[i] for i in range(network.node_count)])
        cases = list(formula.senders.values())
        return SatQuestion(
            formula.cnf,
            early,
            lambda true: decode(problem, formula, true),
            evidence,
            formula.call_variables,
            cases,
        )

    return decide_by_sat(question, formula_size(problem, rounds), build)


def _keeping(network: Network, pairs: Sequence[Pair]) -> list[Automorphism]:
    """Automorphisms that keep the senders and the receivers of some pair, where the pairs are few."""
    if len(pairs) > FEW_PAIRS:
        return []
    each = min(MOST_KEEPING, LARGEST_SYMMETRY_PART // (len(network.arcs) * len(pairs) ** 2))
    found = (
        automorphisms(network, fixing=(tuple(sorted(senders)), tuple(sorted(receivers))), limit=each)
        for senders, receivers in pairs
    )
    return list(dict.fromkeys(image for images in found for image in images))


def decode(problem: Problem, formula: OriginsFormula, true: set[int]) -> tuple[Problem, Schedule]:
    """Return the schedule that a model of the formula stands for, without useless calls.

    Its first and last round are added.
    """
    network = problem.network
    senders, receivers = (
        next(nodes for nodes, variable in sets.items() if variable in true)
        for sets in (formula.senders, formula.receivers)
    )
    first, last = first_calls(network, senders), first_calls(network.reversed(), receivers)
    assert first is not None, "all senders of a pair can call at once"
    assert last is not None, "all receivers of a pair can be called at once"
    rounds = [first, *formula.calls(true), [(u, v) for v, u in last]]
    return problem, only_useful_calls(problem, Schedule.one_way(rounds))
