"""Saved files as they are read: results, and schedules that users wrote."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

from schedsolve.modelkit.form import is_label
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import EXHAUSTED, RESULT_FORMAT
from schedsolve.modelkit.schedule import Schedule
from schedsolve.models import model_of, read_problem
from schedsolve.network.assumptions import KEY, assumptions_from_json
from schedsolve.network.graph import Label
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.number_reader import parse_json, whole_number
from schedsolve.runtime.limits.budget import limit_of, naming, spend, within

SCHEDULE_FORMAT = "schedsolve-schedule/1"


@within()
def read_schedule(path: str) -> tuple[Problem, Schedule]:
    """Return the schedule in a result or schedule file, and its problem.

    The schedule is legal but perhaps incomplete; the problem has its source and its period given.

    Raises InputError when the file is neither, or has no schedule, or an illegal one.
    """
    with naming(path):
        return schedule_of(read_file(path))


def schedule_of(data: Any) -> tuple[Problem, Schedule]:
    """Return what `read_schedule` reads, given as the JSON data of the file.

    Raises
    ------
    InputError
        Likewise.
    """
    problem, schedule = any_schedule_of(data)
    seen = model_of(problem).replay(problem, schedule)
    if seen.violation and not seen.legal:
        raise InputError(f"the schedule breaks a rule: {seen.violation}")
    return problem, schedule


def read_saved_problem(data: Mapping[str, Any]) -> Problem:
    """Return the problem of a file, given as its JSON data, with the assumptions about its network.

    Raises
    ------
    InputError
        If there is none, or the assumptions are malformed.
    """
    problem = read_problem(data.get("problem"))
    if KEY not in data:
        return problem
    every = (*problem.network.assumptions, *assumptions_from_json(data[KEY]))
    return replace(problem, network=replace(problem.network, assumptions=every))


def any_schedule_of(data: Any) -> tuple[Problem, Schedule]:
    """Return what `schedule_of` reads, legal or not."""
    if not isinstance(data, Mapping) or data.get("format") not in (RESULT_FORMAT, SCHEDULE_FORMAT):
        raise InputError("no schedsolve result or schedule file")
    if data.get("schedule") is None:
        raise InputError("it holds no schedule")
    problem = placed(read_saved_problem(data), data)
    return problem, model_of(problem).form.read(data["schedule"], problem.network)


@within()
def read_file(path: str) -> Any:
    """Return the JSON data of a file, compressed or not.

    Raises
    ------
    InputError
        If there is none, or when a key stands in an object twice.
    """
    content = read_bytes(path)
    spend("values", 1 + sum(map(content.count, (b",", b"[", b"{", b":"))))
    try:
        return parse_json(content.decode("utf-8-sig"), strict=True)
    except ValueError as error:
        raise InputError(f"no schedsolve file, as it is no JSON: {error}") from None


def read_bytes(path: str) -> bytes:
    """Return what stands in a file, unpacked when it is compressed.

    Raises
    ------
    InputError
        If it cannot be read.
    OverBudgetError
        If it is too long.
    """
    most = limit_of("bytes")
    try:
        with Path(path).open("rb") as file:
            content = file.read(-1 if most is None else most + 1)
        if content[:2] == b"\x1f\x8b":
            with gzip.GzipFile(fileobj=BytesIO(content)) as packed:
                content = packed.read(-1 if most is None else most + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"no schedsolve file, as it cannot be unpacked: {error}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    spend("bytes", len(content))
    return content


def placed(problem: Problem, data: Mapping[str, Any]) -> Problem:
    """Return the problem with its source and its period given.

    They come from the file's "node" and its schedule's "period" where they are left open.
    """
    if problem.period == "min":
        problem = problem.with_parameters(period=placed_period(problem, data))
    if not problem.choice:
        return problem
    node = data.get("node")
    if not is_label(node):
        raise InputError(
            f'the problem leaves its {problem.node_parameter} open; "node" should say for which node the'
            " schedule is"
        )
    return problem.at_node(problem.network.node(node))


def placed_period(problem: Problem, data: Mapping[str, Any]) -> int:
    """Return the period of the file's schedule, for a problem that asks for the least one."""
    schedule = data.get("schedule")
    period = schedule.get("period") if isinstance(schedule, Mapping) else None
    number = whole_number(period, 1)
    if number is None:
        raise InputError(
            'the problem asks for the least period; "period" in the schedule should say which it has'
        )
    return number


def label_of(value: Any) -> Label:
    """Return the label that JSON data give.

    Raises
    ------
    InputError
        For what is none.
    """
    if not is_label(value):
        raise InputError(f"a node is named by its label, a number or a text; not {value!r:.60}")
    return value


def stop_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return how a saved result says that its solve ended, as the fields of `Result`; it claims nothing."""
    stopped, limits = data.get("stopped"), data.get("limits")
    known = {str(k): str(v) for k, v in limits.items()} if isinstance(limits, dict) else {}
    ended = stopped not in (None, "interrupted", "time limit")
    unnamed = {"search": "not named"} if ended and stopped != EXHAUSTED else {}
    return {"interrupted": stopped == "interrupted", "ended": ended, "limits": known or unnamed}
