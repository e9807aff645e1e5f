"""The lower side of a result: every bound of its certificate recomputed from its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from schedsolve.certify.cubes import replay_in_cubes
from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_result import SavedResult
from schedsolve.modelkit.evidence import refuse_other_fields
from schedsolve.modelkit.formulas.cubes import Cube, proofs_by_cube
from schedsolve.modelkit.formulas.proof import proof_lines
from schedsolve.modelkit.problem import Problem, problem_id
from schedsolve.modelkit.refutation import refuted_rounds
from schedsolve.modelkit.result import Bound, Status, Value
from schedsolve.models import model_of, retired_evidence
from schedsolve.runtime.errors import ClaimError, InputError, RetiredEvidenceError, counted, shown
from schedsolve.runtime.limits.budget import OverBudgetError, spend


def limits(problem: Problem) -> list[Value]:
    """Return the values beyond which a lower bound says "infeasible".

    Those asked for, and the horizon, if there are such.
    """
    horizon = None if problem.period == "min" else model_of(problem).horizon(problem)
    return [value for value in (problem.asked, horizon) if value is not None]


@dataclass(frozen=True)
class Claim:
    """What the lower bounds of a certificate are to prove.

    Attributes
    ----------
    least
        The least bound that does; None when any does.
    beyond
        Whether it has to be greater than `least`, which is then a limit (`limits`).
    """

    least: Value | None
    beyond: bool = False

    def __str__(self) -> str:
        return f"above {self.least}" if self.beyond else str(self.least)

    def follows_from(self, bound: Value) -> bool:
        """Whether a bound proves it."""
        return self.least is None or bound > self.least or (bound == self.least and not self.beyond)


def claim_of(saved: SavedResult) -> Claim:
    """Return what the lower side of a result claims.

    Its lower bound, or, when infeasible, more than its limits.
    """
    most, claimed = limits(saved.problem), saved.claimed
    if claimed.status is Status.INFEASIBLE and most:
        return Claim(min(most), beyond=True)
    return Claim(claimed.lower_bound)


def check_lower_side(report: CheckReport, saved: SavedResult, claim: Claim) -> Value:
    """Compute the lower bounds of the certificate again, each from its evidence.

    The claim must follow from one of them.

    Returns
    -------
    Value
        The best one that is proven, 0 when none is.
    """
    certificate, problem = saved.certificate, saved.problem
    if certificate is None:
        if claim.least is not None and not claim.follows_from(0):
            report.doubt(f"lower bound {claim}", "not certified, the file holds nothing that proves it")
        return 0
    if certificate.problem_id != problem_id(problem):
        report.fail("certificate: it was made for another problem")
    free = problem.with_parameters(period=None) if problem.period == "min" else problem
    return check_proofs(report, free, certificate.lower, claim)


def check_proofs(
    report: CheckReport, problem: Problem, bounds: Sequence[Bound], claim: Claim, name: str = ""
) -> Value:
    """Compute lower bounds again; the claim must follow from one of them.

    Parameters
    ----------
    report
        Where the findings are noted.
    problem
        The problem.
    bounds
        The bounds with their evidence.
    claim
        What the evidence has to prove.
    name
        What they are bounds for, for the report.

    Returns
    -------
    Value
        The best one proven.
    """
    proven: list[Value] = []
    retired: list[tuple[Value, RetiredEvidenceError]] = []
    for bound in bounds:
        said = bound.value
        try:
            found, kind, how = _recompute(problem, bound)
        except OverBudgetError:
            raise
        except RetiredEvidenceError as error:
            retired.append((said, error))
            continue
        except (ClaimError, InputError) as error:
            report.fail(f"{name}lower bound {said}: {error}")
            continue
        if found != said:
            report.fail(f"{name}lower bound {said}: its evidence proves {shown(found)} ({how})")
            continue
        proven.append(said)
        report.evidence.add((model_of(problem).title, kind))
        if claim.follows_from(said):
            report.confirm(f"{name}lower bound {said}: {how}")
    best = max(proven, default=0)
    for said, why in retired:
        if said <= best:
            report.note(f"{name}lower bound {said}: it follows from {best}; {why}")
        else:
            report.fail(f"{name}lower bound {said}: {why}")
    if claim.least is None or not claim.follows_from(best):
        report.fail(f"{name}lower bound {claim}: the certificate does not prove it")
    return best


def evidence_of(problem: Problem, bound: Bound) -> tuple[Problem, str, Mapping[str, Any]]:
    """Return what a lower bound rests on.

    The problem that it is for, the kind of its evidence, and the evidence.

    Raises
    ------
    ClaimError
        If its model knows no such evidence.
    RetiredEvidenceError
        If it did once.
    """
    model, evidence = model_of(problem), bound.evidence or {}
    kind, retired = evidence.get("kind"), retired_evidence(problem)
    if isinstance(kind, str) and kind in retired:
        raise RetiredEvidenceError(
            f"evidence of the kind {kind!r} is read up to version {retired[kind]} of schedsolve"
        )
    if not isinstance(kind, str) or (kind != "refutation" and kind not in model.claims):
        raise ClaimError(f"there is no evidence of the kind {shown(kind)}")
    if bound.node is not None:
        if problem.choice != "max":
            raise ClaimError("a bound for one node proves nothing here")
        problem = problem.at_node(bound.node)
    if isinstance(evidence.get("symmetries"), list):
        spend("symmetries", len(evidence["symmetries"]))
    return problem, kind, evidence


def _recompute(problem: Problem, bound: Bound) -> tuple[Value, str, str]:
    """Return the bound that its evidence proves, of which kind this is, and how.

    Raises
    ------
    ClaimError
        If it proves nothing, or has a field that nothing reads.
    """
    problem, kind, evidence = evidence_of(problem, bound)
    model = model_of(problem)
    if kind == "refutation":
        proven, how = _refuted(problem, evidence)
    else:
        proven = model.claims[kind](problem, evidence)
        how = f"recomputed from its evidence, {kind}"
    refuse_other_fields(problem, evidence, model.evidence)
    return proven, kind, how


def _refuted(problem: Problem, evidence: Mapping[str, Any]) -> tuple[Value, str]:
    model = model_of(problem)
    rounds, in_cubes = refuted_rounds(evidence), "cubes" in evidence
    proofs: Mapping[Cube, Iterable[str]]
    proofs = proofs_by_cube(evidence) if in_cubes else {(): proof_lines(evidence)}
    proven, formula = model.refutation(problem, evidence)
    lemmas = replay_in_cubes(formula.clauses, formula.variable_count, proofs)
    parts = f" in {len(proofs)} cubes" if in_cubes else ""
    refuted = model.objective.quantity(rounds)
    return proven, f"refutation of {refuted} replayed, {lemmas} lemmas{parts}"


def check_shorter_periods(report: CheckReport, saved: SavedResult) -> None:
    """Whether every period shorter than the one claimed to be the least is proven to miss the value.

    Else, those with a proof.
    """
    value, period = saved.claimed.value, saved.at.period
    if saved.schedule is None or value is None:
        return
    assert isinstance(period, int)
    if period > max(1, value):
        report.fail(
            f"period {period} is not the least: every schedule of {counted(value, 'round')} has period"
            f" {max(1, value)}"
        )
        return
    given = {} if saved.certificate is None else saved.certificate.shorter_periods
    for extra in sorted(set(given) - set(range(1, period))):
        report.doubt(f"period {extra}", "not examined, it is not shorter than the least one")
    for shorter in range(1, period):
        asked = saved.problem.with_parameters(period=shorter)
        if given.get(shorter):
            claim = Claim(min([value, *limits(asked)]), beyond=True)
            check_proofs(report, asked, given[shorter], claim, f"period {shorter}: ")
        elif _fits(saved, shorter):
            report.fail(f"period {period} is not the least: the schedule repeats with period {shorter}")
            return
        elif saved.claimed.status is Status.OPTIMAL:
            report.doubt(
                f"period {shorter}",
                "not certified, the file holds nothing that proves that it takes more than"
                f" {counted(value, 'round')}",
            )


def _fits(saved: SavedResult, period: int) -> bool:
    """Whether the file's schedule is one for this period too."""
    at = saved.at.with_parameters(period=period)
    return model_of(at).replay(at, replace(saved.schedule, period=period)).violation is None
