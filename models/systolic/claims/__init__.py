"""What a lower bound of the systolic models claims: for every kind of evidence, the function that computes
the bound it proves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from schedsolve.models.matching.claims import CLAIMS as MATCHING_CLAIMS
from schedsolve.models.matching.claims import RETIRED
from schedsolve.problem import Problem

from .formula import without_period
from .lower_bounds import LOWER_BOUNDS
from .tree_periods import tree_period_claim

__all__ = ["CLAIMS", "RETIRED"]


def _of_matching(kind: str) -> Callable[[Problem, Mapping[str, Any]], int]:
    """What evidence proves without a period, and so with one."""
    return lambda problem, evidence: MATCHING_CLAIMS[kind](without_period(problem), evidence)


CLAIMS: dict[str, Callable[[Problem, Mapping[str, Any]], int]] = {
    **{bound.name: bound.claim for bound in LOWER_BOUNDS},
    "tree-period": tree_period_claim,
    "covering": _of_matching("covering"),
    "informed-sets": _of_matching("informed-sets"),
    "prices-between": _of_matching("prices-between"),
}
