"""What verifies the results of the matching models alone.

Their referee and their bounds, as the kernel has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.export.bundles.record import Bundle, Proof
from schedsolve.kernel.counting import degree_bound, odd_order_bound
from schedsolve.kernel.distances import distance_bound
from schedsolve.kernel.distant_pairs import distant_pairs_refuted
from schedsolve.kernel.gossip_formula import gossip_refuted
from schedsolve.kernel.message_formula import message_refuted
from schedsolve.kernel.origins import origins_refuted
from schedsolve.kernel.refutation import as_given_refuted
from schedsolve.kernel.rounds import replay_rounds, rounds_in_words
from schedsolve.kernel.trees import tree_broadcast_bound, tree_gossip_bound
from schedsolve.modelkit.problem import Problem
from schedsolve.models.matching.claims.busy_ends import PREMISE as BUSY_ENDS
from schedsolve.models.matching.claims.distant_pairs import PREMISE as DISTANT_PAIRS
from schedsolve.models.matching.claims.fewest_calls import PREMISE as FEWEST_CALLS
from schedsolve.models.matching.claims.inner_rounds import PREMISE as INNER_ROUNDS
from schedsolve.models.matching.claims.origins import PREMISE as ORIGINS
from schedsolve.models.matching.rules import is_two_way

THEOREMS = {
    "distance": distance_bound,
    "degree-growth": degree_bound,
    "odd-order": odd_order_bound,
    "tree-broadcast": tree_broadcast_bound,
    "tree-gossip": tree_gossip_bound,
}
"""What the program computes itself, by the kind of evidence."""
NOT_VERIFIED = {
    "knowledge-sizes": "Theorem 7",
    "prices-between": "Theorem 6",
    "cycle-gossip": "the theorem on gossips in cycles",
}
"""What it names, of docs/theorems.md and the literature."""


def bundle(problem: Problem) -> Bundle:
    """Return what verifies a problem of calls that share no node."""
    return Bundle(claim_of(problem), rounds_in_words, replay_rounds, lambda found: proof(problem, found))


def claim_of(problem: Problem) -> dict[str, Any]:
    """Return what the kernel is told of a task in rounds of calls."""
    claim: dict[str, Any] = {"two_way": is_two_way(problem)}
    if problem.task != "gossip":
        claim["sources"] = [] if problem.choice else list(problem.sources)
    if problem.task == "multicast":
        claim["targets"] = list(problem.targets)
    return claim


def proof(problem: Problem, evidence: Mapping[str, Any]) -> Proof | None:
    """How a bound with this evidence is proven."""
    kind = evidence["kind"]
    if kind in THEOREMS:
        return Proof(THEOREMS[kind])
    if kind in NOT_VERIFIED:
        return Proof(rests_on=(NOT_VERIFIED[kind],))
    return _refuted(problem, evidence) if kind == "refutation" else None


def _refuted(problem: Problem, evidence: Mapping[str, Any]) -> Proof:
    """How a refutation proves its bound, by the premise that it names."""
    premise = evidence.get("premise")
    if premise in (FEWEST_CALLS, BUSY_ENDS, INNER_ROUNDS):
        full = ("Theorem 7",) if premise == FEWEST_CALLS else ()
        outer = ("Theorem 8",) if evidence.get("outer_calls") else ()
        return Proof(as_given_refuted, rests_on=(premise, *full, *outer), refutes=True)
    if premise == DISTANT_PAIRS:
        pairs = {"pairs": evidence.get("pairs")}
        return Proof(distant_pairs_refuted, pairs, refutes=True)
    told = {name: evidence.get(name, []) for name in ("symmetries", "keeping")}
    if premise == ORIGINS:
        return Proof(origins_refuted, told, refutes=True)
    refuted = gossip_refuted if problem.task == "gossip" else message_refuted
    return Proof(refuted, {"symmetries": told["symmetries"]}, refutes=True)
