"""The parts of the kernel that verify results with a period: their referee and their bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.export.bundles.by_model import matching
from schedsolve.export.bundles.record import Bundle, Proof
from schedsolve.kernel.connection import impossible
from schedsolve.kernel.repeated_formulas import (
    repeated_gossip_refuted,
    repeated_message_refuted,
    repeated_tree_refuted,
)
from schedsolve.kernel.repeated_rounds import (
    repeated_in_words,
    replay_repeated,
)
from schedsolve.modelkit.problem import Problem
from schedsolve.models.systolic.claims.formula import horizon, nothing_repeats, without_period
from schedsolve.models.systolic.rules import is_edge_colouring, period_of

NOT_VERIFIED = {
    "path-theorem": "Theorem 1",
    "short-tree-period": "Theorem 2",
    "tree-period": "Theorem 2",
}
"""The bounds that the kernel only cites, from docs/theorems.md or the paper."""


def bundle(problem: Problem) -> Bundle:
    """Return the parts of the kernel that verify a problem with a given period."""
    claim = {**matching.claim_of(problem), "period": period_of(problem)}
    if is_edge_colouring(problem):
        claim["edge_colouring"] = True
    return Bundle(claim, repeated_in_words, replay_repeated, lambda found: proof(problem, found))


def proof(problem: Problem, evidence: Mapping[str, Any]) -> Proof | None:
    """Return how the kernel proves a bound with this evidence; None if it cannot.

    Bounds for schedules without a period hold with one as well.
    """
    kind, rounds = evidence["kind"], evidence.get("rounds")
    if kind in NOT_VERIFIED:
        return Proof(rests_on=(NOT_VERIFIED[kind],))
    if kind != "refutation" or not isinstance(rounds, int) or nothing_repeats(problem, rounds):
        return matching.proof(without_period(problem), evidence)
    if rounds >= horizon(problem):
        refuted = impossible
    elif problem.task != "gossip":
        refuted = repeated_message_refuted
    else:
        refuted = repeated_tree_refuted if problem.network.is_tree else repeated_gossip_refuted
    return Proof(refuted, {"symmetries": evidence.get("symmetries", [])}, refutes=True)
