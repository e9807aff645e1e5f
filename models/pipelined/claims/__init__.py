"""What bounds of the pipelined model claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from schedsolve.problem import Problem

from .cuts import cut_claim, flows_claim
from .lengths import lengths_claim

CLAIMS: Mapping[str, Callable[[Problem, Mapping[str, Any]], Fraction]] = {
    "cut": cut_claim,
    "lengths": lengths_claim,
}
EXISTENCE: Mapping[str, Callable[[Problem, Mapping[str, Any]], Fraction]] = {"flows": flows_claim}
"""Upper bounds without a schedule."""
