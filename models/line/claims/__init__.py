"""What a lower bound of the line model claims: for every kind of evidence, the function that computes the
bound it proves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from schedsolve.problem import Problem

from .lower_bounds import LOWER_BOUNDS
from .two_rounds import two_rounds

__all__ = ["CLAIMS"]

CLAIMS: dict[str, Callable[[Problem, Mapping[str, Any]], int]] = {
    **{bound.name: bound.claim for bound in LOWER_BOUNDS},
    "two-rounds": two_rounds,
}
