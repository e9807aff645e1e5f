"""Data with rows: as data frames of pandas and polars, and as HTML."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from schedsolve.runtime.display.presentation import table_html
from schedsolve.runtime.errors import InputError

if TYPE_CHECKING:
    import networkx
    import pandas
    import polars

Library = Literal["pandas", "polars"]


def frame_of_columns(columns: Mapping[str, Sequence[Any]], library: Library) -> Any:
    """Return columns as a data frame.

    In pandas, integers have the type Int64, which allows missing values, and anything that is not a number or
    a truth is an object, such as a fraction or a node. Polars has text in its place.

    Raises
    ------
    InputError
        If the library is not installed, or is neither of them.
    """
    try:
        if library == "pandas":
            return _in_pandas(columns)
        if library == "polars":
            return _in_polars(columns)
    except ImportError:
        raise InputError(
            f"a data frame takes the package {library}; install it with: pip install {library}"
        ) from None
    raise InputError(f"a data frame is of pandas or polars, not of {library!r:.40}")


def _kinds(cells: Sequence[Any]) -> set[type]:
    return {type(cell) for cell in cells} - {type(None)}


def _is_long(cells: Sequence[Any]) -> bool:
    """Return whether a whole number does not fit into 64 bits."""
    return any(type(cell) is int and not -(2**63) <= cell < 2**63 for cell in cells)


def _in_pandas(columns: Mapping[str, Sequence[Any]]) -> Any:
    import pandas

    types = {bool: "boolean", int: "Int64", float: "Float64"}
    found: dict[str, Any] = {}
    for name, cells in columns.items():
        kinds = _kinds(cells)
        kind = types.get(next(iter(kinds))) if len(kinds) == 1 and not _is_long(cells) else None
        series = pandas.Series(list(cells), dtype=object)
        found[name] = pandas.array(list(cells), dtype=kind) if kind else series
    return pandas.DataFrame(found)


def _in_polars(columns: Mapping[str, Sequence[Any]]) -> Any:
    import polars

    plain = [{bool}, {int}, {float}, {str}, set()]

    def cells_of(cells: Sequence[Any]) -> list[Any]:
        if _kinds(cells) in plain and not _is_long(cells):
            return list(cells)
        return [None if cell is None else str(cell) for cell in cells]

    return polars.DataFrame({name: cells_of(cells) for name, cells in columns.items()})


class Tabular(ABC):
    """What has rows, as a data frame and as an HTML table for a notebook."""

    @abstractmethod
    def records(self) -> list[dict[str, Any]]:
        """Return the rows, each a dictionary of values by column."""

    @overload
    def to_frame(self, library: Literal["pandas"] = "pandas") -> pandas.DataFrame: ...
    @overload
    def to_frame(self, library: Literal["polars"]) -> polars.DataFrame: ...
    def to_frame(self, library: Library = "pandas") -> Any:
        """Return the rows as a data frame of pandas or polars.

        Raises
        ------
        InputError
            If the library is not installed.
        """
        rows = self.records()
        names = dict.fromkeys(name for row in rows for name in row)
        return frame_of_columns({name: [row.get(name) for row in rows] for name in names}, library)

    def _repr_html_(self) -> str:
        """Return the rows as an HTML table, for a notebook."""
        rows = self.records()
        names = list(dict.fromkeys(name for row in rows for name in row))
        return table_html(names, [["" if row.get(n) is None else str(row[n]) for n in names] for row in rows])


class CallTable(Tabular):
    """A schedule, whose rows have a "sender" and a "receiver"."""

    def to_networkx(self) -> networkx.MultiGraph:
        """Return the calls as edges of a networkx MultiDiGraph, with the other columns as attributes.

        If every call is two-way it is a MultiGraph; otherwise a two-way call is an edge in each direction.
        """
        import networkx

        rows = self.records()
        all_two_way = bool(rows) and all(row.get("two_way") for row in rows)
        graph: networkx.MultiGraph = networkx.MultiGraph() if all_two_way else networkx.MultiDiGraph()
        for row in rows:
            ends = row.pop("sender"), row.pop("receiver")
            graph.add_edge(*ends, **row)
            if row.get("two_way") and not all_two_way:
                graph.add_edge(*ends[::-1], **row)
        return graph
