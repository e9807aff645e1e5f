"""The geometry of the lines between nodes: bending, offsets and clipping."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from schedsolve.drawing.pictures.layouts import Point
from schedsolve.drawing.traces.trace import Trace, TraceStep

BENDS = (0.0, *(side * bend for bend in (0.08, 0.16, 0.24, 0.32, 0.4, 0.5, 0.65, 0.8) for side in (1, -1)))
"""The bends of a line, relative to its length, in the order in which they are tried."""
MOST_BENT = 400_000
"""The product of edges and nodes up to which lines are bent."""


def corners(points: Sequence[Point], margin: float) -> tuple[Point, Point]:
    """Return the lower left and upper right corner of a box around all points with a margin."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs) - margin, min(ys) - margin), (max(xs) + margin, max(ys) + margin)


def linked_pairs(trace: Trace, steps: Iterable[TraceStep]) -> list[tuple[int, int]]:
    """Return the pairs of nodes between which a picture has lines: of links, and of transfers in steps."""
    pairs = {(min(e), max(e)) for e in trace.problem.network.edges}
    pairs |= {(min(e), max(e)) for s in steps for t in s.transfers for e in pairwise(t.nodes)}
    return sorted(pairs)


def bends_of(
    pairs: Sequence[tuple[int, int]], points: Sequence[Point], radius: float
) -> dict[tuple[int, int], float]:
    """Return the bend of the line of every pair of nodes.

    It is the first bend with which the line avoids all other nodes, else the one that keeps farthest away.
    """
    import numpy as np

    if len(pairs) * len(points) > MOST_BENT:
        return {}
    places = np.array(points)
    bends = {}
    for u, v in pairs:
        best, clearance = 0.0, -1.0
        for bend in BENDS:
            line = np.array(curve(points[u], points[v], bend))
            distance = np.sqrt(((line[:, None, :] - places[None, :, :]) ** 2).sum(axis=2)).min(axis=0)
            distance[[u, v]] = np.inf
            near = float(distance.min())
            if near > clearance + 1e-9:
                best, clearance = bend, near
            if near > 1.3 * radius:
                best = bend
                break
        bends[u, v] = best
    return bends


def curve(start: Point, end: Point, bend: float) -> list[Point]:
    """Return points along a quadratic curve; `bend` is the offset of its middle relative to its length."""
    across, up = end[0] - start[0], end[1] - start[1]
    middle = (start[0] + end[0]) / 2 - 2 * bend * up, (start[1] + end[1]) / 2 + 2 * bend * across
    steps = 24 if bend else 8
    curve = []
    for i in range(steps + 1):
        t = i / steps
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        curve.append((a * start[0] + b * middle[0] + c * end[0], a * start[1] + b * middle[1] + c * end[1]))
    return curve


def beside(line: Sequence[Point], side: float) -> list[Point]:
    """Return the polyline offset to its right by `side`."""
    (left, low), (right, high) = line[0], line[-1]
    length = distance(line[0], line[-1]) or 1.0
    across, up = side * (high - low) / length, -side * (right - left) / length
    return [(x + across, y + up) for x, y in line]


def between(line: Sequence[Point], before: float, after: float) -> list[Point]:
    """Return the line without the parts within `before` and `after` of its ends."""

    def trimmed(points: list[Point], radius: float) -> list[Point]:
        start = points[0]
        while len(points) > 2 and distance(points[1], start) <= radius:
            points = points[1:]
        (x, y), (far_x, far_y) = points[0], points[1]
        inner, outer = distance(points[0], start), distance(points[1], start)
        share = (radius - inner) / (outer - inner) if outer > inner else 0.0
        return [(x + share * (far_x - x), y + share * (far_y - y)), *points[1:]]

    kept = trimmed(list(line), before)
    return trimmed(kept[::-1], after)[::-1] if after else kept


def distance(a: Point, b: Point) -> float:
    """Return the distance of two points."""
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)
