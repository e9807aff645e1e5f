"""The chart of a schedule's time: when links are busy, and the textbook's algorithms beside."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from schedsolve.draw.charts import short_tick
from schedsolve.draw.colours import ACTIVE, DONE, QUIET
from schedsolve.draw.pictures import picture_bytes
from schedsolve.escapes import in_picture
from schedsolve.report.text import problem_line
from schedsolve.whole_file import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from schedsolve.report.times import Times

LONGEST_LINE = 150
MOST_ROWS = 48
"""Links that are drawn, the busiest."""
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def draw_times(times: Times, file: str) -> None:
    """Write the chart, a .svg or .png."""
    write_whole(picture_bytes(times_figure(times), file.rpartition(".")[2]), file)


def times_figure(times: Times) -> Figure:
    """The chart as a matplotlib figure, which a notebook shows."""
    from matplotlib.figure import Figure

    ours, others = times.schedule, times.textbook
    links = list(ours.links)[:MOST_ROWS]
    rows = max(len(links), 2 + 2 * len(others))
    figure = Figure(figsize=(12, 1.6 + 0.2 * rows), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    longest = max(float(timing.seconds) for timing in (ours, *others.values()))
    unit, name = next((u for u in _UNITS if longest >= u[0]), _UNITS[-1])
    start = 0.0
    labels = ours.movement.network.labels
    for number, step in enumerate(ours.steps, 1):
        alpha, end = float(ours.costs.alpha) / unit, start + float(step.seconds) / unit
        left.axvspan(start, start + alpha, color=QUIET, alpha=0.5, linewidth=0)
        left.axvline(end, color=QUIET, linewidth=0.8)
        if len(ours.steps) <= 20:
            left.text((start + end) / 2, -0.9, str(number), ha="center", va="bottom", fontsize=8)
        for row, link in enumerate(links):
            if link in step.busy:
                left.barh(row, float(step.busy[link]) / unit, left=start + alpha, height=0.7, color=ACTIVE)
        start = end
    ends = [[short_tick(str(labels[v])) for v in link] for link in links]
    left.set_yticks(range(len(links)), [in_picture(" to ".join(link)) for link in ends], fontsize=7)
    left.set_ylim(len(links) - 0.5, -1.1)
    left.set_xlim(0, start or 1)
    left.set_xlabel(f"time, {name} (grey: alpha; numbers: steps)")
    hidden = len(ours.links) - len(links)
    left.set_title("links while they are busy" + (f", {hidden} more not shown" if hidden else ""), fontsize=9)
    bars = {"this schedule": ours, **others}
    seconds = [float(timing.seconds) / unit for timing in bars.values()]
    right.barh(range(len(bars)), seconds, color=[DONE, *[QUIET] * len(others)], height=0.6)
    for row, value in enumerate(seconds):
        right.text(value, row, f" {value:.3g} {name}", va="center", fontsize=8)
    right.set_yticks(range(len(bars)), list(bars))
    right.set_ylim(len(bars) - 0.4, -0.6)
    right.set_xlim(0, 1.25 * max(seconds) or 1)
    right.set_xlabel(f"time, {name}")
    right.set_title("beside the textbook on the same machine", fontsize=9)
    for ax in (left, right):
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
    costs = ours.costs
    priced = f"{costs.size} bytes a unit, alpha {float(costs.alpha):g} s, beta {float(costs.beta):g} s"
    title = "\n".join(wrap(f"{problem_line(times.problem)}; {priced}", LONGEST_LINE)[:3])
    figure.suptitle(in_picture(title), fontsize=10)
    return figure
