"""Schedules as SVG or PNG pictures: the network round by round, space and time, knowledge over time, periods,
packets and channel loads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, filterwarnings

from schedsolve.draw.charts import (
    MOST_ROWS,
    draw_knowledge,
    draw_loads,
    draw_packets,
    draw_periods,
    draw_space_time,
)
from schedsolve.draw.layouts import Layout, layout_of
from schedsolve.draw.panels import PANEL_WIDTH, draw_bottleneck, draw_rounds, grid_of, rounds_height
from schedsolve.draw.svg_file import small_svg
from schedsolve.errors import InputError
from schedsolve.escapes import in_picture
from schedsolve.modelkit.story import Story
from schedsolve.report.text import problem_line, verdict_line
from schedsolve.whole_file import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from schedsolve.problem import Problem
    from schedsolve.result import Result
    from schedsolve.schedule import AnySchedule

MOST_NODES = 3000


@dataclass(frozen=True)
class View:
    """One way to look at a schedule.

    name, title: of the view; clocked_title: of a clocked schedule, where it differs. applies: whether it
    shows anything of a story. draw: draws it into a part of a figure. height: the inches it takes.
    """

    name: str
    title: str
    applies: Callable[[Story], bool]
    draw: Callable[[Any, Story, Layout], None]
    height: Callable[[Story, Layout], float]
    clocked_title: str = ""


def draw(story: Story, file: str, view: str | None = None, caption: str = "") -> None:
    """Draw a story into a file, as SVG, PNG or PDF by its ending; all views that apply, one below the other,
    or the one of a name.

    caption: a line below the title, such as what is proven of the schedule.
    Raises InputError for an unknown view or one that does not apply, and for a network with too many nodes.
    """
    from matplotlib import rc_context

    with rc_context({"font.size": 9, "svg.hashsalt": "schedsolve", "svg.fonttype": "none"}):
        write_whole(picture_bytes(figure(story, view, caption), file.rpartition(".")[2]), file)


def picture_bytes(picture: Figure, ending: str) -> bytes:
    """A figure as svg, png or pdf; twice the same figure gives the same bytes."""
    out = BytesIO()
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(ending)
    with catch_warnings():
        # A letter that the font lacks is drawn as a box.
        filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        picture.savefig(out, format=ending, dpi=120, metadata=metadata)
    return small_svg(out.getvalue().decode()).encode() if ending == "svg" else out.getvalue()


def result_figure(result: Result, view: str | None = None) -> Figure:
    """The picture of a result's schedule, as a matplotlib figure; with the worst source or root asked for, of
    that one's.

    view: as in `draw`. Raises InputError as `draw` does, and when the result has no schedule.
    """
    if result.schedule is None:
        raise InputError("there is no schedule to draw")
    return schedule_figure(result.placed, result.schedule, view, verdict_line(result))


def schedule_figure(
    problem: Problem, schedule: AnySchedule, view: str | None = None, caption: str = ""
) -> Figure:
    """The picture of a schedule of your own, as a matplotlib figure; of an illegal one its beginning, with
    the call that breaks a rule in red.

    problem: with its source and period given. view, caption: as in `draw`. Raises InputError as `draw` does.
    """
    from schedsolve.draw.broken_story import story_up_to_break
    from schedsolve.models import model_of, replay

    seen = replay(problem, schedule)
    if seen.violation and not seen.legal:
        broken = story_up_to_break(problem, schedule, seen.violation)
        return figure(broken, view or "rounds", caption or f"breaks a rule: {seen.violation}")
    return figure(model_of(problem).story(problem, schedule), view, caption)


def figure(story: Story, view: str | None = None, caption: str = "") -> Figure:
    """The picture that `draw` writes, as a matplotlib figure, which a notebook shows.

    It does not belong to pyplot, so nothing has to be closed. Raises InputError as `draw` does.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    if story.problem.network.node_count > MOST_NODES:
        raise InputError(f"a picture shows up to {MOST_NODES} nodes, not {story.problem.network.node_count}")
    chosen = [v for v in VIEWS if v.applies(story)] if view is None else [v for v in VIEWS if v.name == view]
    if not chosen:
        raise InputError(f"unknown view '{view}'; there are {', '.join(v.name for v in VIEWS)}")
    if view is not None and not chosen[0].applies(story):
        raise InputError(
            f"the view {view} shows nothing of this schedule; try"
            f" {', '.join(v.name for v in VIEWS if v.applies(story))}"
        )
    layout = layout_of(story.problem.network)
    grid = grid_of(story, layout)
    width = max(2 * PANEL_WIDTH, grid.width * grid.side)
    heights = [v.height(story, layout) for v in chosen]
    with rc_context({"font.size": 9}):
        picture = Figure(figsize=(width, sum(heights) + (0.7 if caption else 0.5)), layout="constrained")
        title = _wrapped(problem_line(story.problem), int(width * 11))
        picture.suptitle(in_picture(f"{title}\n{caption}" if caption else title), fontsize=10)
        parts = picture.subfigures(len(chosen), 1, height_ratios=heights, squeeze=False)
        for part, each in zip(parts[:, 0], chosen, strict=True):
            if len(chosen) > 1:
                part.suptitle(_title(each, story), fontsize=10, x=0.01, ha="left")
            each.draw(part, story, layout)
    return picture


def _title(view: View, story: Story) -> str:
    unit = story.frames[0].unit.rpartition(" ")[2] if story.frames else "round"
    if view.name == "rounds" and not story.clocked:
        return f"{unit} by {unit}"
    return view.clocked_title if story.clocked and view.clocked_title else view.title


def _wrapped(text: str, width: int) -> str:
    from textwrap import wrap

    return "\n".join(wrap(text, max(40, width))[:3])


MOST_CALLS = 2000
"""Calls up to which a diagram of space and time shows something."""


def _rows_height(rows: int) -> float:
    return max(2.0, min(9.0, 1.1 + 0.17 * rows))


VIEWS: tuple[View, ...] = (
    View(
        "bottleneck",
        "the bottleneck",
        lambda story: story.bottleneck is not None,
        draw_bottleneck,
        lambda _, __: 3.4,
    ),
    View(
        "rounds",
        "round by round",
        lambda story: True,
        draw_rounds,
        rounds_height,
        "what is sent at every time",
    ),
    View(
        "space-time",
        "space and time",
        lambda story: (
            bool(story.frames)
            and len(story.start) <= MOST_ROWS
            and sum(len(frame.strokes) for frame in story.frames) <= MOST_CALLS
            and not story.relays
        ),
        draw_space_time,
        lambda story, _: _rows_height(3 + sum(1 + len(frame.strokes) // 4 for frame in story.frames)),
    ),
    View(
        "knowledge",
        "who knows what when",
        lambda story: bool(story.frames) and len(story.items) > 1 and len(story.start) <= 1000,
        draw_knowledge,
        lambda story, _: _rows_height(min(45, len(story.start))),
    ),
    View(
        "period",
        "the period",
        lambda story: story.period is not None and bool(story.frames) and len(story.start) <= MOST_ROWS,
        draw_periods,
        lambda story, _: _rows_height(min(45, len(story.start))),
    ),
    View(
        "packets",
        "packets by round",
        lambda story: story.parts > 0 and bool(story.frames),
        draw_packets,
        lambda _, __: 2.6,
    ),
    View(
        "loads",
        "how full the channels are",
        lambda story: any(frame.loads for frame in story.frames),
        draw_loads,
        lambda story, _: _rows_height(
            min(45, len({load.name for frame in story.frames for load in frame.loads}))
        ),
    ),
)
"""All views, in the order in which a picture shows them."""
