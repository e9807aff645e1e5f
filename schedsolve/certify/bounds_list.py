"""The list of bounds in a result: each against what the check has proven, and all against one another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.certify.lower_side import limits
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
    one. What neither holds nor contradicts the rest of the file is not verified.
    """
    listed = _listed(data)
    _compare_sides(report, problem, data, listed)
    _compare_reasons(report, data)
    unproven = []
    for side, value in listed:
        holds = value <= max(0, proven) if side == "lower" else replayed is not None and value >= replayed
        if not holds:
            unproven.append(f"{side} bound {value}")
    said = set(report.unverified)
    for claim in dict.fromkeys(unproven):
        if claim not in said:
            why = "the file holds no schedule of it" if claim.startswith("upper") else "nothing proves it"
            report.doubt(claim, f"listed among the bounds, but {why}")
    if listed and not unproven and not report.failures:
        report.confirm(f"bounds: all {len(listed)} listed follow from the schedule and the certificate")


def _listed(data: Mapping[str, Any]) -> list[tuple[str, Value]]:
    """The sides and values of all entries."""
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
        if value is None:
            raise InputError(f'an entry of "bounds" has no value: {shown(bound)}')
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
    claimed = min(limits(problem), default=-1) + 1 if infeasible else lower
    if claimed is not None and best_lower < claimed:
        report.fail(f"bounds: the best lower bound listed is {best_lower}, but {claimed} is claimed")
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
