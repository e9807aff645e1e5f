"""Checking a saved result, or a user's own schedule.

The referee replays it, every bound is recomputed from its evidence, and no claim of the file stays
unexamined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from schedsolve.certify.bounds_list import check_bounds
from schedsolve.certify.existence import check_existence
from schedsolve.certify.lower_side import check_lower_side, check_shorter_periods, claim_of, limits
from schedsolve.certify.premises import check_premise
from schedsolve.certify.problem_named import check_name, problem_words
from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_files import read_file
from schedsolve.certify.saved_result import SavedResult, SavedSchedule, read_saved
from schedsolve.extensions import find
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Objective, Status, Value
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.verb import Finding
from schedsolve.models import file_check, model_of
from schedsolve.runtime.errors import counted
from schedsolve.runtime.limits.budget import naming, within


def check_file(path: str) -> CheckReport:
    """Check a result that schedsolve saved or a schedule file that a user wrote.

    Raises
    ------
    InputError
        If the file cannot be read or is neither of them.
    OverBudgetError
        If it asks for more than the budget.
    """
    with within(), naming(path):
        return check_data(read_file(path))


def check_data(data: Any) -> CheckReport:
    """Check what `check_file` checks, given as the JSON data of the file.

    Raises
    ------
    InputError
        If it is none of schedsolve's.
    """
    check = file_check(data.get("format") if isinstance(data, dict) else None)
    if check is not None:
        return _check_claims(data, check)
    named = data.get("format") if isinstance(data, dict) else None
    of_extension = find("formats", named) if isinstance(named, str) else None
    if of_extension is not None:
        with within():
            found: CheckReport = of_extension(data, check_data)
            return found
    with within():
        saved = read_saved(data)
        problem = saved.problem
        report = CheckReport(problem_words(problem), title=model_of(problem).title, network=saved.network)
        report.rest_on(problem.network.assumptions)
        check_name(report, problem)
        for fault in saved.faults:
            report.fail(fault)
        check_premise(report, saved)
        if isinstance(saved, SavedResult):
            _check_result(report, saved)
        else:
            _check_schedule_file(report, saved)
        report.doubt_unexamined(saved.unexamined)
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


def _check_schedule_file(report: CheckReport, saved: SavedSchedule) -> None:
    problem = saved.problem
    value = None if saved.schedule is None else _replay(report, saved)
    if value is not None:
        if problem.asked is not None and value > problem.asked:
            said = model_of(problem).objective.quantity(value)
            report.fail(
                f"the schedule takes {said}, more than the {counted(problem.rounds, 'round')} asked for"
            )
        report.note("the file makes no claim that the schedule is optimal")


def _replay(report: CheckReport, saved: SavedSchedule) -> Value | None:
    """Replay the schedule; its value when it is legal and complete."""
    problem, model = saved.at, model_of(saved.at)
    seen = model.replay(problem, saved.schedule)
    if seen.violation:
        report.fail(f"schedule: {seen.violation}")
        return None
    value = model.objective.quantity(seen.value)
    report.confirm(f"schedule: replayed, {value}, every rule kept, {problem.task} complete")
    for note in seen.notes:
        report.confirm(note)
    return seen.value


def _check_result(report: CheckReport, saved: SavedResult) -> None:
    problem, claimed, replayed = saved.problem, saved.claimed, None
    if saved.schedule is not None:
        replayed = _check_upper_side(report, saved)
    elif claimed.value is not None or claimed.status in (Status.OPTIMAL, Status.FEASIBLE):
        replayed = check_existence(report, saved)
    _check_status(report, saved)
    claim = claim_of(saved)
    proven = check_lower_side(report, saved, claim)
    if problem.period == "min":
        check_shorter_periods(report, saved)
    check_bounds(report, saved, claim, replayed, proven)
    if claim.beyond and claim.least is not None and claim.follows_from(proven):
        why = _why_infeasible(problem, claim.least, model_of(problem).objective)
        report.confirm(f"infeasible: {why}")


def _why_infeasible(problem: Problem, most: Value, objective: Objective) -> str:
    """Why a bound above the smallest limit means that there is no solution."""
    if not objective.units:
        why = f"{problem.rounds} rounds were asked for" if problem.asked == most else "no more is ever needed"
        return f"{objective.quantity(most)} does not suffice, and {why}"
    rounds = problem.rounds if problem.asked == most else most
    return f"more than {counted(rounds, 'round')} would be needed, {_why_too_many(problem)}"


def _why_too_many(problem: Problem) -> str:
    horizon = model_of(problem).horizon(problem)
    if horizon is None or (problem.asked is not None and problem.asked < horizon):
        return f"and {problem.rounds} were asked for"
    period = "" if problem.period is None else f" with period {problem.period}"
    return f"and what can be done at all{period} takes at most {horizon}"


def _check_upper_side(report: CheckReport, saved: SavedResult) -> Value | None:
    """Replay the schedule, for the worst node those of all nodes; the value that they show, when they do."""
    replayed, value = _replay(report, saved), saved.claimed.value
    if saved.problem.choice == "max":
        longest = _replay_all(report, saved)
        if replayed is not None and longest is not None and longest != replayed:
            report.fail(
                f"the schedule shown takes {counted(replayed, 'round')}, but the longest of all nodes"
                f" {longest}"
            )
        replayed = None if replayed is None else longest
    if replayed is not None and replayed != value:
        taken = model_of(saved.problem).objective.quantity(replayed)
        report.fail(f"the file claims a value of {value}, but the schedule takes {taken}")
    return replayed


def _replay_all(report: CheckReport, saved: SavedResult) -> Value | None:
    """Replay a schedule for every node; the longest one's value."""
    longest: Value = 0
    network, model = saved.problem.network, model_of(saved.problem)
    missing = set(range(network.node_count))
    for at, schedule in saved.schedules:
        seen = model.replay(at, schedule)
        if seen.violation:
            report.fail(f"schedule for node {network.labels[at.sources[0]]}: {seen.violation}")
            return None
        longest = max(longest, seen.value)
        missing -= set(at.sources)
    if missing:
        report.fail(f"there is no schedule for node {network.labels[min(missing)]}")
        return None
    report.confirm(
        f"schedules: replayed for all {counted(network.node_count, 'node')}, at most"
        f" {counted(longest, 'round')}, every rule kept"
    )
    return longest


def _check_status(report: CheckReport, saved: SavedResult) -> None:
    """Whether the status follows from the value and the lower bound."""
    problem, said = saved.problem, saved.claimed
    status, value, lower = said.status, said.value, said.lower_bound
    asked = problem.asked
    if status is Status.INFEASIBLE:
        if value is not None or lower is not None or not limits(problem):
            report.fail(
                "an infeasible problem has neither value nor lower bound, and its number of rounds is limited"
            )
        if saved.schedule is not None:
            report.fail("an infeasible problem has no schedule")
    elif lower is not None and value is not None and lower > value:
        report.fail(f"the lower bound {lower} is above the value {value}")
    elif lower is not None and any(lower > most for most in limits(problem)):
        report.fail(f"the lower bound {lower} means that the problem is infeasible")
    if status is Status.OPTIMAL and (value is None or value != lower):
        report.fail(f"the file claims to be optimal, but its value is {value} and its lower bound {lower}")
    rounds = said.schedule.rounds if isinstance(said.schedule, Schedule) else ()
    if status is Status.OPTIMAL and rounds and not rounds[-1]:
        report.fail("the file claims to be optimal, but its last round is empty")
    if status is Status.FEASIBLE and (asked is None or value is None or value > asked):
        report.fail(f"the file claims that {asked} rounds suffice, but its value is {value}")
    if status is Status.UNKNOWN and asked is None:
        report.fail("no number of rounds was asked for, so that none can be undecided")
    if status is Status.UNKNOWN and value is not None and asked is not None and value <= asked:
        report.fail(f"the file does not decide whether {asked} rounds suffice, but its value is {value}")
