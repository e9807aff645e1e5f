"""Exact prices from those of a float solver: rounded to small denominators, and judged by what they prove."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

from schedsolve.runtime.errors import ClaimError

DENOMINATORS, GRIDS = (12, 60, 360, 1000, 10_000, 10**6), (10_000, 10**6, 10**9)
"""Of every weight; and of all weights, in units of the largest."""
LONGER = Fraction(9999, 10_000)
"""How much of a bound may be given up for one with fewer digits."""


def exact_prices(
    weights: Sequence[float],
    target: float,
    evidence_of: Callable[[Sequence[Fraction]], dict[str, Any]],
    bound_of: Callable[[dict[str, Any]], Fraction],
) -> tuple[Fraction, dict[str, Any]] | None:
    """Return the best bound, with its evidence, that fractions near the weights prove.

    None when they prove nothing.

    Parameters
    ----------
    weights
        The weights, as floats.
    target
        About the bound to be reached.
    evidence_of, bound_of
        From weights to evidence, and from evidence to the exact bound, which raises ClaimError when there is
        none.
    """
    goal = Fraction(target).limit_denominator(10_000)
    best: tuple[Fraction, dict[str, Any]] | None = None
    near = ([Fraction(w).limit_denominator(most) for w in weights] for most in DENOMINATORS)
    largest = max(weights, default=0.0) or 1.0
    # What prices prove does not depend on their unit.
    common = ([Fraction(round(w / largest * grid)) for w in weights] for grid in GRIDS)
    for exact in chain(near, common):
        evidence = evidence_of([max(Fraction(0), w) for w in exact])
        try:
            bound = bound_of(evidence)
        except ClaimError:
            continue
        if bound == goal:
            return bound, evidence
        # A bound that is nearly as high and far shorter is the better one to print and to check.
        if best is None or bound > best[0] * LONGER ** (_digits(bound) < _digits(best[0])):
            best = bound, evidence
    return best


def _digits(value: Fraction) -> int:
    return len(str(value.denominator))
