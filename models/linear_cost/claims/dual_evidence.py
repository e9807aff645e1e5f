"""Multipliers of rows, as evidence holds them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from schedsolve.errors import ClaimError


def multipliers_of(evidence: Mapping[str, Any]) -> dict[int, Fraction]:
    """The multipliers by number of the row. Raises ClaimError when they are anything else."""
    given = evidence.get("multipliers")
    if not isinstance(given, Mapping):
        raise ClaimError('"multipliers" should be numbers by row')
    multipliers = {}
    for row, text in given.items():
        if not re.fullmatch("[0-9]{1,9}", str(row)) or not re.fullmatch(
            "-?[0-9]{1,999}(/0*[1-9][0-9]{0,998})?", str(text)
        ):
            raise ClaimError(f"{text!r:.60} is no multiplier of a row")
        multipliers[int(row)] = Fraction(str(text))
    return multipliers
