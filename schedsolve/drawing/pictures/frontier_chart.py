"""The chart of a frontier: both bounds of the value over the parameter.

With a latency, a bandwidth and message sizes, it also shows the cost of every row, and which row is best
for which size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from schedsolve.drawing.pictures.colours import ACTIVE, MANY, QUIET
from schedsolve.drawing.pictures.look import DRAWN_WITH
from schedsolve.drawing.pictures.pictures import picture_bytes
from schedsolve.modelkit.result import value_to_json
from schedsolve.network.assumptions import as_read
from schedsolve.runtime.errors import InputError, counted
from schedsolve.runtime.files.escapes import in_picture
from schedsolve.runtime.files.whole_file import write_whole
from schedsolve.solving.frontier import FrontierRow
from schedsolve.solving.frontier_files import Curve, FrontierPoint, curve_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_COUNTS = 16
"""The number of points up to which each is labeled with its chunks, steps and rounds."""
SAMPLES = 60
WIDE = 8
"""The ratio of the greatest to the least parameter from which on the axis is logarithmic."""


@dataclass(frozen=True)
class Prices:
    """The cost of messages: alpha per step, beta per unit of size and round per chunk; and the sizes."""

    alpha: Fraction
    beta: Fraction
    sizes: tuple[Fraction, ...]


def draw_frontier(curves: Sequence[Curve], file: str, prices: Prices | None, objective: str) -> None:
    """Draw a frontier, compared with other curves, points and limits, into a file.

    The ending of the file's name selects SVG, PNG or PDF.

    Parameters
    ----------
    curves
        The curves; the first one determines the parameter of the axis.
    file
        The name of the file.
    prices
        With these, a line of equal cost is added through the best point for every size, and a chart of
        the cost over the size.
    objective
        What a value counts.
    """
    from matplotlib import rc_context

    with rc_context({"font.size": 9, **DRAWN_WITH}):
        picture = curves_figure(curves, prices, objective)
        write_whole(picture_bytes(picture, file.rpartition(".")[2]), file)


def frontier_figure(
    rows: Sequence[FrontierRow],
    *,
    alpha: float | str | Fraction | None = None,
    beta: float | str | Fraction | None = None,
    sizes: Sequence[int] = (),
) -> Figure:
    """Return the chart of a frontier's rows as a matplotlib figure, which notebooks display.

    Parameters
    ----------
    rows
        The rows, at least one.
    alpha
        Seconds per step.
    beta
        Seconds per byte on a link of bandwidth 1.
    sizes
        Message sizes in bytes. With `alpha` and `beta`, the figure shows what every row costs.

    Raises
    ------
    InputError
        If only some of `alpha`, `beta` and `sizes` are given, or if there is no row.
    """
    given = [alpha is not None, beta is not None, bool(sizes)]
    if not rows or any(given) != all(given):
        raise InputError("a chart takes a row at least, and alpha, beta and sizes together or none of them")
    prices = None
    if alpha is not None and beta is not None:
        prices = Prices(Fraction(alpha), Fraction(beta), tuple(map(Fraction, sizes)))
    return curves_figure([curve_of(rows)], prices, rows[0].result.objective.axis)


def curves_figure(curves: Sequence[Curve], prices: Prices | None, objective: str) -> Figure:
    """Return what `draw_frontier` draws as a matplotlib figure."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"font.size": 9}):
        picture = Figure(figsize=(12.0 if prices else 7.0, 5.2), layout="constrained")
        picture.suptitle(in_picture(_title(curves)), fontsize=11)
        axes = picture.subplots(1, 2 if prices else 1, squeeze=False)[0]
        _draw_values(axes[0], curves, objective)
        if prices:
            _draw_equal_costs(axes[0], curves, prices)
            _draw_costs(axes[1], curves, prices)
        axes[0].legend(fontsize=7, loc="upper right")
    return picture


def best_lines(curves: Sequence[Curve], prices: Prices) -> list[tuple[str, str, str, str]]:
    """Return the best point of all curves for every size: size, parameter, counts and cost."""
    found = []
    for size in prices.sizes:
        curve, point = _best(curves, prices, size)
        cost = point.cost(prices.alpha, prices.beta, size)
        found.append(
            (_number(size), f"{point.totals['steps']}", point.counts or curve.model, _number(cost or 0))
        )
    return found


def _draw_values(ax: Any, curves: Sequence[Curve], objective: str) -> None:
    labelled: set[tuple[int, Any]] = set()
    for place, curve in enumerate(curves):
        colour = (ACTIVE, *MANY[1:])[place % len(MANY)]
        known = sorted(
            ((_at(point, curves), point) for point in curve.points if point.value is not None),
            key=lambda pair: pair[0],
        )
        if curve.limit is not None:
            label = f"{curve.model}: {value_to_json(curve.limit)}, whatever the steps"
            ax.axhline(float(curve.limit), color=colour, linestyle="--", linewidth=1, label=label)
        if known:
            line = "-o" if len(known) > 1 else "s"
            ax.plot(
                [at for at, _ in known],
                [float(p.value or 0) for _, p in known],
                line,
                color=colour,
                markersize=5,
                linewidth=1,
                label=_label(curve, curves),
            )
        open_points = [
            p for p in curve.points if p.lower is not None and p.lower != p.value and not p.infeasible
        ]
        if open_points:
            bounds = [float(p.lower or 0) for p in open_points]
            ax.plot(
                [_at(p, curves) for p in open_points], bounds, "^", color=QUIET, label="lower bound, not met"
            )
        hopeless = [_at(p, curves) for p in curve.points if p.infeasible]
        if hopeless:
            at_the_foot = {"transform": ax.get_xaxis_transform(), "clip_on": False, "linestyle": "none"}
            label = "infeasible" if len(curves) == 1 else f"infeasible: {_label(curve, curves)}"
            ax.plot(hopeless, [0.02] * len(hopeless), marker="x", color=colour, label=label, **at_the_foot)
        for at, point in known[:MOST_COUNTS]:
            if (place, point.value) not in labelled:
                labelled.add((place, point.value))
                text = f"{value_to_json(point.value)} {point.counts}"
                ax.annotate(
                    text, (at, float(point.value or 0)), (4, 5), textcoords="offset points", fontsize=7
                )
    _scale_steps(ax, [_at(point, curves) for curve in curves for point in curve.points])
    counted = any(point.counts for curve in curves for point in curve.points)
    key = " (in brackets: chunks, steps, rounds)" if counted else ""
    ax.set_xlabel(curves[0].parameter.replace("_", " ") + key)
    ax.set_ylabel(objective)
    values = [value for curve in curves for p in curve.points for value in (p.value, p.lower)]
    if all(isinstance(value, int) or value is None for value in values):
        from matplotlib.ticker import MaxNLocator

        ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    ax.margins(x=0.2, y=0.12)
    places = [_at(point, curves) for curve in curves for point in curve.points]
    if ax.get_xscale() == "linear":
        ax.set_xlim(min(places) - 0.5, max(places) + 0.5 + 0.06 * (max(places) - min(places)))


def _scale_steps(ax: Any, places: Sequence[int]) -> None:
    """Set integer ticks on the axis, which is logarithmic if the places are far apart."""
    from matplotlib.ticker import MaxNLocator, NullFormatter

    if min(places) > 0 and max(places) >= WIDE * min(places):
        ticks = [t for power in range(7) for t in (10**power, 2 * 10**power, 5 * 10**power)]
        shown = [t for t in ticks if min(places) / 2 <= t <= 2 * max(places)]
        ax.set_xscale("log")
        ax.set_xticks(shown, [str(t) for t in shown])
        ax.xaxis.set_minor_formatter(NullFormatter())
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def _several(curves: Sequence[Curve]) -> bool:
    """Return whether the curves belong to several networks."""
    return len({curve.network for curve in curves}) > 1


def _title(curves: Sequence[Curve]) -> str:
    first, read = curves[0], as_read(a for curve in curves for a in curve.assumptions)
    where = f"{first.model} {first.task}" if _several(curves) else f"{first.task} on {first.network}"
    return f"{where}\n{read.strip()}" if read else where


def _label(curve: Curve, curves: Sequence[Curve]) -> str:
    """Return the legend of a curve: its model, and its parameter and network where these differ."""
    if len(curves) == 1:
        return curve.model
    if _several(curves):
        # A legend leaves out what begins with an underscore.
        return in_picture(f" {curve.network}" if curve.network.startswith("_") else curve.network)
    return (
        f"{curve.model}: one schedule" if len(curve.points) == 1 else f"{curve.model}, by {curve.parameter}"
    )


def _at(point: FrontierPoint, curves: Sequence[Curve]) -> int:
    """Return the position of a point, which is its value of the first curve's parameter."""
    return point.totals.get(curves[0].parameter, point.at)


def _draw_equal_costs(ax: Any, curves: Sequence[Curve], prices: Prices) -> None:
    """Draw for every size the points of the same cost as the best one: a line that touches the frontier."""
    left, right = ax.get_xlim()
    bottom, top = ax.get_ylim()
    for place, size in enumerate(prices.sizes):
        colour = MANY[(place + 3) % len(MANY)]
        _, point = _best(curves, prices, size)
        cost = point.cost(prices.alpha, prices.beta, size) or Fraction(0)
        places = [left + (right - left) * i / SAMPLES for i in range(SAMPLES + 1)]
        values = [float((cost - Fraction(x) * prices.alpha) / (size * prices.beta)) for x in places]
        label = (
            f"size {_number(size)}: time {_number(cost)}, best at {counted(point.totals['steps'], 'step')}"
        )
        ax.plot(places, values, ":", color=colour, linewidth=1.3, label=label)
        ax.plot(
            [point.totals["steps"]],
            [float(point.value or 0)],
            "o",
            markersize=11 + 4 * place,
            markerfacecolor="none",
            color=colour,
        )
    ax.set_xlim(left, right)
    ax.set_ylim(bottom, top)


def _draw_costs(ax: Any, curves: Sequence[Curve], prices: Prices) -> None:
    """Draw the cost over the size for every undominated point, and the best for the given sizes."""
    least, most = min(prices.sizes) / 30, max(prices.sizes) * 30
    ratio = float(most / least)
    sizes = [least * Fraction(ratio ** (i / SAMPLES)).limit_denominator(10**9) for i in range(SAMPLES + 1)]
    points = [p for curve in curves for p in curve.points if p.cost(prices.alpha, prices.beta, least)]
    useful = [p for i, p in enumerate(points) if not any(_beats(o, p, j < i) for j, o in enumerate(points))]
    for place, point in enumerate(useful):
        costs = [float(point.cost(prices.alpha, prices.beta, size) or 0) for size in sizes]
        label = point.counts or counted(point.totals["steps"], "step")
        ax.plot([float(s) for s in sizes], costs, color=MANY[place % len(MANY)], linewidth=0.9, label=label)
    best = [float(_cost(curves, prices, size)) for size in sizes]
    ax.plot([float(s) for s in sizes], best, color="black", linewidth=3, alpha=0.25, label="the best")
    for place, size in enumerate(prices.sizes):
        colour = MANY[(place + 3) % len(MANY)]
        ax.plot([float(size)], [float(_cost(curves, prices, size))], "o", markersize=8, color=colour)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel("size of the message, in the unit of beta (such as bytes)")
    ax.set_ylabel(
        f"time = steps x {_number(prices.alpha)} + value x size x {_number(prices.beta)},\n"
        "in the unit of alpha (such as seconds)"
    )
    ax.legend(fontsize=7, title="(C, S, R)", title_fontsize=7)


def _beats(one: FrontierPoint, other: FrontierPoint, first: bool) -> bool:
    """Return whether a point costs less than another for every size, or the same and comes first."""
    mine, yours = ((p.totals["steps"], p.value or 0) for p in (one, other))
    return mine[0] <= yours[0] and mine[1] <= yours[1] and (mine != yours or first)


def _best(curves: Sequence[Curve], prices: Prices, size: Fraction) -> tuple[Curve, FrontierPoint]:
    """Return the point of least cost, with its curve; at least one point has a cost."""
    found = [(curve, curve.best(prices.alpha, prices.beta, size)) for curve in curves]
    priced = [(curve, point) for curve, point in found if point is not None]
    return min(priced, key=lambda pair: pair[1].cost(prices.alpha, prices.beta, size) or 0)


def _cost(curves: Sequence[Curve], prices: Prices, size: Fraction) -> Fraction:
    return _best(curves, prices, size)[1].cost(prices.alpha, prices.beta, size) or Fraction(0)


def _number(value: Fraction | int) -> str:
    """Return a number in short form."""
    return f"{float(value):.4g}"
