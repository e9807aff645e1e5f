"""What a result or schedule file says, read once.

Whoever judges or uses it is handed this, and never the file's data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from schedsolve.certify.report import NetworkForm
from schedsolve.certify.saved_files import SCHEDULE_FORMAT, label_of, placed, read_saved_problem, stop_of
from schedsolve.modelkit.form import TOTAL, ForeignError
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import (
    RESULT_FORMAT,
    Bound,
    Maker,
    Result,
    Status,
    Value,
    schedule_totals,
    value_from_json,
)
from schedsolve.modelkit.schedule import AnySchedule, Schedule
from schedsolve.models import current_evidence, model_of
from schedsolve.network.assumptions import KEY
from schedsolve.runtime.errors import ClaimError, InputError, shown
from schedsolve.runtime.files.number_reader import duration, whole_number
from schedsolve.runtime.limits.budget import spend

KEYS = {
    "schedule file": {"format", "problem", KEY, "schedule"},
    "result": {
        "format", "problem", KEY, "status", "objective", "value", "lower_bound", "bounds", "schedule",
        "certificate", "total_rounds", "runtime_seconds", "stopped", "limits", "value_by", "lower_bound_by",
    },
}  # fmt: skip
"""The keys that are examined always; "runtime_seconds", "stopped" and "limits" claim nothing."""
BOUND = {"side", "value", "reason", "by"}
FORMS = {
    "problem": {"model", "task", "network", "links", "parameters", "evidence"},
    "problem.evidence": {"schedule", "lower"},
    "problem.evidence.lower": BOUND | {"evidence"},
    "problem.links": {"directed", "nodes", "edges", "bandwidths", "switches"},
    "bounds": BOUND,
    "schedules": {"node", "schedule"},
    "certificate.lower": BOUND | {"evidence", "node"},
    "certificate.upper": BOUND | {"evidence"},
    "certificate.shorter_periods": {"period", "lower"},
    "certificate.shorter_periods.lower": BOUND | {"evidence", "node"},
}
"""The keys of objects within a result, by the path to them. Evidence has those that its kind reads, and no
other (`schedsolve.modelkit.fields`).
"""
Side = Literal["lower", "upper"]


@dataclass(frozen=True)
class Certificate:
    """What a result gives as proof.

    problem_id: of the problem that it was made for, as it stands. lower, upper: bounds with their evidence.
    shorter_periods: for every shorter period, the bounds that prove that it does not reach the value.
    """

    problem_id: Any
    lower: tuple[Bound, ...]
    upper: tuple[Bound, ...]
    shorter_periods: Mapping[int, tuple[Bound, ...]]


@dataclass(frozen=True)
class PremiseEvidence:
    """What a problem holds to prove that a parameter is an optimum: a schedule, and lower bounds."""

    schedule: Any
    lower: tuple[Bound, ...]


@dataclass(frozen=True)
class SavedSchedule:
    """What a schedule file says, or a result of its schedule.

    problem: the one asked. network: how the file gives its network. at: the problem that the schedule is for,
    with the source and the period that were open; `problem` without a schedule. schedule: it; None without
    one, and when it says what means nothing in its model, which is a fault.
    faults: what cannot hold, whatever the rest says, a line each. unexamined: the entries that are not read,
    in words. premise: the evidence of the problem's parameters, None without any.
    """

    problem: Problem
    network: NetworkForm
    at: Problem
    schedule: Any
    faults: tuple[str, ...]
    unexamined: tuple[str, ...]
    premise: PremiseEvidence | None


@dataclass(frozen=True)
class SavedResult(SavedSchedule):
    """What a result says.

    claimed: the result that the file claims to be. listed: the bounds under "bounds". schedules: those for
    all nodes, with their problems.
    """

    claimed: Result
    listed: tuple[Bound, ...]
    certificate: Certificate | None
    schedules: tuple[tuple[Problem, AnySchedule], ...]


def read_saved(data: Any) -> SavedResult | SavedSchedule:
    """Return what the JSON data of a file say; nothing in it is verified.

    Raises InputError where they have another shape than a result or a schedule file.
    """
    kind = data.get("format") if isinstance(data, Mapping) else None
    if kind not in (RESULT_FORMAT, SCHEDULE_FORMAT):
        known = f'"{RESULT_FORMAT}" or "{SCHEDULE_FORMAT}"'
        raise InputError(f'no schedsolve file: "format" should be {known}, not {shown(kind)}')
    _spend_rounds(data)
    reader = _Reader(data, read_saved_problem(data))
    return reader.result() if kind == RESULT_FORMAT else reader.schedule_file()


def read_saved_result(data: Any) -> SavedResult:
    """Return what the JSON data of a result say; nothing in it is verified.

    Raises InputError where they have another shape, or something in it cannot hold.
    """
    if not isinstance(data, Mapping) or data.get("format") != RESULT_FORMAT:
        raise InputError("no schedsolve result")
    saved = read_saved(data)
    assert isinstance(saved, SavedResult)
    for fault in saved.faults:
        raise InputError(fault)
    return saved


def read_result(data: Any) -> Result:
    """Return the result in the JSON data of a file, as it claims to be.

    Raises InputError as `read_saved_result`.
    """
    return read_saved_result(data).claimed


def _spend_rounds(data: Mapping[str, Any]) -> None:
    entries = data.get("schedules")
    schedules = [data.get("schedule"), *(entries if isinstance(entries, list) else [])]
    counted = 0
    for entry in schedules:
        schedule = entry.get("schedule", entry) if isinstance(entry, Mapping) else None
        if isinstance(schedule, Mapping) and isinstance(rounds := schedule.get("rounds"), list):
            counted += max(len(rounds), whole_number(schedule.get(TOTAL)) or 0)
    spend("rounds", counted)


def _objects(found: list[Any], path: Sequence[str]) -> list[Mapping[str, Any]]:
    """Return the objects at the end of a path of keys, each a single one or those of a list."""
    for name in path:
        held = [entry.get(name) for entry in found if isinstance(entry, Mapping)]
        found = [entry for part in held for entry in (part if isinstance(part, list) else [part])]
    return [entry for entry in found if isinstance(entry, Mapping)]


def _entries(data: Mapping[str, Any], name: str, form: str) -> list[Mapping[str, Any]]:
    """Return the list of objects under a name. Raises InputError, with the form of one, for anything else."""
    entries = data.get(name)
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise InputError(f'"{name}" should be a list of {form}')
    return entries


class _Reader:
    """A reader of a file. data, problem: its own."""

    def __init__(self, data: Mapping[str, Any], problem: Problem) -> None:
        self.data, self.problem, self.model = data, problem, model_of(problem)
        self.faults: list[str] = []
        self.least = problem.period == "min"
        self.holds = data.get("schedule") is not None
        """Whether there is a schedule, of whatever form."""

    def schedule_file(self) -> SavedSchedule:
        """Return what a schedule file says."""
        return self._saved(*self._schedule(), KEYS["schedule file"], set())

    def result(self) -> SavedResult:
        """Return what a result says."""
        data, problem = self.data, self.problem
        if data.get("objective") != self.model.objective.name:
            given = shown(data.get("objective"))
            self.faults.append(f"the objective of this model is {self.model.objective.name!r}, not {given}")
        value = value_from_json(data.get("value"))
        at, schedule = self._schedule() if self.holds else (problem, None)
        totals = self._compare_totals(at, schedule)
        form = '{"side": "lower" or "upper", "value": ..., "reason": ...}'
        bare = [{key: entry[key] for key in BOUND & {*entry}} for entry in _entries(data, "bounds", form)]
        if not all(entry.get("side") in get_args(Side) for entry in bare):
            raise InputError(f'"bounds" should be a list of {form}')
        listed = self._bounds("bounds", bare, get_args(Side))
        held = (
            {"upper"}
            if not self.holds
            else {"shorter_periods"}
            if self.least and value is not None
            else set()
        )
        certificate = self._certificate({"problem_id", "lower", *held})
        self._compare_origins()
        schedules = self._schedules()
        saved = self._saved(at, schedule, KEYS["result"] | totals, {"problem_id", "lower", *held})
        claimed = self._claimed(value, schedule, listed, certificate, schedules)
        return SavedResult(
            **vars(saved), claimed=claimed, listed=listed, certificate=certificate, schedules=schedules
        )

    def _compare_origins(self) -> None:
        """Note where an origin is none. A certificate that is named and not there leaves the bound unsure."""
        data, makers = self.data, get_args(Maker)
        bounded = data.get("lower_bound") is not None or data.get("status") == Status.INFEASIBLE
        for key, claimed, known in (
            ("value_by", data.get("value") is not None, makers),
            ("lower_bound_by", bounded, (*makers, "certificate")),
        ):
            if key in data and data[key] not in (known if claimed else (None,)):
                self.faults.append(f'"{key}" is {shown(data[key])}, which is no origin')

    def _saved(self, at: Problem, schedule: Any, known: set[str], certificate: set[str]) -> SavedSchedule:
        """Return what any file says.

        known, certificate: the keys of the file and of its certificate that are read, but for those that need
        a schedule of a problem that leaves open where it starts or ends.
        """
        if self.holds and self.problem.choice:
            known = known | {"node"} | ({"schedules"} if "status" in known else set())
        others = {shown(key) for key in self.data if key not in known}
        for path, keys in {**FORMS, "certificate": certificate}.items():
            for entry in _objects([self.data], path.split(".")):
                others |= {f"{shown(key)} in {path}" for key in entry if key not in keys}
        said, premise = self.data["problem"], self._premise()
        form: NetworkForm = "name" if isinstance(said["network"], str) else "node-link"
        faults, unexamined = tuple(self.faults), tuple(sorted(others))
        network = "links" if "links" in said else form
        return SavedSchedule(self.problem, network, at, schedule, faults, unexamined, premise)

    def _premise(self) -> PremiseEvidence | None:
        """Return the evidence of the problem's parameters; None without any."""
        given = self.problem.evidence
        if given is None:
            return None
        try:
            schedule = self.model.form.read(given.get("schedule"), self.problem.network)
        except InputError as error:
            self.faults.append(f"evidence of the problem: {error}")
            schedule = None
        return PremiseEvidence(schedule, self._evidenced("lower", given, "evidence of the problem: "))

    def _claimed(
        self,
        value: Value | None,
        schedule: Any,
        listed: Sequence[Bound],
        certificate: Certificate | None,
        schedules: Iterable[tuple[Problem, AnySchedule]],
    ) -> Result:
        """Return the result that the file claims to be."""
        data, problem = self.data, self.problem
        status, node = data.get("status"), data.get("node")
        if status not in list(Status):
            raise InputError(f'"status" should be one of {", ".join(Status)}, not {status!r:.60}')
        proven = () if certificate is None else (*certificate.lower, *certificate.upper)
        known = {(b.side, b.value, b.reason) for b in proven}
        return Result(
            problem=problem,
            status=Status(status),
            objective=self.model.objective,
            value=value,
            lower_bound=value_from_json(data.get("lower_bound"), "lower_bound"),
            bounds=(*(b for b in listed if (b.side, b.value, b.reason) not in known), *proven),
            indexed=schedule,
            runtime_seconds=duration(data.get("runtime_seconds")) or 0.0,
            node_index=None if node is None else problem.network.node(label_of(node)),
            **stop_of(data),
            indexed_schedules={problem.network.node(p.parameters[p.node_parameter]): s for p, s in schedules},
            shorter_periods={} if certificate is None else certificate.shorter_periods,
        )

    def _schedule(self) -> tuple[Problem, Any]:
        """Return what `SavedSchedule` calls at and schedule."""
        at = placed(self.problem, self.data)
        try:
            return at, self.model.form.read(self.data.get("schedule"), self.problem.network)
        except ForeignError as error:
            self.faults.append(f"schedule: {error}")
            return at, None

    def _schedules(self) -> tuple[tuple[Problem, AnySchedule], ...]:
        """Return the schedules for all nodes, with their problems."""
        if "schedules" in self.data and self.problem.choice != "max":
            self.faults.append('only a result for the worst node has "schedules" for all nodes')
        if not isinstance(self.data.get("schedules"), list) or self.problem.choice != "max":
            return ()
        return tuple(
            (placed(self.problem, entry), self.model.form.read(entry.get("schedule"), self.problem.network))
            for entry in _entries(self.data, "schedules", '{"node": ..., "schedule": ...}')
        )

    def _compare_totals(self, at: Problem, schedule: Any) -> set[str]:
        """Compare the numbers that a result gives of its schedule, its period and its rounds; their keys."""
        asked, whose = at.parameters.get("total_rounds"), "problem"
        if self.model.objective.states_rounds and isinstance(schedule, Schedule):
            asked, whose = len(schedule.rounds), "schedule"
        given = self.data.get("total_rounds", asked)
        if given != asked or type(given) is not type(asked):
            self.faults.append(f"the file gives {shown(given)} rounds in all, its {whose} {shown(asked)}")
        totals = schedule_totals(schedule)
        for name, count in totals.items():
            given = self.data.get(name)
            if whole_number(given) != count:
                self.faults.append(f"the file gives {shown(given)} {name}, but the schedule has {count}")
        period = self.data.get("period")
        if self.least and self.holds and whole_number(period) != at.period:
            self.faults.append(
                f"the file says that the least period is {shown(period)}, but its schedule has {at.period}"
            )
        if "period" in self.data and not self.least:
            self.faults.append('only a result for the least period has a "period" of its own')
        return {*totals, *(["period"] if self.holds else [])}

    def _certificate(self, keys: set[str]) -> Certificate | None:
        """Return the certificate; None for null. keys: those that are read."""
        said = self.data.get("certificate")
        if said is None:
            return None
        if not isinstance(said, Mapping):
            raise InputError('"certificate" should be null or {"problem_id": ..., "lower": [...]}')
        given = {"upper": [], "shorter_periods": [], **{key: said[key] for key in keys & {*said}}}
        periods: dict[int, tuple[Bound, ...]] = {}
        form = '{"period": ..., "lower": [...]}'
        for entry in _entries(given, "shorter_periods", form):
            period = whole_number(entry.get("period"), None)
            if period is None or period in periods:
                raise InputError(f'"shorter_periods" should be a list of {form}, one for a period')
            periods[period] = self._evidenced("lower", entry, f"period {period}: ")
        lower, upper = self._evidenced("lower", given), self._evidenced("upper", given)
        return Certificate(given.get("problem_id"), lower, upper, periods)

    def _evidenced(self, side: Side, data: Mapping[str, Any], name: str = "") -> tuple[Bound, ...]:
        """Return the bounds of a side with their evidence. name: what they are bounds for, for people."""
        entries = _entries(data, side, f'{{"side": "{side}", "value": ..., "evidence": ...}}')
        return self._bounds(f"{name}certificate", entries, (side,))

    def _bounds(
        self, where: str, entries: Sequence[Mapping[str, Any]], sides: Sequence[Side]
    ) -> tuple[Bound, ...]:
        """Return the bounds in objects, each of one of these sides; what is none is a fault.

        where: they stand, for people.
        """
        bounds = []
        for entry in entries:
            value = value_from_json(entry.get("value"))
            try:
                bounds.append(self._bound(entry, value, sides))
            except ClaimError as error:
                self.faults.append(f"{where}: {error}")
        return tuple(bounds)

    def _bound(self, data: Mapping[str, Any], value: Value | None, sides: Sequence[Side]) -> Bound:
        """Return the bound in an object. Raises ClaimError when it is none."""
        reason, evidence = str(data.get("reason", "")), data.get("evidence")
        side = next((side for side in sides if side == data.get("side")), None)
        if value is None:
            raise ClaimError(f"an entry has no value: {shown(data)}")
        if side is None:
            raise ClaimError(
                f'the "side" of a bound of {value} is {shown(data.get("side"))}, not {sides[0]!r}'
            )
        evidence = current_evidence(self.problem, evidence) if isinstance(evidence, Mapping) else None
        refuted = evidence is not None and evidence.get("kind") == "refutation"
        usual: Maker = "search" if refuted else "theorem"
        by = next((maker for maker in get_args(Maker) if maker == data.get("by", usual)), None)
        if by is None:
            makers = ", ".join(get_args(Maker))
            self.faults.append(f'"by" of a bound is one of {makers}; not {shown(data["by"])}')
        try:
            node = self.problem.network.node(label_of(data["node"])) if "node" in data else None
        except InputError as error:
            raise ClaimError(f"a bound of {value}: {error}") from None
        return Bound(side, value, reason, evidence, node, by or usual)
