"""The network once for every round: what moves, and who knows nothing, something or everything after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import Any

from schedsolve.draw.colours import ACTIVE, DONE, MANY, NOTHING, PARTLY, QUIET
from schedsolve.draw.layouts import Layout, Point
from schedsolve.modelkit.story import Bottleneck, Frame, Story, Stroke
from schedsolve.network.graph import Network

MOST_PANELS, MOST_COLUMNS = 24, 4
PANEL_WIDTH = 3.2
MOST_LABELS = 64
WIDE = 12.0
"""How many times wider than high a layout is from which on a panel takes the whole width."""
BENDS = (0.0, *(side * bend for bend in (0.08, 0.16, 0.24, 0.32, 0.4, 0.5, 0.65, 0.8) for side in (1, -1)))
"""How far a line may be bent, relative to its length, so as not to pass over other nodes; the straight one is
tried first.
"""
MOST_BENT = 400_000
"""Edges times nodes up to which lines are bent."""
SMALLEST_FONT, LARGEST_FONT = 5.5, 7.0
LONGEST_NAME = 18


def columns(story: Story, layout: Layout) -> int:
    """How many panels stand side by side."""
    across, up = layout.size
    if across > WIDE * (up + 1):
        return 1
    return min(MOST_COLUMNS, max(1, len(shown_frames(story))))


def shown_frames(story: Story) -> list[Frame]:
    """The frames that get a panel: all, or the first ones."""
    return list(story.frames[:MOST_PANELS])


def rounds_height(story: Story, layout: Layout, width: float) -> float:
    """The inches that all panels take in a picture that is so many inches wide."""
    side, (across, up) = columns(story, layout), layout.size
    panel = width / side
    height = min(2.2 * panel, max(0.6, panel * (up + 0.8) / (across + 0.8))) + 0.35
    return 0.3 + ceil(max(1, len(shown_frames(story))) / side) * height


def draw_rounds(part: Any, story: Story, layout: Layout) -> None:
    """Draw a panel for every frame, and what the colours mean."""
    frames, side = shown_frames(story), columns(story, layout)
    axes = part.subplots(ceil(max(1, len(frames)) / side), side, squeeze=False).ravel()
    panel = _Panel(story, layout, part.figure.get_figwidth() / side)
    for number, ax in enumerate(axes, 1):
        ax.set_axis_off()
        ax.set_aspect("equal", adjustable="box")
        if number <= max(1, len(frames)):
            panel.draw(ax, number if frames else 0)
    left = len(story.frames) - len(frames)
    notes = ["green: knows all it must", "yellow: something", "white: nothing"]
    notes += ["thick ring: must get it"] if panel.some_have_no_goal else []
    notes += ["grey: switches, which only pass on"] if story.relays else []
    notes += [f"{left} more are not shown"] if left > 0 else []
    part.supxlabel("; ".join(notes), fontsize=7, color="#555555")
    _name_colours(part, story)


def _name_colours(part: Any, story: Story) -> None:
    """What the colours of strokes mean, on top; they are taken in turn."""
    from matplotlib.lines import Line2D

    if not any(stroke.colour is not None for frame in shown_frames(story) for stroke in frame.strokes):
        return
    names = [", ".join(story.colours[i :: len(MANY)]) for i in range(min(len(MANY), len(story.colours)))]
    short = [name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}.." for name in names]
    lines = [Line2D([], [], color=colour, linewidth=2) for colour, _ in zip(MANY, short, strict=False)]
    part.legend(lines, short, loc="upper right", ncols=8, fontsize=6, frameon=False, handlelength=1)


def draw_bottleneck(part: Any, story: Story, layout: Layout) -> None:
    """Draw the network with the bottleneck of the story, and say below what it is."""
    from textwrap import wrap

    assert story.bottleneck is not None
    ax = part.subplots()
    ax.set_axis_off()
    ax.set_aspect("equal", adjustable="box")
    width = part.figure.get_figwidth()
    _Panel(story, layout, width / columns(story, layout)).draw_bottleneck(ax, story.bottleneck)
    part.supxlabel("\n".join(wrap(story.bottleneck.words, int(15 * width))[:3]), fontsize=7, color="#555555")


def _inches_a_unit(layout: Layout, width: float) -> float:
    return width / (layout.size[0] + 1)


def node_radius(layout: Layout, width: float) -> float:
    """The radius of a node, in the layout's units, in a panel of so many inches: a fixed size on paper, if
    that fits.
    """
    inches = 0.06 if len(layout.points) > MOST_LABELS else 0.13
    return min(0.3, inches / _inches_a_unit(layout, width), 0.45 * layout.least_distance)


class _Panel:
    """What all panels of a picture share. width: of a panel, in inches."""

    def __init__(self, story: Story, layout: Layout, width: float) -> None:
        self.story = story
        self.network: Network = story.problem.network
        self.points = layout.points
        self.unit = _inches_a_unit(layout, width)
        self.many = self.network.node_count > MOST_LABELS
        self.radius = node_radius(layout, width)
        pairs = {(min(e), max(e)) for e in self.network.edges}
        pairs |= {
            (min(e), max(e))
            for frame in shown_frames(story)
            for stroke in frame.strokes
            for e in pairwise(stroke.nodes)
        }
        self.bends = _bends(sorted(pairs), self.points, self.radius)
        lines = [point for (u, v), bend in self.bends.items() if bend for point in self.line(u, v)]
        self.corners = _corners([*self.points, *lines], 2 * self.radius)
        ends = [v for v in range(self.network.node_count) if v not in story.relays]
        self.some_have_no_goal = story.problem.task == "multicast" and any(not story.goal[v] for v in ends)

    def line(self, u: int, v: int) -> list[Point]:
        """Points along the edge from u to v, bent where it would pass over another node."""
        bend = self.bends.get((min(u, v), max(u, v)), 0.0)
        return _curve(self.points[u], self.points[v], bend if u < v else -bend)

    def draw(self, ax: Any, number: int) -> None:
        """Draw the frame of this number; 0 is the start."""
        frame = self.story.frames[number - 1] if number else None
        self._edges(ax)
        lanes = self._lanes(frame.strokes if frame else ())
        for i, (stroke, sides) in enumerate(lanes):
            index = i if stroke.colour is None and self.story.relays else stroke.colour
            self._stroke(ax, stroke, ACTIVE if index is None else MANY[index % len(MANY)], sides)
        known = frame.known if frame else self.story.start
        self._discs(ax, [self._colour(number, v, known[v]) for v in range(self.network.node_count)])
        ax.set_title(frame.title if frame else "start", fontsize=9)

    def _lanes(self, strokes: Sequence[Stroke]) -> list[tuple[Stroke, list[float]]]:
        """The strokes, and for every one how far it lies to the right of each of its edges: where strokes
        have colours, those over one edge lie side by side.
        """
        if all(stroke.colour is None for stroke in strokes):
            return [(stroke, [0.0] * (len(stroke.nodes) - 1)) for stroke in strokes]
        users = Counter(pair for stroke in strokes for pair in pairwise(stroke.nodes))
        width = min(2.4 / 72 / self.unit, 1.7 * self.radius / max(users[e] + users[e[::-1]] for e in users))
        taken: Counter[tuple[int, int]] = Counter()
        placed = []
        for stroke in strokes:
            sides = []
            for u, v in pairwise(stroke.nodes):
                both = bool(users[v, u])
                first = 0.5 if both else (1 - users[u, v]) / 2
                sides.append(width * (first + taken[u, v]))
                taken[u, v] += 1
            placed.append((stroke, sides))
        return placed

    def draw_bottleneck(self, ax: Any, bottleneck: Bottleneck) -> None:
        """Draw the network with the links of the bottleneck, and the nodes on the side of the cut."""
        self._edges(ax)
        for link in bottleneck.links:
            self._stroke(ax, Stroke(link), ACTIVE, [0.0])
        sides = [PARTLY if v in bottleneck.nodes else NOTHING for v in range(self.network.node_count)]
        self._discs(ax, sides)

    def _edges(self, ax: Any) -> None:
        from matplotlib.collections import LineCollection

        edges, n = self.network.edges, self.network.node_count
        thickness = 0.7 if len(edges) <= 4 * n else 0.15
        if len(edges) <= 40 * n:
            ax.add_collection(
                LineCollection(
                    [self.line(u, v) for u, v in edges], colors=QUIET, linewidths=thickness, zorder=1
                )
            )
        if self.network.directed and not self.many:
            for u, v in edges:
                self._arrow(ax, self.line(u, v), ends=(False, True), both=False, colour=QUIET, width=0.7)

    def _discs(self, ax: Any, colours: Sequence[str]) -> None:
        """The nodes in these colours with their names, and the limits of the picture."""
        from matplotlib.collections import EllipseCollection

        n = self.network.node_count
        sizes = [self.radius if v in self.story.relays else 2 * self.radius for v in range(n)]
        rings = [1.8 if self.some_have_no_goal and self.story.goal[v] else 0.6 for v in range(n)]
        discs = EllipseCollection(
            sizes, sizes, [0] * n, units="xy", offsets=self.points, transOffset=ax.transData,
            facecolors=colours, edgecolors="#444444", linewidths=rings, zorder=3,
        )  # fmt: skip
        ax.add_collection(discs)
        if not self.many:
            self._labels(ax, colours)
        (left, bottom), (right, top) = self.corners
        ax.set_xlim(left, right)
        ax.set_ylim(bottom, top)

    def _colour(self, number: int, v: int, known: int) -> str:
        everything = (1 << len(self.story.items)) - 1
        if v in self.story.relays:
            return QUIET
        if known == everything or (self.story.goal[v] and self.story.is_complete(number, v)):
            return DONE
        return PARTLY if known else NOTHING

    def _labels(self, ax: Any, colours: Sequence[str]) -> None:
        """The names, inside the nodes where they fit, else just below them."""
        for v, (x, y) in enumerate(self.points):
            if v in self.story.relays:
                continue
            text = str(self.network.labels[v])
            inside = 144 * self.radius * self.unit / max(2, len(text))
            if inside >= SMALLEST_FONT:
                white = colours[v] == DONE
                size = min(LARGEST_FONT, 1.1 * inside)
                ax.text(
                    x,
                    y,
                    text,
                    ha="center",
                    va="center",
                    fontsize=size,
                    color="white" if white else "black",
                    zorder=5,
                )
            else:
                name = text if len(text) <= 12 else f"{text[:5]}..{text[-5:]}"
                box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.4}
                ax.text(
                    x,
                    y - 1.25 * self.radius,
                    name,
                    ha="center",
                    va="top",
                    fontsize=SMALLEST_FONT,
                    bbox=box,
                    zorder=5,
                )

    def _stroke(self, ax: Any, stroke: Stroke, colour: str, sides: Sequence[float]) -> None:
        """A call as an arrow from border to border; a long call along its whole path, with the arrow on the
        last edge. sides: how far it lies to the right of each edge.
        """
        steps = list(pairwise(stroke.nodes))
        for number, ((u, v), side) in enumerate(zip(steps, sides, strict=True)):
            ends = number == 0, number == len(steps) - 1
            self._arrow(
                ax,
                _beside(self.line(u, v), side),
                ends=ends,
                both=stroke.two_way,
                colour=colour,
                width=0.9 if self.many else 1.2 if side else 1.8,
            )

    def _arrow(
        self,
        ax: Any,
        line: Sequence[Point],
        *,
        ends: tuple[bool, bool],
        both: bool,
        colour: str,
        width: float,
    ) -> None:
        """A line with a head at its end, and at its start where it goes both ways. ends: whether a call
        starts and ends there.
        """
        first, last = ends
        kept = _between(line, self.radius if first else 0.0, self.radius if last else 0.0)
        ax.plot(
            [x for x, _ in kept],
            [y for _, y in kept],
            color=colour,
            linewidth=width,
            zorder=2,
            solid_capstyle="butt",
        )
        head = {
            "arrowstyle": "-|>",
            "color": colour,
            "lw": width,
            "shrinkA": 0,
            "shrinkB": 0,
            "mutation_scale": 5 if self.many else 4 + 3 * width,
        }
        for here, tip, tail in ((last, kept[-1], kept[-2]), (first and both, kept[0], kept[1])):
            if here:
                ax.annotate("", tip, tail, arrowprops=head, zorder=2, annotation_clip=False)


def _corners(points: Sequence[Point], margin: float) -> tuple[Point, Point]:
    """The lower left and the upper right corner of what holds all points with a margin."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs) - margin, min(ys) - margin), (max(xs) + margin, max(ys) + margin)


def _bends(
    pairs: Sequence[tuple[int, int]], points: Sequence[Point], radius: float
) -> dict[tuple[int, int], float]:
    """For every pair of nodes how far its line is bent: the first way in which it keeps off other nodes, else
    the one that does best.
    """
    import numpy as np

    if len(pairs) * len(points) > MOST_BENT:
        return {}
    places = np.array(points)
    bends = {}
    for u, v in pairs:
        best, clearance = 0.0, -1.0
        for bend in BENDS:
            line = np.array(_curve(points[u], points[v], bend))
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


def _curve(start: Point, end: Point, bend: float) -> list[Point]:
    """Points along a quadratic curve whose middle is so far to the side of the straight line, relative to its
    length.
    """
    across, up = end[0] - start[0], end[1] - start[1]
    middle = (start[0] + end[0]) / 2 - 2 * bend * up, (start[1] + end[1]) / 2 + 2 * bend * across
    steps = 24 if bend else 8
    curve = []
    for i in range(steps + 1):
        t = i / steps
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        curve.append((a * start[0] + b * middle[0] + c * end[0], a * start[1] + b * middle[1] + c * end[1]))
    return curve


def _beside(line: Sequence[Point], side: float) -> list[Point]:
    """The line moved to its right by so much."""
    (left, low), (right, high) = line[0], line[-1]
    length = _distance(line[0], line[-1]) or 1.0
    across, up = side * (high - low) / length, -side * (right - left) / length
    return [(x + across, y + up) for x, y in line]


def _between(line: Sequence[Point], before: float, after: float) -> list[Point]:
    """The line without what lies within a radius of its ends, which stay on it as border points."""

    def trimmed(points: list[Point], radius: float) -> list[Point]:
        start = points[0]
        while len(points) > 2 and _distance(points[1], start) <= radius:
            points = points[1:]
        (x, y), (far_x, far_y) = points[0], points[1]
        inner, outer = _distance(points[0], start), _distance(points[1], start)
        share = (radius - inner) / (outer - inner) if outer > inner else 0.0
        return [(x + share * (far_x - x), y + share * (far_y - y)), *points[1:]]

    kept = trimmed(list(line), before)
    return trimmed(kept[::-1], after)[::-1] if after else kept


def _distance(a: Point, b: Point) -> float:
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)
