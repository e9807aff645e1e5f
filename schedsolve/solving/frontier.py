"""A frontier: the results for a range of one parameter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from schedsolve.modelkit.result import Result, Status, Value, schedule_totals, value_to_json
from schedsolve.modelkit.search import Asked, Options, asked_options
from schedsolve.models import build_problem
from schedsolve.network.assumptions import assumptions_to_json
from schedsolve.network.graph import Network, NetworkLike
from schedsolve.runtime.display.presentation import frontier_svg
from schedsolve.runtime.display.tabular import Tabular
from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.files.number_reader import plain_integer
from schedsolve.solving.solve import solve

FRONTIER_FORMAT = "schedsolve-frontier/1"
MOST_ROWS = 1000


@dataclass(frozen=True)
class FrontierRow:
    """The result for one value of the parameter."""

    parameter: str
    at: int
    result: Result

    def __repr__(self) -> str:
        return f"<FrontierRow {self.parameter} {self.at}: {self.result!r}>"

    @property
    def open(self) -> bool:
        """Whether the row is not settled."""
        return not self.result.decided


class Frontier(Tabular, list[FrontierRow]):
    """The rows of a frontier, in the order of the parameter; a notebook displays them as a table."""

    def __repr__(self) -> str:
        if not self:
            return "<Frontier: no rows>"
        problem = self[0].result.problem
        return (
            f"<Frontier {problem.model} {problem.task} {problem.network.name}: {self[0].parameter}"
            f" {self[0].at} to {self[-1].at}, {sum(row.open for row in self)} of {len(self)} open>"
        )

    def records(self) -> list[dict[str, Any]]:
        """Return the rows with the exact values: the parameter, the status and both bounds."""
        return [
            row_to_json(row) | {"value": row.result.value, "lower_bound": _best_lower(row.result)}
            for row in self
        ]

    def to_json(self) -> dict[str, Any]:
        """Return the frontier as the JSON object that the command line prints."""
        return frontier_to_json(self)

    def _repr_svg_(self) -> str | None:
        return frontier_svg(self)


def range_of(text: str) -> range:
    """Return the whole numbers of "2..7", both ends included.

    Raises
    ------
    InputError
        For anything else.
    """
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
    network: NetworkLike,
    parameter: str,
    values: Iterable[int],
    fixed: Mapping[str, Any] | None = None,
    options: Options | None = None,
    *,
    ignore_bandwidths: bool = False,
    **keywords: Unpack[Asked],
) -> Frontier:
    """Return the results of a problem for every value of one parameter, in the order of the values.

    A KeyboardInterrupt (Ctrl-C) ends the frontier with the rows so far, the last of them perhaps open.

    ```pycon
    >>> from schedsolve import Network, NetworkLike
    >>> rows = frontier("telegraph", "gossip", Network.from_spec("path:7"), "period", range(4, 8))
    >>> [row.result.value for row in rows]
    [12, 10, 10, 8]

    ```

    Parameters
    ----------
    model, task
        Their names.
    network
        Or what `Network.of` takes.
    parameter
        Its name, such as "period".
    values
        A row for each.
    fixed
        The other parameters.
    options
        How to solve each row.
    ignore_bandwidths
        Whether a model without bandwidths solves it on the plain graph.
    keywords
        Fields of `Options`, in place of those in `options`.

    Raises
    ------
    InputError
        As `build_problem` and `solve` do; before anything is solved where all problems can be refused at
        once.
    """
    network = Network.of(network)
    values = _several(values)
    problems = [
        build_problem(
            model, task, network, {**(fixed or {}), parameter: value}, ignore_bandwidths=ignore_bandwidths
        )
        for value in values
    ]
    asked = asked_options(options, keywords).watched()
    return Frontier(_rows(parameter, list(zip(values, problems, strict=True)), asked))


def _several(values: Iterable[int]) -> list[int]:
    """Return the values of the parameter as a list.

    Raises
    ------
    InputError
        If it is one value in place of several.
    """
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"a frontier takes several values, such as range(2, 8); not {shown(values)}")
    return [plain_integer(value) for value in values]


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
    return lambda progress: options.report(replace(progress, activity=f"{row}: {progress.activity}"))


def frontier_to_json(rows: Sequence[FrontierRow]) -> dict[str, Any]:
    """Return the rows, at least one, as a JSON object.

    The task and its network, and for each row the parameter, the status, and both sides.
    """
    problem = rows[0].result.problem
    return {
        "format": FRONTIER_FORMAT,
        "model": problem.model,
        "task": problem.task,
        "network": problem.network.name,
        **assumptions_to_json(problem.network.assumptions),
        "parameter": rows[0].parameter,
        "rows": [row_to_json(row) for row in rows],
    }


def row_to_json(row: FrontierRow) -> dict[str, Any]:
    """Return a row as a JSON object, with the totals of its schedule where it has such.

    Of an infeasible one, the lower bound is the best that is proven.
    """
    result = row.result
    return {
        **schedule_totals(result.indexed),
        row.parameter: row.at,
        "status": result.status.value,
        "value": value_to_json(result.value),
        "lower_bound": value_to_json(_best_lower(result)),
        "certified": bool(result.certificate),
        "runtime_seconds": round(result.runtime_seconds, 3),
    }


def _best_lower(result: Result) -> Value | None:
    """Return the lower bound of a result; of an infeasible one the best that is proven."""
    if result.status is not Status.INFEASIBLE:
        return result.lower_bound
    return max((b.value for b in result.bounds if b.side == "lower"), default=None)
