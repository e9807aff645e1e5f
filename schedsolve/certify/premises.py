"""What the parameters of a problem say of an optimum, both ways, from the evidence beside them."""

from __future__ import annotations

from schedsolve.certify.lower_side import Claim, check_proofs, limits
from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_result import SavedSchedule
from schedsolve.models import model_of


def check_premise(report: CheckReport, saved: SavedSchedule) -> None:
    """Check what the model's `premise` says of the problem.

    At most so much by a schedule that is replayed, at least so much by bounds recomputed.

    Both are claims of the file, whatever else it claims.
    """
    problem, evidence = saved.problem, saved.premise
    premise = model_of(problem).premise(problem)
    if premise is None:
        if evidence is not None:
            report.doubt("what 'evidence' of the problem says", "not examined, its parameters need none")
        return
    if evidence is None:
        report.doubt(premise.claim, "not certified, the problem holds no evidence for it")
        return
    if evidence.schedule is None:
        report.fail(f"{premise.claim}: it may be more, its evidence has no schedule")
        return
    violation = model_of(premise.enough).replay(premise.enough, evidence.schedule).violation
    if violation:
        report.fail(f"{premise.claim}: it may be more; {violation}")
        return
    report.confirm(f"{premise.claim}: it is at most that, replayed")
    check_proofs(
        report,
        premise.too_few,
        evidence.lower,
        Claim(min(limits(premise.too_few)), beyond=True),
        f"{premise.claim}: ",
    )
