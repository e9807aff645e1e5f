"""Checking designs over a range of degrees: each of them, and the results of the networks to compare with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_design import members_of
from schedsolve.errors import InputError, shown
from schedsolve.files.number_reader import whole_number
from schedsolve.modelkit.designs import DEGREES_FORMAT, DESIGN_FORMAT, FASTEST_FORMAT
from schedsolve.network.design_classes import MOST_NODES


def check_degrees(data: Mapping[str, Any], check: Callable[[Mapping[str, Any]], CheckReport]) -> CheckReport:
    """Check a file of designs over a range of degrees.

    Parameters
    ----------
    data
        The JSON data of the file.
    check
        Checks a design or a result.

    Raises
    ------
    InputError
        If the file is not of that format, or a row is wrong.
    """
    evidence = {(DEGREES_FORMAT, "designs")}
    report = CheckReport("designs over a range of degrees", title=DEGREES_FORMAT, evidence=evidence)
    rows = data.get("rows")
    if not isinstance(rows, list) or not 0 < len(rows) <= MOST_NODES:
        raise InputError(f'"rows" of designs by degree is a list of 1 to {MOST_NODES} rows')
    for row in rows:
        if not isinstance(row, Mapping) or set(row) != {"degree", "design", "compared"}:
            raise InputError(f"a row of designs by degree has degree, design and compared, not {shown(row)}")
        degree, design, compared = whole_number(row["degree"], 1, MOST_NODES), row["design"], row["compared"]
        if degree is None or not isinstance(design, Mapping) or not isinstance(compared, list):
            raise InputError("a row of designs by degree has a degree, a design, and a list of results")
        if design.get("format") not in (DESIGN_FORMAT, FASTEST_FORMAT):
            raise InputError(f"a row of designs by degree has a design, not {shown(design.get('format'))}")
        if members_of(design).largest_degree != degree:
            report.fail(f"degree {degree}: the design is for another degree")
        report.take(f"degree {degree}", check(design), whole=True)
        for number, result in enumerate(compared, 1):
            if not isinstance(result, Mapping) or "problem" not in result:
                raise InputError("what designs by degree are compared with are results")
            report.take(f"degree {degree}, network {number} to compare with", check(result))
    report.doubt_unexamined(f"'{entry}'" for entry in sorted(map(str, set(data) - {"format", "rows"})))
    return report
