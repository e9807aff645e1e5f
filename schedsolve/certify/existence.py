"""The upper side of a result without a schedule.

Evidence that schedules of its value exist, computed again.
"""

from __future__ import annotations

from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_result import SavedResult
from schedsolve.modelkit.evidence import refuse_other_fields
from schedsolve.modelkit.result import Bound, Value
from schedsolve.models import model_of
from schedsolve.runtime.errors import ClaimError, InputError, shown
from schedsolve.runtime.limits.budget import OverBudgetError


def check_existence(report: CheckReport, saved: SavedResult) -> Value | None:
    """Compute the upper bounds of the certificate again, each from its evidence.

    The claimed value must be among them.

    Returns
    -------
    Value | None
        The best one proven; None when none is.
    """
    bounds = saved.certificate.upper if saved.certificate is not None else ()
    proven = [bound.value for bound in bounds if _holds(report, saved, bound)]
    value, best = saved.claimed.value, min(proven, default=None)
    if value is None or best is None or best > value:
        report.fail(f"the file claims a value of {value} but has no schedule that shows it")
    return best


def _holds(report: CheckReport, saved: SavedResult, bound: Bound) -> bool:
    """Whether an upper bound is what its evidence proves."""
    model, evidence = model_of(saved.problem), bound.evidence or {}
    kind = evidence.get("kind")
    try:
        if not isinstance(kind, str) or kind not in model.existence:
            raise ClaimError(f"there is no evidence of the kind {shown(kind)}")
        found = model.existence[kind](saved.problem, evidence)
        refuse_other_fields(saved.problem, evidence, model.evidence)
    except OverBudgetError:
        raise
    except (ClaimError, InputError) as error:
        report.fail(f"upper bound {bound.value}: {error}")
        return False
    if found != bound.value:
        report.fail(f"upper bound {bound.value}: its evidence proves {shown(found)}")
        return False
    report.evidence.add((model.title, kind))
    report.confirm(f"upper bound {bound.value}: schedules exist, recomputed from its evidence, {kind}")
    return True
