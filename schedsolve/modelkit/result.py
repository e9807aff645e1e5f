"""Bounds and results: what is known of a problem, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, Literal, get_args

from schedsolve.modelkit.problem import Problem, ScheduleType_co, problem_id, problem_to_json
from schedsolve.modelkit.schedule import LabeledSchedules
from schedsolve.network.assumptions import assumptions_to_json
from schedsolve.runtime.display.presentation import problem_text, result_html, result_svg, result_text
from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.files.number_reader import exact_number

RESULT_FORMAT = "schedsolve-result/1"
EXHAUSTED, OWN_LIMITS = "search exhausted", "limits of methods"
"""How a solve ended by itself: every method, or not all but for limits of their own."""

Value = int | Fraction


@dataclass(frozen=True)
class Objective:
    """The quantity that a model's schedules minimize.

    `name` is used in files, and before a value without a unit; `unit` follows a value of 1, and `units` any
    other value. `states_rounds`: whether a result states how many rounds its schedule has, as "total_rounds".
    `one`: what a value of 1 is, for charts and the titles of pictures.
    """

    name: str
    unit: str = ""
    units: str = ""
    states_rounds: bool = False
    one: str = ""

    @property
    def axis(self) -> str:
        """Its name for an axis, with what a value of 1 is."""
        return f"{self.name} (1: {self.one})" if self.one else self.name

    def quantity(self, value: Value | None) -> str:
        """Return a value in words.

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
        """Return the statement that a value suffices, or that it does not."""
        plural = self.units and value != 1
        verb = (
            ("do not suffice" if plural else "does not suffice")
            if negated
            else ("suffice" if plural else "suffices")
        )
        return f"{self.quantity(value)} {verb}"


LEAST_ROUNDS = Objective("rounds", "round", "rounds")
LEAST_COST = Objective("cost", one="the whole message in one call")
LEAST_TIME = Objective("time", one="a unit of data over a link of bandwidth 1")

Maker = Literal["theorem", "relaxation", "search", "construction", "store"]
"""The origin of a bound: a formula or rule that anyone can evaluate, a solved relaxation such as a linear
program, a search, an algorithm that builds a schedule, or a search in part from a store, not recomputed.
"""


class Status(StrEnum):
    """The outcome of a solve."""

    OPTIMAL = "optimal"
    """The schedule's value equals a proven lower bound."""
    BOUNDED = "bounded"
    """Stopped at a limit, with a lower bound and perhaps a schedule of a greater value."""
    FEASIBLE = "feasible"
    """The given number of rounds suffices, as a schedule shows."""
    INFEASIBLE = "infeasible"
    """The given number of rounds provably does not suffice, or no number of rounds does."""
    UNKNOWN = "unknown"
    """Stopped at a limit before the given number of rounds was decided."""


@dataclass(frozen=True)
class Bound:
    """A proven bound on the optimum.

    Attributes
    ----------
    side
        "lower" or "upper".
    value
        An integer or an exact fraction.
    reason
        One line for people that names the theorem, the search or the construction.
    evidence
        What a checker needs to verify a lower bound, as JSON data; None if only the search vouches for it.
    by
        The origin of the bound.
    node
        If the worst source or root is sought: the only one for which a lower bound holds, if it is so.
    """

    side: Literal["lower", "upper"]
    value: Value
    reason: str
    evidence: Mapping[str, Any] | None = None
    node: int | None = None
    by: Maker = "theorem"

    def __repr__(self) -> str:
        return f"<Bound {self}>"

    def __str__(self) -> str:
        return f"{self.side} bound {value_to_json(self.value)}: {self.reason}"


@dataclass(frozen=True)
class Result(Generic[ScheduleType_co]):
    """The result of solving a problem.

    Attributes
    ----------
    value
        The value of the best schedule; None without one.
    lower_bound
        The best proven lower bound; None if infeasible.
    indexed
        The best schedule on the nodes 0..n-1, replayed by the referee; `schedule` is on the users' nodes.
    node_index
        If the best or the worst source or root is sought, the number of the node that the schedule is for.
    indexed_schedules
        For `max`, a schedule for every node, which together show that no node needs more than `value`.
    shorter_periods
        For `--period min`, the bounds that prove for every shorter period that it does not reach `value`.
    horizon
        A number of rounds that suffices whenever any number does; None if some schedule always exists.
    interrupted
        Whether Ctrl-C ended the solve.
    ended
        Whether the solve ended before a limit of the user's.
    limits
        If the bounds do not meet, what was not tried or stopped at a limit of its own, and why.
    forbidden
        The calls that the schedule had to do without: rounds, and numbers of senders and receivers.
    """

    problem: Problem[ScheduleType_co]
    status: Status
    objective: Objective
    value: Value | None
    lower_bound: Value | None
    bounds: tuple[Bound, ...]
    indexed: Any
    runtime_seconds: float
    node_index: int | None = None
    indexed_schedules: Mapping[int, Any] = field(default_factory=dict)
    shorter_periods: Mapping[int, tuple[Bound, ...]] = field(default_factory=dict)
    horizon: int | None = None
    interrupted: bool = False
    ended: bool = False
    limits: Mapping[str, str] = field(default_factory=dict)
    forbidden: frozenset[tuple[int, int, int]] = frozenset()

    def __repr__(self) -> str:
        said = f", {len(self.forbidden)} calls forbidden" if self.forbidden else ""
        said += "" if self.value is None else f", {self.objective.quantity(self.value)}"
        if self.value != self.lower_bound and self.lower_bound is not None:
            said += f", at least {value_to_json(self.lower_bound)}"
        return f"<Result {problem_text(self.problem)}: {self.status.value}{said}>"

    def __str__(self) -> str:
        """Return what the command line prints."""
        return result_text(self)

    def _repr_html_(self) -> str:
        """Return the page that plays the schedule, for a notebook."""
        return result_html(self)

    def _repr_svg_(self) -> str | None:
        """Return the picture of the schedule."""
        return result_svg(self)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that `solve --json` prints and `check` reads."""
        return result_to_json(self)

    @cached_property
    def schedule(self) -> ScheduleType_co | Any:
        """The best schedule, whose calls name the users' nodes; None without one.

        For type checkers also anything, so that a script need not ask for None first.
        """
        return None if self.indexed is None else self.indexed.labeled(self.problem.network.nodes)

    @property
    def node(self) -> Any:
        """The node that the schedule is for, if the best or the worst source or root is sought; else None."""
        return None if self.node_index is None else self.problem.network.nodes[self.node_index]

    @property
    def schedules(self) -> Mapping[Any, ScheduleType_co]:
        """For the worst source or root, the schedules for every node, by node."""
        return LabeledSchedules(self.indexed_schedules, self.problem.network)

    @property
    def placed(self) -> Problem[ScheduleType_co]:
        """The problem that the schedule is for, with the source or root, and the period, filled in."""
        problem = self.problem if self.node_index is None else self.problem.at_node(self.node_index)
        if problem.period == "min" and self.indexed is not None:
            return problem.with_parameters(period=self.indexed.period)
        return problem

    @property
    def decided(self) -> bool:
        """Whether the question has its answer, be it that the given number of rounds or none suffices."""
        return self.status not in (Status.BOUNDED, Status.UNKNOWN)

    @property
    def stopped(self) -> str | None:
        """Why it ended undecided: "interrupted", "time limit", `OWN_LIMITS` or `EXHAUSTED`; else None."""
        by_user = "interrupted" if self.interrupted else None if self.ended else "time limit"
        return None if self.decided else by_user or (OWN_LIMITS if self.limits else EXHAUSTED)

    def _is_proven_by(self, value: Value) -> bool:
        """Return whether a lower bound proves the claim of the result.

        The claim is its lower bound or, if it is infeasible, more than the given value or the horizon.
        """
        limits = [most for most in (self.problem.asked, self.horizon) if most is not None]
        if self.status is Status.INFEASIBLE and limits:
            return value > min(limits)
        return self.lower_bound is not None and value >= self.lower_bound

    @property
    def existence(self) -> tuple[Bound, ...]:
        """The upper bounds that prove, without a schedule, that one of the value exists."""
        if self.indexed is not None:
            return ()
        return tuple(b for b in self.bounds if b.side == "upper" and b.value == self.value and b.evidence)

    @property
    def certificate(self) -> tuple[Bound, ...]:
        """The bounds that prove the claimed lower bound to a checker; empty if none does."""
        lower = [b for b in self.bounds if b.side == "lower" and b.evidence is not None]
        return tuple(b for b in lower if self._is_proven_by(b.value))

    @property
    def lower_bound_by(self) -> str | None:
        """What proves the lower bound: "certificate", or the origin that vouches for it; None without one."""
        if self.lower_bound is None and self.status is not Status.INFEASIBLE:
            return None
        known = get_args(Maker).index
        # Every shorter period is refuted; of these the weakest counts, of bounds on one value the strongest.
        shorter = (b for bounds in self.shorter_periods.values() for b in bounds)
        weakest = [b.by for b in shorter if not b.evidence or b.by == "store"]
        proving = [b.by for b in self.bounds if b.side == "lower" and self._is_proven_by(b.value)]
        proven = any(b.by != "store" for b in self.certificate)
        held = "certificate" if proven else min(proving, key=known, default="theorem")
        return max(weakest, key=known, default=held) if self.certificate else max([*weakest, held], key=known)

    @property
    def value_by(self) -> Maker | None:
        """What found the schedule of the value, or proves that there is one; None without a value."""
        found = (b.by for b in self.bounds if b.side == "upper" and b.value == self.value)
        return None if self.value is None else next(found, "search")


def value_to_json(value: Value | None) -> int | str | None:
    """Return an integer as it is, and an exact fraction as text ("19/25")."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    return value


def schedule_totals(schedule: Any) -> Mapping[str, int]:
    """Return the further numbers of a schedule that a result states, which are the schedule's `totals`."""
    return getattr(schedule, "totals", {})


def result_to_json(result: Result, *, links: bool = True) -> dict[str, Any]:
    """Return the result as the JSON object that `solve --json` prints and `check` reads.

    With `links`, the object has the links beside the network's name (see `problem_to_json`).

    Raises
    ------
    InputError
        If calls were forbidden: the object would claim a value of the problem in which they are allowed.
    """
    if result.forbidden:
        raise InputError("a result with forbidden calls is not written: no checker knows of them")
    labels = result.problem.network.labels
    data: dict[str, Any] = {
        "format": RESULT_FORMAT,
        "problem": problem_to_json(result.problem, links=links),
        **assumptions_to_json(result.problem.network.assumptions),
        "status": result.status.value,
        "objective": result.objective.name,
        "value": value_to_json(result.value),
        "lower_bound": value_to_json(result.lower_bound),
        "value_by": result.value_by,
        "lower_bound_by": result.lower_bound_by,
        "bounds": [bound_to_json(bound) for bound in result.bounds],
        "schedule": None if result.indexed is None else result.indexed.to_json(labels),
        "certificate": _certificate_to_json(result),
        "runtime_seconds": round(result.runtime_seconds, 3),
    }
    if result.stopped:
        data["stopped"] = result.stopped
    if result.stopped == OWN_LIMITS:
        data["limits"] = dict(result.limits)
    data.update(schedule_totals(result.indexed))
    if "total_rounds" in result.problem.parameters:
        data["total_rounds"] = result.problem.parameters["total_rounds"]
    elif result.objective.states_rounds and result.indexed is not None:
        data["total_rounds"] = len(result.indexed.rounds)
    if result.node_index is not None:
        data["node"] = labels[result.node_index]
    if result.problem.period == "min" and result.indexed is not None:
        data["period"] = result.indexed.period
    if result.indexed_schedules:
        data["schedules"] = [
            {"node": labels[v], "schedule": s.to_json(labels)}
            for v, s in sorted(result.indexed_schedules.items())
        ]
    return data


def bound_to_json(bound: Bound) -> dict[str, Any]:
    """Return the bound as a JSON object, without its evidence."""
    return {"side": bound.side, "value": value_to_json(bound.value), "reason": bound.reason, "by": bound.by}


def _certificate_to_json(result: Result) -> dict[str, Any] | None:
    """Return every lower bound with its evidence, or None if the claimed bound is not proven.

    Long proofs of weaker bounds are left out. The object states for which problem it is, and for a bound that
    holds for one source only, for which source.
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
    """Return bounds with their evidence as JSON objects."""
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
    """Return the integer or the fraction in JSON data, or None for null; `name` is for error messages.

    Raises InputError if the data are anything else.
    """
    number = exact_number(value)
    if value is not None and number is None:
        raise InputError(f'"{name}" should be a whole number or a fraction as text, not {shown(value)}')
    return value if isinstance(value, int) else number
