"""The results in a store as a table: one row per problem, with invariants of its network."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from schedsolve.certify.check import check_data
from schedsolve.experiments.sweeps.expressions import compiled
from schedsolve.experiments.sweeps.table_file import Source
from schedsolve.modelkit.problem import problem_id
from schedsolve.modelkit.result import value_from_json
from schedsolve.models import read_problem
from schedsolve.network.assumptions import KEY
from schedsolve.network.classes.invariants import INVARIANTS, TRUTHS, invariants
from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.executors.jobs import Executor
from schedsolve.runtime.files.number_reader import parse_json
from schedsolve.solving.store import Store, parameters_text, record_of
from schedsolve.solving.tables import Table

COLUMNS: Mapping[str, str] = {
    "network": "the network's name, a family's text where it is one",
    **INVARIANTS,
    "model": "the model",
    "task": "the task",
    "parameters": "the parameters, as source=0 period=4",
    "status": "optimal, bounded, feasible, infeasible or unknown",
    "objective": "what the value counts",
    "value": "the value of the best schedule",
    "lower_bound": "the best proven lower bound",
    "node": "for the best or worst source or root, which one it is",
    "period": "after how many rounds the schedule repeats; where period=min asks, the least that will do",
    "certified": "whether the store keeps what proves the lower bound",
    KEY: "how many assumptions the network rests on as its file was read; empty for none",
    "seconds": "how long the solve took",
    "time_limit": "the seconds it could have taken; empty for no limit",
    "backend": "the backend asked for",
    "seed": "the seed of the heuristics",
    "problem_id": "the problem's id",
    "network_id": "the number that the store has given the network",
}
"""The columns, each with its meaning in one line."""
USUAL_COLUMNS = (
    "network", "n", "m", "diameter", "max_degree", "model", "task", "parameters", "status", "value",
    "lower_bound", "seconds", "problem_id",
)  # fmt: skip
_TRUTHS = TRUTHS | {"certified"}
_NUMBERS = {"value", "lower_bound"}
_ROW_NUMBER = "results.id"


def read_table(store: Source, columns: Sequence[str] | None = None, where: str | None = None) -> Table:
    """Return the rows of a store or a table for which `where` is true, or all rows.

    Without `columns` these are the usual ones, with that of the assumptions if a row has any. The rows of a
    store come in an order that does not depend on when they were added.

    Raises
    ------
    InputError
        If a column does not exist, or if the expression is not valid.
    """
    chosen = tuple(columns or (*USUAL_COLUMNS, KEY))
    for name in chosen:
        if name not in COLUMNS:
            raise InputError(f"there is no column {shown(name)}; the columns are {', '.join(COLUMNS)}")
    used = frozenset[str]() if where is None else compiled(where, tuple(COLUMNS))[1]
    asked = tuple(dict.fromkeys([*chosen, *sorted(used)]))
    rows = _converted(store.rows([_ROW_NUMBER, *asked]), ["", *asked])
    if where is not None:
        condition, _ = compiled(where, ["", *asked])
        rows = [row for row in rows if condition(row)]
    if not columns and not any(row[len(chosen)] for row in rows):
        chosen = USUAL_COLUMNS
    width = len(chosen) + 1
    return Table(chosen, [row[1:width] for row in rows], [row[0] for row in rows])


def _converted(rows: Sequence[Sequence[Any]], columns: Sequence[str]) -> Sequence[Sequence[Any]]:
    """Return rows as SQLite holds them, with its numbers and texts converted to Booleans and fractions."""
    truths = [i for i, name in enumerate(columns) if name in _TRUTHS]
    numbers = [i for i, name in enumerate(columns) if name in _NUMBERS]
    if not truths and not any(isinstance(row[i], str) for row in rows for i in numbers):
        return rows
    found = []
    for row in rows:
        cells = list(row)
        for i in truths:
            cells[i] = None if cells[i] is None else bool(cells[i])
        for i in numbers:
            if isinstance(cells[i], str):
                cells[i] = value_from_json(cells[i], columns[i])
        found.append(cells)
    return found


@dataclass(frozen=True)
class Checked:
    """The outcome of the check of one stored result.

    `failures` has the lines about claims that do not hold; `complete` says whether every claim was verified.
    """

    result: int
    network: str
    failures: tuple[str, ...]
    complete: bool


_CHECKED_COLUMNS = tuple(
    name for name in COLUMNS if name not in ("time_limit", "backend", "seed", "network", "network_id")
)


def check_store(store: Store, results: Sequence[int], workers: Executor) -> Iterator[Checked]:
    """Yield the outcomes of checking stored results, as they complete.

    Each result is checked as by `schedsolve check`, and its row is compared with it.
    """
    rows = dict(zip(*_rows_by_number(store), strict=True))
    for number, document in zip(results, store.documents(results), strict=True):
        workers.submit(number, check_document, document, rows[number])
    for done in workers.completed():
        assert isinstance(done.key, int)
        if done.error is not None:
            yield Checked(done.key, "", (f"the check failed: {done.error}",), False)
        else:
            yield replace(done.value, result=done.key)


def _rows_by_number(store: Store) -> tuple[list[int], list[dict[str, Any]]]:
    table = read_table(store, _CHECKED_COLUMNS)
    return list(table.ids), [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def check_document(document: bytes, row: Mapping[str, Any]) -> Checked:
    """Check a stored result and its row; this runs in a worker."""
    try:
        data = parse_json(zlib.decompress(document).decode())
        report = check_data(data)
        problem, record = read_problem(data["problem"]), record_of(data)
    except (InputError, ValueError, KeyError, zlib.error) as error:
        return Checked(0, "", (f"it cannot be read: {error}",), False)
    said = {
        **invariants(problem.network),
        "model": problem.model,
        "task": problem.task,
        "parameters": parameters_text(problem),
        "problem_id": problem_id(problem),
        **{
            name: getattr(record, name)
            for name in ("status", "objective", "node", "period", "certified", KEY, "seconds")
        },
        **{
            name: value_from_json(value, name)
            for name, value in (("value", record.value), ("lower_bound", record.lower_bound))
        },
    }
    wrong = [
        f"the row says {name} {shown(row[name])}, the result {shown(said[name])}"
        for name in row
        if row[name] != said[name]
    ]
    failures = [line for line in report.lines if line.startswith("FAILED")]
    return Checked(0, problem.network.name, tuple(failures + wrong), report.complete and not wrong)
