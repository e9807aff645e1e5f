"""Bounds and results: what is known of a problem, and how."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Literal

from schedsolve.problem import Problem, problem_id, problem_to_json
from schedsolve.schedule import Schedule, schedule_to_json

RESULT_FORMAT = "schedsolve-result/1"

Value = int | Fraction


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
    reason: one line that names the theorem, the search or the construction.
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
    any limit.
    """

    problem: Problem
    status: Status
    objective: Literal["rounds", "cost", "time"]
    value: Value | None
    lower_bound: Value | None
    bounds: tuple[Bound, ...]
    schedule: Schedule | None
    runtime_seconds: float
    node: int | None = None
    schedules: Mapping[int, Schedule] = field(default_factory=dict)
    shorter_periods: Mapping[int, tuple[Bound, ...]] = field(default_factory=dict)
    horizon: int | None = None
    interrupted: bool = False
    exhausted: bool = False

    @property
    def needed_bound(self) -> Value | None:
        """The lower bound that the result claims: the one given, or, when infeasible, one more than the
        rounds asked for or the horizon.
        """
        limits = [rounds for rounds in (self.problem.rounds, self.horizon) if rounds is not None]
        return min(limits) + 1 if self.status is Status.INFEASIBLE and limits else self.lower_bound

    @property
    def certificate(self) -> tuple[Bound, ...]:
        """The bounds that prove the claimed lower bound to a checker; empty when none does."""
        needed = self.needed_bound
        if needed is None:
            return ()
        return tuple(
            b for b in self.bounds if b.side == "lower" and b.value >= needed and b.evidence is not None
        )


def value_to_json(value: Value | None) -> int | str | None:
    """An integer as it is, an exact fraction as text ("19/25")."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    return value


def quantity(value: Value | None, objective: str) -> str:
    """A value with its unit.

    ```pycon
    >>> quantity(1, "rounds"), quantity(10, "rounds")
    ('1 round', '10 rounds')
    >>> quantity(Fraction(19, 25), "cost"), quantity(12, "time")
    ('cost 19/25', 'time 12')

    ```
    """
    if objective == "rounds":
        return f"{value} round{'' if value == 1 else 's'}"
    return f"{objective} {value_to_json(value)}"


def result_to_json(result: Result) -> dict[str, Any]:
    """The result as the JSON object that `solve --json` prints and `check` reads."""
    labels = result.problem.network.labels
    data: dict[str, Any] = {
        "format": RESULT_FORMAT,
        "problem": problem_to_json(result.problem),
        "status": result.status.value,
        "objective": result.objective,
        "value": value_to_json(result.value),
        "lower_bound": value_to_json(result.lower_bound),
        "bounds": [bound_to_json(bound) for bound in result.bounds],
        "schedule": schedule_to_json(result.schedule, labels) if result.schedule else None,
        "certificate": _certificate_to_json(result),
        "runtime_seconds": round(result.runtime_seconds, 3),
    }
    if result.node is not None:
        data["node"] = labels[result.node]
    if result.problem.period == "min" and result.schedule is not None:
        data["period"] = result.schedule.period
    if result.schedules:
        data["schedules"] = [
            {"node": labels[v], "schedule": schedule_to_json(s, labels)}
            for v, s in sorted(result.schedules.items())
        ]
    return data


def bound_to_json(bound: Bound) -> dict[str, Any]:
    """The bound as a JSON object, without its evidence."""
    return {"side": bound.side, "value": value_to_json(bound.value), "reason": bound.reason}


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
        "lower": _proven_to_json(kept, result.problem),
    }
    if result.shorter_periods:
        certificate["shorter_periods"] = [
            {"period": period, "lower": _proven_to_json(bounds, result.problem)}
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
        if bound.side == "lower" and bound.evidence
    ]
