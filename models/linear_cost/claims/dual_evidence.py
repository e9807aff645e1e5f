"""Multipliers of rows, as evidence holds them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from schedsolve.runtime.errors import ClaimError, shown
from schedsolve.runtime.files.number_reader import exact_number, whole_number


def multipliers_of(evidence: Mapping[str, Any]) -> dict[int, Fraction]:
    """Return the multipliers by number of the row.

    Raises
    ------
    ClaimError
        If they are anything else.
    """
    given = evidence.get("multipliers")
    if not isinstance(given, Mapping):
        raise ClaimError('"multipliers" should be numbers by row')
    multipliers = {}
    for row, text in given.items():
        number, multiplier = whole_number(row, text=True), exact_number(text)
        if number is None or multiplier is None or str(number) != str(row):
            raise ClaimError(f"{shown(row)}: {shown(text)} is no multiplier of a row")
        multipliers[number] = multiplier
    return multipliers
