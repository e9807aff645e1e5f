"""The parts of the kernel that verify results of the line model: its referee and its bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.export.bundles.record import Bundle, Proof
from schedsolve.kernel.counting import odd_order_bound
from schedsolve.kernel.path_calls import path_calls_in_words, replay_path_calls
from schedsolve.kernel.path_counting import spreading_bound
from schedsolve.kernel.path_formulas import path_gossip_refuted, path_message_refuted
from schedsolve.modelkit.problem import Problem
from schedsolve.models.line.rules import ports_of

THEOREMS = {
    "degree-growth": spreading_bound,
    "odd-order": odd_order_bound,
}
"""The bounds that the kernel computes itself, by the kind of evidence."""
NOT_VERIFIED = {
    "crowded-rounds": "Theorem 9",
    "two-rounds": "Theorem 9",
    "tree-message": "Cohen's theorem on messages in trees",
    "tree-gossip": "Cohen's lemmas on gossips in trees",
}
"""The bounds that the kernel only cites, from docs/theorems.md or the paper."""


def bundle(problem: Problem) -> Bundle:
    """Return the parts of the kernel that verify a problem of calls along paths."""
    claim: dict[str, Any] = {"ports": ports_of(problem)}
    if problem.task != "gossip":
        claim["sources"] = [] if problem.choice else list(problem.sources)
    if problem.task == "multicast":
        claim["targets"] = list(problem.targets)
    return Bundle(claim, path_calls_in_words, replay_path_calls, lambda found: proof(problem, found))


def proof(problem: Problem, evidence: Mapping[str, Any]) -> Proof | None:
    """Return how the kernel proves a bound with this evidence; None if it cannot."""
    kind = evidence["kind"]
    if kind in THEOREMS:
        return Proof(THEOREMS[kind])
    if kind in NOT_VERIFIED:
        return Proof(rests_on=(NOT_VERIFIED[kind],))
    if kind != "refutation":
        return None
    refuted = path_gossip_refuted if problem.task == "gossip" else path_message_refuted
    return Proof(refuted, {"symmetries": evidence.get("symmetries", [])}, refutes=True)
