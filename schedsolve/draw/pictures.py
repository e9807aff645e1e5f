"""Schedules as SVG or PNG pictures: the network round by round, space and time, knowledge over time, periods, packets and channel loads."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, Any

from schedsolve.draw.layouts import Layout, Point, layout_of
from schedsolve.errors import InputError
from schedsolve.report.text import problem_line
from schedsolve.story import Frame, Story, Stroke

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from schedsolve.result import Result

ACTIVE, DONE, PARTLY, NOTHING, QUIET = "#c2410c", "#2f7d4f", "#f3c969", "#ffffff", "#b8bcc2"
MOST_PANELS, MOST_COLUMNS = 24, 4
PANEL_WIDTH = 3.2
MOST_LABELS = 40
MOST_NUMBERS = 600
MOST_ROWS = 130
MOST_NODES = 3000


@dataclass(frozen=True)
class View:
    """One way to look at a schedule.

    name, title: of the view. applies: whether it shows anything of a story. draw: draws it into a part of a figure. height: the inches it
    takes in a picture that is so many inches wide.
    """

    name: str
    title: str
    applies: Callable[[Story], bool]
    draw: Callable[[Any, Story, Layout], None]
    height: Callable[[Story, Layout, float], float]


def draw(story: Story, file: str, view: str | None = None) -> None:
    """Draw a story into a file, as SVG or PNG by its ending; all views that apply, one below the other, or the one of a name.

    Raises InputError for an unknown view or one that does not apply, and for a network with too many nodes.
    """
    from matplotlib import rc_context

    with rc_context({"font.size": 9, "svg.hashsalt": "schedsolve", "svg.fonttype": "none"}):
        figure(story, view).savefig(file, dpi=120, metadata={"Date": None} if file.endswith(".svg") else None)


def result_figure(result: Result, view: str | None = None) -> Figure:
    """The picture of a result's schedule, as a matplotlib figure; with the worst source or root asked for, of that one's.

    view: as in `draw`. Raises InputError as `draw` does, and when the result has no schedule.
    """
    from schedsolve.models import model_of

    if result.schedule is None:
        raise InputError("there is no schedule to draw")
    problem = result.problem if result.node is None else result.problem.at_node(result.node)
    if problem.period == "min":
        problem = problem.with_parameters(period=result.schedule.period)
    return figure(model_of(problem).story(problem, result.schedule), view)


def figure(story: Story, view: str | None = None) -> Figure:
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
        raise InputError(f"the view {view} shows nothing of this schedule; try {', '.join(v.name for v in VIEWS if v.applies(story))}")
    layout = layout_of(story.problem.network)
    width = PANEL_WIDTH * max(2, _columns(story))
    heights = [v.height(story, layout, width) for v in chosen]
    with rc_context({"font.size": 9}):
        picture = Figure(figsize=(width, sum(heights) + 0.5), layout="constrained")
        picture.suptitle(_wrapped(problem_line(story.problem), int(width * 11)), fontsize=10)
        parts = picture.subfigures(len(chosen), 1, height_ratios=heights, squeeze=False)
        for part, each in zip(parts[:, 0], chosen, strict=True):
            if len(chosen) > 1:
                part.suptitle(_title(each, story), fontsize=10, x=0.01, ha="left")
            each.draw(part, story, layout)
    return picture


def _title(view: View, story: Story) -> str:
    clocked = bool(story.frames) and story.frames[0].title.startswith("time")
    return view.title.replace("round by round", "what is sent at every time") if clocked else view.title


def _wrapped(text: str, width: int) -> str:
    from textwrap import wrap

    return "\n".join(wrap(text, max(40, width))[:3])


def _shown(story: Story) -> list[Frame]:
    """The frames that get a panel: all, or the first ones."""
    return list(story.frames[:MOST_PANELS])


def _columns(story: Story) -> int:
    return min(MOST_COLUMNS, max(1, len(_shown(story))))


def _panel_height(layout: Layout) -> float:
    across, up = layout.size
    return min(2.2 * PANEL_WIDTH, max(0.9, PANEL_WIDTH * (up + 0.8) / (across + 0.8))) + 0.3


def _rounds_height(story: Story, layout: Layout, width: float) -> float:
    columns = _columns(story)
    return 0.3 + ceil(max(1, len(_shown(story))) / columns) * _panel_height(layout) * (width / columns / PANEL_WIDTH)


def _draw_rounds(part: Any, story: Story, layout: Layout) -> None:
    """The network once for every round: what moves, and who knows nothing, something or everything after it."""
    frames, columns = _shown(story), _columns(story)
    rows = ceil(max(1, len(frames)) / columns)
    axes = part.subplots(rows, columns, squeeze=False).ravel()
    for number, ax in enumerate(axes, 1):
        ax.set_axis_off()
        ax.set_aspect("equal", adjustable="box")
        if number <= max(1, len(frames)):
            _draw_panel(ax, story, layout, number if frames else 0)
    left = len(story.frames) - len(frames)
    note = "green: knows all it must; yellow: something; white: nothing" + (f"; {left} more rounds are not shown" if left > 0 else "")
    part.supxlabel(note, fontsize=7, color="#555555")


def _radius(layout: Layout) -> float:
    """The radius of a node, in the layout's units: a fixed size on paper, but never more than fits beside the neighbours."""
    inches = 0.13 if len(layout.points) <= MOST_LABELS else 0.06
    return min(0.3, inches * (max(layout.size) + 1) / PANEL_WIDTH, 0.45 * layout.least_distance)


def _draw_panel(ax: Any, story: Story, layout: Layout, number: int) -> None:
    from matplotlib.collections import EllipseCollection, LineCollection

    network, points = story.problem.network, layout.points
    known = story.frames[number - 1].known if number else story.start
    n = network.node_count
    radius = _radius(layout)
    thickness = 0.7 if len(network.edges) <= 4 * n else 0.15
    ax.add_collection(LineCollection([(points[u], points[v]) for u, v in network.edges], colors=QUIET, linewidths=thickness, zorder=1))
    for stroke in story.frames[number - 1].strokes if number else ():
        _draw_stroke(ax, stroke, points, radius, many=n > MOST_LABELS)
    colours = [DONE if story.goal[v] and story.is_complete(number, v) else PARTLY if known[v] else NOTHING for v in range(n)]
    colours = [QUIET if v in story.relays else colour for v, colour in enumerate(colours)]
    widths = [radius if v in story.relays else 2 * radius for v in range(n)]
    ax.add_collection(
        EllipseCollection(
            widths, widths, [0] * n, units="xy", offsets=points, transOffset=ax.transData,
            facecolors=colours, edgecolors="#444444", linewidths=0.6, zorder=3,
        )
    )  # fmt: skip
    points_wide = 144 * radius * PANEL_WIDTH / (max(layout.size) + 1)
    if n <= MOST_LABELS:
        for v, (x, y) in enumerate(points):
            if v in story.relays:
                continue
            text = str(network.labels[v])
            dark = colours[v] == DONE
            ax.text(
                x,
                y,
                text,
                ha="center",
                va="center",
                fontsize=min(7.0, 1.1 * points_wide / max(2, len(text))),
                color="white" if dark else "black",
                zorder=4,
            )
    xs, ys = [x for x, _ in points], [y for _, y in points]
    margin = 2 * radius
    ax.set_xlim(min(xs) - margin, max(xs) + margin)
    ax.set_ylim(min(ys) - margin, max(ys) + margin)
    ax.set_title(story.frames[number - 1].title if number else "start", fontsize=9)


def _draw_stroke(ax: Any, stroke: Stroke, points: Sequence[Point], radius: float, *, many: bool) -> None:
    """A call as an arrow from border to border; a long call along its whole path, with the arrow on the last edge."""
    width = 0.9 if many else 1.8
    steps = list(pairwise(stroke.nodes))
    for number, (u, v) in enumerate(steps):
        first, last = number == 0, number == len(steps) - 1
        start, end = _shortened(points[u], points[v], radius if first else 0.0, radius if last else 0.0)
        style = "-|>" if last else "-"
        style = ("<|-|>" if last else "<|-") if first and stroke.two_way else style
        arrow = {"arrowstyle": style, "color": ACTIVE, "lw": width, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 5 if many else 9}
        ax.annotate("", end, start, arrowprops=arrow, zorder=2, annotation_clip=False)


def _shortened(start: Point, end: Point, before: float, after: float) -> tuple[Point, Point]:
    """The line between two points without so much at its beginning and at its end."""
    across, up = end[0] - start[0], end[1] - start[1]
    length = (across * across + up * up) ** 0.5 or 1.0
    before, after = before / length, after / length
    return (start[0] + before * across, start[1] + before * up), (end[0] - after * across, end[1] - after * up)


def _draw_space_time(part: Any, story: Story, layout: Layout) -> None:
    """Nodes along a line, time downwards; a call is a slanted line through its round."""
    ax = part.subplots()
    place = {v: i for i, v in enumerate(layout.order)}
    labels, n, rounds = story.problem.network.labels, story.problem.network.node_count, len(story.frames)
    for v, i in place.items():
        done = next((t for t in range(rounds + 1) if story.goal[v] and story.is_complete(t, v)), rounds)
        ax.plot([i, i], [0, done], color=QUIET, linewidth=0.8, zorder=1)
        ax.plot([i, i], [done, rounds], color=DONE, linewidth=1.6, zorder=1)
    for t, frame in enumerate(story.frames, 1):
        for stroke in frame.strokes:
            u, v = place[stroke.nodes[0]], place[stroke.nodes[-1]]
            ax.annotate("", (v, t), (u, t - 1), arrowprops={"arrowstyle": "->", "color": ACTIVE, "lw": 1.1, "shrinkA": 0, "shrinkB": 0})
            if stroke.two_way:
                ax.annotate("", (u, t), (v, t - 1), arrowprops={"arrowstyle": "->", "color": ACTIVE, "lw": 1.1, "shrinkA": 0, "shrinkB": 0})
    ax.set_xlim(-0.5, n - 0.5)
    ax.set_ylim(rounds + 0.2, -0.2)
    _label_ticks(ax.xaxis, [str(labels[v]) for v in layout.order], 60)
    ax.set_ylabel("time, in rounds")
    ax.set_xlabel("node (green: knows all it must)")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def _label_ticks(axis: Any, names: Sequence[str], room: int) -> None:
    """Ticks with names, as many as there is room for."""
    step = max(1, ceil(len(names) / room))
    axis.set_ticks(range(0, len(names), step), names[::step])


def _draw_knowledge(part: Any, story: Story, layout: Layout) -> None:
    """For every node and item the round in which the item first arrives there."""
    import numpy as np

    ax = part.subplots()
    table = story.arrivals()
    order = [v for v in layout.order if v not in story.relays]
    numbers = [0, *(int(frame.title.rpartition(" ")[2]) for frame in story.frames)]
    cells = np.array([[float("nan") if x is None else numbers[x] for x in table[v]] for v in order], dtype=float)
    names = [str(story.problem.network.labels[v]) for v in order]
    if len(story.items) == len(names) and story.items[0].startswith(("item of", "operand")):
        cells = cells[:, order]
        _label_ticks(ax.xaxis, names, 50)
        ax.set_xlabel("whose item")
    else:
        _label_ticks(ax.xaxis, [name.removeprefix("packet ") for name in story.items], 50 if story.schedule.packet_count else 16)
        ax.set_xlabel("packet" if story.schedule.packet_count else "message")
    shown = ax.imshow(cells, aspect="auto", cmap="viridis_r", interpolation="nearest", vmin=0, vmax=max(1, numbers[-1]))
    _label_ticks(ax.yaxis, names, 45)
    ax.set_ylabel("node")
    if cells.size <= MOST_NUMBERS:
        for (i, j), x in np.ndenumerate(cells):
            if not np.isnan(x):
                dark = x > 0.6 * numbers[-1]
                ax.text(j, i, f"{x:.0f}", ha="center", va="center", fontsize=7, color="white" if dark else "black")
    part.colorbar(shown, ax=ax, label=f"first known after {story.frames[0].title.rpartition(' ')[0]}")


def _draw_periods(part: Any, story: Story, layout: Layout) -> None:
    """For every node and round of the period whether it sends, receives, or both, and with whom."""
    ax = part.subplots()
    period = min(story.schedule.period or 1, len(story.frames))
    labels = story.problem.network.labels
    place = {v: i for i, v in enumerate(layout.order)}
    for t in range(period):
        for stroke in story.frames[t].strokes:
            u, v = stroke.nodes[0], stroke.nodes[-1]
            colours = ("#8fb8de", "#8fb8de") if stroke.two_way else ("#f4a582", "#92c5a0")
            for node, other, sign, colour in ((u, v, ">", colours[0]), (v, u, "<", colours[1])):
                ax.add_patch(_square(t, place[node], colour))
                if len(place) <= MOST_ROWS // 2:
                    text = f"{'-' if stroke.two_way else sign}{labels[other]}"
                    ax.text(t, place[node], text, ha="center", va="center", fontsize=6)
    ax.set_xlim(-0.5, period - 0.5)
    ax.set_ylim(len(place) - 0.5, -0.5)
    _label_ticks(ax.xaxis, [str(t) for t in range(1, period + 1)], 40)
    _label_ticks(ax.yaxis, [str(labels[v]) for v in layout.order], 45)
    ax.set_xlabel(f"round of the period of {story.schedule.period}; red: sends, green: receives, blue: both")
    ax.set_ylabel("node")


def _square(x: float, y: float, colour: str) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((x - 0.48, y - 0.48), 0.96, 0.96, facecolor=colour, edgecolor="none")


def _draw_packets(part: Any, story: Story, _: Layout) -> None:
    """The largest message of every round, which is what the round costs, and how many nodes have everything after it."""
    from matplotlib.ticker import MaxNLocator

    ax = part.subplots()
    largest = [max((len(call.packets) for call in calls), default=0) for calls in story.schedule.rounds]
    sent = [sum(len(call.packets) for call in calls) for calls in story.schedule.rounds]
    rounds = range(1, len(largest) + 1)
    ax.bar(rounds, largest, color="#8fb8de", width=0.7)
    for t, height, total in zip(rounds, largest, sent, strict=True):
        ax.text(t, height, f"{total}", ha="center", va="bottom", fontsize=6, color="#555555")
    ax.set_xlabel("round (numbers: packets sent in all)")
    ax.set_ylabel(f"largest message, of {story.schedule.packet_count} packets")
    ax.margins(y=0.25)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    complete = [sum(story.is_complete(t, v) for v in range(len(story.start))) for t in rounds]
    twin = ax.twinx()
    twin.plot(rounds, complete, "o-", color=DONE, markersize=3)
    twin.set_ylabel("nodes with everything", color=DONE)
    twin.set_ylim(0, 1.25 * max(1, *complete))
    twin.yaxis.set_major_locator(MaxNLocator(integer=True))


def _draw_loads(part: Any, story: Story, _: Layout) -> None:
    """For every channel and frame its load, relative to its capacity."""
    import numpy as np

    ax = part.subplots()
    names = sorted({load.name for frame in story.frames for load in frame.loads}, key=_natural)
    busiest = sorted(names, key=lambda name: -max(_ratio(frame, name) for frame in story.frames))[: MOST_ROWS // 2]
    kept = [name for name in names if name in set(busiest)]
    cells = np.array([[_ratio(frame, name) for frame in story.frames] for name in kept])
    shown = ax.imshow(np.where(cells > 0, cells, np.nan), aspect="auto", cmap="YlOrRd", vmin=0, vmax=1, interpolation="nearest")
    _label_ticks(ax.yaxis, kept, 45)
    _label_ticks(ax.xaxis, [frame.title.rpartition(" ")[2] for frame in story.frames], 30)
    ax.set_xlabel(story.frames[0].title.rpartition(" ")[0])
    if len(kept) < len(names):
        ax.set_ylabel(f"the {len(kept)} busiest of {len(names)} channels")
    part.colorbar(shown, ax=ax, label="load / capacity")


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that sorts the numbers in names as numbers."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split("([0-9]+)", name)]


def _ratio(frame: Frame, name: str) -> float:
    return max((load.load / load.capacity for load in frame.loads if load.name == name), default=0.0)


def _rows_height(rows: int) -> float:
    return min(9.0, 1.1 + 0.17 * rows)


VIEWS: tuple[View, ...] = (
    View("rounds", "round by round", lambda story: True, _draw_rounds, _rounds_height),
    View(
        "space-time",
        "space and time",
        lambda story: bool(story.frames) and story.problem.network.is_tree and len(story.start) <= MOST_ROWS and not story.relays,
        _draw_space_time,
        lambda story, _, __: _rows_height(len(story.frames) + 3),
    ),
    View(
        "knowledge",
        "who knows what when",
        lambda story: bool(story.frames) and len(story.items) > 1 and len(story.start) <= 1000,
        _draw_knowledge,
        lambda story, _, __: _rows_height(min(45, len(story.start))),
    ),
    View(
        "period",
        "the period",
        lambda story: story.schedule.period is not None and bool(story.frames) and len(story.start) <= MOST_ROWS,
        _draw_periods,
        lambda story, _, __: _rows_height(min(45, len(story.start))),
    ),
    View(
        "packets",
        "packets by round",
        lambda story: story.schedule.packet_count is not None and bool(story.frames),
        _draw_packets,
        lambda _, __, ___: 2.6,
    ),
    View(
        "loads",
        "how full the channels are",
        lambda story: any(frame.loads for frame in story.frames),
        _draw_loads,
        lambda story, _, __: _rows_height(min(45, len({load.name for frame in story.frames for load in frame.loads}))),
    ),
)
"""All views, in the order in which a picture shows them."""
