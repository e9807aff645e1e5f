"""A frontier: the results for a range of one parameter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from schedsolve.errors import InputError
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.network.graph import Network
from schedsolve.result import Result, Status, schedule_totals, value_to_json
from schedsolve.solving.solve import solve

FRONTIER_FORMAT = "schedsolve-frontier/1"
MOST_ROWS = 1000


@dataclass(frozen=True)
class FrontierRow:
    """The result for one value of the parameter."""

    parameter: str
    at: int
    result: Result

    @property
    def open(self) -> bool:
        """Whether the row is not settled."""
        return self.result.status in (Status.BOUNDED, Status.UNKNOWN)


def range_of(text: str) -> range:
    """The whole numbers of "2..7", both ends included. Raises InputError for anything else."""
    match = re.fullmatch(r"([0-9]{1,6})\.\.([0-9]{1,6})", text)
    first, last = (int(match[1]), int(match[2])) if match else (1, 0)
    if not first <= last < first + MOST_ROWS:
        raise InputError(
            f"a range is A..B with A <= B and at most {MOST_ROWS} values, such as 2..7; not {text!r:.60}"
        )
    return range(first, last + 1)


def frontier(
    model: str,
    task: str,
    network: Network,
    parameter: str,
    values: Sequence[int],
    fixed: Mapping[str, Any] | None = None,
    options: Options | None = None,
    *,
    ignore_bandwidths: bool = False,
) -> list[FrontierRow]:
    """The results of a problem for every value of one parameter, in the order of the values.

    parameter: its name, such as "period". fixed: the other parameters. options: hold for each row; a
    KeyboardInterrupt (Ctrl-C) ends the frontier with the rows so far, the last of them perhaps open.
    Raises InputError as `build_problem` and `solve` do; before anything is solved where all problems can be
    refused at once.

    ```pycon
    >>> from schedsolve import Network
    >>> rows = frontier("telegraph", "gossip", Network.from_spec("path:7"), "period", range(4, 8))
    >>> [row.result.value for row in rows]
    [12, 10, 10, 8]

    ```
    """
    problems = [
        build_problem(
            model, task, network, {**(fixed or {}), parameter: value}, ignore_bandwidths=ignore_bandwidths
        )
        for value in values
    ]
    return list(_rows(parameter, list(zip(values, problems, strict=True)), options or Options()))


def _rows(parameter: str, asked: list[tuple[int, Any]], options: Options) -> Iterator[FrontierRow]:
    for number, (value, problem) in enumerate(asked, 1):
        result = solve(
            problem,
            replace(options, progress=_named(options, f"{parameter} {value}, {number} of {len(asked)}")),
        )
        yield FrontierRow(parameter, value, result)
        if result.interrupted:
            return


def _named(options: Options, row: str) -> Callable[[Any], None]:
    return lambda progress: options.progress(replace(progress, activity=f"{row}: {progress.activity}"))


def frontier_to_json(rows: Sequence[FrontierRow]) -> dict[str, Any]:
    """The rows, at least one, as a JSON object: the task and its network, and for each row the parameter, the
    status, and both sides.
    """
    problem = rows[0].result.problem
    return {
        "format": FRONTIER_FORMAT,
        "model": problem.model,
        "task": problem.task,
        "network": problem.network.name,
        "parameter": rows[0].parameter,
        "rows": [row_to_json(row) for row in rows],
    }


def row_to_json(row: FrontierRow) -> dict[str, Any]:
    """A row as a JSON object, with the totals of its schedule where it has such; of an infeasible one, the
    lower bound is the best that is proven.
    """
    result = row.result
    lower = max((b.value for b in result.bounds if b.side == "lower"), default=None)
    return {
        **schedule_totals(result.schedule),
        row.parameter: row.at,
        "status": result.status.value,
        "value": value_to_json(result.value),
        "lower_bound": value_to_json(lower if result.status is Status.INFEASIBLE else result.lower_bound),
        "certified": bool(result.certificate),
        "runtime_seconds": round(result.runtime_seconds, 3),
    }
