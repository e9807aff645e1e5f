"""The network once per round, with its calls and how much every node knows after them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from schedsolve.drawing.pictures.colours import ACTIVE, BROKEN, DONE, MANY, NOTHING, PARTLY, QUIET
from schedsolve.drawing.pictures.labels import NodeName, names_beside
from schedsolve.drawing.pictures.layouts import Layout, Point
from schedsolve.drawing.pictures.lines import (
    bends_of,
    beside,
    between,
    corners,
    curve,
    distance,
    linked_pairs,
)
from schedsolve.drawing.pictures.look import DOTS, PLAIN, Look
from schedsolve.drawing.pictures.panel_grid import (
    LARGEST_RADIUS,
    MOST_LABELS,
    SMALLEST_FONT,
    grid_of,
    shown_steps,
)
from schedsolve.drawing.traces.trace import Bottleneck, Trace, Transfer
from schedsolve.network.graph import Network
from schedsolve.runtime.files.escapes import in_picture

LARGEST_FONT = 7.0
BOTTLENECK_HEIGHT = 3.4
"""In inches, with about half an inch of words."""
LONGEST_NAME = 18


def draw_rounds(part: Any, trace: Trace, layout: Layout, look: Look = PLAIN) -> None:
    """Draw a panel for every step, and a legend of the colors."""
    grid = grid_of(trace, layout, look)
    axes = part.subplots(grid.rows, grid.side, squeeze=False).ravel()
    panel = _Panel(trace, layout, grid.width, look)
    for ax in axes:
        ax.set_axis_off()
        ax.set_aspect("equal", adjustable="box")
    for number, ax in zip(grid.numbers, axes, strict=False):
        panel.draw(ax, number)
    part.legend(
        handles=_key(panel, trace), loc="outside lower center", ncols=8, fontsize=7, frameon=False,
        labelcolor="#444444", handlelength=1.2,
    )  # fmt: skip
    _name_colours(part, trace)


def _key(panel: _Panel, trace: Trace) -> list[Any]:
    """Return a swatch and a word for every color and mark that the panels show."""
    from matplotlib.lines import Line2D

    def disc(name: str, colour: str, **style: Any) -> Any:
        rim = {"markeredgecolor": "#444444", "markeredgewidth": 0.6, "markersize": 7, "linestyle": "none"}
        return Line2D([], [], marker="o", markerfacecolor=colour, label=name, **{**rim, **style})

    shares = panel.shares_shown()
    key = [disc("knows all it must", DONE)] if 1 in shares else []
    if any(0 < share < 1 for share in shares):
        share = {"fillstyle": "right", "markerfacecoloralt": NOTHING}
        key.append(disc("knows this share of all", PARTLY, **share))
    if 0 in shares:
        key.append(disc("knows nothing", NOTHING))
    if panel.some_have_no_goal:
        key.append(disc("must get it", NOTHING, markeredgewidth=1.8))
    if trace.relays:
        key.append(disc("switch, only passes on", QUIET, markersize=5))
    if trace.broken:
        key.append(Line2D([], [], color=BROKEN, linewidth=3, label="breaks a rule"))
    left = len(trace.steps) - len(shown_steps(trace))
    if left > 0:
        key.append(Line2D([], [], linestyle="none", label=f"{left} more are not shown"))
    return key


def _name_colours(part: Any, trace: Trace) -> None:
    """Write what the colors of transfers mean above the panels; they are used in turn."""
    from matplotlib.lines import Line2D

    if not any(transfer.colour is not None for step in shown_steps(trace) for transfer in step.transfers):
        return
    names = [", ".join(trace.colours[i :: len(MANY)]) for i in range(min(len(MANY), len(trace.colours)))]
    short = [name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}.." for name in names]
    lines = [Line2D([], [], color=colour, linewidth=2) for colour, _ in zip(MANY, short, strict=False)]
    part.legend(lines, short, loc="outside upper right", ncols=8, fontsize=6, frameon=False, handlelength=1)


def draw_bottleneck(part: Any, trace: Trace, layout: Layout, look: Look = PLAIN) -> None:
    """Draw the network with the bottleneck of the trace, and its description below."""
    from textwrap import wrap

    assert trace.bottleneck is not None
    ax = part.subplots()
    ax.set_axis_off()
    ax.set_aspect("equal", adjustable="box")
    width = part.figure.get_figwidth()
    across, up = layout.size
    panel = min(width, (BOTTLENECK_HEIGHT - 0.5) * (across + 0.8) / (up + 0.8))
    _Panel(trace, layout, panel, look).draw_bottleneck(ax, trace.bottleneck)
    part.supxlabel("\n".join(wrap(trace.bottleneck.words, int(15 * width))[:3]), fontsize=7, color="#555555")


def _inches_a_unit(layout: Layout, width: float) -> float:
    return width / (layout.size[0] + 1)


def node_radius(layout: Layout, width: float) -> float:
    """Return the radius of a node, in the layout's units, in a panel of this width in inches.

    It is a fixed size on paper if that fits.
    """
    inches = 0.06 if len(layout.points) > MOST_LABELS else 0.13
    return min(LARGEST_RADIUS, inches / _inches_a_unit(layout, width), 0.45 * layout.least_distance)


class _Panel:
    """What all panels of a picture share; `width` is that of a panel in inches."""

    def __init__(self, trace: Trace, layout: Layout, width: float, look: Look) -> None:
        self.trace = trace
        self.network: Network = trace.problem.network
        self.names = [""] * self.network.node_count if look.nodes == DOTS else look.names(self.network)
        self.points = layout.points
        self.unit = _inches_a_unit(layout, width)
        self.many = self.network.node_count > MOST_LABELS
        self.radius = node_radius(layout, width)
        pairs = linked_pairs(trace, shown_steps(trace))
        self.bends = bends_of(pairs, self.points, self.radius)
        lines = [point for (u, v), bend in self.bends.items() if bend for point in self.line(u, v)]
        self.corners = corners([*self.points, *lines], 2 * self.radius if any(layout.size) else 0.5)
        self.beside = [] if self.many else self._names_beside(pairs)
        ends = [v for v in range(self.network.node_count) if v not in trace.relays]
        self.some_have_no_goal = trace.problem.task == "multicast" and any(not trace.goal[v] for v in ends)

    def line(self, u: int, v: int) -> list[Point]:
        """Return points along the edge from u to v, bent if it would pass over another node."""
        bend = self.bends.get((min(u, v), max(u, v)), 0.0)
        return curve(self.points[u], self.points[v], bend if u < v else -bend)

    def draw(self, ax: Any, number: int) -> None:
        """Draw the step of this number; 0 is the start."""
        step = self.trace.steps[number - 1] if number else None
        self._edges(ax)
        transfers = step.transfers if step else ()
        apart = self.trace.relays or any(len(transfer.nodes) > 2 for transfer in transfers)
        for i, (transfer, sides) in enumerate(self._lanes(transfers, apart=bool(apart))):
            index = i if transfer.colour is None and apart else transfer.colour
            colour = ACTIVE if index is None else MANY[index % len(MANY)]
            self._transfer(ax, transfer, BROKEN if transfer.broken else colour, sides)
        shares = self._shares(number)
        self._discs(ax, [self._colour(v, share) for v, share in enumerate(shares)])
        self._wedges(ax, shares)
        broken = any(transfer.broken for transfer in transfers)
        ax.set_title(step.title if step else "start", fontsize=9, color=BROKEN if broken else "black", y=1.0)

    def _lanes(self, transfers: Sequence[Transfer], *, apart: bool) -> list[tuple[Transfer, list[float]]]:
        """Return the transfers, each with its offset to the right on each of its edges.

        If transfers have colors, or `apart` gives each its own, those over one edge are drawn next to each
        other.
        """
        if not transfers or (not apart and all(transfer.colour is None for transfer in transfers)):
            return [(transfer, [0.0] * (len(transfer.nodes) - 1)) for transfer in transfers]
        users = Counter(pair for transfer in transfers for pair in pairwise(transfer.nodes))
        width = min(2.4 / 72 / self.unit, 1.7 * self.radius / max(users[e] + users[e[::-1]] for e in users))
        taken: Counter[tuple[int, int]] = Counter()
        placed = []
        for transfer in transfers:
            sides = []
            for u, v in pairwise(transfer.nodes):
                both = bool(users[v, u])
                first = 0.5 if both else (1 - users[u, v]) / 2
                sides.append(width * (first + taken[u, v]))
                taken[u, v] += 1
            placed.append((transfer, sides))
        return placed

    def draw_bottleneck(self, ax: Any, bottleneck: Bottleneck) -> None:
        """Draw the network with the links of the bottleneck, and the nodes on one side of the cut."""
        self._edges(ax)
        for link in bottleneck.links:
            self._transfer(ax, Transfer(link), ACTIVE, [0.0])
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
        """Draw the nodes in these colors with their names, and set the limits of the picture."""
        from matplotlib.collections import EllipseCollection

        n = self.network.node_count
        sizes = [self.radius if v in self.trace.relays else 2 * self.radius for v in range(n)]
        rings = [1.8 if self.some_have_no_goal and self.trace.goal[v] else 0.6 for v in range(n)]
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

    def shares_shown(self) -> set[float]:
        """Return the shares of their goals that nodes know in some panel; switches do not count."""
        numbers = range(1, len(shown_steps(self.trace)) + 1) or range(1)
        return {
            share
            for number in numbers
            for v, share in enumerate(self._shares(number))
            if v not in self.trace.relays
        }

    def _shares(self, number: int) -> list[float]:
        """Return for every node the share of its goal that it knows after a step; 0 is the start."""
        known = self.trace.steps[number - 1].known if number else self.trace.start
        return [self._share(number, v, known[v]) for v in range(self.network.node_count)]

    def _share(self, number: int, v: int, known: int) -> float:
        """Return the share of its goal that a node knows after a step; 1 if it knows all it must."""
        if v in self.trace.relays:
            return 0.0
        if self.trace.goal[v] and self.trace.is_complete(number, v):
            return 1.0
        return known.bit_count() / len(self.trace.items)

    def _colour(self, v: int, share: float) -> str:
        return QUIET if v in self.trace.relays else DONE if share == 1 else NOTHING

    def _wedges(self, ax: Any, shares: Sequence[float]) -> None:
        """Draw a wedge, clockwise from the top, in every node that knows a part of its goal."""
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
            ax.add_artist(PathPatch(shape, facecolor=PARTLY, edgecolor="none", zorder=4))

    def _is_inside(self, text: str) -> bool:
        return 144 * self.radius * self.unit / max(2, len(text)) >= SMALLEST_FONT

    def _names_beside(self, pairs: Sequence[tuple[int, int]]) -> list[NodeName]:
        """Return the shortened names that do not fit into their nodes, with their places."""
        shown = []
        for v, text in enumerate(self.names):
            hidden = v in self.trace.relays or self._is_inside(text)
            shown.append("" if hidden else text if len(text) <= 12 else f"{text[:5]}..{text[-5:]}")
        lines = [self.line(u, v) for u, v in pairs]
        return names_beside(shown, self.points, lines, self.radius, SMALLEST_FONT / 72 / self.unit)

    def _labels(self, ax: Any, colours: Sequence[str]) -> None:
        """Draw the names inside the nodes if they fit, else next to them."""
        style = {"ha": "center", "va": "center", "zorder": 5}
        for v, (x, y) in enumerate(self.points):
            text = self.names[v]
            if v not in self.trace.relays and self._is_inside(text):
                size = min(LARGEST_FONT, 158 * self.radius * self.unit / max(2, len(text)))
                colour = "white" if colours[v] == DONE else "black"
                # It stays within the node, so that the layout need not look for its extent.
                ax.text(x, y, in_picture(text), fontsize=size, color=colour, in_layout=False, **style)
        box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.3}
        for name in self.beside:
            ax.text(*name.middle, in_picture(name.text), fontsize=SMALLEST_FONT, bbox=box, **style)

    def _transfer(self, ax: Any, transfer: Transfer, colour: str, sides: Sequence[float]) -> None:
        """Draw a call as an arrow from border to border.

        A long call is drawn along its path, with the arrow on the last edge; `sides` has its offset
        to the right on each edge.
        """
        hops = list(pairwise(transfer.nodes))
        for number, ((u, v), side) in enumerate(zip(hops, sides, strict=True)):
            ends = number == 0, number == len(hops) - 1
            self._arrow(
                ax,
                beside(self.line(u, v), side),
                ends=ends,
                both=transfer.two_way,
                colour=colour,
                width=3.0 if transfer.broken else 0.9 if self.many else 1.2 if side else 1.8,
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
        """Draw a line with an arrowhead at its end, and at its start if it goes both ways.

        `ends` says whether a call starts and ends at the ends of the line.
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
    """Add lines as one shape, which keeps files small."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    if not lines:
        return
    points = [point for line in lines for point in line]
    codes = [Path.LINETO if i else Path.MOVETO for line in lines for i in range(len(line))]
    shape = Path(points, codes)
    # Not `add_patch`, which looks for the extent of every curve: the limits of the picture are set anyway.
    ax.add_artist(
        PathPatch(shape, fill=False, edgecolor=colour, linewidth=width, zorder=zorder, capstyle="butt")
    )


def _add_heads(ax: Any, tips: Sequence[tuple[Point, Point]], size: float, colour: str) -> None:
    """Add triangles, each given by its tip and a point behind it."""
    from matplotlib.patches import Polygon

    for (x, y), behind in tips:
        far = distance((x, y), behind) or 1.0
        across, up = size * (x - behind[0]) / far, size * (y - behind[1]) / far
        base = x - across, y - up
        corners_of = [(x, y), (base[0] - 0.45 * up, base[1] + 0.45 * across)]
        corners_of.append((base[0] + 0.45 * up, base[1] - 0.45 * across))
        ax.add_artist(Polygon(corners_of, facecolor=colour, edgecolor="none", zorder=2))
