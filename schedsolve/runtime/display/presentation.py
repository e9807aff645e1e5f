"""How results and analyses are printed and displayed in notebooks.

The functions are in higher layers, and are imported when they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from schedsolve.runtime.errors import counted, one_line

MOST_DRAWN_NODES = 300
"""The most nodes of a network that a notebook displays as a picture."""


def result_text(result: Any) -> str:
    """Return a result (`schedsolve.modelkit.result.Result`) as the command line prints it."""
    return "\n".join(_above("certify.text.text", "result_lines")(result))


def result_html(result: Any) -> str:
    """Return a result as HTML for a notebook: the page that plays its schedule; its text without drawing."""
    from schedsolve.runtime.files.escapes import in_html

    if not has_drawing():
        return f"<pre>{in_html(result_text(result))}</pre>"
    return str(_drawing("result_in_frame")(result))


def result_svg(result: Any) -> str | None:
    """Return the picture of a result's schedule as SVG; None without a schedule, or without drawing."""
    if result.indexed is None or not has_drawing():
        return None
    return _svg(_drawing("result_figure")(result))


def frontier_svg(rows: Any) -> str | None:
    """Return the picture of a frontier as SVG; None without drawing."""
    return _svg(_drawing("frontier_figure")(rows)) if has_drawing() else None


def _svg(figure: Any) -> str:
    picture: bytes = _drawing("picture_bytes")(figure, "svg")
    return picture.decode()


def network_svg(network: Any) -> str | None:
    """Return the picture of a network as SVG; None if it is too large for one, or without drawing."""
    if network.node_count > MOST_DRAWN_NODES or not has_drawing():
        return None
    picture: bytes = _drawing("network_picture")([network], [""], "svg", "")
    return picture.decode()


def table_html(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as HTML."""
    return str(_above("solving.tables", "html_table")(header, rows))


def titled_html(title: str, body: str | None) -> str:
    """Return a line of text as HTML, with what stands below it, if anything."""
    from schedsolve.runtime.files.escapes import in_html

    return f"<p>{in_html(title)}</p>{body or ''}"


def problem_text(problem: Any) -> str:
    """Return a problem in one line."""
    return str(_above("certify.text.text", "problem_line")(problem))


def analysis_text(analysis: Any) -> str:
    """Return an analysis (of the extension drawing) as the command line prints it."""
    return "\n".join(_drawing("analysis_lines")(analysis))


def has_drawing() -> bool:
    """Whether the extension is there that draws."""
    return bool(_above("extensions", "installed")("drawing"))


def _drawing(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = _above("extensions", "ask")("drawing", name)
    return found


def _above(module: str, name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(import_module(f"schedsolve.{module}"), name)
    return found


class DisplayedNetwork:
    """How a network (`schedsolve.network.graph.Network`) is printed and displayed in notebooks."""

    def __repr__(self) -> str:
        network: Any = self
        kind = "arcs" if network.directed else "edges"
        parts = [f"{counted(network.node_count, 'node')}", f"{len(network.edges)} {kind}"]
        parts += ["bandwidths"] if network.bandwidths else []
        parts += [f"{len(network.switches)} switches"] if network.switches else []
        return one_line(f"<Network {network.name and network.name + ': '}{', '.join(parts)}>")

    def _repr_html_(self) -> str:
        """Return the network in one line, above a picture of it."""
        return titled_html(repr(self)[1:-1], self._repr_svg_())

    def _repr_svg_(self) -> str | None:
        return network_svg(self)
