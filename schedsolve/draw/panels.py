"""The network once for every round: what moves, and who knows nothing, something or everything after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Any

from schedsolve.draw.colours import ACTIVE, BROKEN, DONE, MANY, NOTHING, PARTLY, QUIET
from schedsolve.draw.labels import NodeName, names_beside
from schedsolve.draw.layouts import Layout, Point
from schedsolve.draw.lines import bends_of, beside, between, corners, curve, distance
from schedsolve.escapes import in_picture
from schedsolve.modelkit.story import Bottleneck, Frame, Story, Stroke
from schedsolve.network.graph import Network

MOST_PANELS, MOST_COLUMNS = 24, 4
PANEL_WIDTH, ONE_NODE_WIDTH = 3.2, 1.0
MOST_LABELS = 64
WIDE = 12.0
"""How many times wider than high a layout is from which on a panel takes the whole width."""
SMALLEST_FONT, LARGEST_FONT = 5.5, 7.0
LARGEST_RADIUS = 0.3
"""Of a node, in the units of the layout."""
LONGEST_NAME = 18


@dataclass(frozen=True)
class Grid:
    """How the panels stand: the numbers of their frames, 0 for the start; how many side by side; the width of
    each, in inches.
    """

    numbers: tuple[int, ...]
    side: int
    width: float

    @property
    def rows(self) -> int:
        """How many rows of panels there are."""
        return ceil(len(self.numbers) / self.side)


def grid_of(story: Story, layout: Layout) -> Grid:
    """The panels of a picture: as many side by side as names have room, and so that few places stay empty;
    the start gets a panel where that fills one, or where nothing else is shown.
    """
    frames = len(shown_frames(story))
    across, up = layout.size
    full = PANEL_WIDTH * MOST_COLUMNS
    if not across and not up:
        return Grid(tuple(range(bool(frames), frames + 1)), 1, ONE_NODE_WIDTH)
    if frames < 2:
        return Grid((1,) if frames else (0,), 1, 2 * PANEL_WIDTH)
    if across > WIDE * (up + 1):
        return Grid(tuple(range(1, frames + 1)), 1, full)
    most = min(MOST_COLUMNS, frames, max(2, int(full / _width_for_names(story, layout))))
    sides = (most, most - 1) if most == MOST_COLUMNS else (most,)
    empty = {side: -frames % side for side in sides}
    side = min(empty, key=lambda side: (empty[side] - (empty[side] > 0), -side))
    first = 0 if empty[side] else 1
    return Grid(tuple(range(first, frames + 1)), side, (full if frames > side else PANEL_WIDTH * side) / side)


def _width_for_names(story: Story, layout: Layout) -> float:
    """The inches that a panel takes whose names fit into the nodes; as few as there are where none do."""
    labels = [str(name) for v, name in enumerate(story.problem.network.labels) if v not in story.relays]
    longest = max(2, *map(len, labels), 2)
    if len(layout.points) > MOST_LABELS or longest > 3:
        return PANEL_WIDTH
    radius = SMALLEST_FONT * longest / 144
    return radius / min(LARGEST_RADIUS, 0.45 * layout.least_distance) * (layout.size[0] + 1)


def shown_frames(story: Story) -> list[Frame]:
    """The frames that get a panel: all, or the first ones."""
    return list(story.frames[:MOST_PANELS])


def rounds_height(story: Story, layout: Layout) -> float:
    """The inches that all panels take."""
    grid, (across, up) = grid_of(story, layout), layout.size
    panel = grid.width
    height = min(2.2 * panel, max(0.6, panel * (up + 0.8) / (across + 0.8))) + 0.35
    return 0.35 + grid.rows * height


def draw_rounds(part: Any, story: Story, layout: Layout) -> None:
    """Draw a panel for every frame, and what the colours mean."""
    grid = grid_of(story, layout)
    axes = part.subplots(grid.rows, grid.side, squeeze=False).ravel()
    panel = _Panel(story, layout, grid.width)
    for ax in axes:
        ax.set_axis_off()
        ax.set_aspect("equal", adjustable="box")
    for number, ax in zip(grid.numbers, axes, strict=False):
        panel.draw(ax, number)
    part.legend(
        handles=_key(panel, story), loc="outside lower center", ncols=8, fontsize=7, frameon=False,
        labelcolor="#444444", handlelength=1.2,
    )  # fmt: skip
    _name_colours(part, story)


def _key(panel: _Panel, story: Story) -> list[Any]:
    """A swatch with a word for every colour and mark of the nodes that the panels show."""
    from matplotlib.lines import Line2D

    def disc(name: str, colour: str, **style: Any) -> Any:
        rim = {"markeredgecolor": "#444444", "markeredgewidth": 0.6, "markersize": 7, "linestyle": "none"}
        return Line2D([], [], marker="o", markerfacecolor=colour, label=name, **{**rim, **style})

    key = [disc("knows all it must", DONE)]
    if len(story.items) > 1:
        share = {"fillstyle": "right", "markerfacecoloralt": NOTHING}
        key.append(disc("knows this share of all", PARTLY, **share))
    key.append(disc("knows nothing", NOTHING))
    if panel.some_have_no_goal:
        key.append(disc("must get it", NOTHING, markeredgewidth=1.8))
    if story.relays:
        key.append(disc("switch, only passes on", QUIET, markersize=5))
    if story.broken:
        key.append(Line2D([], [], color=BROKEN, linewidth=3, label="breaks a rule"))
    left = len(story.frames) - len(shown_frames(story))
    if left > 0:
        key.append(Line2D([], [], linestyle="none", label=f"{left} more are not shown"))
    return key


def _name_colours(part: Any, story: Story) -> None:
    """What the colours of strokes mean, on top; they are taken in turn."""
    from matplotlib.lines import Line2D

    if not any(stroke.colour is not None for frame in shown_frames(story) for stroke in frame.strokes):
        return
    names = [", ".join(story.colours[i :: len(MANY)]) for i in range(min(len(MANY), len(story.colours)))]
    short = [name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}.." for name in names]
    lines = [Line2D([], [], color=colour, linewidth=2) for colour, _ in zip(MANY, short, strict=False)]
    part.legend(lines, short, loc="outside upper right", ncols=8, fontsize=6, frameon=False, handlelength=1)


def draw_bottleneck(part: Any, story: Story, layout: Layout) -> None:
    """Draw the network with the bottleneck of the story, and say below what it is."""
    from textwrap import wrap

    assert story.bottleneck is not None
    ax = part.subplots()
    ax.set_axis_off()
    ax.set_aspect("equal", adjustable="box")
    width = part.figure.get_figwidth()
    _Panel(story, layout, grid_of(story, layout).width).draw_bottleneck(ax, story.bottleneck)
    part.supxlabel("\n".join(wrap(story.bottleneck.words, int(15 * width))[:3]), fontsize=7, color="#555555")


def _inches_a_unit(layout: Layout, width: float) -> float:
    return width / (layout.size[0] + 1)


def node_radius(layout: Layout, width: float) -> float:
    """The radius of a node, in the layout's units, in a panel of so many inches: a fixed size on paper, if
    that fits.
    """
    inches = 0.06 if len(layout.points) > MOST_LABELS else 0.13
    return min(LARGEST_RADIUS, inches / _inches_a_unit(layout, width), 0.45 * layout.least_distance)


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
        self.bends = bends_of(sorted(pairs), self.points, self.radius)
        lines = [point for (u, v), bend in self.bends.items() if bend for point in self.line(u, v)]
        self.corners = corners([*self.points, *lines], 2 * self.radius if any(layout.size) else 0.5)
        self.beside = [] if self.many else self._names_beside(sorted(pairs))
        ends = [v for v in range(self.network.node_count) if v not in story.relays]
        self.some_have_no_goal = story.problem.task == "multicast" and any(not story.goal[v] for v in ends)

    def line(self, u: int, v: int) -> list[Point]:
        """Points along the edge from u to v, bent where it would pass over another node."""
        bend = self.bends.get((min(u, v), max(u, v)), 0.0)
        return curve(self.points[u], self.points[v], bend if u < v else -bend)

    def draw(self, ax: Any, number: int) -> None:
        """Draw the frame of this number; 0 is the start."""
        frame = self.story.frames[number - 1] if number else None
        self._edges(ax)
        strokes = frame.strokes if frame else ()
        apart = self.story.relays or any(len(stroke.nodes) > 2 for stroke in strokes)
        for i, (stroke, sides) in enumerate(self._lanes(strokes)):
            index = i if stroke.colour is None and apart else stroke.colour
            colour = ACTIVE if index is None else MANY[index % len(MANY)]
            self._stroke(ax, stroke, BROKEN if stroke.broken else colour, sides)
        known = frame.known if frame else self.story.start
        shares = [self._share(number, v, known[v]) for v in range(self.network.node_count)]
        self._discs(ax, [self._colour(v, share) for v, share in enumerate(shares)])
        self._wedges(ax, shares)
        broken = any(stroke.broken for stroke in strokes)
        ax.set_title(frame.title if frame else "start", fontsize=9, color=BROKEN if broken else "black")

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
        edges, n = self.network.edges, self.network.node_count
        thickness = 0.7 if len(edges) <= 4 * n else 0.15
        if len(edges) <= 40 * n:
            _add_lines(ax, [self.line(u, v) for u, v in edges], QUIET, thickness, zorder=1)
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

    def _share(self, number: int, v: int, known: int) -> float:
        """How much of all a node knows after the frame of this number; 1 where it knows all it must."""
        if v in self.story.relays:
            return 0.0
        if self.story.goal[v] and self.story.is_complete(number, v):
            return 1.0
        return known.bit_count() / len(self.story.items)

    def _colour(self, v: int, share: float) -> str:
        return QUIET if v in self.story.relays else DONE if share == 1 else NOTHING

    def _wedges(self, ax: Any, shares: Sequence[float]) -> None:
        """A wedge from the top, clockwise, in every node that knows something and not all."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path
        from matplotlib.transforms import Affine2D

        wedges = []
        for (x, y), share in zip(self.points, shares, strict=True):
            if 0 < share < 1:
                place = Affine2D().scale(0.96 * self.radius).translate(x, y)
                wedges.append(Path.wedge(90 - 360 * share, 90).transformed(place))
        if wedges:
            shape = Path.make_compound_path(*wedges)
            ax.add_patch(PathPatch(shape, facecolor=PARTLY, edgecolor="none", zorder=4))

    def _is_inside(self, text: str) -> bool:
        return 144 * self.radius * self.unit / max(2, len(text)) >= SMALLEST_FONT

    def _names_beside(self, pairs: Sequence[tuple[int, int]]) -> list[NodeName]:
        """The names that do not fit into their nodes, shortened, with places for them."""
        shown = []
        for v, label in enumerate(self.network.labels):
            text = str(label)
            hidden = v in self.story.relays or self._is_inside(text)
            shown.append("" if hidden else text if len(text) <= 12 else f"{text[:5]}..{text[-5:]}")
        lines = [self.line(u, v) for u, v in pairs]
        return names_beside(shown, self.points, lines, self.radius, SMALLEST_FONT / 72 / self.unit)

    def _labels(self, ax: Any, colours: Sequence[str]) -> None:
        """The names, inside the nodes where they fit, else beside them."""
        style = {"ha": "center", "va": "center", "zorder": 5}
        for v, (x, y) in enumerate(self.points):
            text = str(self.network.labels[v])
            if v not in self.story.relays and self._is_inside(text):
                size = min(LARGEST_FONT, 158 * self.radius * self.unit / max(2, len(text)))
                colour = "white" if colours[v] == DONE else "black"
                ax.text(x, y, in_picture(text), fontsize=size, color=colour, **style)
        box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.3}
        for name in self.beside:
            ax.text(*name.middle, in_picture(name.text), fontsize=SMALLEST_FONT, bbox=box, **style)

    def _stroke(self, ax: Any, stroke: Stroke, colour: str, sides: Sequence[float]) -> None:
        """A call as an arrow from border to border; a long call along its whole path, with the arrow on the
        last edge. sides: how far it lies to the right of each edge.
        """
        steps = list(pairwise(stroke.nodes))
        for number, ((u, v), side) in enumerate(zip(steps, sides, strict=True)):
            ends = number == 0, number == len(steps) - 1
            self._arrow(
                ax,
                beside(self.line(u, v), side),
                ends=ends,
                both=stroke.two_way,
                colour=colour,
                width=3.0 if stroke.broken else 0.9 if self.many else 1.2 if side else 1.8,
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
        kept = between(line, self.radius if first else 0.0, self.radius if last else 0.0)
        whole = sum(distance(a, b) for a, b in pairwise(kept))
        size = min((4.0 if self.many else 3.0 + 1.8 * width) / 72 / self.unit, 0.45 * whole)
        back = first and both
        shaft = between(kept, 0.8 * size if back else 0.0, 0.8 * size if last else 0.0)
        _add_lines(ax, [shaft], colour, width, zorder=2)
        tips = [(kept[-1], shaft[-1])] if last else []
        tips += [(kept[0], shaft[0])] if back else []
        _add_heads(ax, tips, size, colour)


def _add_lines(ax: Any, lines: Sequence[Sequence[Point]], colour: str, width: float, zorder: int) -> None:
    """Lines as one shape, which keeps files small."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    if not lines:
        return
    points = [point for line in lines for point in line]
    codes = [Path.LINETO if i else Path.MOVETO for line in lines for i in range(len(line))]
    shape = Path(points, codes)
    ax.add_patch(
        PathPatch(shape, fill=False, edgecolor=colour, linewidth=width, zorder=zorder, capstyle="butt")
    )


def _add_heads(ax: Any, tips: Sequence[tuple[Point, Point]], size: float, colour: str) -> None:
    """Triangles, each given by its tip and a point behind it."""
    from matplotlib.patches import Polygon

    for (x, y), behind in tips:
        far = distance((x, y), behind) or 1.0
        across, up = size * (x - behind[0]) / far, size * (y - behind[1]) / far
        base = x - across, y - up
        corners_of = [(x, y), (base[0] - 0.45 * up, base[1] + 0.45 * across)]
        corners_of.append((base[0] + 0.45 * up, base[1] - 0.45 * across))
        ax.add_patch(Polygon(corners_of, facecolor=colour, edgecolor="none", zorder=2))
