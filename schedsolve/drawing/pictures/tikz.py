"""The rounds of a schedule as TikZ, to be read by LaTeX and changed by hand.

A picture has a scope for every round, in rows as in the other formats. Colors and styles stand on top.
Nodes are named r1n0 (round 1, node 0); networks of more than 64 nodes have no names in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from schedsolve.certify.text.text import problem_line
from schedsolve.drawing.pictures.colours import ACTIVE, BROKEN, DONE, MANY, PARTLY, QUIET
from schedsolve.drawing.pictures.layouts import Layout, layout_of
from schedsolve.drawing.pictures.lines import bends_of, corners, linked_pairs
from schedsolve.drawing.pictures.look import DOTS, Look
from schedsolve.drawing.pictures.panel_grid import LARGEST_RADIUS, MOST_LABELS, grid_of, shown_steps
from schedsolve.drawing.traces.trace import Trace, Transfer
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.escapes import in_comment, in_latex

TIKZ_ENDINGS = (".tex", ".tikz")
MOST_DRAWN = 500
"""The number of nodes that LaTeX draws round by round without running out of memory."""
CENTIMETRES = 2.54
TEXT_WIDTH = 4.7
"""The inches of a column of text in LaTeX's class article."""
LARGEST_DISC = 0.27
"""The radius in centimetres that names of two letters need."""
COLOURS = {"call": ACTIVE, "broken": BROKEN, "link": QUIET, "informed": DONE, "partly": PARTLY} | {
    f"call{i}": colour for i, colour in enumerate(MANY)
}


def tikz_text(trace: Trace, caption: str, look: Look) -> str:
    r"""Return a file that \input takes; it needs the package tikz and its library arrows.meta.

    Parameters
    ----------
    trace
        The trace.
    caption
        A line below the title.
    look
        Its title, its width, and what stands in the nodes.

    Raises
    ------
    InputError
        If there are too many nodes for LaTeX, or if a height is asked for.
    """
    n = trace.problem.network.node_count
    if n > MOST_DRAWN:
        raise InputError(f"TikZ draws up to {MOST_DRAWN} nodes, not {n}")
    if look.height is not None:
        raise InputError("a picture in TikZ is as high as its rounds; give its width alone")
    return "\n".join(
        [*_head(trace, caption), *_picture(trace, layout_of(trace.problem.network), look, caption)]
    )


def _head(trace: Trace, caption: str) -> Iterator[str]:
    yield f"% {in_comment(problem_line(trace.problem))}"
    if caption:
        yield f"% {in_comment(caption)}"
    yield r"% \usepackage{tikz} \usetikzlibrary{arrows.meta}"
    for name, colour in COLOURS.items():
        yield f"\\definecolor{{{name}}}{{HTML}}{{{colour[1:].upper()}}}"


def _picture(trace: Trace, layout: Layout, look: Look, caption: str) -> Iterator[str]:
    grid = grid_of(trace, layout, look if look.width else replace(look, width=TEXT_WIDTH))
    (left, low), (right, high) = corners(layout.points, 0.6)
    wide, tall = right - left, high - low
    scale = grid.width * CENTIMETRES / wide
    small = trace.problem.network.node_count > MOST_LABELS
    radius = min(LARGEST_DISC, min(LARGEST_RADIUS, 0.45 * layout.least_distance) * scale)
    radius *= 0.5 if small or look.nodes == DOTS else 1
    yield f"\\begin{{tikzpicture}}[x={scale:.3f}cm, y={scale:.3f}cm,"
    yield "  every node/.style={circle, draw, inner sep=0pt, font=\\scriptsize,"
    yield f"    minimum size={2 * radius:.3f}cm}},"
    yield "  informed/.style={fill=informed, text=white}, partly/.style={fill=partly},"
    yield "  uninformed/.style={fill=white}, switch/.style={fill=link},"
    yield "  words/.style={draw=none, rectangle, minimum size=0pt}, link/.style={draw=link},"
    yield "  call/.style={draw=call, thick}, broken/.style={draw=broken, very thick}]"
    title = problem_line(trace.problem) if look.title is None else look.title
    middle = (grid.side * wide - wide) / 2 + (left + right) / 2
    for line, text in enumerate([*([title] if title else []), *([caption] if look.title is None else [])]):
        if text:
            yield f"\\node[words] at ({middle:.3f},{high + 1.4 - 0.5 * line:.3f}) {{{in_latex(text)}}};"
    for place, number in enumerate(grid.numbers):
        row, column = divmod(place, grid.side)
        yield f"\\begin{{scope}}[shift={{({column * wide:.3f},{-row * (tall + 0.8):.3f})}}]"
        yield from _round(trace, layout, look, number, high)
        yield "\\end{scope}"
    yield "\\end{tikzpicture}\n"


def _round(trace: Trace, layout: Layout, look: Look, number: int, high: float) -> Iterator[str]:
    network = trace.problem.network
    step = trace.steps[number - 1] if number else None
    title = step.title if step else "start"
    points = layout.points
    middle = (min(x for x, _ in points) + max(x for x, _ in points)) / 2
    yield f"\\node[words] at ({middle:.3f},{high + 0.1:.3f}) {{{in_latex(title)}}};"
    silent = look.nodes == DOTS or network.node_count > MOST_LABELS
    names = [""] * network.node_count if silent else look.names(network)
    known = step.known if step else trace.start
    for v, (x, y) in enumerate(points):
        style = "switch" if v in trace.relays else _style(trace, number, v, known[v])
        name = "" if v in trace.relays else in_latex(names[v])
        yield f"\\node[{style}] (r{number}n{v}) at ({x:.3f},{y:.3f}) {{{name}}};"
    lines = _Lines(trace, layout)
    for u, v in network.edges:
        arrow = "-{Stealth}, " if network.directed else ""
        yield f"\\draw[{arrow}link] {lines.between(number, u, v)};"
    for i, transfer in enumerate(step.transfers if step else ()):
        yield from _call(transfer, number, i, lines)


def _style(trace: Trace, number: int, v: int, known: int) -> str:
    if trace.goal[v] and trace.is_complete(number, v):
        return "informed"
    return "partly" if known else "uninformed"


def _call(transfer: Transfer, number: int, place: int, lines: _Lines) -> Iterator[str]:
    """Yield a call, along its path with the arrow on the last link."""
    index = place if transfer.colour is None and len(transfer.nodes) > 2 else transfer.colour
    style = (
        "broken" if transfer.broken else "call" if index is None else f"call, draw=call{index % len(MANY)}"
    )
    hops = list(pairwise(transfer.nodes))
    for hop, (u, v) in enumerate(hops):
        start = "{Stealth}" if transfer.two_way and not hop else ""
        end = "{Stealth}" if hop == len(hops) - 1 else ""
        yield f"\\draw[{style}, {start}-{end}] {lines.between(number, u, v)};"


class _Lines:
    """The lines between nodes, bent where a straight one would pass over another node."""

    def __init__(self, trace: Trace, layout: Layout) -> None:
        self.points = layout.points
        pairs, radius = (
            linked_pairs(trace, shown_steps(trace)),
            min(LARGEST_RADIUS, 0.45 * layout.least_distance),
        )
        self.bends = bends_of(pairs, self.points, radius)

    def between(self, number: int, u: int, v: int) -> str:
        """Return the path from u to v, as in `schedsolve.drawing.pictures.lines.curve`."""
        ends = f"(r{number}n{u})", f"(r{number}n{v})"
        bend = self.bends.get((min(u, v), max(u, v)), 0.0) * (1 if u < v else -1)
        if not bend:
            return " -- ".join(ends)
        (a, b), (c, d) = self.points[u], self.points[v]
        x, y = (a + c) / 2 - 2 * bend * (d - b), (b + d) / 2 + 2 * bend * (c - a)
        controls = [(p + 2 * (x - p) / 3, q + 2 * (y - q) / 3) for p, q in ((a, b), (c, d))]
        first, second = (f"({p:.3f},{q:.3f})" for p, q in controls)
        return f"{ends[0]} .. controls {first} and {second} .. {ends[1]}"
