"""Tables of results in CSV or Parquet files, as `schedsolve results --output` writes them.

They are read like a store: they have the same columns, but neither schedules nor certificates.
"""

from __future__ import annotations

import csv
import json
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from schedsolve.models import read_problem
from schedsolve.network.classes.invariants import INVARIANTS, TRUTHS
from schedsolve.network.graph import Network
from schedsolve.network.named.families import is_family
from schedsolve.runtime.errors import InputError, cut, shown
from schedsolve.runtime.files.escapes import csv_value
from schedsolve.solving.store import Store
from schedsolve.solving.store_file import is_store

ENDINGS = (".csv", ".parquet")
NEEDED = ("network", "model", "task", "parameters", "status", "value")
_TEXTS = {"network", "degrees", "model", "task", "parameters", "status", "objective", "backend", "problem_id"}
_FLOATS = {"seconds", "time_limit"}
_WHOLE = re.compile("-?[0-9]{1,1000}")
_FRACTION = re.compile("-?[0-9]{1,1000}/0*[1-9][0-9]{0,999}")


class TableFile:
    """A table in a file; columns that it lacks are empty, and its networks are numbered in order.

    Raises
    ------
    InputError
        If the file cannot be read, is not a table of results, or lacks one of the columns `NEEDED`.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        names, rows = _read_parquet(path) if path.endswith(".parquet") else _read_csv(path)
        missing = [name for name in NEEDED if name not in names]
        if missing:
            raise InputError(
                f"{cut(path)} is no table of results: it has no column {missing[0]}; it takes"
                f" {', '.join(NEEDED)}"
            )
        numbers: dict[str, int] = {}
        network = max(i for i, name in enumerate(names) if name == "network")
        self._names = (*names, "network_id", "results.id")
        self._rows = [
            (*row, numbers.setdefault(row[network], len(numbers)), place, None)
            for place, row in enumerate(rows)
        ]

    def rows(self, columns: Sequence[str]) -> list[tuple[Any, ...]]:
        """Return these columns of all rows, in the order of the file."""
        places = {name: i for i, name in enumerate(self._names)}
        of_columns = [places.get(name, -1) for name in columns]
        return [tuple([row[i] for i in of_columns]) for row in self._rows]

    def documents(self, results: Iterable[int]) -> Iterator[bytes]:
        """Refuse: a table holds no results.

        Raises
        ------
        InputError
            Always.
        """
        raise InputError(
            f"{cut(self.path)} is a table, without schedules and certificates; `schedsolve solve` makes them"
            " again"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the context; there is nothing to close."""


Source = Store | TableFile
"""A source of rows of results."""


def open_source(path: str) -> Source:
    """Return the table in the file if its name ends like one, else the store.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    return TableFile(path) if path.endswith(ENDINGS) else Store(path)


def is_source(path: str) -> bool:
    """Return whether a file's name ends like a table's, or the file is a store."""
    return path.endswith(ENDINGS) or is_store(path)


def _read_csv(path: str) -> tuple[Sequence[str], list[list[Any]]]:
    try:
        with Path(path).open(encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file, strict=True))
    except OSError as error:
        raise InputError(f"cannot read {cut(path)}: {error.strerror}") from None
    except (UnicodeDecodeError, ValueError, csv.Error) as error:
        raise InputError(f"{cut(path)} is no CSV file: {error}") from None
    names = lines[0] if lines else []
    for number, line in enumerate(lines[1:], 2):
        if len(line) != len(names):
            raise InputError(f"{cut(path)}: line {number} has {len(line)} cells, not {len(names)}")
    known: dict[tuple[str, str], Any] = {}
    rows = []
    for number, line in enumerate(lines[1:], 2):
        # Most cells of a column say what others say.
        for pair in zip(names, line, strict=True):
            if pair not in known:
                known[pair] = _value(pair[0], csv_value(pair[1]), path, number)
        rows.append([known[pair] for pair in zip(names, line, strict=True)])
    return names, rows


def _value(name: str, cell: str, path: str, line: int) -> Any:
    """Return the value of a CSV cell: a number, a fraction as text, or a Boolean as a number.

    This is how a store holds these values.
    """
    if name in _TEXTS:
        return cell
    if not cell:
        return None
    if _WHOLE.fullmatch(cell):
        return int(cell)
    if _FRACTION.fullmatch(cell) and name in ("value", "lower_bound"):
        return cell
    if name in TRUTHS or name in INVARIANTS or name in ("value", "lower_bound", "period"):
        raise InputError(f"{cut(path)}: line {line}: {name} is no number: {shown(cell)}")
    if name in _FLOATS:
        try:
            return float(cell)
        except ValueError:
            raise InputError(f"{cut(path)}: line {line}: {name} is no number: {shown(cell)}") from None
    return cell


def _read_parquet(path: str) -> tuple[Sequence[str], list[list[Any]]]:
    """Return the cells of a Parquet file; numbers stored as text are read as in CSV."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise InputError(
            "Parquet takes the package pyarrow; install it with: pip install 'schedsolve[tables]'"
        ) from None
    try:
        table = parquet.read_table(path)
    except (OSError, pyarrow.ArrowException) as error:
        raise InputError(f"{cut(path)} is no Parquet file: {str(error).splitlines()[0]}") from None
    names = table.column_names
    cells = [table.column(name).to_pylist() for name in names]
    return names, [
        [
            _value(name, cell, path, number) if isinstance(cell, str) else cell
            for name, cell in zip(names, row, strict=True)
        ]
        for number, row in enumerate(zip(*cells, strict=True), 2)
    ]


def networks_in(source: Source, numbers: Collection[int]) -> dict[int, Network]:
    """Return the networks of a store or a table by the numbers that its rows have for them.

    Raises
    ------
    InputError
        If a table has a network that is named neither by a family nor by its graph6 string.
    """
    rows = source.rows(["network_id", "results.id", "network"])
    first = {number: (result, name) for number, result, name in reversed(rows) if number in numbers}
    if isinstance(source, Store):
        documents = source.documents(result for result, _ in first.values())
        return {
            number: read_problem(json.loads(zlib.decompress(document))["problem"]).network
            for number, document in zip(first, documents, strict=True)
        }
    for _, name in first.values():
        if not is_family(name):
            raise InputError(f"{cut(source.path)} does not say what the network {shown(name)} is")
    return {number: Network.from_spec(name) for number, (_, name) in first.items()}
