"""What a lower bound of the matching models claims.

For every kind of evidence, the function that computes the bound it proves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from schedsolve.modelkit.fields import Declared, fields
from schedsolve.problem import Problem

from .covering import covering_claim, covering_fields, covering_value
from .fewest_calls import PREMISE as FEWEST_CALLS
from .informed_sets import informed_sets_claim
from .lower_bounds import LOWER_BOUNDS
from .origins import PREMISE as ORIGINS
from .prices_between import prices_between_claim
from .prices_outer import FIELDS as OUTER_CALLS

__all__ = ["CLAIMS", "FIELDS", "covering_value"]


CLAIMS: dict[str, Callable[[Problem, Mapping[str, Any]], int]] = {
    **{bound.name: bound.claim for bound in LOWER_BOUNDS},
    "covering": covering_claim,
    "informed-sets": informed_sets_claim,
    "prices-between": prices_between_claim,
}
FIELDS: Declared = {
    **{bound.name: fields() for bound in LOWER_BOUNDS},
    "covering": covering_fields,
    "informed-sets": fields("rounds", "symmetries", "weights", levels=fields("informed", "weights")),
    "prices-between": fields("degree", "rounds", "wanted", "tags", "prices"),
    "refutation": fields("symmetries"),
    f"refutation, {ORIGINS}": fields("symmetries", "keeping"),
    f"refutation, {FEWEST_CALLS}": fields("symmetries", outer_calls=OUTER_CALLS),
}
