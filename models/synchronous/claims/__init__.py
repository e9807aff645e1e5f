"""What bounds of the synchronous model claim, and how each is recomputed from its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from schedsolve.errors import ClaimError
from schedsolve.modelkit.fields import Declared, Holds, fields
from schedsolve.problem import Problem

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


def _bandwidth(problem: Problem, evidence: Mapping[str, Any]) -> Fraction:
    return (
        ends_bound(problem) if problem.task == "allreduce" else bandwidth_bound(mirrored(problem), evidence)
    )


_PARTS: Mapping[str, Claim] = {
    "distance": distance_bound,
    "bandwidth": _bandwidth,
    "prices": _of_copies(price_bound),
    "tree-prices": _of_copies(tree_price_bound),
}
CLAIMS: Mapping[str, Claim] = {**_PARTS, "counting": counting_bound, "part": part_bound(_PARTS)}
FIELDS: Declared = {
    "distance": fields(),
    "bandwidth": fields(),
    "prices": price_fields,
    "tree-prices": fields("links"),
    "counting": fields("groups"),
    "part": fields("task", "node", evidence=Holds.EVIDENCE),
    "refutation": refutation_fields,
}
