"""The list of bounds in a result: each against what the check has proven, and all against one another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.certify.lower_side import check_maker, claim_of
from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_files import value_of
from schedsolve.errors import InputError, shown
from schedsolve.problem import Problem
from schedsolve.result import Status, Value


def check_bounds(
    report: CheckReport, problem: Problem, data: Mapping[str, Any], replayed: Value | None, proven: Value
) -> None:
    """Examine every entry of "bounds".

    replayed: the value that the file's schedules show; None when they show none. proven: the best lower bound
    that its certificate proves.
    An upper bound holds when it is at least the replayed value, a lower bound when it is at most the proven
    one. What neither holds nor contradicts the rest of the file is not verified; the best such bound of each
    side is named, as the others would follow from it.
    """
    listed = _listed(report, data)
    _compare_sides(report, problem, data, listed)
    _compare_reasons(report, data)
    lower = [v for side, v in listed if side == "lower" and v > max(0, proven)]
    upper = [v for side, v in listed if side == "upper" and (replayed is None or v < replayed)]
    if lower and f"lower bound {max(lower)}" not in report.unverified:
        report.doubt(f"lower bound {max(lower)}", "listed among the bounds, but nothing proves it")
    if upper:
        report.doubt(
            f"upper bound {min(upper)}", "listed among the bounds, but the file holds no schedule of it"
        )
    if listed and not lower and not upper:
        report.confirm(f"bounds: all {len(listed)} listed follow from what was verified")


def _listed(report: CheckReport, data: Mapping[str, Any]) -> list[tuple[str, Value]]:
    """The sides and values of all entries; one without a value fails."""
    bounds = data.get("bounds")
    if not isinstance(bounds, list) or not all(
        isinstance(b, Mapping) and b.get("side") in ("lower", "upper") for b in bounds
    ):
        raise InputError(
            '"bounds" should be a list of {"side": "lower" or "upper", "value": ..., "reason": ...}'
        )
    listed = []
    for bound in bounds:
        value = value_of(bound, "value")
        check_maker(report, bound)
        if value is None:
            report.fail(f"bounds: an entry has no value: {shown(bound)}")
        else:
            listed.append((bound["side"], value))
    return listed


def _compare_sides(
    report: CheckReport, problem: Problem, data: Mapping[str, Any], listed: list[tuple[str, Value]]
) -> None:
    """Whether the list agrees with the value, the lower bound, the status and itself."""
    value, lower = value_of(data, "value"), value_of(data, "lower_bound")
    infeasible = data.get("status") == Status.INFEASIBLE
    best_upper = min((v for side, v in listed if side == "upper"), default=None)
    best_lower = max((v for side, v in listed if side == "lower"), default=0)
    if value is not None and best_upper != value:
        report.fail(f"bounds: the best upper bound listed is {best_upper}, but the value is {value}")
    if best_upper is not None and best_lower > best_upper:
        report.fail(f"bounds: a lower bound {best_lower} and an upper bound {best_upper} are listed")
    claim = claim_of(problem, data.get("status"), lower)
    if not claim.follows_from(best_lower):
        report.fail(f"bounds: the best lower bound listed is {best_lower}, but {claim} is claimed")
    if not infeasible and best_lower > (lower or 0):
        report.fail(f"bounds: the lower bound {best_lower} is listed, but only {lower} is claimed")


def _compare_reasons(report: CheckReport, data: Mapping[str, Any]) -> None:
    """Whether a bound stands in the list with the value that it has in the certificate."""
    certificate = data.get("certificate")
    proven = certificate["lower"] if certificate else []
    for bound in data["bounds"]:
        same = [b for b in proven if b.get("reason") == bound.get("reason")]
        if bound["side"] == "lower" and same and all(b.get("value") != bound.get("value") for b in same):
            report.fail(
                f"bounds: {bound.get('value')} is listed where the certificate has {same[0].get('value')}"
                f" ({shown(bound.get('reason'))})"
            )
