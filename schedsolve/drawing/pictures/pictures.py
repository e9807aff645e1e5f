"""Pictures of schedules as SVG, PNG or PDF.

They show the network round by round, space and time, knowledge over time, periods, packets and channel
loads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, filterwarnings

from schedsolve.certify.text.text import problem_line, verdict_line
from schedsolve.drawing.pictures.charts import (
    MOST_ROWS,
    draw_knowledge,
    draw_loads,
    draw_packets,
    draw_periods,
    draw_space_time,
)
from schedsolve.drawing.pictures.layouts import Layout, layout_of
from schedsolve.drawing.pictures.look import DRAWN_WITH, PLAIN, Look
from schedsolve.drawing.pictures.panel_grid import PANEL_WIDTH, grid_of, in_time, rounds_height
from schedsolve.drawing.pictures.panels import BOTTLENECK_HEIGHT, draw_bottleneck, draw_rounds
from schedsolve.drawing.pictures.svg_file import small_svg
from schedsolve.drawing.pictures.tikz import TIKZ_ENDINGS, tikz_text
from schedsolve.drawing.traces.of_problem import trace_of
from schedsolve.drawing.traces.trace import Trace
from schedsolve.runtime.display.layout import laid_out_once
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.escapes import in_picture
from schedsolve.runtime.files.whole_file import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from schedsolve.modelkit.problem import Problem
    from schedsolve.modelkit.result import Result
    from schedsolve.modelkit.schedule import AnySchedule

MOST_NODES = 3000


@dataclass(frozen=True)
class View:
    """One way to look at a schedule.

    Attributes
    ----------
    name
        The name of the view.
    title
        The title above it.
    applies
        Whether the view shows anything of a trace.
    draw
        Draws it into a part of a figure.
    height
        Its height in inches.
    clocked_title
        The title for a clocked schedule, if it differs.
    """

    name: str
    title: str
    applies: Callable[[Trace], bool]
    draw: Callable[[Any, Trace, Layout, Look], None]
    height: Callable[[Trace, Layout, Look], float]
    clocked_title: str = ""


def draw(trace: Trace, file: str, view: str | None = None, caption: str = "", look: Look = PLAIN) -> None:
    """Draw a trace into a file, as SVG, PNG, PDF or TikZ by its ending.

    Parameters
    ----------
    trace
        The trace.
    file
        The name of the file.
    view
        The name of the view; None for all that apply, one below the other.
    caption
        A line below the title, such as what is proven of the schedule.
    look
        Its title, size and nodes.

    Raises
    ------
    InputError
        If the view is unknown or does not apply, or if the network has too many nodes.
    """
    if file.endswith(TIKZ_ENDINGS):
        if view not in (None, "rounds"):
            raise InputError("TikZ has the rounds only")
        write_whole(tikz_text(trace, caption, look).encode(), file)
        return
    from matplotlib import rc_context

    with rc_context({"font.size": 9, **DRAWN_WITH}):
        write_whole(picture_bytes(figure(trace, view, caption, look), file.rpartition(".")[2]), file)


def picture_bytes(picture: Figure, ending: str) -> bytes:
    """Return a figure as svg, png or pdf; equal figures give equal bytes."""
    out = BytesIO()
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(ending)
    with catch_warnings():
        # A letter that the font lacks is drawn as a box.
        filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        with laid_out_once(picture):
            picture.savefig(out, format=ending, dpi=120, metadata=metadata)
    return small_svg(out.getvalue().decode()).encode() if ending == "svg" else out.getvalue()


def result_figure(result: Result, view: str | None = None) -> Figure:
    """Return the picture of a result's schedule as a matplotlib figure.

    If the worst source or root was asked for, it is the schedule for that one.

    Parameters
    ----------
    result
        The result.
    view
        As in `draw`.

    Raises
    ------
    InputError
        As `draw` does, and if the result has no schedule.
    """
    from schedsolve.modelkit.problem import refuse_no_result

    refuse_no_result(result)
    if result.indexed is None:
        raise InputError("there is no schedule to draw")
    return schedule_figure(result.placed, result.indexed, view, verdict_line(result))


def schedule_figure(
    problem: Problem, schedule: AnySchedule, view: str | None = None, caption: str = ""
) -> Figure:
    """Return the picture of a schedule as a matplotlib figure.

    Of an illegal schedule it shows the beginning, with the call that breaks a rule in red.

    Parameters
    ----------
    problem
        The problem, with its source and period given.
    schedule
        The schedule.
    view
        As in `draw`.
    caption
        As in `draw`.

    Raises
    ------
    InputError
        As `draw` does.
    """
    from schedsolve.drawing.pictures.broken_trace import trace_up_to_break
    from schedsolve.models import replay

    seen = replay(problem, schedule)
    schedule = schedule.indexed
    if seen.violation and not seen.legal:
        broken = trace_up_to_break(problem, schedule, seen.violation)
        return figure(broken, view or "rounds", caption or f"breaks a rule: {seen.violation}")
    return figure(trace_of(problem, schedule), view, caption)


def figure(trace: Trace, view: str | None = None, caption: str = "", look: Look = PLAIN) -> Figure:
    """Return the picture that `draw` writes as a matplotlib figure, which notebooks display.

    It does not belong to pyplot, so it need not be closed.

    Raises
    ------
    InputError
        As `draw` does.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    if trace.problem.network.node_count > MOST_NODES:
        raise InputError(f"a picture shows up to {MOST_NODES} nodes, not {trace.problem.network.node_count}")
    chosen = [v for v in VIEWS if v.applies(trace)] if view is None else [v for v in VIEWS if v.name == view]
    if not chosen:
        raise InputError(f"unknown view '{view}'; there are {', '.join(v.name for v in VIEWS)}")
    if view is not None and not chosen[0].applies(trace):
        raise InputError(
            f"the view {view} shows nothing of this schedule; try"
            f" {', '.join(v.name for v in VIEWS if v.applies(trace))}"
        )
    layout = layout_of(trace.problem.network)
    grid = grid_of(trace, layout, look)
    width = look.width or max(2 * PANEL_WIDTH, grid.width * grid.side)
    heights = [v.height(trace, layout, look) for v in chosen]
    title = _heading(trace, caption, look, int(width * 11))
    height = look.height or sum(heights) + (0.3 + 0.2 * title.count("\n") if title else 0)
    with rc_context({"font.size": 9}):
        picture = Figure(figsize=(width, height), layout="constrained")
        if title:
            picture.suptitle(in_picture(title), fontsize=10)
        parts = picture.subfigures(len(chosen), 1, height_ratios=heights, squeeze=False)
        for part, each in zip(parts[:, 0], chosen, strict=True):
            if len(chosen) > 1:
                part.suptitle(_title(each, trace), fontsize=10, x=0.01, ha="left")
            each.draw(part, trace, layout, look)
    return picture


def _heading(trace: Trace, caption: str, look: Look, width: int) -> str:
    if look.title is not None:
        return _wrapped(look.title, width) if look.title else ""
    title = _wrapped(problem_line(trace.problem), width)
    return f"{title}\n{_wrapped(caption, width, None)}" if caption else title


def _title(view: View, trace: Trace) -> str:
    unit = trace.steps[0].unit.rpartition(" ")[2] if trace.steps else "round"
    if view.name == "rounds" and not trace.clocked:
        return f"{unit} by {unit}"
    return view.clocked_title if trace.clocked and view.clocked_title else view.title


def _wrapped(text: str, width: int, most: int | None = 3) -> str:
    from textwrap import wrap

    return "\n".join(wrap(text, max(40, width))[:most])


MOST_CALLS = 2000
"""The number of calls up to which a diagram of space and time is readable."""


def _is_diagram(trace: Trace) -> bool:
    """Return whether a diagram of space and time is readable: four calls a node and round are a web."""
    calls = [len(step.transfers) for step in trace.steps]
    rows = len(trace.start)
    return (
        bool(calls)
        and rows <= MOST_ROWS
        and max(calls) <= 2 * rows
        and sum(calls) <= MOST_CALLS
        and not trace.relays
        and in_time(trace)
    )


def _rows_height(rows: int) -> float:
    return max(2.0, min(9.0, 1.1 + 0.17 * rows))


VIEWS: tuple[View, ...] = (
    View(
        "bottleneck",
        "the bottleneck",
        lambda trace: trace.bottleneck is not None,
        draw_bottleneck,
        lambda _, __, ___: BOTTLENECK_HEIGHT,
    ),
    View(
        "rounds",
        "round by round",
        lambda trace: True,
        draw_rounds,
        rounds_height,
        "what is sent at every time",
    ),
    View(
        "space-time",
        "space and time",
        _is_diagram,
        draw_space_time,
        lambda trace, _, __: _rows_height(3 + sum(1 + len(step.transfers) // 4 for step in trace.steps)),
    ),
    View(
        "knowledge",
        "who knows what when",
        lambda trace: bool(trace.steps) and len(trace.items) > 1 and len(trace.start) <= 1000,
        draw_knowledge,
        lambda trace, _, __: _rows_height(min(45, len(trace.start))),
    ),
    View(
        "period",
        "the period",
        lambda trace: trace.period is not None and bool(trace.steps) and len(trace.start) <= MOST_ROWS,
        draw_periods,
        lambda trace, _, __: _rows_height(min(45, len(trace.start))),
    ),
    View(
        "packets",
        "packets by round",
        lambda trace: trace.parts > 0 and bool(trace.steps),
        draw_packets,
        lambda _, __, ___: 2.6,
    ),
    View(
        "loads",
        "how full the channels are",
        lambda trace: any(step.loads for step in trace.steps),
        draw_loads,
        lambda trace, _, __: _rows_height(
            min(45, len({load.name for step in trace.steps for load in step.loads}))
        ),
    ),
)
"""All views, in the order in which a picture shows them."""
