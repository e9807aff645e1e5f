"""LaTeX between dollar signs as MathML, which browsers show without a script.

mkdocs calls `on_config` (mkdocs.yml: hooks). A formula on lines of its own, between pairs of dollar signs,
stands in a box that scrolls; one within a line may be broken at its relations and commas.
"""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from latex2mathml.converter import convert_to_element
from markdown import Extension, Markdown
from markdown.blockprocessors import BlockProcessor
from markdown.inlinepatterns import InlineProcessor

RELATIONS = frozenset("=<>≤≥≠≡⇒∈⊆\N{DIVIDES}")
OPENING, CLOSING = frozenset("([{⌈⌊"), frozenset(")]}⌉⌋")
BETWEEN_CODE_AND_ESCAPES = 185
"""The rank of the pattern: dollar signs in code are none of a formula's, and its backslashes no escapes."""
BEFORE_PARAGRAPHS = 15


class Mathematics(Extension):
    """The extension of Markdown."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Register both kinds of formulas."""
        md.inlinePatterns.register(_InLine(r"\$([^$]+)\$([.,;:)]*)", md), "formula", BETWEEN_CODE_AND_ESCAPES)
        md.parser.blockprocessors.register(_Display(md.parser), "formula", BEFORE_PARAGRAPHS)


class _InLine(InlineProcessor):
    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element, int, int]:  # noqa: N802
        return _in_pieces(convert_to_element(m[1]), m[2]), m.start(0), m.end(0)


class _Display(BlockProcessor):
    def test(self, parent: Element, block: str) -> bool:
        return re.fullmatch(r"\s*\$\$.*\$\$\s*", block, re.DOTALL) is not None

    def run(self, parent: Element, blocks: list[str]) -> None:
        box = SubElement(parent, "div", {"class": "formula"})
        box.append(convert_to_element(blocks.pop(0).strip().strip("$"), display="block"))


def _in_pieces(formula: Element, behind: str) -> Element:
    """A formula within a line, cut before relations and behind commas that stand in no brackets: browsers
    break lines between formulas only. behind: the full stop or the like that stays on its line.
    """
    (row,) = formula
    pieces: list[list[Element]] = [[]]
    depth = 0
    for part in row:
        sign = part.text or "" if part.tag == "mo" else ""
        depth += (sign in OPENING) - (sign in CLOSING)
        if sign in RELATIONS and depth == 0 and pieces[-1]:
            part.set("form", "infix")
            pieces.append([])
        pieces[-1].append(part)
        if sign == "," and depth == 0:
            pieces.append([])
    whole = Element("span", {"class": "formula-in-line"})
    for piece in filter(None, pieces):
        SubElement(SubElement(SubElement(whole, "span"), "math", formula.attrib), "mrow").extend(piece)
    whole[-1][-1].tail = behind
    return whole


def on_config(config: Any) -> None:
    """Add the extension."""
    config["markdown_extensions"].append(Mathematics())
