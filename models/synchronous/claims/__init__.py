"""What bounds of the synchronous model claim, and how each is computed anew from its evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from schedsolve.problem import Problem

from .bandwidth import bandwidth_bound, distance_bound, steps_bound
from .prices import price_bound, tree_price_bound

CLAIMS: Mapping[str, Callable[[Problem, Mapping[str, Any]], int | Fraction]] = {
    "distance": distance_bound,
    "steps": steps_bound,
    "bandwidth": bandwidth_bound,
    "prices": price_bound,
    "tree-prices": tree_price_bound,
}
