"""The list of bounds in a result: each against what the check has proven, and all against one another."""

from __future__ import annotations

from collections.abc import Sequence

from schedsolve.certify.lower_side import Claim
from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_result import SavedResult
from schedsolve.modelkit.result import Status, Value
from schedsolve.runtime.errors import shown


def check_bounds(
    report: CheckReport, saved: SavedResult, claim: Claim, replayed: Value | None, proven: Value
) -> None:
    """Examine every entry of "bounds".

    Parameters
    ----------
    report
        Where the findings are noted.
    saved
        What the file says.
    claim
        What the lower bounds are to prove.
    replayed
        The value that the file's schedules show; None when they show none.
    proven
        The best lower bound that its certificate proves. An upper bound holds when it is at least the
        replayed value, a lower bound when it is at most the proven one. What neither holds nor contradicts
        the rest of the file is not verified; the best such bound of each side is named, as the others would
        follow from it.
    """
    listed = [(bound.side, bound.value) for bound in saved.listed]
    _compare_sides(report, saved, claim, listed)
    _compare_reasons(report, saved)
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


def _compare_sides(
    report: CheckReport, saved: SavedResult, claim: Claim, listed: Sequence[tuple[str, Value]]
) -> None:
    """Whether the list agrees with the value, the lower bound, the status and itself."""
    value, lower = saved.claimed.value, saved.claimed.lower_bound
    best_upper = min((v for side, v in listed if side == "upper"), default=None)
    best_lower = max((v for side, v in listed if side == "lower"), default=0)
    if value is not None and best_upper != value:
        report.fail(f"bounds: the best upper bound listed is {best_upper}, but the value is {value}")
    if best_upper is not None and best_lower > best_upper:
        report.fail(f"bounds: a lower bound {best_lower} and an upper bound {best_upper} are listed")
    if not claim.follows_from(best_lower):
        report.fail(f"bounds: the best lower bound listed is {best_lower}, but {claim} is claimed")
    if saved.claimed.status is not Status.INFEASIBLE and best_lower > (lower or 0):
        report.fail(f"bounds: the lower bound {best_lower} is listed, but only {lower} is claimed")


def _compare_reasons(report: CheckReport, saved: SavedResult) -> None:
    """Whether a bound stands in the list with the value that it has in the certificate."""
    proven = saved.certificate.lower if saved.certificate is not None else ()
    for bound in saved.listed:
        same = [b.value for b in proven if b.reason == bound.reason]
        if bound.side == "lower" and same and bound.value not in same:
            report.fail(
                f"bounds: {bound.value} is listed where the certificate has {same[0]} ({shown(bound.reason)})"
            )
