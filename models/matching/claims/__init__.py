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
from .prices import prices_claim
from .prices_between import prices_between_claim

__all__ = ["CLAIMS", "covering_value"]


CLAIMS: dict[str, Callable[[Problem, Mapping[str, Any]], int]] = {
    **{bound.name: bound.claim for bound in LOWER_BOUNDS},
    "covering": covering_claim,
    "informed-sets": informed_sets_claim,
    "prices": prices_claim,
    "prices-between": prices_between_claim,
}
