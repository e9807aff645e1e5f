"""Frontiers as files: their rows as points of a curve, and what the points cost by latency and bandwidth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from schedsolve.certify.saved_files import read_file, read_schedule
from schedsolve.modelkit.result import Status, Value, schedule_totals, value_from_json
from schedsolve.models import model_of
from schedsolve.network.assumptions import KEY, Assumption, assumptions_from_json
from schedsolve.runtime.errors import InputError
from schedsolve.solving.frontier import FRONTIER_FORMAT, FrontierRow, frontier_to_json

COUNTS = ("chunks", "steps", "rounds")


@dataclass(frozen=True)
class FrontierPoint:
    """A row of a frontier, or a schedule of its own.

    Attributes
    ----------
    at
        The parameter.
    value, lower
        Both sides, None where there is none.
    totals
        The chunks, steps and rounds of the schedule, as far as it has such; where the value is the cost of so
        many rounds in all, a round is a step.
    infeasible
        Whether there is no schedule, and `lower` is where the search for one ended.
    """

    at: int
    value: Value | None
    lower: Value | None
    totals: Mapping[str, int]
    infeasible: bool = False

    def cost(self, alpha: Fraction, beta: Fraction, size: Fraction) -> Fraction | None:
        """Return steps alpha + value size beta.

        The time for a message of a size at a latency of alpha a step and beta for every unit of the message
        and round a chunk; None without a value or steps.
        """
        if self.value is None or "steps" not in self.totals:
            return None
        return self.totals["steps"] * alpha + self.value * size * beta

    @property
    def counts(self) -> str:
        """Such as "(6, 3, 7)", the chunks, steps and rounds; empty when the schedule has none."""
        return counts_text(self.totals)


@dataclass(frozen=True)
class Curve:
    """What a file contributes to a picture of frontiers.

    Attributes
    ----------
    model, task, network
        Of the problem.
    parameter
        What the points are for.
    points
        In the order of the file.
    limit
        A value that needs no steps, which schedules of many steps tend to; None when there is none.
    assumptions
        Of the network.
    """

    model: str
    task: str
    network: str
    parameter: str
    points: tuple[FrontierPoint, ...]
    limit: Value | None = None
    assumptions: tuple[Assumption, ...] = ()

    def best(self, alpha: Fraction, beta: Fraction, size: Fraction) -> FrontierPoint | None:
        """Return the point of the least cost, the first of several; None when no point has a cost."""
        priced = [(cost, p) for p in self.points if (cost := p.cost(alpha, beta, size)) is not None]
        return min(priced, key=lambda pair: pair[0])[1] if priced else None


def counts_text(totals: Mapping[str, int]) -> str:
    """Such as "(6, 3, 7)", of chunks, steps and rounds; empty where one of them is missing."""
    known = all(name in totals for name in COUNTS)
    return f"({', '.join(str(totals[name]) for name in COUNTS)})" if known else ""


def is_frontier(data: Any) -> bool:
    """Whether the JSON data of a file are those of a frontier."""
    return isinstance(data, Mapping) and data.get("format") == FRONTIER_FORMAT


def read_curve(path: str) -> Curve:
    """Return the curve in a frontier file, or the point or the limit in a file of a result or a schedule.

    Raises
    ------
    InputError
        For anything else.
    """
    try:
        data = read_file(path)
        if not is_frontier(data):
            return _single(path)
        return _frontier(data)
    except InputError as error:
        raise error if str(error).startswith(path) else InputError(f"{path}: {error}") from None


def curve_of(rows: Sequence[FrontierRow]) -> Curve:
    """Return the curve of a frontier's rows, at least one."""
    return _frontier(frontier_to_json(rows))


def _frontier(data: Mapping[str, Any]) -> Curve:
    names = [data.get(key) for key in ("model", "task", "network", "parameter")]
    rows = data.get("rows")
    if not all(isinstance(name, str) for name in names) or not isinstance(rows, list) or not rows:
        raise InputError('a frontier to be drawn has "model", "task", "network", "parameter" and "rows"')
    model, task, network, parameter = map(str, names)
    points = tuple(_point(row, parameter) for row in rows)
    read = assumptions_from_json(data[KEY]) if KEY in data else ()
    return Curve(model, task, network, parameter, points, assumptions=read)


def _point(row: Any, parameter: str) -> FrontierPoint:
    if not isinstance(row, Mapping) or type(row.get(parameter)) is not int:
        raise InputError(f'a row of the frontier has a number "{parameter}", not {row!r:.60}')
    totals = {name: row[name] for name in COUNTS if type(row.get(name)) is int and row[name] > 0}
    if parameter == "total_rounds":
        totals = {"steps": row[parameter]}
    lower = value_from_json(row.get("lower_bound"), "lower_bound")
    infeasible = row.get("status") == Status.INFEASIBLE
    return FrontierPoint(row[parameter], value_from_json(row.get("value")), lower, totals, infeasible)


def _single(path: str) -> Curve:
    """Return the point, or the limit, of one schedule, by its replay."""
    problem, schedule = read_schedule(path)
    model = model_of(problem)
    value, totals = model.replay(problem, schedule).value, schedule_totals(schedule)
    names, read = (problem.model, problem.task, problem.network.name), problem.network.assumptions
    if "steps" not in totals:
        return Curve(*names, "", (), value, read)
    counted = {**problem.parameters, **totals}
    totals = {name: counted[name] for name in COUNTS if name in counted}
    return Curve(*names, "steps", (FrontierPoint(totals["steps"], value, None, totals),), None, read)


def refuse_unlike(curves: Sequence[Curve], priced: bool) -> None:
    """Raise InputError unless all curves can stand in one chart.

    They are for the same task on the same network, or, without prices, for the same parameter of the same
    task on several networks.
    """
    first = curves[0]
    asked = {(c.model, c.task, c.parameter) for c in curves}
    if not priced and len(asked) == 1:
        return
    for other in curves[1:]:
        if (other.task, other.network) != (first.task, first.network):
            raise InputError(
                f"one picture is for one task and network: {first.task} on {first.network}, not also"
                f" {other.task} on {other.network}"
            )
