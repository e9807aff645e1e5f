"""Tables as CSV, Markdown, HTML, LaTeX and Parquet."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.escapes import csv_text, encodable, in_html, in_latex, in_markdown

Cells = Sequence[Sequence[str]]

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0"
    " 1rem}div{overflow-x:auto}table{border-collapse:collapse}th,td{padding:.25rem"
    " .6rem;border-bottom:1px solid #ccc;text-align:right}th:first-child,td:first-child{text-align:left}"
)


SHORT_ID = 12
"""The characters of a problem's id that tables for readers show."""


@dataclass(frozen=True)
class Table:
    """A table: the names of its columns, and rows of integers, fractions, texts, Booleans and None.

    `ids` has the number of each row in the store.
    """

    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    ids: Sequence[int] = ()


def cell_text(value: Any) -> str:
    """Return a value as tables show it: None is empty, Booleans are "yes" and "no", 7/6 a fraction."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def cells_of(table: Table, *, short: bool = False) -> list[list[str]]:
    """Return the rows with every value as text; with `short`, the first characters of problems' ids."""
    most = {i: SHORT_ID for i, name in enumerate(table.columns) if short and name == "problem_id"}
    return [[cell_text(value)[: most.get(i)] for i, value in enumerate(row)] for row in table.rows]


def markdown_table(header: Sequence[str], rows: Cells) -> str:
    """Return a Markdown table without a newline at the end."""
    first, *others = ([in_markdown(cell) for cell in row] for row in [header, *rows])
    lines = [first, ["---"] * len(header), *others]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines)


def html_table(header: Sequence[str], rows: Cells) -> str:
    """Return an HTML table that scrolls if it is too wide."""
    head = "".join(f'<th scope="col">{in_html(cell)}</th>' for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{in_html(cell)}</td>" for cell in row) + "</tr>\n" for row in rows)
    return f"<div><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>"


def html_page(title: str, body: str) -> str:
    """Return an HTML page without scripts or external resources."""
    meta = '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
    head = f"<head>{meta}<title>{in_html(title)}</title><style>{STYLE}</style></head>"
    return (
        f'<!doctype html>\n<html lang="en">{head}\n<body><h1>{in_html(title)}</h1>\n{body}\n</body></html>\n'
    )


def latex_table(header: Sequence[str], rows: Cells) -> str:
    """Return a LaTeX tabular with the rules of booktabs."""
    lines = [[in_latex(cell) for cell in row] for row in [header, *rows]]
    first, *rest = [" & ".join(line) + r" \\" for line in lines]
    columns = "l" + "r" * (len(header) - 1)
    body = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", first, r"\midrule", *rest, r"\bottomrule"]
    return "% needs \\usepackage{booktabs}\n" + "\n".join(body) + "\n\\end{tabular}\n"


def csv_table(table: Table) -> str:
    """Return the table as CSV: Booleans are 1 and 0, None is empty."""
    rows = ([int(v) if isinstance(v, bool) else v for v in row] for row in table.rows)
    return csv_text([table.columns, *rows])


def parquet_table(table: Table) -> bytes:
    """Return the table as a Parquet file, with fractions as text.

    Raises
    ------
    InputError
        If pyarrow is not installed.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise InputError(
            "Parquet takes the package pyarrow; install it with: pip install 'schedsolve[tables]'"
        ) from None
    found = {}
    for i, name in enumerate(table.columns):
        cells = [row[i] for row in table.rows]
        if any(isinstance(cell, Fraction | str) for cell in cells):
            cells = [None if cell is None else encodable(str(cell)) for cell in cells]
        found[name] = pyarrow.array(cells)
    sink = io.BytesIO()
    parquet.write_table(pyarrow.table(found), sink)
    return sink.getvalue()


WRITERS: Mapping[str, Callable[[Table], bytes]] = {
    ".csv": lambda table: csv_table(table).encode(),
    ".parquet": parquet_table,
    ".md": lambda table: f"{markdown_table(table.columns, cells_of(table, short=True))}\n".encode(),
    ".html": lambda table: html_page(
        "Results", html_table(table.columns, cells_of(table, short=True))
    ).encode(),
    ".tex": lambda table: latex_table(table.columns, cells_of(table, short=True)).encode(),
}
"""The writer of a table by the ending of the file's name."""
