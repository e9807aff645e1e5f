r"""Untrusted text (labels, names, paths, titles) in files: one escape for every format that is written.

A reader of the format returns the text itself, except that in formats for people, unprintable characters
(controls, line breaks, direction marks, surrogates) are escaped as in Python: `\n` or `\u202e`. The
functions name further exceptions. JSON files need no escape: `json.dumps` writes ASCII.
"""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from schedsolve.runtime.errors import one_line

_FORMULA_SIGNS = "=+\\-@\t\n\uff1d\uff0b\uff0d\uff20"
_MAY_BE_FORMULA = re.compile(f"'*[{_FORMULA_SIGNS}]")
_NEUTRALISED = re.compile(f"'+[{_FORMULA_SIGNS}]")
_NUMBER = re.compile(r"[+-]?[0-9]+([./][0-9]+)?(e[+-]?[0-9]+)?", re.ASCII)
_KEPT_IN_HTML = re.compile("[^\t\n]+")
_SURROGATES = re.compile("[\ud800-\udfff]")
_MARKDOWN = re.compile(r"[\\`*\[\]<>|~&$#]|(?<![^\W_])_|_(?![^\W_])")
_LATEX = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "`": r"\textasciigrave{}",
    "[": "{[}", "]": "{]}", "*": "{*}",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}  # fmt: skip


def in_docstring(text: str) -> str:
    """Return a line of text for a Python docstring in triple double quotes that is not a raw string."""
    return one_line(text.replace("\\", "\\\\")).replace('"', '\\"')


def in_html(text: str) -> str:
    """Return text for HTML, between tags or in a quoted attribute; tabs and line breaks are kept."""
    return escape(_KEPT_IN_HTML.sub(lambda part: one_line(part[0]), text))


def json_in_html(data: Any) -> str:
    """Return JSON for a script element, in which nothing can end the element or begin a comment."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def csv_text(rows: Iterable[Sequence[Any]]) -> str:
    """Return rows of values as CSV.

    None is empty, and carriage returns and surrogates in texts are escaped. So that no spreadsheet
    computes a text, one that begins with = + - @ (wide or not), a tab or a line feed, possibly after
    apostrophes, gets an apostrophe in front, unless it is a number. Numbers are kept, negative ones
    too; `csv_value` removes the apostrophe.

    ```pycon
    >>> print(csv_text([["a", -3, "-3", "-3/2"], ["=1+1", None, "-x", "'="]]), end="")
    a,-3,-3,-3/2
    '=1+1,,'-x,''=

    ```
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([_csv_cell(value) if isinstance(value, str) else value for value in row] for row in rows)
    return out.getvalue()


def _csv_cell(text: str) -> str:
    # Python's writer puts no quotes around a carriage return.
    text = encodable(text).replace("\r", "\\r")
    return f"'{text}" if _MAY_BE_FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def csv_value(cell: str) -> str:
    """Return the text in a cell of `csv_text`."""
    return cell[1:] if _NEUTRALISED.match(cell) else cell


def in_markdown(text: str) -> str:
    """Return a line of text for a Markdown heading or table cell, which drops blanks at its ends."""
    return _MARKDOWN.sub(r"\\\g<0>", one_line(text))


def in_latex(text: str) -> str:
    """Return a line of text for LaTeX, between commands; letters beyond ASCII are left to the engine."""
    return re.sub(r"([-',])(?=\1)", r"\1{}", "".join(_LATEX.get(c, c) for c in one_line(text)))


def in_picture(text: str) -> str:
    """Return text for matplotlib, in which a pair of $ would delimit a formula."""
    return "\n".join(one_line(line) for line in text.split("\n")).replace("$", r"\$")


def in_comment(text: str) -> str:
    """Return a line of text for a comment that ends with its line, as in files for solvers."""
    return one_line(text)


def in_coq_comment(text: str) -> str:
    """Return a line of text for a comment of Coq.

    Parentheses with stars begin and end a comment, and quotation marks open a text in it: these are doubled
    apostrophes, and parentheses stand apart from stars.
    """
    return re.sub(r"(?<=\() ?(?=\*)|(?<=\*) ?(?=\))", " ", one_line(text).replace('"', "''"))


def shell_line(*words: str) -> str:
    """Return a command of these words that can be copied into a shell."""
    return one_line(shlex.join(words))


def encodable(text: str) -> str:
    """Return the text with surrogates escaped, which UTF-8, SQLite and Parquet cannot hold.

    File names that are not valid UTF-8 contain surrogates.
    """
    return _SURROGATES.sub(lambda half: f"\\u{ord(half[0]):x}", text)
