"""Every command with its options, as its parser prints them, on the page of commands.

mkdocs calls this function (mkdocs.yml: hooks) for every page; the page with the mark gets them.
"""

from __future__ import annotations

import os
from typing import Any
from unittest import mock

MARK = "<!-- every command -->"
WIDTH = 80


def on_page_markdown(text: str, page: Any, config: Any, files: Any) -> str:
    """The help of every command in place of the mark."""
    if MARK not in text:
        return text
    from schedsolve.cli import whole_parser

    with mock.patch.dict(os.environ, {"COLUMNS": str(WIDTH), "NO_COLOR": "1"}):
        helps = {name: verb.format_help() for name, verb in whole_parser().verbs.items()}
    sections = [f"## {name}\n\n```text\n{shown.strip()}\n```\n" for name, shown in helps.items()]
    return text.replace(MARK, "\n".join(sections))
