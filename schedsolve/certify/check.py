"""Checking a saved result, or a user's own schedule: the referee replays it, and every bound is computed anew
from its evidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from schedsolve.certify.propagation import replay_refutation
from schedsolve.certify.saved_files import SCHEDULE_FORMAT, placed, placed_period, read_file, value_of
from schedsolve.errors import ClaimError, InputError, one_line
from schedsolve.formulas.proof import unpack_proof
from schedsolve.models import model_of, read_problem
from schedsolve.problem import Problem, problem_id
from schedsolve.result import RESULT_FORMAT, Status, Value


@dataclass
class CheckReport:
    """What a check found: a line for everything verified, not verified, or failed."""

    lines: list[str] = field(default_factory=list)
    failed: bool = False

    def confirm(self, line: str) -> None:
        """Note something that holds."""
        self.lines.append(f"ok       {one_line(line)}")

    def warn(self, line: str) -> None:
        """Note something that was not verified."""
        self.lines.append(f"not sure {one_line(line)}")

    def fail(self, line: str) -> None:
        """Note a claim that does not hold."""
        self.lines.append(f"FAILED   {one_line(line)}")
        self.failed = True


def check_file(path: str) -> CheckReport:
    """Check a result that schedsolve saved or a schedule file that a user wrote.

    Raises InputError when the file cannot be read or is neither of them.
    """
    try:
        return check_data(read_file(path))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def check_data(data: Any) -> CheckReport:
    """Check what `check_file` checks, given as the JSON data of the file. Raises InputError when it is none
    of schedsolve's.
    """
    kind = data.get("format") if isinstance(data, dict) else None
    if kind not in (RESULT_FORMAT, SCHEDULE_FORMAT):
        raise InputError(
            f'no schedsolve file: "format" should be "{RESULT_FORMAT}" or "{SCHEDULE_FORMAT}", not'
            f" {kind!r:.60}"
        )
    problem = read_problem(data.get("problem"))
    if kind == SCHEDULE_FORMAT:
        return _check_schedule_file(problem, data)
    return _check_result(problem, data)


def _check_schedule_file(problem: Problem, data: Mapping[str, Any]) -> CheckReport:
    report = CheckReport()
    value = _replay(report, placed(problem, data), data.get("schedule"))
    if value is not None:
        if problem.rounds is not None and value > problem.rounds:
            report.fail(f"the schedule takes {value} rounds, more than the {problem.rounds} asked for")
        report.warn("the file makes no claim that the schedule is optimal")
    return report


def _replay(report: CheckReport, problem: Problem, data: Any) -> Value | None:
    """Replay a schedule; its value when it is legal and complete."""
    schedule = model_of(problem).form.read(data, problem.network)
    seen = model_of(problem).replay(problem, schedule)
    if seen.violation:
        report.fail(f"schedule: {seen.violation}")
        return None
    report.confirm(
        f"schedule: replayed, {model_of(problem).objective.quantity(seen.value)}, every rule kept,"
        f" {problem.task} complete"
    )
    for note in seen.notes:
        report.confirm(note)
    return seen.value


def _check_result(problem: Problem, data: Mapping[str, Any]) -> CheckReport:
    report = CheckReport()
    status = data.get("status")
    if status not in list(Status):
        raise InputError(f'"status" should be one of {", ".join(Status)}, not {status!r:.60}')
    objective = model_of(problem).objective
    if data.get("objective") != objective.name:
        report.fail(f"the objective of this model is {objective.name!r}, not {data.get('objective')!r:.60}")
    value = value_of(data, "value")
    if data.get("schedule") is not None:
        _check_upper_side(report, problem, data, value)
    elif value is not None or status in (Status.OPTIMAL, Status.FEASIBLE):
        report.fail(f"the file claims a value of {value} but has no schedule")
    _check_status(report, problem, Status(status), data)
    claimed = value_of(data, "lower_bound")
    limits = _limits(problem)
    if status == Status.INFEASIBLE and limits:
        claimed = min(limits) + 1
    if problem.period != "min":
        _check_lower_side(report, problem, data, claimed)
    else:
        _check_lower_side(report, problem.with_parameters(period=None), data, claimed)
        _check_shorter_periods(report, problem, data)
    _check_bounds(report, data, claimed)
    if status == Status.INFEASIBLE and limits and not report.failed and data.get("certificate") is not None:
        report.confirm(
            f"infeasible: more than {min(limits)} rounds would be needed, {_why_too_many(problem)}"
        )
    return report


def _why_too_many(problem: Problem) -> str:
    """Why more rounds than the smallest limit mean that there is no solution."""
    horizon = model_of(problem).horizon(problem)
    if horizon is None or (problem.rounds is not None and problem.rounds < horizon):
        return f"and {problem.rounds} were asked for"
    return f"and what can be done at all with period {problem.period} takes at most {horizon}"


def _limits(problem: Problem) -> list[int]:
    """The numbers of rounds beyond which a lower bound says "infeasible": those asked for, and the horizon,
    if there are such.
    """
    horizon = None if problem.period == "min" else model_of(problem).horizon(problem)
    return [rounds for rounds in (problem.rounds, horizon) if rounds is not None]


def _check_upper_side(
    report: CheckReport, problem: Problem, data: Mapping[str, Any], value: Value | None
) -> None:
    replayed = _replay(report, placed(problem, data), data["schedule"])
    if problem.choice == "max" and replayed is not None:
        longest = _replay_all(report, problem, data.get("schedules"))
        if longest is not None and longest != replayed:
            report.fail(f"the schedule shown takes {replayed} rounds, but the longest of all nodes {longest}")
    if replayed is not None and replayed != value:
        report.fail(
            f"the file claims a value of {value}, but the schedule takes"
            f" {model_of(problem).objective.quantity(replayed)}"
        )


def _replay_all(report: CheckReport, problem: Problem, data: Any) -> Value | None:
    """Replay a schedule for every node; the longest one's value."""
    entries = data if isinstance(data, list) else []
    longest: Value = 0
    missing = set(range(problem.network.node_count))
    model = model_of(problem)
    for entry in entries:
        if not isinstance(entry, Mapping):
            raise InputError('"schedules" should be a list of {"node": ..., "schedule": ...}')
        at = placed(problem, entry)
        seen = model.replay(at, model_of(problem).form.read(entry.get("schedule"), problem.network))
        if seen.violation:
            report.fail(f"schedule for node {entry['node']}: {seen.violation}")
            return None
        longest = max(longest, seen.value)
        missing -= set(at.sources)
    if missing:
        report.fail(f"there is no schedule for node {problem.network.labels[min(missing)]}")
        return None
    report.confirm(
        f"schedules: replayed for all {problem.network.node_count} nodes, at most {longest} rounds, every"
        " rule kept"
    )
    return longest


def _check_lower_side(
    report: CheckReport, problem: Problem, data: Mapping[str, Any], claimed: Value | None
) -> None:
    """Compute the lower bounds of the certificate anew, each from its evidence; the claimed one must be among
    them.
    """
    if data.get("certificate") is None:
        if claimed is not None and claimed > 0:
            report.warn(f"lower bound {claimed}: not certified, the file holds nothing that proves it")
        return
    if not isinstance(data["certificate"], Mapping):
        raise InputError('"certificate" should be null or {"problem_id": ..., "lower": [...]}')
    if data["certificate"].get("problem_id") != problem_id(read_problem(data["problem"])):
        report.fail("certificate: it was made for another problem")
    _check_proofs(report, problem, data["certificate"], claimed)


def _check_proofs(
    report: CheckReport,
    problem: Problem,
    certificate: Mapping[str, Any],
    claimed: Value | None,
    name: str = "",
) -> None:
    """Compute the bounds under "lower" anew; the claimed one must be among them. name: what they are bounds
    for, for the report.
    """
    proven = []
    for bound in _lower_bounds(certificate):
        said = value_of(bound, "value")
        try:
            found, how = _recompute(problem, bound)
        except (ClaimError, InputError) as error:
            report.fail(f"{name}lower bound {said}: {error}")
            continue
        if said is None or found != said or bound.get("side") != "lower":
            report.fail(f"{name}lower bound {said}: its evidence proves {found} ({how})")
            continue
        proven.append(said)
        if claimed is not None and said >= claimed:
            report.confirm(f"{name}lower bound {said}: {how}")
    if claimed is None or not any(bound >= claimed for bound in proven):
        report.fail(f"{name}lower bound {claimed}: the certificate does not prove it")


def _lower_bounds(certificate: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    bounds = certificate.get("lower")
    if not isinstance(bounds, list) or not all(isinstance(bound, Mapping) for bound in bounds):
        raise InputError(
            'a certificate holds bounds as "lower": [{"side": "lower", "value": ..., "evidence": ...}, ...]'
        )
    return bounds


def _check_shorter_periods(report: CheckReport, problem: Problem, data: Mapping[str, Any]) -> None:
    """Whether every period shorter than the one claimed to be the least is proven to miss the value; else,
    those with a proof.
    """
    value, schedule = value_of(data, "value"), data.get("schedule")
    if not isinstance(schedule, Mapping) or value is None:
        return
    period = placed_period(problem, data)
    if data.get("period") != period:
        report.fail(
            f"the file says that the least period is {data.get('period')!r:.60}, but its schedule has"
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
    for shorter in range(1, period):
        asked = problem.with_parameters(period=shorter)
        if certificate is not None and _lower_bounds(entries.get(shorter, {"lower": []})):
            _check_proofs(
                report, asked, entries[shorter], min([value, *_limits(asked)]) + 1, f"period {shorter}: "
            )
        elif _fits(asked, data):
            report.fail(f"period {period} is not the least: the schedule repeats with period {shorter}")
            return
        elif data.get("status") == Status.OPTIMAL:
            report.warn(
                f"period {shorter}: not certified, the file holds nothing that proves that it takes more than"
                f" {value} rounds"
            )


def _fits(problem: Problem, data: Mapping[str, Any]) -> bool:
    """Whether the file's schedule is one for this period too."""
    schedule = model_of(problem).form.read({**data["schedule"], "period": problem.period}, problem.network)
    return model_of(problem).replay(placed(problem, data), schedule).violation is None


def _check_bounds(report: CheckReport, data: Mapping[str, Any], claimed: Value | None) -> None:
    """Whether the list of bounds agrees with the value, with the lower bound and with the certificate."""
    bounds = data.get("bounds")
    if not isinstance(bounds, list) or not all(
        isinstance(b, Mapping) and b.get("side") in ("lower", "upper") for b in bounds
    ):
        raise InputError(
            '"bounds" should be a list of {"side": "lower" or "upper", "value": ..., "reason": ...}'
        )
    value = value_of(data, "value")
    values = {
        side: [value_of(b, "value") or 0 for b in bounds if b["side"] == side] for side in ("lower", "upper")
    }
    if value is not None and min(values["upper"], default=None) != value:
        report.fail(
            f"bounds: the best upper bound listed is {min(values['upper'], default=None)}, but the value is"
            f" {value}"
        )
    if claimed is not None and max(values["lower"], default=0) < claimed:
        report.fail(
            f"bounds: the best lower bound listed is {max(values['lower'], default=0)}, but {claimed} is"
            " claimed"
        )
    if (
        value_of(data, "lower_bound") is not None
        and claimed is not None
        and max(values["lower"], default=0) > claimed
    ):
        report.fail(
            f"bounds: the lower bound {max(values['lower'])} is listed, but only {claimed} is claimed"
        )
    proven = data["certificate"]["lower"] if data.get("certificate") else []
    for bound in bounds:
        same = [b for b in proven if b.get("reason") == bound.get("reason")]
        if bound["side"] == "lower" and same and all(b.get("value") != bound.get("value") for b in same):
            report.fail(
                f"bounds: {bound.get('value')} is listed where the certificate has {same[0].get('value')}"
                f" ({bound.get('reason')})"
            )


def _recompute(problem: Problem, bound: Mapping[str, Any]) -> tuple[Value, str]:
    """The bound that its evidence proves, and how. Raises ClaimError when it proves nothing."""
    model, evidence = model_of(problem), bound.get("evidence")
    kind = evidence.get("kind") if isinstance(evidence, Mapping) else None
    if (
        not isinstance(evidence, Mapping)
        or not isinstance(kind, str)
        or (kind != "refutation" and kind not in model.claims)
    ):
        raise ClaimError(f"there is no evidence of the kind {kind!r:.60}")
    if "node" in bound:
        if problem.choice != "max":
            raise ClaimError("a bound for one node proves nothing here")
        problem = placed(problem, bound)
    if kind != "refutation":
        return model.claims[kind](problem, evidence), f"computed anew from its evidence, {kind}"
    proven, formula = model.refutation(problem, evidence)
    lemmas = replay_refutation(formula.clauses, formula.variable_count, unpack_proof(evidence))
    return proven, f"refutation of {model.objective.quantity(evidence['rounds'])} replayed, {lemmas} lemmas"


def _check_status(report: CheckReport, problem: Problem, status: Status, data: Mapping[str, Any]) -> None:
    """Whether the status follows from the value and the lower bound."""
    value, lower, asked = value_of(data, "value"), value_of(data, "lower_bound"), problem.rounds
    if status is Status.INFEASIBLE:
        if value is not None or lower is not None or not _limits(problem):
            report.fail(
                "an infeasible problem has neither value nor lower bound, and its number of rounds is limited"
            )
    elif lower is not None and value is not None and lower > value:
        report.fail(f"the lower bound {lower} is above the value {value}")
    if status is Status.OPTIMAL and (value is None or value != lower):
        report.fail(f"the file claims to be optimal, but its value is {value} and its lower bound {lower}")
    rounds = data["schedule"].get("rounds") if isinstance(data.get("schedule"), Mapping) else None
    if status is Status.OPTIMAL and isinstance(rounds, list) and rounds and not rounds[-1]:
        report.fail("the file claims to be optimal, but its last round is empty")
    if status is Status.FEASIBLE and (asked is None or value is None or value > asked):
        report.fail(f"the file claims that {asked} rounds suffice, but its value is {value}")
