"""What bounds of the synchronous model claim, and how each is recomputed from its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from schedsolve.modelkit.evidence import EvidenceKind, Holds, Kinds, fields, lower_claims
from schedsolve.modelkit.problem import Problem
from schedsolve.runtime.errors import ClaimError

from ..rules.mirror import mirrored
from .bandwidth import bandwidth_bound, distance_bound
from .compositions import refutation_fields
from .prices import price_bound, price_fields, tree_price_bound
from .reductions import Claim, counting_bound, ends_bound, part_bound


def _of_copies(claim: Claim) -> Claim:
    """Return a claim about copying tasks, and about the reductions that are such tasks run backwards."""

    def claimed(problem: Problem, evidence: Mapping[str, Any]) -> int | Fraction:
        if problem.task == "allreduce":
            raise ClaimError("an allreduce copies and adds; such a bound is for one of its parts")
        return claim(mirrored(problem), evidence)

    return claimed


def bandwidth(problem: Problem, evidence: Mapping[str, Any]) -> Fraction:
    """Return the bound by what must cross the links at a node, or all links.

    Raises
    ------
    ClaimError
        If the evidence has what is not for this task.
    """
    return (
        ends_bound(problem) if problem.task == "allreduce" else bandwidth_bound(mirrored(problem), evidence)
    )


_PARTS: Kinds = {
    "distance": EvidenceKind(fields(), distance_bound),
    "bandwidth": EvidenceKind(fields(), bandwidth),
    "prices": EvidenceKind(price_fields, _of_copies(price_bound)),
    "tree-prices": EvidenceKind(fields("links"), _of_copies(tree_price_bound)),
}
EVIDENCE: Kinds = {
    **_PARTS,
    "counting": EvidenceKind(fields("groups"), counting_bound),
    "part": EvidenceKind(fields("task", "node", evidence=Holds.EVIDENCE), part_bound(lower_claims(_PARTS))),
    "refutation": EvidenceKind(refutation_fields),
}
