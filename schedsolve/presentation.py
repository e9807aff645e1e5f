"""How results and analyses are shown when they are printed, or stand in a notebook: by functions of rooms
above, found by name when they are used.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def result_text(result: Any) -> str:
    """A result (`schedsolve.result.Result`) as the lines of the command line."""
    return "\n".join(_above("report.text", "result_lines")(result))


def result_html(result: Any) -> str:
    """A result as HTML for a notebook: the page that plays its schedule."""
    html: str = _above("page.page", "result_in_frame")(result)
    return html


def analysis_text(analysis: Any) -> str:
    """An analysis (`schedsolve.modelkit.analysis.Analysis`) as the lines of the command line."""
    return "\n".join(_above("report.analysis", "analysis_lines")(analysis))


def _above(module: str, name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(import_module(f"schedsolve.{module}"), name)
    return found
