"""What a lower bound of the matching models claims: for every kind of evidence, the function that computes the bound it proves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from schedsolve.errors import ClaimError
from schedsolve.problem import Problem

from .covering import ANYONE, EXACT_CALLEES, PARENT_CALLEES, covering_claim, covering_value
from .lower_bounds import LOWER_BOUNDS, LowerBound

__all__ = ["ANYONE", "CLAIMS", "EXACT_CALLEES", "PARENT_CALLEES", "covering_value", "theorem_claim"]


def theorem_claim(bound: LowerBound, problem: Problem, _: Mapping[str, Any]) -> int:
    """The value of a lower bound. Raises ClaimError where it says nothing."""
    value = bound.compute(problem)
    if value is None:
        raise ClaimError(f"the premises of '{bound.name}' do not hold here")
    return value


CLAIMS: dict[str, Callable[[Problem, Mapping[str, Any]], int]] = {
    **{bound.name: partial(theorem_claim, bound) for bound in LOWER_BOUNDS},
    "covering": covering_claim,
}
