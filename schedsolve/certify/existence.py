"""The upper side of a result without a schedule: evidence that schedules of its value exist, computed
anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_files import value_of
from schedsolve.errors import ClaimError, InputError, shown
from schedsolve.limits.budget import OverBudgetError
from schedsolve.models import model_of
from schedsolve.problem import Problem
from schedsolve.result import Value


def check_existence(
    report: CheckReport, problem: Problem, data: Mapping[str, Any], value: Value | None
) -> Value | None:
    """Compute the upper bounds of the certificate anew, each from its evidence; the claimed value must be
    among them. Returns the best one proven; None when none is.
    """
    certificate = data.get("certificate")
    bounds = certificate.get("upper", []) if isinstance(certificate, Mapping) else []
    if not isinstance(bounds, list) or not all(isinstance(bound, Mapping) for bound in bounds):
        raise InputError('"upper" of a certificate should be a list of bounds with their evidence')
    proven: list[Value] = []
    claims = model_of(problem).existence
    for bound in bounds:
        said, evidence = value_of(bound, "value"), bound.get("evidence")
        kind = evidence.get("kind") if isinstance(evidence, Mapping) else None
        try:
            if not isinstance(evidence, Mapping) or not isinstance(kind, str) or kind not in claims:
                raise ClaimError(f"there is no evidence of the kind {shown(kind)}")
            found = claims[kind](problem, evidence)
        except OverBudgetError:
            raise
        except (ClaimError, InputError) as error:
            report.fail(f"upper bound {said}: {error}")
            continue
        if said is None or found != said or bound.get("side") != "upper":
            report.fail(f"upper bound {said}: its evidence proves {shown(found)}")
            continue
        proven.append(said)
        report.evidence.add((model_of(problem).title, kind))
        report.confirm(f"upper bound {said}: schedules exist, computed anew from its evidence, {kind}")
    best = min(proven, default=None)
    if value is None or best is None or best > value:
        report.fail(f"the file claims a value of {value} but has no schedule")
    return best
