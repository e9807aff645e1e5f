"""Checking a saved result, or a user's own schedule: the referee replays it, every bound is computed anew
from its evidence, and no claim of the file stays unexamined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from schedsolve.certify.bounds_list import check_bounds
from schedsolve.certify.existence import check_existence
from schedsolve.certify.lower_side import check_lower_side, check_shorter_periods, claim_of, limits
from schedsolve.certify.problem_named import check_name, problem_words
from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_files import SCHEDULE_FORMAT, placed, read_file
from schedsolve.errors import InputError, shown
from schedsolve.limits.budget import OverBudgetError, spend, within
from schedsolve.modelkit.form import ForeignError
from schedsolve.modelkit.verb import Finding
from schedsolve.models import file_check, model_of, read_problem
from schedsolve.number_reader import whole_number
from schedsolve.problem import Problem
from schedsolve.result import (
    RESULT_FORMAT,
    Objective,
    Result,
    Status,
    Value,
    result_from_json,
    schedule_totals,
)

CLAIMS = {
    "format", "problem", "status", "objective", "value", "lower_bound", "bounds", "schedule", "schedules",
    "period", "certificate",
}  # fmt: skip
"""The keys of a result that are examined."""
BOUND = {"side", "value", "reason", "by"}
FORMS = {
    "problem": {"model", "task", "network", "links", "parameters"},
    "problem.links": {"directed", "nodes", "edges", "bandwidths", "switches"},
    "bounds": BOUND,
    "schedules": {"node", "schedule"},
    "certificate.lower": BOUND | {"evidence", "node"},
    "certificate.upper": BOUND | {"evidence"},
    "certificate.shorter_periods": {"period", "lower"},
    "certificate.shorter_periods.lower": BOUND | {"evidence", "node"},
}
"""The keys of objects within a result, by the way to them. What evidence has besides what is read of it
claims nothing.
"""
NO_CLAIMS = {"runtime_seconds", "stopped"}
"""The keys of a result that claim nothing of the problem."""


def check_file(path: str) -> CheckReport:
    """Check a result that schedsolve saved or a schedule file that a user wrote.

    Raises InputError when the file cannot be read or is neither of them, OverBudgetError when it asks for
    more than the budget.
    """
    with within():
        try:
            return check_data(read_file(path))
        except OverBudgetError as error:
            raise OverBudgetError(f"{path}: {error}") from None
        except InputError as error:
            raise InputError(f"{path}: {error}") from None


def check_data(data: Any) -> CheckReport:
    """Check what `check_file` checks, given as the JSON data of the file. Raises InputError when it is none
    of schedsolve's.
    """
    kind = data.get("format") if isinstance(data, dict) else None
    check = file_check(kind)
    if check is not None:
        return _check_claims(data, check)
    if kind not in (RESULT_FORMAT, SCHEDULE_FORMAT):
        raise InputError(
            f'no schedsolve file: "format" should be "{RESULT_FORMAT}" or "{SCHEDULE_FORMAT}", not'
            f" {shown(kind)}"
        )
    with within():
        _spend_rounds(data)
        problem = read_problem(data.get("problem"))
        report = CheckReport(problem_words(problem), title=model_of(problem).title)
        if "links" not in data["problem"]:
            report.network = "name" if isinstance(data["problem"]["network"], str) else "node-link"
        check_name(report, problem, data["problem"])
        if kind == SCHEDULE_FORMAT:
            _check_schedule_file(report, problem, data)
        else:
            _check_result(report, problem, data)
    return report


def _check_claims(
    data: Mapping[str, Any], check: Callable[[Mapping[str, Any]], Sequence[Finding]]
) -> CheckReport:
    """Check a file that only one model writes, claim by claim."""
    report = CheckReport(f"the claims of {data['format']}", title=data["format"])
    with within():
        for found, claim in check(data):
            if found == "ok":
                report.confirm(claim)
            elif found == "failed":
                report.fail(claim)
            else:
                report.doubt(claim, "the file holds nothing that proves it")
    return report


def _spend_rounds(data: Mapping[str, Any]) -> None:
    entries = data.get("schedules")
    schedules = [data.get("schedule"), *(entries if isinstance(entries, list) else [])]
    counted = 0
    for entry in schedules:
        schedule = entry.get("schedule", entry) if isinstance(entry, Mapping) else None
        rounds = schedule.get("rounds") if isinstance(schedule, Mapping) else None
        counted += len(rounds) if isinstance(rounds, list) else 0
    spend("rounds", counted)


def _check_schedule_file(report: CheckReport, problem: Problem, data: Mapping[str, Any]) -> None:
    value = _replay(report, placed(problem, data), data.get("schedule"))
    if value is not None:
        if problem.asked is not None and value > problem.asked:
            said = model_of(problem).objective.quantity(value)
            report.fail(f"the schedule takes {said}, more than the {problem.rounds} rounds asked for")
        report.note("the file makes no claim that the schedule is optimal")
    _check_keys(report, data, {"format", "problem", "schedule"} | _place(problem, data))


def _check_keys(report: CheckReport, data: Mapping[str, Any], known: set[str]) -> None:
    """Say of every other key, at the top and in the objects of a fixed form below, that what it says was not
    examined.
    """
    others = {shown(key) for key in data if key not in known}
    for path, keys in FORMS.items():
        for entry in _objects([data], path.split(".")):
            others |= {f"{shown(key)} in {path}" for key in entry if key not in keys}
    for other in sorted(others):
        report.doubt(f"what {other} says", "not examined, a check knows no such entry")


def _place(problem: Problem, data: Mapping[str, Any]) -> set[str]:
    """The key of the node that the schedule is for, where it is examined: there is a schedule, and the
    problem leaves open where it starts or ends.
    """
    return {"node"} if problem.choice and data.get("schedule") is not None else set()


def _objects(found: list[Any], path: Sequence[str]) -> list[Mapping[str, Any]]:
    """The objects at the end of a path of keys, each a single one or those of a list."""
    for name in path:
        held = [entry.get(name) for entry in found if isinstance(entry, Mapping)]
        found = [entry for part in held for entry in (part if isinstance(part, list) else [part])]
    return [entry for entry in found if isinstance(entry, Mapping)]


def _replay(report: CheckReport, problem: Problem, data: Any) -> Value | None:
    """Replay a schedule; its value when it is legal and complete."""
    try:
        schedule = model_of(problem).form.read(data, problem.network)
    except ForeignError as error:
        report.fail(f"schedule: {error}")
        return None
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


def _check_result(report: CheckReport, problem: Problem, data: Mapping[str, Any]) -> None:
    objective = model_of(problem).objective
    # The bounds are examined one by one below; here stands what the file says of itself.
    head = {**data, "bounds": [], "certificate": None, "schedules": []}
    said = result_from_json(head, problem, objective, lambda schedule: schedule)
    if data.get("objective") != objective.name:
        report.fail(f"the objective of this model is {objective.name!r}, not {shown(data.get('objective'))}")
    value, status, replayed = said.value, said.status, None
    if data.get("schedule") is not None:
        replayed = _check_upper_side(report, problem, data, value)
    elif value is not None or status in (Status.OPTIMAL, Status.FEASIBLE):
        replayed = check_existence(report, problem, data, value)
    _check_status(report, said)
    claim = claim_of(problem, status, said.lower_bound)
    free = problem.with_parameters(period=None) if problem.period == "min" else problem
    proven = check_lower_side(report, free, data, claim)
    if problem.period == "min":
        check_shorter_periods(report, problem, data)
    elif "period" in data:
        report.fail('only a result for the least period has a "period" of its own')
    check_bounds(report, problem, data, replayed, proven)
    if claim.beyond and claim.least is not None and claim.follows_from(proven):
        report.confirm(f"infeasible: {_why_infeasible(problem, claim.least, objective)}")
    totals = _check_totals(report, problem, data)
    _check_keys(report, data, CLAIMS | NO_CLAIMS | totals | _place(problem, data))


def _check_totals(report: CheckReport, problem: Problem, data: Mapping[str, Any]) -> set[str]:
    """Whether the numbers that the result gives of its schedule and its rounds are theirs; their keys."""
    asked = problem.parameters.get("total_rounds")
    given = data.get("total_rounds", asked)
    if given != asked or type(given) is not type(asked):
        report.fail(f"the file gives {shown(given)} rounds in all, its problem {shown(asked)}")
    if data.get("schedule") is None:
        return {"total_rounds"}
    totals = schedule_totals(model_of(problem).form.read(data["schedule"], problem.network))
    for name, count in totals.items():
        if whole_number(data.get(name)) != count:
            report.fail(f"the file gives {shown(data.get(name))} {name}, but the schedule has {count}")
    return {*totals, "total_rounds"}


def _why_infeasible(problem: Problem, most: Value, objective: Objective) -> str:
    """Why a bound above the smallest limit means that there is no solution."""
    if not objective.units:
        why = f"{problem.rounds} rounds were asked for" if problem.asked == most else "no more is ever needed"
        return f"{objective.quantity(most)} does not suffice, and {why}"
    rounds = problem.rounds if problem.asked == most else most
    return f"more than {rounds} rounds would be needed, {_why_too_many(problem)}"


def _why_too_many(problem: Problem) -> str:
    horizon = model_of(problem).horizon(problem)
    if horizon is None or (problem.asked is not None and problem.asked < horizon):
        return f"and {problem.rounds} were asked for"
    period = "" if problem.period is None else f" with period {problem.period}"
    return f"and what can be done at all{period} takes at most {horizon}"


def _check_upper_side(
    report: CheckReport, problem: Problem, data: Mapping[str, Any], value: Value | None
) -> Value | None:
    """Replay the schedule, for the worst node those of all nodes; the value that they show, when they do."""
    replayed = _replay(report, placed(problem, data), data["schedule"])
    if problem.choice == "max":
        longest = _replay_all(report, problem, data.get("schedules"))
        if replayed is not None and longest is not None and longest != replayed:
            report.fail(f"the schedule shown takes {replayed} rounds, but the longest of all nodes {longest}")
        replayed = None if replayed is None else longest
    elif "schedules" in data:
        report.fail('only a result for the worst node has "schedules" for all nodes')
    if replayed is not None and replayed != value:
        report.fail(
            f"the file claims a value of {value}, but the schedule takes"
            f" {model_of(problem).objective.quantity(replayed)}"
        )
    return replayed


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


def _check_status(report: CheckReport, said: Result) -> None:
    """Whether the status follows from the value and the lower bound; the schedule is as it stands in the
    file.
    """
    problem, status, value, lower = said.problem, said.status, said.value, said.lower_bound
    asked = problem.asked
    if status is Status.INFEASIBLE:
        if value is not None or lower is not None or not limits(problem):
            report.fail(
                "an infeasible problem has neither value nor lower bound, and its number of rounds is limited"
            )
        if said.schedule is not None:
            report.fail("an infeasible problem has no schedule")
    elif lower is not None and value is not None and lower > value:
        report.fail(f"the lower bound {lower} is above the value {value}")
    elif lower is not None and any(lower > most for most in limits(problem)):
        report.fail(f"the lower bound {lower} means that the problem is infeasible")
    if status is Status.OPTIMAL and (value is None or value != lower):
        report.fail(f"the file claims to be optimal, but its value is {value} and its lower bound {lower}")
    rounds = said.schedule.get("rounds") if isinstance(said.schedule, Mapping) else None
    if status is Status.OPTIMAL and isinstance(rounds, list) and rounds and not rounds[-1]:
        report.fail("the file claims to be optimal, but its last round is empty")
    if status is Status.FEASIBLE and (asked is None or value is None or value > asked):
        report.fail(f"the file claims that {asked} rounds suffice, but its value is {value}")
    if status is Status.UNKNOWN and asked is None:
        report.fail("no number of rounds was asked for, so that none can be undecided")
    if status is Status.UNKNOWN and value is not None and asked is not None and value <= asked:
        report.fail(f"the file does not decide whether {asked} rounds suffice, but its value is {value}")
