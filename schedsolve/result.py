"""Bounds and results: what is known of a problem, and how."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Literal, get_args

from schedsolve.errors import InputError, shown
from schedsolve.network.graph import Label
from schedsolve.number_reader import duration, exact_number, whole_number
from schedsolve.presentation import result_html, result_text
from schedsolve.problem import Problem, problem_id, problem_to_json
from schedsolve.schedule import AnySchedule

RESULT_FORMAT = "schedsolve-result/1"

Value = int | Fraction


@dataclass(frozen=True)
class Objective:
    """What a model's schedules are to have little of.

    name: in files, and before a value where there is no unit. unit, units: the words behind a value of 1 and
    behind any other.
    """

    name: str
    unit: str = ""
    units: str = ""

    def quantity(self, value: Value | None) -> str:
        """A value in words.

        ```pycon
        >>> LEAST_ROUNDS.quantity(1), LEAST_ROUNDS.quantity(10)
        ('1 round', '10 rounds')
        >>> LEAST_COST.quantity(Fraction(19, 25)), LEAST_TIME.quantity(12)
        ('cost 19/25', 'time 12')

        ```
        """
        if not self.units:
            return f"{self.name} {value_to_json(value)}"
        return f"{value_to_json(value)} {self.unit if value == 1 else self.units}"

    def suffices(self, value: Value | None, *, negated: bool = False) -> str:
        """That a value suffices, or does not."""
        plural = self.units and value != 1
        verb = (
            ("do not suffice" if plural else "does not suffice")
            if negated
            else ("suffice" if plural else "suffices")
        )
        return f"{self.quantity(value)} {verb}"


LEAST_ROUNDS = Objective("rounds", "round", "rounds")
LEAST_COST = Objective("cost")
LEAST_TIME = Objective("time")

Maker = Literal["theorem", "relaxation", "search", "construction"]
"""What made a bound: a formula or rule that anybody evaluates; a relaxation that was solved, such as a linear
programme; a search; or, for an upper bound, an algorithm that builds a schedule."""


class Status(StrEnum):
    """What a solve found out."""

    OPTIMAL = "optimal"
    """The schedule's value equals a proven lower bound."""
    BOUNDED = "bounded"
    """Stopped at a limit: a lower bound, and perhaps a schedule with a larger value."""
    FEASIBLE = "feasible"
    """The asked number of rounds suffices; a schedule shows it."""
    INFEASIBLE = "infeasible"
    """The asked number of rounds does not suffice, proven; or no number of rounds does."""
    UNKNOWN = "unknown"
    """Stopped at a limit before the asked number of rounds was decided."""


@dataclass(frozen=True)
class Bound:
    """A proven bound on the optimum.

    side: "lower" or "upper". value: an integer or an exact fraction.
    reason: one line for people that names the theorem, the search or the construction. by: what made it.
    evidence: what a checker needs to verify a lower bound, as JSON data; None when only the search vouches
    for it.
    node: in a problem that asks for the worst source or root, the one for which a lower bound holds, where it
    does not hold for others.
    """

    side: Literal["lower", "upper"]
    value: Value
    reason: str
    evidence: Mapping[str, Any] | None = None
    node: int | None = None
    by: Maker = "theorem"

    def __str__(self) -> str:
        return f"{self.side} bound {value_to_json(self.value)}: {self.reason}"


@dataclass(frozen=True)
class Result:
    """What solving a problem gave.

    value: the value of the best schedule, None without one. lower_bound: the best proven lower bound; None
    when infeasible.
    schedule: the best schedule, replayed by the referee. node: for `--source min|max` and its like, the node
    that the schedule is for.
    schedules: for `max`, a schedule for every node, which together show that no node needs more than `value`.
    shorter_periods: for `--period min`, for every shorter period the bounds that prove that it does not reach
    `value`.
    horizon: the number of rounds within which whatever can be done at all can be done; None when everything
    can.
    interrupted: whether Ctrl-C ended the solve. exhausted: whether it ended with nothing left to try, before
    any limit. untried: what was not tried on this problem, and why, where bounds are left apart.
    """

    problem: Problem
    status: Status
    objective: Objective
    value: Value | None
    lower_bound: Value | None
    bounds: tuple[Bound, ...]
    schedule: Any
    runtime_seconds: float
    node: int | None = None
    schedules: Mapping[int, Any] = field(default_factory=dict)
    shorter_periods: Mapping[int, tuple[Bound, ...]] = field(default_factory=dict)
    horizon: int | None = None
    interrupted: bool = False
    exhausted: bool = False
    untried: tuple[str, ...] = ()

    def __str__(self) -> str:
        """What the command line prints."""
        return result_text(self)

    def _repr_html_(self) -> str:
        """In a notebook, the page that plays the schedule."""
        return result_html(self)

    @property
    def placed(self) -> Problem:
        """The problem that the schedule is for: with the source or root, and the period, that were open."""
        problem = self.problem if self.node is None else self.problem.at_node(self.node)
        if problem.period == "min" and self.schedule is not None:
            return problem.with_parameters(period=self.schedule.period)
        return problem

    @property
    def stopped(self) -> str | None:
        """What ended a solve before its question was settled: "interrupted", "time limit", or "nothing left
        to try"; None when it is settled.
        """
        if self.status not in (Status.BOUNDED, Status.UNKNOWN):
            return None
        if self.interrupted:
            return "interrupted"
        return "nothing left to try" if self.exhausted else "time limit"

    def _is_proven_by(self, value: Value) -> bool:
        """Whether a lower bound proves what the result claims: the lower bound given, or, when infeasible,
        more than the value asked for or the horizon.
        """
        limits = [most for most in (self.problem.asked, self.horizon) if most is not None]
        if self.status is Status.INFEASIBLE and limits:
            return value > min(limits)
        return self.lower_bound is not None and value >= self.lower_bound

    @property
    def existence(self) -> tuple[Bound, ...]:
        """The upper bounds that show, without a schedule, that there is one of the value."""
        if self.schedule is not None:
            return ()
        return tuple(b for b in self.bounds if b.side == "upper" and b.value == self.value and b.evidence)

    @property
    def certificate(self) -> tuple[Bound, ...]:
        """The bounds that prove the claimed lower bound to a checker; empty when none does."""
        return tuple(
            b
            for b in self.bounds
            if b.side == "lower" and self._is_proven_by(b.value) and b.evidence is not None
        )


def value_to_json(value: Value | None) -> int | str | None:
    """An integer as it is, an exact fraction as text ("19/25")."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    return value


def schedule_totals(schedule: Any) -> Mapping[str, int]:
    """The numbers that a result gives of its schedule besides: those that the schedule declares as its
    `totals`, if it has such.
    """
    return getattr(schedule, "totals", {})


def result_to_json(result: Result, *, links: bool = True) -> dict[str, Any]:
    """The result as the JSON object that `solve --json` prints and `check` reads.

    links: put the links beside the network's name (see `problem_to_json`).
    """
    labels = result.problem.network.labels
    data: dict[str, Any] = {
        "format": RESULT_FORMAT,
        "problem": problem_to_json(result.problem, links=links),
        "status": result.status.value,
        "objective": result.objective.name,
        "value": value_to_json(result.value),
        "lower_bound": value_to_json(result.lower_bound),
        "bounds": [bound_to_json(bound) for bound in result.bounds],
        "schedule": result.schedule.to_json(labels) if result.schedule else None,
        "certificate": _certificate_to_json(result),
        "runtime_seconds": round(result.runtime_seconds, 3),
    }
    if result.stopped:
        data["stopped"] = result.stopped
    data.update(schedule_totals(result.schedule))
    if "total_rounds" in result.problem.parameters:
        data["total_rounds"] = result.problem.parameters["total_rounds"]
    if result.node is not None:
        data["node"] = labels[result.node]
    if result.problem.period == "min" and result.schedule is not None:
        data["period"] = result.schedule.period
    if result.schedules:
        data["schedules"] = [
            {"node": labels[v], "schedule": s.to_json(labels)} for v, s in sorted(result.schedules.items())
        ]
    return data


def bound_to_json(bound: Bound) -> dict[str, Any]:
    """The bound as a JSON object, without its evidence."""
    return {"side": bound.side, "value": value_to_json(bound.value), "reason": bound.reason, "by": bound.by}


def _certificate_to_json(result: Result) -> dict[str, Any] | None:
    """Every lower bound with what proves it, but weaker ones without their long proofs; None when the claimed
    bound is not proven.

    Says for which problem, and of a bound that holds for one source only, for which.
    """
    if not result.certificate:
        return None
    kept = [
        b
        for b in result.bounds
        if b.evidence and (b in result.certificate or b.evidence["kind"] != "refutation")
    ]
    certificate: dict[str, Any] = {
        "problem_id": problem_id(result.problem),
        "lower": _proven_to_json([b for b in kept if b.side == "lower"], result.problem),
    }
    if result.existence:
        certificate["upper"] = _proven_to_json(result.existence, result.problem)
    if result.shorter_periods:
        certificate["shorter_periods"] = [
            {"period": period, "lower": _proven_to_json([b for b in bounds if b.evidence], result.problem)}
            for period, bounds in result.shorter_periods.items()
        ]
    return certificate


def _proven_to_json(bounds: Iterable[Bound], problem: Problem) -> list[dict[str, Any]]:
    """Bounds with their evidence."""
    labels = problem.network.labels
    return [
        {
            **bound_to_json(bound),
            "evidence": dict(bound.evidence or {}),
            **({} if bound.node is None else {"node": labels[bound.node]}),
        }
        for bound in bounds
    ]


def value_from_json(value: Any, name: str = "value") -> Value | None:
    """The whole number or the fraction that JSON data gives; None for null. name: what it is, for complaints.

    Raises InputError for anything else.
    """
    number = exact_number(value)
    if value is not None and number is None:
        raise InputError(f'"{name}" should be a whole number or a fraction as text, not {shown(value)}')
    return value if isinstance(value, int) else number


def result_from_json(
    data: Mapping[str, Any], problem: Problem, objective: Objective, read: Callable[[Any], AnySchedule]
) -> Result:
    """The result that `result_to_json` wrote, as it claims to be; nothing in it is verified.

    problem: the one in the data, read. objective: of its model. read: reads a schedule of its model on its
    network. Raises InputError where the data have another shape.
    """
    certificate = data.get("certificate")
    proven = _listed(certificate, "lower") if certificate is not None else []
    if certificate and "upper" in certificate:
        proven = [*proven, *_listed(certificate, "upper")]
    listed = [_bound_from_json(entry, problem) for entry in _listed(data, "bounds")]
    evidence = [_bound_from_json(entry, problem) for entry in proven]
    known = {(b.side, b.value, b.reason) for b in evidence}
    shorter = (
        _listed(certificate, "shorter_periods") if certificate and "shorter_periods" in certificate else []
    )
    status = data.get("status")
    if status not in list(Status):
        raise InputError(f'"status" should be one of {", ".join(Status)}, not {status!r:.60}')
    node = data.get("node")
    return Result(
        problem=problem,
        status=Status(status),
        objective=objective,
        value=value_from_json(data.get("value")),
        lower_bound=value_from_json(data.get("lower_bound"), "lower_bound"),
        bounds=(*(b for b in listed if (b.side, b.value, b.reason) not in known), *evidence),
        schedule=None if data.get("schedule") is None else read(data["schedule"]),
        runtime_seconds=duration(data.get("runtime_seconds")) or 0.0,
        node=None if node is None else problem.network.node(_label(node)),
        interrupted=data.get("stopped") == "interrupted",
        exhausted=data.get("stopped") == "nothing left to try",
        schedules={
            problem.network.node(_label(entry.get("node"))): read(entry.get("schedule"))
            for entry in (_listed(data, "schedules") if "schedules" in data else ())
        },
        shorter_periods={
            period: tuple(_bound_from_json(b, problem) for b in _listed(entry, "lower"))
            for entry in shorter
            if (period := whole_number(entry.get("period"))) is not None
        },
    )


def _listed(data: Any, name: str) -> list[Mapping[str, Any]]:
    entries = data.get(name) if isinstance(data, Mapping) else None
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise InputError(f'"{name}" should be a list of objects, not {entries!r:.60}')
    return entries


def _label(value: Any) -> Label:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise InputError(f"a node is named by its label, a number or a text; not {value!r:.60}")
    return value


def _bound_from_json(data: Mapping[str, Any], problem: Problem) -> Bound:
    side, value, evidence = data.get("side"), value_from_json(data.get("value")), data.get("evidence")
    if side not in ("lower", "upper") or value is None or not isinstance(evidence, Mapping | None):
        raise InputError(
            f'a bound is {{"side": "lower" or "upper", "value": ..., "reason": ...}}; not {data!r:.60}'
        )
    node = problem.network.node(_label(data["node"])) if "node" in data else None
    by = data.get("by", "search" if evidence and evidence.get("kind") == "refutation" else "theorem")
    if by not in get_args(Maker):
        raise InputError(f'"by" of a bound is one of {", ".join(get_args(Maker))}; not {by!r:.60}')
    return Bound(side, value, str(data.get("reason", "")), evidence, node, by)
