"""Text of others (labels, names, paths, titles) inside files: one escape for every format that is written.

What a reader of the format gives back is the text itself, except that in all formats that people read,
characters which are not printable (controls, line breaks, marks of direction, halves of surrogates) are
spelled as Python spells them, `\\n` or `\\u202e`. Further exceptions stand with the functions. JSON as a file
of its own needs none: `json.dumps` writes ASCII.
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
from xml.sax.saxutils import quoteattr

from schedsolve.errors import one_line

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
    """A line of text for a docstring of Python between three double quotes, not a raw one."""
    return one_line(text.replace("\\", "\\\\")).replace('"', '\\"')


def in_xml_comment(text: str) -> str:
    """A line of text for a comment of XML. Two hyphens may not stand together in it: they get a blank
    between, and one at the end gets one behind.
    """
    return re.sub("-(?=-|$)", "- ", one_line(text))


def xml_attribute(text: str) -> str:
    """The text as the value of an attribute of XML, with its quotes."""
    return quoteattr(one_line(text))


def in_html(text: str) -> str:
    """Text for HTML, between tags or between the quotes of an attribute; tabs and line breaks stay."""
    return escape(_KEPT_IN_HTML.sub(lambda part: one_line(part[0]), text))


def json_in_html(data: Any) -> str:
    """JSON that can stand inside a script element: nothing in it can end the element or begin a comment."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def csv_text(rows: Iterable[Sequence[Any]]) -> str:
    """Rows of values as CSV, nothing for None; texts as they are, but for carriage returns and halves of
    surrogates, which are spelled out.

    No spreadsheet takes a text for a formula: one that begins with = + - @ (wide or not), a tab or a line
    feed, behind any apostrophes, gets an apostrophe before it, unless it is a number. Numbers stay as they
    are, negative ones too; `csv_value` takes the apostrophe off again.

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
    """The text that a cell of `csv_text` stands for."""
    return cell[1:] if _NEUTRALISED.match(cell) else cell


def in_markdown(text: str) -> str:
    """A line of text for a heading or a cell of a table of Markdown; blanks at its ends get lost there."""
    return _MARKDOWN.sub(r"\\\g<0>", one_line(text))


def in_latex(text: str) -> str:
    """A line of text for LaTeX, between commands. Letters beyond ASCII are left to the engine."""
    return re.sub(r"([-',])(?=\1)", r"\1{}", "".join(_LATEX.get(c, c) for c in one_line(text)))


def in_picture(text: str) -> str:
    r"""A line of text, or several, for matplotlib, where a pair of $ would begin and end a formula."""
    return "\n".join(one_line(line) for line in text.split("\n")).replace("$", r"\$")


def in_comment(text: str) -> str:
    """A line of text for a comment that ends with its line, as in the files for solvers."""
    return one_line(text)


def shell_line(*words: str) -> str:
    """A command of these words, to be copied into a shell."""
    return one_line(shlex.join(words))


def encodable(text: str) -> str:
    """The text with halves of surrogates spelled out, which UTF-8, SQLite and Parquet cannot hold; names of
    files have them where they are no UTF-8.
    """
    return _SURROGATES.sub(lambda half: f"\\u{ord(half[0]):x}", text)
