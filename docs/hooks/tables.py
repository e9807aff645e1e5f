"""Tables that a phone can show.

mkdocs calls `on_config` (mkdocs.yml: hooks). A table with sentences in it gets, in every cell, the head of
its column: where the window is narrow, the site's style shows a row as a card with a line for each cell.
A table of short entries, such as numbers, keeps its form and is scrolled below a first column that stays.
A table whose rows are too long for a desk's width is one of cards everywhere.
"""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element

from markdown import Extension, Markdown
from markdown.treeprocessors import Treeprocessor

LONGEST_ROW = 48
"""Characters of a row that fit side by side on a phone."""
SHORT_CELL = 16
"""Characters of a cell that stands beside its head."""
LONGEST_NAME = 12
"""Characters up to which a name in the first column has room beside numbers."""
MANY_COLUMNS, LONG_ROW = 6, 160
"""What is too wide for a desk."""
BEHIND_THE_PATTERNS = 15
"""The rank of the processor: cells have their code and their formulas by then."""


class Tables(Extension):
    """The extension of Markdown."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Register it."""
        md.treeprocessors.register(_Cards(md), "tables", BEHIND_THE_PATTERNS)


class _Cards(Treeprocessor):
    def run(self, root: Element) -> None:
        for table in root.iter("table"):
            heads = [_text(cell) for cell in table.iter("th")]
            rows = [row.findall("td") for body in table.findall("tbody") for row in body.findall("tr")]
            longest = max((sum(len(_text(cell)) for cell in row) for row in rows), default=0)
            if longest <= LONGEST_ROW or _is_of_numbers(rows):
                if any(len(_text(row[0])) > LONGEST_NAME for row in rows):
                    table.set("data-names", "")
                continue
            table.set("data-cards", "wide" if len(heads) >= MANY_COLUMNS and longest > LONG_ROW else "")
            for row in rows:
                for cell, head in zip(row, heads, strict=True):
                    cell.set("data-head", head)
                    if not _text(cell):
                        cell.set("data-empty", "")
                    elif len(_text(cell)) <= SHORT_CELL and len(head) <= SHORT_CELL:
                        cell.set("data-short", "")


def _is_of_numbers(rows: list[list[Element]]) -> bool:
    """Whether the columns behind the first have short entries: more columns than a card has lines."""
    return all(len(_text(cell)) <= 14 for row in rows for cell in row[1:])


def _text(cell: Element) -> str:
    return "".join(cell.itertext()).strip()


def on_config(config: Any) -> None:
    """Add the extension."""
    config["markdown_extensions"].append(Tables())
