"""Charts of a schedule: space and time, knowledge over time, the period, packets, and channel loads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Any

from schedsolve.drawing.pictures.colours import ACTIVE, BROKEN, DONE, QUIET
from schedsolve.drawing.pictures.layouts import Layout
from schedsolve.drawing.pictures.look import PLAIN, Look
from schedsolve.drawing.traces.trace import Trace, TraceStep
from schedsolve.runtime.files.escapes import in_picture

MOST_NUMBERS = 600
MOST_ROWS = 130
LONGEST_TICK = 14
CHART_SHARE = 0.75
"""The share of a picture's width that its chart has, beside labels and a colour bar."""
CHARACTER = 0.62
"""The width of a character, in font sizes."""


def draw_space_time(part: Any, trace: Trace, layout: Layout, look: Look = PLAIN) -> None:
    """Draw nodes along one axis and time downwards, with every call in its round.

    The nodes of a tree are in the order of its layout, others in the order of their distance from the first
    node that holds something. A one-way call is an arrow through its round, a two-way call a line between two
    dots within it.
    """
    from matplotlib.ticker import MaxNLocator

    ax = part.subplots()
    order = _along_a_line(trace, layout)
    place = {v: i for i, v in enumerate(order)}
    names, n, rounds = look.names(trace.problem.network), trace.problem.network.node_count, len(trace.steps)
    for v, i in place.items():
        done = next((t for t in range(rounds + 1) if trace.goal[v] and trace.is_complete(t, v)), rounds)
        ax.plot([i, i], [0, done], color=QUIET, linewidth=0.8, zorder=1)
        ax.plot([i, i], [done, rounds], color=DONE, linewidth=1.6, zorder=1)
    ends = [
        (t, place[s.nodes[0]], place[s.nodes[-1]], s.two_way)
        for t, step in enumerate(trace.steps, 1)
        for s in step.transfers
        if not s.broken
    ]
    for t, u, v, height in _in_lanes([(t, u, v) for t, u, v, two_way in ends if two_way]):
        ax.plot([u, v], [t - 1 + height] * 2, color=ACTIVE, linewidth=1.1, marker=".", zorder=2)
    calls = [(t, u, v) for t, u, v, two_way in ends if not two_way]
    if calls:
        ax.quiver(
            [u for _, u, _ in calls],
            [t - 1 for t, _, _ in calls],
            [v - u for _, u, v in calls],
            [1] * len(calls),
            color=ACTIVE,
            angles="xy",
            scale_units="xy",
            scale=1,
            units="dots",
            width=1.2,
            headwidth=6,
            headlength=7,
            headaxislength=6,
            zorder=2,
        )
    for broken in (s for step in trace.steps[-1:] for s in step.transfers if s.broken):
        ends_at = [rounds - 0.1] * 2 if broken.two_way else [rounds - 1, rounds]
        across = [place[broken.nodes[0]], place[broken.nodes[-1]]]
        ax.plot(across, ends_at, color=BROKEN, linewidth=3, marker=".", zorder=3)
    ax.set_xlim(-0.5, n - 0.5)
    ax.set_ylim(rounds + 0.2, -0.2)
    _label_ticks(ax.xaxis, [names[v] for v in order], 60)
    ax.set_ylabel(f"time, in {trace.steps[0].unit}s")
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel("node (green: knows all it must)")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def _in_lanes(calls: Sequence[tuple[int, int, int]]) -> Iterator[tuple[int, int, int, float]]:
    """Yield calls, given as round and two places, with heights at which no call covers another."""
    for t in sorted({t for t, _, _ in calls}):
        lanes: list[int] = []
        placed = []
        for u, v in sorted(tuple(sorted(ends)) for at, *ends in calls if at == t):
            lane = next((i for i, end in enumerate(lanes) if end < u), len(lanes))
            lanes[lane : lane + 1] = [v]
            placed.append((u, v, lane))
        yield from ((t, u, v, (lane + 1) / (len(lanes) + 1)) for u, v, lane in placed)


def _along_a_line(trace: Trace, layout: Layout) -> Sequence[int]:
    network = trace.problem.network
    if network.is_tree:
        return layout.order
    sources = [v for v, items in enumerate(trace.start) if items]
    distance = network.distances_from(sources[:1] or [0])
    far = network.node_count
    return sorted(
        range(far), key=lambda v: (far if distance[v] is None else distance[v], layout.order.index(v))
    )


def short_tick(name: str) -> str:
    """Return a name as a tick label; a long one is shortened in the middle."""
    return name if len(name) <= LONGEST_TICK else f"{name[:6]}..{name[-6:]}"


def _label_ticks(axis: Any, names: Sequence[str], room: int) -> None:
    """Label the ticks of an axis with shortened names, as many as fit.

    Long names of a horizontal axis are vertical.
    """
    step = max(1, ceil(len(names) / room))
    short = [short_tick(name) for name in names]
    longest = max(map(len, short), default=0)
    upright = axis.axis_name == "x" and len(short[::step]) * (longest + 1) > _characters_across(axis)
    axis.set_ticks(
        range(0, len(names), step), list(map(in_picture, short[::step])), rotation=90 if upright else 0
    )


def _characters_across(axis: Any) -> float:
    """Return how many characters of tick labels fit side by side below a chart."""
    picture = axis.axes.figure
    inches = picture.bbox.width / picture.figure.dpi
    return float(72 * inches * CHART_SHARE / (CHARACTER * axis.label.get_size()))


def draw_knowledge(part: Any, trace: Trace, layout: Layout, look: Look = PLAIN) -> None:
    """Draw the round in which every item first reaches every node."""
    import numpy as np
    from matplotlib.ticker import MaxNLocator

    ax = part.subplots()
    table = trace.arrivals()
    order = [v for v in layout.order if v not in trace.relays]
    numbers = [0, *(step.number for step in trace.steps)]
    cells = np.array(
        [[float("nan") if x is None else numbers[x] for x in table[v]] for v in order], dtype=float
    )
    all_names = look.names(trace.problem.network)
    names = [all_names[v] for v in order]
    if trace.of_nodes:
        cells = cells[:, order]
        _label_ticks(ax.xaxis, names, 50)
        ax.set_xlabel("whose item")
    else:
        items = map(str, range(trace.parts)) if trace.parts else trace.items
        names_of_items = [name.removeprefix(f"{trace.noun} ") for name in items]
        _label_ticks(ax.xaxis, names_of_items, 50 if max(map(len, names_of_items)) <= 3 else 16)
        ax.set_xlabel(trace.noun)
    shown = ax.imshow(
        cells, aspect="auto", cmap="viridis_r", interpolation="nearest", vmin=0, vmax=max(1, numbers[-1])
    )
    _label_ticks(ax.yaxis, names, 45)
    ax.set_ylabel("node")
    if cells.size <= MOST_NUMBERS:
        for (i, j), x in np.ndenumerate(cells):
            if not np.isnan(x):
                colour = "white" if x > 0.6 * numbers[-1] else "black"
                # It stays within the chart, so that the layout need not look for its extent.
                style = {"ha": "center", "va": "center", "in_layout": False}
                ax.text(j, i, f"{x:.0f}", fontsize=7, color=colour, **style)
    bar = part.colorbar(shown, ax=ax, ticks=MaxNLocator(integer=True))
    bar.set_label(f"first known after {trace.steps[0].unit}", fontsize=8)


def draw_periods(part: Any, trace: Trace, layout: Layout, look: Look = PLAIN) -> None:
    """Draw for every node and round of the period whether it sends, receives or both, and with whom."""
    ax = part.subplots()
    period = min(trace.period or 1, len(trace.steps))
    names = look.names(trace.problem.network)
    place = {v: i for i, v in enumerate(layout.order)}
    for t in range(period):
        for transfer in trace.steps[t].transfers:
            u, v = transfer.nodes[0], transfer.nodes[-1]
            colours = ("#8fb8de", "#8fb8de") if transfer.two_way else ("#f4a582", "#92c5a0")
            for node, other, sign, colour in ((u, v, ">", colours[0]), (v, u, "<", colours[1])):
                ax.add_patch(_square(t, place[node], colour))
                if len(place) <= MOST_ROWS // 2:
                    mark = f"{chr(0x2194)} " if transfer.two_way else sign
                    text = in_picture(f"{mark}{short_tick(names[other])}")
                    ax.text(t, place[node], text, ha="center", va="center", fontsize=6)
    ax.set_xlim(-0.5, period - 0.5)
    ax.set_ylim(len(place) - 0.5, -0.5)
    _label_ticks(ax.xaxis, [str(t) for t in range(1, period + 1)], 40)
    _label_ticks(ax.yaxis, [names[v] for v in layout.order], 45)
    both = [transfer.two_way for step in trace.steps[:period] for transfer in step.transfers]
    key = ["red: sends, green: receives"] * (not all(both)) + ["blue: both"] * any(both)
    ax.set_xlabel(f"round of the period of {trace.period}; {', '.join(key)}")
    ax.set_ylabel("node")


def _square(x: float, y: float, colour: str) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((x - 0.48, y - 0.48), 0.96, 0.96, facecolor=colour, edgecolor="none")


def draw_packets(part: Any, trace: Trace, _: Layout, look: Look = PLAIN) -> None:
    """Draw the largest message of every round, which is the round's cost.

    A second curve counts the nodes that hold everything after the round.
    """
    from matplotlib.ticker import MaxNLocator

    ax = part.subplots()
    largest = [step.largest for step in trace.steps]
    sent = [step.sent for step in trace.steps]
    rounds = range(1, len(largest) + 1)
    ax.bar(rounds, largest, color="#8fb8de", width=0.7)
    at_the_top = {"transform": ax.get_xaxis_transform(), "ha": "center", "va": "top"}
    for t, total in zip(rounds, sent, strict=True):
        ax.text(t, 0.96, f"{total}", fontsize=7, color="#555555", **at_the_top)
    ax.set_xlabel(f"round (at the top: {trace.noun}s in all messages)")
    ax.set_ylabel(f"largest message,\nof {trace.parts} {trace.noun}s")
    ax.set_ylim(0, 1.25 * max(largest))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    complete = [sum(trace.is_complete(t, v) for v in range(len(trace.start))) for t in rounds]
    twin = ax.twinx()
    twin.plot(rounds, complete, "o-", color=DONE, markersize=3)
    twin.set_ylabel("nodes with everything", color=DONE)
    most = len(trace.start)
    twin.set_ylim(0, 1.25 * most)
    twin.set_yticks(sorted({0, most // 2, most}))


def draw_loads(part: Any, trace: Trace, _: Layout, look: Look = PLAIN) -> None:
    """Draw the load of every channel in every step, relative to its capacity."""
    import numpy as np

    ax = part.subplots()
    names = sorted({load.name for step in trace.steps for load in step.loads}, key=_natural)
    busiest = sorted(names, key=lambda name: -max(_ratio(step, name) for step in trace.steps))[
        : MOST_ROWS // 2
    ]
    kept = [name for name in names if name in set(busiest)]
    cells = np.array([[_ratio(step, name) for step in trace.steps] for name in kept])
    shown = ax.imshow(
        np.where(cells > 0, cells, np.nan),
        aspect="auto",
        cmap="YlOrRd",
        vmin=0,
        vmax=1,
        interpolation="nearest",
    )
    _label_ticks(ax.yaxis, kept, 45)
    _label_ticks(ax.xaxis, [str(step.number) for step in trace.steps], 30)
    ax.set_xlabel("step; step t ends at time t" if trace.clocked else trace.steps[0].unit)
    if len(kept) < len(names):
        ax.set_ylabel(f"the {len(kept)} busiest of {len(names)} channels")
    if cells.size <= MOST_NUMBERS:
        texts = {(load.name, j): load for j, step in enumerate(trace.steps) for load in step.loads}
        for (i, j), x in np.ndenumerate(cells):
            load = texts.get((kept[i], j))
            if load is not None:
                text, colour = f"{load.load}/{load.capacity}", "white" if x > 0.6 else "black"
                ax.text(j, i, text, ha="center", va="center", fontsize=6, color=colour)
    bar = part.colorbar(shown, ax=ax, ticks=[0, 0.25, 0.5, 0.75, 1], format="{x:.0%}")
    bar.set_label("load, of the capacity", fontsize=8)


def _natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key that orders the numbers in names as numbers."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split("([0-9]+)", name)]


def _ratio(step: TraceStep, name: str) -> float:
    return max((load.load / load.capacity for load in step.loads if load.name == name), default=0.0)
