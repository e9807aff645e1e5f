"""What a lower bound of the matching models claims: for every kind of evidence, the function that computes
the bound it proves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from schedsolve.problem import Problem

from .covering import covering_claim, covering_value
from .informed_sets import informed_sets_claim
from .lower_bounds import LOWER_BOUNDS
from .prices_between import prices_between_claim

__all__ = ["CLAIMS", "RETIRED", "covering_value"]


CLAIMS: dict[str, Callable[[Problem, Mapping[str, Any]], int]] = {
    **{bound.name: bound.claim for bound in LOWER_BOUNDS},
    "covering": covering_claim,
    "informed-sets": informed_sets_claim,
    "prices-between": prices_between_claim,
}
RETIRED = {"cubic-growth": "0.2.0", "prices": "0.2.0"}
"""Theorems 3 and 4 of docs/theorems.md: kinds of evidence that are no longer read, each with the last version
that reads it.
"""
