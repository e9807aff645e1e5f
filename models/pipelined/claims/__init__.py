"""What bounds of the pipelined model claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from schedsolve.modelkit.fields import Declared, fields
from schedsolve.problem import Problem

from .counting import counting_claim
from .cuts import cut_claim
from .existence import flows_claim, flows_fields
from .lengths import lengths_claim

CLAIMS: Mapping[str, Callable[[Problem, Mapping[str, Any]], Fraction]] = {
    "cut": cut_claim,
    "counting": counting_claim,
    "lengths": lengths_claim,
}
EXISTENCE: Mapping[str, Callable[[Problem, Mapping[str, Any]], Fraction]] = {"flows": flows_claim}
"""Upper bounds without a schedule."""
FIELDS: Declared = {
    "cut": fields("nodes"),
    "counting": fields("groups"),
    "lengths": fields("lengths", "symmetries"),
    "flows": flows_fields,
}
