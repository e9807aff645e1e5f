"""The verifiers of the line model's lower bounds.

Each computes, for one kind of evidence, the bound that the evidence proves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from schedsolve.modelkit.fields import Declared, fields
from schedsolve.problem import Problem

from .lower_bounds import LOWER_BOUNDS
from .two_rounds import two_rounds

__all__ = ["CLAIMS", "FIELDS"]

CLAIMS: dict[str, Callable[[Problem, Mapping[str, Any]], int]] = {
    **{bound.name: bound.claim for bound in LOWER_BOUNDS},
    "two-rounds": two_rounds,
}
FIELDS: Declared = {
    **{bound.name: fields() for bound in LOWER_BOUNDS},
    "two-rounds": fields("edge", "pairs", "symmetries"),
    "refutation": fields("symmetries"),
}
