"""The lower side of a result: every bound of its certificate computed anew from its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from schedsolve.certify.cubes import replay_in_cubes
from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_files import placed, placed_period, value_of
from schedsolve.errors import ClaimError, InputError, RetiredEvidenceError, shown
from schedsolve.formulas.cubes import Cube, proofs_by_cube
from schedsolve.formulas.proof import proof_lines
from schedsolve.limits.budget import OverBudgetError, spend
from schedsolve.modelkit.refutation import refuted_rounds
from schedsolve.models import model_of, read_problem
from schedsolve.number_reader import whole_number
from schedsolve.problem import Problem, problem_id
from schedsolve.result import Maker, Status, Value


def limits(problem: Problem) -> list[Value]:
    """The values beyond which a lower bound says "infeasible": those asked for, and the horizon,
    if there are such.
    """
    horizon = None if problem.period == "min" else model_of(problem).horizon(problem)
    return [value for value in (problem.asked, horizon) if value is not None]


@dataclass(frozen=True)
class Claim:
    """What the lower bounds of a certificate are to prove.

    least: the least bound that does; None when any does. beyond: whether it has to be greater than `least`,
    which is then a limit (`limits`).
    """

    least: Value | None
    beyond: bool = False

    def __str__(self) -> str:
        return f"above {self.least}" if self.beyond else str(self.least)

    def follows_from(self, bound: Value) -> bool:
        """Whether a bound proves it."""
        return self.least is None or bound > self.least or (bound == self.least and not self.beyond)


def claim_of(problem: Problem, status: Any, lower: Value | None) -> Claim:
    """What the lower side of a result claims: its lower bound, or, when infeasible, more than its limits."""
    most = limits(problem)
    return Claim(min(most), beyond=True) if status == Status.INFEASIBLE and most else Claim(lower)


def check_lower_side(report: CheckReport, problem: Problem, data: Mapping[str, Any], claim: Claim) -> Value:
    """Compute the lower bounds of the certificate anew, each from its evidence; the claim must follow from
    one of them. Returns the best one that is proven, 0 when none is.
    """
    certificate = data.get("certificate")
    if certificate is None:
        if claim.least is not None and not claim.follows_from(0):
            report.doubt(f"lower bound {claim}", "not certified, the file holds nothing that proves it")
        return 0
    if not isinstance(certificate, Mapping):
        raise InputError('"certificate" should be null or {"problem_id": ..., "lower": [...]}')
    if certificate.get("problem_id") != problem_id(read_problem(data["problem"])):
        report.fail("certificate: it was made for another problem")
    known = {"problem_id", "lower", "shorter_periods"} | (
        {"upper"} if data.get("schedule") is None else set()
    )
    for key in set(certificate) - known:
        report.doubt(f"what {shown(key)} of the certificate says", "not examined")
    return _check_proofs(report, problem, certificate, claim)


def _check_proofs(
    report: CheckReport,
    problem: Problem,
    certificate: Mapping[str, Any],
    claim: Claim,
    name: str = "",
) -> Value:
    """Compute the bounds under "lower" anew; the claim must follow from one of them. name: what they are
    bounds for, for the report. Returns the best one proven.
    """
    proven: list[Value] = []
    retired: list[tuple[Value | None, RetiredEvidenceError]] = []
    for bound in lower_bounds(certificate):
        check_maker(report, bound)
        said = value_of(bound, "value")
        try:
            found, how = _recompute(problem, bound)
        except OverBudgetError:
            raise
        except RetiredEvidenceError as error:
            retired.append((said if bound.get("side") == "lower" else None, error))
            continue
        except (ClaimError, InputError) as error:
            report.fail(f"{name}lower bound {said}: {error}")
            continue
        if said is None or found != said or bound.get("side") != "lower":
            report.fail(f"{name}lower bound {shown(said)}: its evidence proves {shown(found)} ({how})")
            continue
        proven.append(said)
        report.evidence.add((model_of(problem).title, bound["evidence"]["kind"]))
        if claim.follows_from(said):
            report.confirm(f"{name}lower bound {said}: {how}")
    best = max(proven, default=0)
    for said, why in retired:
        if said is not None and said <= best:
            report.note(f"{name}lower bound {said}: it follows from {best}; {why}")
        else:
            report.fail(f"{name}lower bound {shown(said)}: {why}")
    if claim.least is None or not claim.follows_from(best):
        report.fail(f"{name}lower bound {claim}: the certificate does not prove it")
    return best


def check_maker(report: CheckReport, bound: Mapping[str, Any]) -> None:
    """Whether a bound says of what kind it is, if it does, by one of the words that there are."""
    makers = get_args(Maker)
    if "by" in bound and (not isinstance(bound["by"], str) or bound["by"] not in makers):
        report.fail(f'"by" of a bound is one of {", ".join(makers)}; not {shown(bound["by"])}')


def lower_bounds(certificate: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The lower bounds of a certificate, as they stand in the file. Raises InputError when it has none."""
    bounds = certificate.get("lower")
    if not isinstance(bounds, list) or not all(isinstance(bound, Mapping) for bound in bounds):
        raise InputError(
            'a certificate holds bounds as "lower": [{"side": "lower", "value": ..., "evidence": ...}, ...]'
        )
    return bounds


def evidence_of(problem: Problem, bound: Mapping[str, Any]) -> tuple[Problem, str, Mapping[str, Any]]:
    """What a lower bound rests on: the problem that it is for, the kind of its evidence, and the evidence.
    Raises ClaimError when its model knows no such evidence, RetiredEvidenceError when it did once.
    """
    model, evidence = model_of(problem), bound.get("evidence")
    kind = evidence.get("kind") if isinstance(evidence, Mapping) else None
    if isinstance(kind, str) and kind in model.retired:
        raise RetiredEvidenceError(
            f"evidence of the kind {kind!r} is read up to version {model.retired[kind]} of schedsolve"
        )
    if (
        not isinstance(evidence, Mapping)
        or not isinstance(kind, str)
        or (kind != "refutation" and kind not in model.claims)
    ):
        raise ClaimError(f"there is no evidence of the kind {shown(kind)}")
    if "node" in bound:
        if problem.choice != "max":
            raise ClaimError("a bound for one node proves nothing here")
        problem = placed(problem, bound)
    if isinstance(evidence.get("symmetries"), list):
        spend("symmetries", len(evidence["symmetries"]))
    return problem, kind, evidence


def _recompute(problem: Problem, bound: Mapping[str, Any]) -> tuple[Value, str]:
    """The bound that its evidence proves, and how. Raises ClaimError when it proves nothing."""
    problem, kind, evidence = evidence_of(problem, bound)
    model = model_of(problem)
    if kind != "refutation":
        return model.claims[kind](problem, evidence), f"computed anew from its evidence, {kind}"
    rounds, in_cubes = refuted_rounds(evidence), "cubes" in evidence
    proofs: Mapping[Cube, Iterable[str]]
    proofs = proofs_by_cube(evidence) if in_cubes else {(): proof_lines(evidence)}
    proven, formula = model.refutation(problem, evidence)
    lemmas = replay_in_cubes(formula.clauses, formula.variable_count, proofs)
    parts = f" in {len(proofs)} cubes" if in_cubes else ""
    refuted = model.objective.quantity(rounds)
    return proven, f"refutation of {refuted} replayed, {lemmas} lemmas{parts}"


def check_shorter_periods(report: CheckReport, problem: Problem, data: Mapping[str, Any]) -> None:
    """Whether every period shorter than the one claimed to be the least is proven to miss the value; else,
    those with a proof.
    """
    value, schedule = value_of(data, "value"), data.get("schedule")
    if not isinstance(schedule, Mapping) or value is None:
        if data.get("period") is not None:
            report.doubt(f"the least period {shown(data['period'])}", "the file holds no schedule of it")
        return
    period = placed_period(problem, data)
    if whole_number(data.get("period")) != period:
        report.fail(
            f"the file says that the least period is {shown(data.get('period'))}, but its schedule has"
            f" {period}"
        )
    certificate = data.get("certificate")
    given = certificate.get("shorter_periods", []) if isinstance(certificate, Mapping) else []
    if not isinstance(given, list) or not all(
        isinstance(entry, Mapping) and type(entry.get("period")) is int for entry in given
    ):
        raise InputError('"shorter_periods" should be a list of {"period": ..., "lower": [...]}')
    if period > max(1, value):
        report.fail(
            f"period {period} is not the least: every schedule of {value} rounds has period {max(1, value)}"
        )
        return
    entries = {entry.get("period"): entry for entry in given}
    for extra in sorted(set(entries) - set(range(1, period))):
        report.doubt(f"period {extra}", "not examined, it is not shorter than the least one")
    for shorter in range(1, period):
        asked = problem.with_parameters(period=shorter)
        if certificate is not None and lower_bounds(entries.get(shorter, {"lower": []})):
            claim = Claim(min([value, *limits(asked)]), beyond=True)
            _check_proofs(report, asked, entries[shorter], claim, f"period {shorter}: ")
        elif _fits(asked, data):
            report.fail(f"period {period} is not the least: the schedule repeats with period {shorter}")
            return
        elif data.get("status") == Status.OPTIMAL:
            report.doubt(
                f"period {shorter}",
                f"not certified, the file holds nothing that proves that it takes more than {value} rounds",
            )


def _fits(problem: Problem, data: Mapping[str, Any]) -> bool:
    """Whether the file's schedule is one for this period too."""
    schedule = model_of(problem).form.read({**data["schedule"], "period": problem.period}, problem.network)
    return model_of(problem).replay(placed(problem, data), schedule).violation is None
