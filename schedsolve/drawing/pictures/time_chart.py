"""The chart of a schedule's time: when links are busy, compared with other algorithms."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from schedsolve.certify.text.text import problem_line
from schedsolve.drawing.pictures.charts import short_tick
from schedsolve.drawing.pictures.colours import ACTIVE, DONE, QUIET
from schedsolve.drawing.pictures.pictures import picture_bytes
from schedsolve.runtime.files.escapes import in_picture
from schedsolve.runtime.files.whole_file import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Times = Any
"""The times of a schedule and its rivals, as the extension machines has them."""
Timing = Any
"""When the links are busy, likewise."""

LONGEST_LINE = 150
MOST_ROWS = 48
"""The most links that are drawn; the busiest ones."""
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def draw_times(times: Times, file: str) -> None:
    """Write the chart to an .svg or .png file."""
    write_whole(picture_bytes(times_figure(times), file.rpartition(".")[2]), file)


def times_figure(times: Times) -> Figure:
    """Return the chart as a matplotlib figure, which notebooks display."""
    from matplotlib.figure import Figure

    ours = times.schedule
    bars = {"this schedule": ours, **{name: rival.timing for name, rival in times.rivals.items()}}
    rows = max(min(len(ours.links), MOST_ROWS), 2 * len(bars))
    figure = Figure(figsize=(12, 1.6 + 0.2 * rows), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    longest = max(float(timing.seconds) for timing in bars.values())
    unit, name = next((u for u in _UNITS if longest >= u[0]), _UNITS[-1])
    _draw_links(left, ours, unit, name)
    _draw_bars(right, {bar: float(timing.seconds) / unit for bar, timing in bars.items()}, name)
    for ax in (left, right):
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
    costs = ours.costs
    priced = f"{costs.size} bytes a unit, alpha {float(costs.alpha):g} s, beta {float(costs.beta):g} s"
    title = "\n".join(wrap(f"{problem_line(times.problem)}; {priced}", LONGEST_LINE)[:3])
    figure.suptitle(in_picture(title), fontsize=10)
    return figure


def _draw_links(ax: Axes, ours: Timing, unit: float, name: str) -> None:
    """When links are busy, the busiest on top; where ranks wait for each other, the steps too."""
    labels, links = ours.movement.network.labels, list(ours.links)[:MOST_ROWS]
    end, busy = float(ours.seconds) / unit, ours.busy_times
    for row, link in enumerate(links):
        spans = [(first / unit, (last - first) / unit) for first, last in busy.get(link, ())]
        ax.broken_barh(spans, (row - 0.35, 0.7), color=ACTIVE, linewidth=0)
    if ours.clock == "steps":
        _draw_steps(ax, ours, unit)
    ends = [[short_tick(str(labels[v])) for v in link] for link in links]
    ax.set_yticks(range(len(links)), [in_picture(" to ".join(link)) for link in ends], fontsize=7)
    ax.set_ylim(len(links) - 0.5, -1.1)
    ax.set_xlim(0, end or 1)
    ax.set_xlabel(f"time, {name}" + (" (grey: alpha; numbers: steps)" if ours.clock == "steps" else ""))
    hidden = len(ours.links) - len(links)
    ax.set_title("links while they are busy" + (f", {hidden} more not shown" if hidden else ""), fontsize=9)


def _draw_steps(ax: Axes, ours: Timing, unit: float) -> None:
    start, alpha = 0.0, float(ours.costs.alpha) / unit
    for number, step in enumerate(ours.steps, 1):
        end = start + float(step.seconds) / unit
        ax.axvspan(start, start + alpha, color=QUIET, alpha=0.5, linewidth=0)
        ax.axvline(end, color=QUIET, linewidth=0.8)
        if len(ours.steps) <= 20:
            ax.text((start + end) / 2, -0.9, str(number), ha="center", va="bottom", fontsize=8)
        start = end


def _draw_bars(ax: Axes, times: Mapping[str, float], name: str) -> None:
    ax.barh(range(len(times)), list(times.values()), color=[DONE, *[QUIET] * (len(times) - 1)], height=0.6)
    for row, value in enumerate(times.values()):
        ax.text(value, row, f" {value:.3g} {name}", va="center", fontsize=8)
    ax.set_yticks(range(len(times)), list(times))
    ax.set_ylim(len(times) - 0.4, -0.6)
    ax.set_xlim(0, 1.25 * max(times.values()) or 1)
    ax.set_xlabel(f"time, {name}")
    ax.set_title("compared with others on the same machine", fontsize=9)
