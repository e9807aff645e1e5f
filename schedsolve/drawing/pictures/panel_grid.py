"""The arrangement of a picture's panels: how many in a row, and how wide."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from schedsolve.drawing.pictures.layouts import Layout
from schedsolve.drawing.pictures.look import DOTS, PLAIN, Look
from schedsolve.drawing.traces.trace import Trace, TraceStep

MOST_PANELS, MOST_COLUMNS = 24, 4
MOST_SIDE_BY_SIDE = 8
"""The most panels of trees or flows, which are much alike."""
TIMES = ("round", "step")
"""The units of steps that follow one another in time; trees and flows run side by side."""
PANEL_WIDTH, ONE_NODE_WIDTH = 3.2, 1.0
LEAST_WIDTH = 1.5
"""The inches of a panel in which arrows between nodes are seen."""
MOST_LABELS = 64
WIDE = 12.0
"""The ratio of width to height from which on a panel takes the whole width."""
SMALLEST_FONT = 5.5
LARGEST_RADIUS = 0.3
"""The greatest radius of a node, in the units of the layout."""


@dataclass(frozen=True)
class Grid:
    """The arrangement of the panels.

    It has the numbers of their steps (0 for the start, where there is no step), the number of panels in a
    row, and the width of each in inches.
    """

    numbers: tuple[int, ...]
    side: int
    width: float

    @property
    def rows(self) -> int:
        """The number of rows of panels."""
        return ceil(len(self.numbers) / self.side)


def grid_of(trace: Trace, layout: Layout, look: Look = PLAIN) -> Grid:
    """Return the arrangement of the panels of a picture.

    A row has as many panels as the names have room for, and few places stay empty.
    """
    steps = len(shown_steps(trace))
    across, up = layout.size
    full = look.width or PANEL_WIDTH * MOST_COLUMNS
    panel = min(PANEL_WIDTH, full)
    numbers = tuple(range(1, steps + 1)) or (0,)
    if not across and not up:
        return Grid(numbers, 1, ONE_NODE_WIDTH)
    if steps < 2:
        return Grid(numbers, 1, look.width or 2 * PANEL_WIDTH)
    if across > WIDE * (up + 1):
        return Grid(numbers, 1, full)
    needed = max(_width_for_names(trace, layout, look, panel), LEAST_WIDTH if look.width else 0)
    most = min(MOST_COLUMNS, steps, max(1 if look.width else 2, int(full / needed)))
    sides = (most, most - 1) if most == MOST_COLUMNS or (look.width and most > 2) else (most,)
    side = min(sides, key=lambda side: (-steps % side, -side))
    return Grid(
        numbers, side, look.width / side if look.width else (full if steps > side else panel * side) / side
    )


def _width_for_names(trace: Trace, layout: Layout, look: Look, least: float) -> float:
    """Return the inches that a panel needs for names within its nodes, or the least if none fit.

    Dots have no names, so that arrows alone need room.
    """
    if look.nodes == DOTS:
        return min(least, LEAST_WIDTH)
    labels = [name for v, name in enumerate(look.names(trace.problem.network)) if v not in trace.relays]
    longest = max(2, *map(len, labels), 2)
    if len(layout.points) > MOST_LABELS or longest > 3:
        return least
    radius = SMALLEST_FONT * longest / 144
    return radius / min(LARGEST_RADIUS, 0.45 * layout.least_distance) * (layout.size[0] + 1)


def shown_steps(trace: Trace) -> list[TraceStep]:
    """Return the steps that have a panel: all, or the first ones."""
    return list(trace.steps[: MOST_PANELS if in_time(trace) else MOST_SIDE_BY_SIDE])


def in_time(trace: Trace) -> bool:
    """Return whether the steps follow one another in time."""
    return trace.clocked or not trace.steps or trace.steps[0].unit.rpartition(" ")[2] in TIMES


def rounds_height(trace: Trace, layout: Layout, look: Look = PLAIN) -> float:
    """Return the height of all panels in inches."""
    grid, (across, up) = grid_of(trace, layout, look), layout.size
    panel = grid.width
    height = min(2.2 * panel, max(0.6, panel * (up + 0.8) / (across + 0.8))) + 0.35
    return 0.35 + grid.rows * height
