"""The verifiers of the systolic models' lower bounds.

Each computes, for one kind of evidence, the bound that the evidence proves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from schedsolve.modelkit.fields import Declared, fields
from schedsolve.models.matching.claims import CLAIMS as MATCHING_CLAIMS
from schedsolve.models.matching.claims import FIELDS as MATCHING_FIELDS
from schedsolve.problem import Problem

from .formula import without_period
from .lower_bounds import LOWER_BOUNDS
from .tree_periods import tree_period_claim

__all__ = ["CLAIMS", "FIELDS"]


def _of_matching(kind: str) -> Callable[[Problem, Mapping[str, Any]], int]:
    """Return the verifier of the model without a period, whose bounds hold with a period as well."""
    return lambda problem, evidence: MATCHING_CLAIMS[kind](without_period(problem), evidence)


CLAIMS: dict[str, Callable[[Problem, Mapping[str, Any]], int]] = {
    **{bound.name: bound.claim for bound in LOWER_BOUNDS},
    "tree-period": tree_period_claim,
    "covering": _of_matching("covering"),
    "informed-sets": _of_matching("informed-sets"),
    "prices-between": _of_matching("prices-between"),
}
FIELDS: Declared = {
    **{bound.name: fields() for bound in LOWER_BOUNDS},
    **{kind: said for kind, said in MATCHING_FIELDS.items() if kind in CLAIMS or "refutation" in kind},
    "tree-period": fields("slack", "most"),
}
