"""Several networks in one picture, each with its name and some values below."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from schedsolve.drawing.pictures.colours import MANY, QUIET
from schedsolve.drawing.pictures.layouts import layout_of
from schedsolve.drawing.pictures.look import DRAWN_WITH
from schedsolve.drawing.pictures.pictures import picture_bytes
from schedsolve.network.graph import Network
from schedsolve.runtime.files.escapes import in_picture
from schedsolve.runtime.files.whole_file import write_whole

MOST_DRAWN, MOST_SIDE = 60, 6
"""The most networks in a picture, and the most in a row."""
LONGEST_NAME = 24
CELL_WIDTH, CELL_HEIGHT = 1.9, 1.7
LINE_HEIGHT = 0.17


def draw_networks(networks: Sequence[Network], values: Sequence[str], file: str, title: str) -> None:
    """Draw networks into an SVG, PNG or PDF file, each with lines of values."""
    write_whole(picture_of_networks(networks, values, file.rpartition(".")[2], title), file)


def picture_of_networks(networks: Sequence[Network], values: Sequence[str], ending: str, title: str) -> bytes:
    """Return the picture of networks as svg, png or pdf, each with lines of values."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    side = min(MOST_SIDE, len(networks))
    rows = ceil(len(networks) / side)
    deep = 1 + max(text.count("\n") for text in values)
    height = rows * (CELL_HEIGHT + LINE_HEIGHT * (deep + 2)) + (0.4 if title else 0.1)
    with rc_context({"font.size": 8, **DRAWN_WITH}):
        picture = Figure(figsize=(max(3.2, side * CELL_WIDTH), height), layout="constrained")
        if title:
            picture.suptitle(in_picture(title), fontsize=9)
        axes = list(picture.subplots(rows, side, squeeze=False).flat)
        for place in axes:
            place.set(xticks=[], yticks=[], frame_on=False)
        for place, network, text in zip(axes, networks, values, strict=False):
            _draw_one(place, network)
            name = network.name if len(network.name) <= LONGEST_NAME else f"{network.name[:LONGEST_NAME]}..."
            place.set_xlabel(in_picture(f"{name}\n{text}".rstrip()), fontsize=7, labelpad=6)
        return picture_bytes(picture, ending)


def _draw_one(axes: object, network: Network) -> None:
    from matplotlib.axes import Axes

    assert isinstance(axes, Axes)
    points = layout_of(network, straight=True).points
    arrow = {"arrowstyle": "-|>" if network.directed else "-", "color": QUIET, "shrinkA": 2, "shrinkB": 2}
    for u, v in network.edges:
        axes.annotate("", points[v], points[u], arrowprops=arrow, annotation_clip=False)
    xs, ys = zip(*points, strict=True)
    axes.scatter(xs, ys, s=26, color=MANY[1], zorder=3, clip_on=False)
    middle = [(min(c) + max(c)) / 2 for c in (xs, ys)]
    reach = max(max(xs) - min(xs), max(ys) - min(ys), 1.0) * 0.56
    axes.set_xlim(middle[0] - reach, middle[0] + reach)
    axes.set_ylim(middle[1] - reach, middle[1] + reach)
    axes.set_aspect("equal")
