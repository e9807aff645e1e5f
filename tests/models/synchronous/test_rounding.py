"""Float prices as fractions: exact where the target is, short where it is not."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

from schedsolve.models.synchronous.bounds.rounding import exact_prices
from schedsolve.runtime.errors import ClaimError


def evidence(weights: Sequence[Fraction]) -> dict[str, Any]:
    """The weights."""
    return {"weights": list(weights)}


def mean_over_largest(data: dict[str, Any]) -> Fraction:
    """A bound that does not depend on the unit."""
    weights = data["weights"]
    if not any(weights):
        raise ClaimError("no weight")
    largest: Fraction = max(weights)
    return sum(weights, Fraction(0)) / largest


def test_thirds_are_found() -> None:
    found = exact_prices([1 / 3, 1 / 7, 0.0], 10 / 7, evidence, mean_over_largest)
    assert found is not None
    assert found[0] == Fraction(10, 7)


def test_no_value_is_near_a_small_fraction() -> None:
    """Then all weights are multiples of one unit, however small they are; the bound is near and short."""
    weights = [sqrt(p) * 1e-5 for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29)]
    value = sum(weights) / max(weights)
    found = exact_prices(weights, value + 1e-9, evidence, mean_over_largest)
    assert found is not None
    assert abs(float(found[0]) / value - 1) < 1e-4
    assert found[0].denominator <= 10**6


def test_weights_of_unlike_sizes() -> None:
    """What is a millionth of the largest weight keeps three digits, and the bound is short all the same."""

    def without_largest(data: dict[str, Any]) -> Fraction:
        return mean_over_largest(data) - 1

    weights = [1.0, *(sqrt(p) * 1e-5 for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29))]
    value = sum(weights[1:])
    found = exact_prices(weights, value + 1e-9, evidence, without_largest)
    assert found is not None
    assert abs(float(found[0]) / value - 1) < 1e-4
    assert found[0].denominator <= 10**9


def test_nothing_is_proven_without_weights() -> None:
    assert exact_prices([0.0, 0.0], 1.0, evidence, mean_over_largest) is None
