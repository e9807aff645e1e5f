"""The table of a store in the columns that one asks for: a row for each problem, or one for each network."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from typing import Any

from schedsolve.experiments.sweeps.hypotheses import OF_NETWORKS, hypothesis_table, networks_where
from schedsolve.experiments.sweeps.results import COLUMNS, read_table
from schedsolve.experiments.sweeps.table_file import Source, open_source
from schedsolve.runtime.display.tabular import Library, frame_of_columns
from schedsolve.runtime.errors import InputError, did_you_mean, shown
from schedsolve.solving.tables import Table


def chosen_table(store: Source, columns: Sequence[str] | None = None, where: str | None = None) -> Table:
    """Return the rows of a store or a table for which `where` is true.

    A column that is named after a task, as in hypotheses (`gossip`, `telephone_broadcast_max`), holds the
    optimum of that task; with such a column there is one row for each network.

    Raises
    ------
    InputError
        If a column does not exist or is not one of networks, or if the expression is not valid.
    """
    if columns is None or all(name in COLUMNS for name in columns):
        return read_table(store, columns, where)
    joined = hypothesis_table(store)
    at = {name: i for i, name in enumerate(joined.columns)}
    for name in columns:
        if name not in at:
            raise InputError(
                f"there is no column {shown(name)}{did_you_mean(name, at)}; the columns are"
                f" {', '.join(COLUMNS)}, and of tasks {', '.join(joined.tasks) or 'none'}"
            )
        if name not in joined.joined | OF_NETWORKS:
            raise InputError(
                f"{name} is a column of problems; a table with the optima of tasks has a row for each network"
            )
    rows = networks_where(joined, where).values()
    return Table(tuple(columns), [[row[at[name]] for name in columns] for row in rows])


def results_frame(
    path: str | PathLike[str],
    *,
    where: str | None = None,
    columns: Sequence[str] | str | None = None,
    library: Library = "pandas",
) -> Any:
    """Return the results in a store, or in a table (.csv, .parquet), as a data frame of pandas or polars.

    In pandas, integers have the type Int64, which allows missing values; a column with fractions holds
    Python's exact fractions. Polars has fractions as text.

    Parameters
    ----------
    path
        The store or the table.
    where
        An expression; only the rows for which it is true are returned. None for all rows.
    columns
        Some of `COLUMNS`, in a list or between commas, with a row for each problem; or, with a row for each
        network, the optima of tasks and what is said of networks (see `chosen_table`). None for all of
        `COLUMNS`.
    library
        "pandas" or "polars".

    Raises
    ------
    InputError
        If the file cannot be read, if the expression is not valid, or if the library is not installed.
    """
    columns = columns.split(",") if isinstance(columns, str) else columns
    with open_source(fspath(path)) as store:
        table = chosen_table(store, columns or tuple(COLUMNS), where)
    columns_of = {name: [row[i] for row in table.rows] for i, name in enumerate(table.columns)}
    return frame_of_columns(columns_of, library)
