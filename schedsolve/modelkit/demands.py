"""Unequal demands: how much every rank has for all others, or for each of them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Parameter
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.files.number_reader import whole_number

MOST_UNITS, LARGEST_FILE = 10**9, 50_000_000
UNEQUAL_TASKS = ("allgatherv", "alltoallv")


def _number(value: Any) -> int:
    number = whole_number(value, 0, MOST_UNITS)
    if number is None:
        raise InputError(f"a size is a whole number from 0 to {MOST_UNITS}, not {shown(value)}")
    return number


def _are_numbers(text: str) -> bool:
    return all(whole_number(cell, 0, MOST_UNITS, text=True) is not None for cell in text.split(","))


def _from_numbers(text: str) -> list[Any]:
    rows = [[int(cell) for cell in row.split(",")] for row in text.split(";")]
    return list(rows[0]) if len(rows) == 1 else rows


def _sizes(value: Any, _: Network) -> Any:
    """Return one size a rank, or one row of sizes a rank, as lists of whole numbers."""
    if isinstance(value, str) and all(map(_are_numbers, value.split(";"))):
        value = _from_numbers(value)
    if not isinstance(value, list | tuple) or not value:
        raise InputError(
            "sizes are a number for every rank, as 1,2,0,3, or a CSV file: one row of them, or for an"
            f" alltoallv a row for every sender; not {shown(value)}"
        )
    rows = [isinstance(row, list | tuple) for row in value]
    if any(rows) and not all(rows):
        raise InputError("sizes are all numbers, or all rows of numbers")
    return [[_number(x) for x in row] for row in value] if all(rows) else [_number(x) for x in value]


def sizes_from_text(text: str) -> list[Any]:
    """Return the sizes that an option names: numbers with commas, and rows with semicolons, or a CSV file.

    Parameters
    ----------
    text
        "1,2,0,3" or "0,1;2,0", or the path of a file with numbers in rows, between commas or blanks; a single
        row is one size a rank.

    Raises
    ------
    InputError
        If there is no such file, it is too large, or something in it is no whole number.
    """
    if all(map(_are_numbers, text.split(";"))):
        return _from_numbers(text)
    try:
        file = Path(text)
        if file.stat().st_size > LARGEST_FILE:
            raise InputError(f"{text} is larger than {LARGEST_FILE} bytes")
        content = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{text}: {error.strerror}; sizes are numbers as 1,2,0,3, or a CSV file") from None
    except ValueError:
        raise InputError(f"{text} is no text; sizes are numbers as 1,2,0,3, or a CSV file") from None
    rows: list[list[int]] = []
    for number, cut in enumerate(csv.reader(content.splitlines()), 1):
        row = cut[0].split() if len(cut) == 1 else cut
        cells = [whole_number(cell.strip(), 0, MOST_UNITS, text=True) for cell in row]
        if None in cells:
            wrong = row[cells.index(None)]
            raise InputError(f"{text}, line {number}: a size is a whole number from 0 on, not {shown(wrong)}")
        if cells:
            rows.append([cell for cell in cells if cell is not None])
    if not rows:
        raise InputError(f"{text} has no sizes")
    return list(rows[0]) if len(rows) == 1 else rows


def _needs_sizes(_: Network) -> Any:
    raise InputError("--sizes is needed: a size for every rank, as 1,2,0,3, or a CSV file")


SIZES = Parameter(
    "sizes",
    "N,..|FILE.csv",
    "units that every rank has for all others (allgatherv), or a matrix: units from every rank, a row, to"
    " every rank (alltoallv)",
    _sizes,
    _needs_sizes,
    sizes_from_text,
)


def check_sizes(problem: Problem, ranks: int) -> None:
    """Raise InputError unless there is a size for every rank, or for every pair of them, and one above 0.

    Parameters
    ----------
    problem
        An allgatherv or an alltoallv.
    ranks
        How many take part.
    """
    sizes = problem.parameters["sizes"]
    matrix = problem.task == "alltoallv"
    rows = [row if isinstance(row, list) else None for row in sizes]
    if matrix and (len(rows) != ranks or any(row is None or len(row) != ranks for row in rows)):
        raise InputError(f"an alltoallv among {ranks} ranks takes {ranks} rows of {ranks} sizes")
    if not matrix and (len(rows) != ranks or any(row is not None for row in rows)):
        raise InputError(f"an allgatherv among {ranks} ranks takes {ranks} sizes")
    sent = (x for i, row in enumerate(sizes) for k, x in enumerate(row) if i != k) if matrix else sizes
    if not any(sent):
        raise InputError("nothing is to be sent: every size is 0")
