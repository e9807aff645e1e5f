"""Figures 3 to 7 of the paper, drawn from simulations.

`python -m studies.routing_figures DIR [--largest 4096] [--runs 20] [--seed 0]` writes them into a folder, as
PNG and SVG, with their data as JSON.

References
----------
Strumpen and Krishnamurthy, A collision model for randomized routing in fat-tree networks (JPDC 2005),
sections 5 and 7.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from io import BytesIO
from math import log2
from pathlib import Path
from typing import Any

from schedsolve.models.routing.command import CHOICES
from schedsolve.models.routing.simulation.collision_model import fitted_rounds
from schedsolve.models.routing.simulation.simulation import Rules
from schedsolve.runtime.display.layout import laid_out_once
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.whole_file import write_whole

from .routing_measurements import Measurements, Panel, Scale, Series

COLOURS = ("#0072b2", "#d55e00", "#009e73")
MARKERS = ("o", "s", "^")
OFFSET = 0.04
"""The distance, as a fraction of a doubling, between the error bars of neighboring curves."""


def draw_figures(folder: str, scale: Scale, progress: Callable[[str], None] = lambda _: None) -> list[str]:
    """Simulate and draw figures 3 to 7 into a folder, and return the names of the files.

    Parameters
    ----------
    folder
        The folder, created if it does not exist; it gets each figure as PNG and SVG, and the data as JSON.
    scale
        The extent of the simulations.
    progress
        A function that is called with what is being done.

    Raises
    ------
    InputError
        If the scale is invalid or a file cannot be written.
    """
    scale.check()
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write the figures to {folder}: {error.strerror}") from None
    measured = Measurements(scale, progress)
    files = []
    for name in FIGURES:
        panels = getattr(measured, name.replace("-", "_"))()
        contents = {form: picture(name, panels, form) for form in ("png", "svg")}
        contents["json"] = (json.dumps([panel.to_json() for panel in panels]) + "\n").encode()
        for form, content in contents.items():
            files.append(str(target / f"{name}.{form}"))
            write_whole(content, files[-1])
    return files


def picture(name: str, panels: Sequence[Panel], form: str = "png") -> bytes:
    """Return a figure of FIGURES in a format of matplotlib."""
    figure = FIGURES[name](panels)
    drawn = BytesIO()
    with laid_out_once(figure):
        figure.savefig(drawn, format=form, dpi=100)
    return drawn.getvalue()


def _new_figure(columns: int, height_ratios: Sequence[float]) -> tuple[Any, Any]:
    """Return a figure without a window, and its axes by row and column."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.5 * columns, 1.2 + 2.4 * sum(height_ratios)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(
        len(height_ratios), columns, squeeze=False, sharex="col", height_ratios=height_ratios
    )
    return figure, axes


def _curves(panels: Sequence[Panel]) -> Any:
    """Return a figure of curves with error bars, its panels side by side.

    A panel by number of messages also shows lg m, the fit and the end of Phase II.
    """
    figure, axes = _new_figure(len(panels), [1.3])
    for panel, axis in zip(panels, axes[0], strict=True):
        _error_bars(axis, panel)
        if panel.nodes is not None:
            _add_theory(axis, panel.nodes, panel.series[0].x)
        _finish(axis, panel)
    return figure


def _models(panels: Sequence[Panel]) -> Any:
    """Return a figure of Model I and Model II with error bars, and below them their ratios.

    The ratios are those of the averages and of the maxima, each with its mean.
    """
    figure, axes = _new_figure(len(panels), [1.3, 0.7])
    for panel, curves, ratios in zip(panels, axes[0], axes[1], strict=True):
        _error_bars(curves, panel)
        _finish(curves, panel, with_x=False)
        first, second = panel.series
        for name, colour, marker, of_second, of_first in (
            ("of averages", COLOURS[0], "o", second.mean, first.mean),
            ("of maxima", COLOURS[1], "s", second.greatest, first.greatest),
        ):
            values = [a / b for a, b in zip(of_second, of_first, strict=True)]
            ratios.plot(first.x, values, marker=marker, color=colour, linewidth=0.8, markersize=4, label=name)
            ratios.axhline(sum(values) / len(values), color=colour, linestyle="--", linewidth=0.8)
        highest = max(line.get_ydata()[i] for line in ratios.lines for i in range(len(line.get_ydata())))
        _finish(ratios, panel)
        ratios.set(title="", ylabel="Model II / Model I", ylim=(0, 1.1 * highest))
    return figure


def _error_bars(axis: Any, panel: Panel) -> None:
    for number, series in enumerate(panel.series):
        shift = 2 ** (OFFSET * (2 * number - len(panel.series) + 1))
        axis.errorbar(
            [shift * x for x in series.x],
            series.mean,
            yerr=_bars(series),
            label=series.name,
            color=COLOURS[number],
            marker=MARKERS[number],
            markersize=4,
            linewidth=0.8,
            capsize=2,
        )


def _bars(series: Series) -> list[list[float]]:
    """Return how far the error bars reach below and above the means.

    Lengths are at least 0: the floating-point mean of equal numbers may differ from them.
    """
    below = [max(0.0, mean - least) for mean, least in zip(series.mean, series.least, strict=True)]
    above = [max(0.0, greatest - mean) for mean, greatest in zip(series.mean, series.greatest, strict=True)]
    return [below, above]


def _add_theory(axis: Any, n: int, counts: Sequence[int]) -> None:
    axis.plot(counts, [log2(m) for m in counts], color="black", linewidth=0.8, linestyle=":", label="lg m")
    axis.plot(
        counts,
        [fitted_rounds(n, m) for m in counts],
        color="black",
        linewidth=1,
        linestyle="--",
        label="lg m / 10 + m lg n / 2n + 1",
    )
    axis.axvline(2 * n / log2(n), color="grey", linewidth=0.8)
    axis.annotate(
        "m = 2n / lg n ",
        (2 * n / log2(n), 0.04),
        xycoords=("data", "axes fraction"),
        ha="right",
        fontsize=8,
        color="grey",
    )


def _finish(axis: Any, panel: Panel, *, with_x: bool = True) -> None:
    axis.set_xscale("log", base=2)
    axis.set_ylim(0, None)
    axis.grid(linewidth=0.3)
    clocked = any("immediate" in series.name for series in panel.series)
    axis.set(
        title=panel.title, ylabel="delivery rounds, or transmission times" if clocked else "delivery rounds"
    )
    if with_x:
        axis.set_xlabel("processing nodes n" if panel.x == "nodes" else "messages m")
    axis.legend(fontsize=8, loc="best")


FIGURES: dict[str, Callable[[Sequence[Panel]], Any]] = {
    "figure-3": _models,
    "figure-4": _curves,
    "figure-5": _curves,
    "figure-6": _curves,
    "figure-7": _curves,
}
"""How each is drawn."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the figures, print the names of the files, and return the exit status; 2 for bad input."""
    parser = argparse.ArgumentParser(description="Draw figures 3 to 7 of the paper.")
    parser.add_argument("folder", metavar="DIR")
    for name, default in (("largest", 4096), ("runs", 20), ("seed", 0), ("workers", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    for name in ("winner", "losers", "bins", "clock"):
        values, text = CHOICES[name]
        parser.add_argument(f"--{name}", choices=values, default=values[0], help=text)
    asked = parser.parse_args(arguments)
    scale = Scale(
        asked.largest,
        asked.runs,
        asked.seed,
        asked.workers,
        Rules(asked.winner, asked.losers),
        asked.bins,
        asked.clock,
    )
    try:
        print("\n".join(draw_figures(asked.folder, scale)))
    except InputError as error:
        print(f"routing_figures: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
