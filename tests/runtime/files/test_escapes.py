"""Every escape, with every hostile text, read by a reader of its format."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
import shlex

import pytest

from schedsolve.runtime.errors import one_line
from schedsolve.runtime.files import escapes
from tests.runtime.files.hostile import TEXTS, Page

COMMANDS = {
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textless": "<",
    "textgreater": ">", "textbar": "|", "textasciigrave": "`",
}  # fmt: skip
NAMES = [ascii(text)[:40] for text in TEXTS]
every_text = pytest.mark.parametrize("text", TEXTS, ids=NAMES)


@every_text
def test_python(text: str) -> None:
    """A docstring is the text itself, and the source has no character that is not printable."""
    source = f'"""{escapes.in_docstring(text)}"""'
    assert source.isprintable()
    assert ast.literal_eval(source) == text


@every_text
def test_html(text: str) -> None:
    page = Page(
        f'<p title="{escapes.in_html(text)}">{escapes.in_html(text)}</p>'
        f"<script>{escapes.json_in_html(text)}</script>"
    )
    shown = "".join(c if c in "\n\t" else one_line(c) for c in text)
    assert [name for name, _ in page.elements] == ["p", "script"]
    assert not page.comments
    assert page.elements[0][1]["title"] == shown
    assert page.texts["p"] == [shown]
    assert json.loads(page.texts["script"][0]) == text


@every_text
def test_csv(text: str) -> None:
    """Back to the text; no spreadsheet sees a formula, and numbers stay numbers."""
    found = escapes.csv_text([[text, -3, None], ["next"]])
    (cell, number, empty), *rest = csv.reader(io.StringIO(found, newline=""), strict=True)
    assert (number, empty, rest) == ("-3", "", [["next"]])
    assert escapes.csv_value(cell) == escapes.encodable(text).replace("\r", "\\r")
    assert re.fullmatch(r"-?\d+(/\d+)?", cell) or not re.match("[=+\\-@\t\r\n\uff1d]", cell)


@every_text
def test_markdown(text: str) -> None:
    """Outside of escapes there is no character that means something."""
    found = escapes.in_markdown(text)
    assert re.sub(r"\\([!-/:-@[-`{-~])", r"\1", found) == one_line(text)
    bare = re.sub(r"\\[!-/:-@[-`{-~]", "", found)
    assert not re.search(r"[\\`*\[\]<>|~&$#]", bare)
    assert not re.search(r"(^|\W)_\w|\w_(\W|$)", bare)


@every_text
def test_latex(text: str) -> None:
    found = escapes.in_latex(text)
    read = re.sub(
        r"\\([a-z]+)\{\}|\\([&%$#_{}])|\{([\[\]*])\}|([-',])\{\}",
        lambda m: COMMANDS.get(m[1] or "", "") or m[2] or m[3] or m[4],
        found,
    )
    assert read == one_line(text)
    assert not re.search(r"--|''|,,", found)
    bare = re.sub(r"\\[a-z]+\{\}|\\[&%$#_{}]|\{[\[\]*]\}|([-',])\{\}", "", found)
    assert not re.search(r"[\\~^&%$#_{}<>|`\[\]*]", bare)


@every_text
def test_shell(text: str) -> None:
    assert shlex.split(escapes.shell_line("a", text, "b")) == ["a", one_line(text), "b"]


@every_text
def test_lines(text: str) -> None:
    """Comments and pictures: one printable line of what was one; SQLite and Parquet: what UTF-8 can hold."""
    assert escapes.in_comment(text).isprintable()
    assert escapes.in_picture(text).replace("\n", "").isprintable()
    assert escapes.encodable(text).encode() is not None
