"""Placement of the names of nodes where they cover neither lines nor nodes nor other names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from schedsolve.drawing.pictures.layouts import Point

SIDES = ((0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1))
"""The places of a name in order of preference: below, above, right, left, and the corners between."""
LETTER, HEIGHT = 0.62, 1.1
"""The width of a letter and the height of a name, in font sizes."""
OVER_NODE = 100


@dataclass(frozen=True)
class NodeName:
    """A name next to a node: its text and its center."""

    text: str
    middle: Point


def names_beside(
    names: Sequence[str],
    points: Sequence[Point],
    lines: Sequence[Sequence[Point]],
    radius: float,
    font: float,
) -> list[NodeName]:
    """Return a place for every name, without the names that would cover another one.

    Parameters
    ----------
    names
        The names of the nodes; an empty one needs no place.
    points
        The positions of the nodes.
    lines
        Lines that the names avoid, as points along them.
    radius
        The radius of a node, in the units of the points.
    font
        The font size, in the units of the points.
    """
    import numpy as np

    covered = np.array([p for line in lines for p in _dense(line, font / 2)] or [(np.inf, np.inf)])
    nodes = np.array(points)
    boxes: list[tuple[float, float, float, float]] = []
    placed = []
    for name, (x, y) in zip(names, points, strict=True):
        if not name:
            continue
        across, up = LETTER * font * len(name) / 2, HEIGHT * font / 2
        best: tuple[int, Point] | None = None
        for right, above in SIDES:
            slant = 0.85 if right and above else 1.15
            middle = x + right * (slant * radius + across), y + above * (slant * radius + up)
            if any(
                abs(a - middle[0]) < across + w and abs(b - middle[1]) < up + h * 0.9 for a, b, w, h in boxes
            ):
                continue
            cost = _inside(covered, middle, across, up) + OVER_NODE * _inside(
                nodes, middle, across + 0.8 * radius, up + 0.8 * radius
            )
            if best is None or cost < best[0]:
                best = cost, middle
        if best is not None:
            boxes.append((*best[1], across, up))
            placed.append(NodeName(name, best[1]))
    return placed


def _inside(points: Any, middle: Point, across: float, up: float) -> int:
    return int(((abs(points[:, 0] - middle[0]) < across) & (abs(points[:, 1] - middle[1]) < up)).sum())


def _dense(line: Sequence[Point], step: float) -> list[Point]:
    """Return points along a line, at most `step` apart."""
    found = []
    for (a, b), (c, d) in pairwise(line):
        pieces = max(1, int((abs(c - a) + abs(d - b)) / step))
        found += [(a + (c - a) * i / pieces, b + (d - b) * i / pieces) for i in range(pieces)]
    return found
