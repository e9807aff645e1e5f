"""Exact prices from those of a float solver: rounded to small denominators, and judged by what they prove."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from schedsolve.errors import ClaimError

DENOMINATORS = (12, 60, 360, 1000, 10_000, 10**6)


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
    best: tuple[Fraction, dict[str, Any]] | None = None
    for most in DENOMINATORS:
        exact = [max(Fraction(0), Fraction(w).limit_denominator(most)) for w in weights]
        evidence = evidence_of(exact)
        try:
            bound = bound_of(evidence)
        except ClaimError:
            continue
        if best is None or bound > best[0]:
            best = bound, evidence
        if bound >= Fraction(target).limit_denominator(10_000):
            break
    return best
