"""Colors on a terminal, and nowhere else; the environment variable NO_COLOR turns them off."""

from __future__ import annotations

import os
import sys
from typing import Literal

Colour = Literal["green", "yellow", "red"]
_CODES: dict[Colour, int] = {"red": 31, "green": 32, "yellow": 33}
_HEADS: dict[str, Colour] = {"ok ": "green", "not sure ": "yellow", "FAILED ": "red"}


def painted(text: str, colour: Colour) -> str:
    """Return the text in a color if standard output is a terminal that shows colors."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
    return text if plain or not sys.stdout.isatty() else f"\x1b[{_CODES[colour]}m{text}\x1b[0m"


def painted_findings(report: str) -> str:
    """Return the report of a check with the first word of every finding in its color."""

    def line(text: str) -> str:
        for head, colour in _HEADS.items():
            if text.startswith(head):
                return painted(head, colour) + text.removeprefix(head)
        return text

    return "\n".join(line(text) for text in report.split("\n"))
