"""What programs need to verify results of the fat-tree on their own: the kernel's referee and bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.export.bundles.record import Bundle, Proof
from schedsolve.kernel.refutation import as_given_refuted
from schedsolve.kernel.tree_message_bounds import empty_subtree_bound, round_height_bound
from schedsolve.kernel.tree_message_formula import broadcast_time_refuted
from schedsolve.kernel.tree_messages import messages_in_words, replay_leaf_broadcast
from schedsolve.kernel.tree_operands import operands_in_words, replay_operands
from schedsolve.modelkit.problem import Problem
from schedsolve.models.fat_tree.rules.tree import in_rounds, tree_of

THEOREMS = {
    "empty-subtrees": empty_subtree_bound,
    "round-heights": round_height_bound,
}
"""The bounds that the program computes itself, by the kind of evidence."""


def bundle(problem: Problem) -> Bundle:
    """Return what a program needs to verify messages between the leaves."""
    claim: dict[str, Any] = {
        "in_rounds": in_rounds(problem),
        "capacities": list(tree_of(problem).capacities),
    }
    if problem.task != "prefix":
        claim["sources"] = list(problem.sources)
    words, replay = operands_in_words, replay_operands
    if problem.task == "broadcast":
        words, replay = messages_in_words, replay_leaf_broadcast
    return Bundle(claim, words, replay, proof)


def proof(evidence: Mapping[str, Any]) -> Proof | None:
    """Return how a bound with this evidence is proven, or None."""
    kind = evidence["kind"]
    if kind in THEOREMS:
        return Proof(THEOREMS[kind])
    if kind != "refutation":
        return None
    formula = evidence.get("formula")
    if formula == "broadcast":
        return Proof(broadcast_time_refuted, {"time": evidence["rounds"]}, refutes=True)
    return Proof(as_given_refuted, rests_on=(f"the formula of {formula}",), refutes=True)
