"""How the algorithms and the bounds of fat-trees grow compared with Table 1 of the paper.

As a table and as a picture, for all shapes; `schedsolve explore growth` is for one.

`python -m studies.fat_tree_growth DATA.json [--heights 4,8] [--shapes log,sqrt]` measures what the file does
not have yet and adds it; `--picture FILE.png` draws it.

Source: Bilardi, Codenotti, Del Corso, Pinotti, Resta, Broadcast and associative operations on fat-trees
(1997).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from schedsolve.modelkit.search import Question
from schedsolve.models.fat_tree.bounds import lineage_bounds
from schedsolve.models.fat_tree.claims.lower_bounds import (
    TALLEST_SEQUENCES,
    least_height_sum,
    needed_heights,
)
from schedsolve.models.fat_tree.command.growth import CLAIMED, posed_broadcast, replayed_time
from schedsolve.models.fat_tree.command.recurrences import broadcast_time, pipelined_time, shaped_tree
from schedsolve.runtime.files.whole_file import write_whole


@dataclass(frozen=True)
class Growth:
    """For one shape and N = 2^height.

    In rounds the replayed times of Algorithm 1 and of the beam over heights, recurrence (3) and the best
    bound; by the clock the replayed times of section 3.3 and of the groups, recurrence (4) and the bound by
    lineages.
    """

    shape: str
    height: int
    algorithm_1: int
    recurrence_3: int
    height_beam: int
    round_bound: int
    pipelined: int
    recurrence_4: int
    groups: int
    clock_bound: int


def clock_bound(shape: str, height: int, best: int) -> int:
    """Return the bound by lineages; at least 2 log N."""
    question = Question(posed_broadcast(shape, height, "clock"), 2 * height, best=best)
    return max((int(bound.value) for bound in lineage_bounds(question) if bound), default=2 * height)


def growth(shape: str, height: int) -> Growth:
    """Return what is measured of one shape and N."""
    tree = shaped_tree(shape, height)
    groups = replayed_time(shape, height, "groups", "clock")
    return Growth(
        shape,
        height,
        replayed_time(shape, height, "algorithm-1", "rounds"),
        broadcast_time(tree, height),
        replayed_time(shape, height, "height-beam", "rounds"),
        2 * (least_height_sum if height <= TALLEST_SEQUENCES else needed_heights)(tree),
        replayed_time(shape, height, "pipelined", "clock"),
        pipelined_time(tree, height),
        groups,
        clock_bound(shape, height, groups),
    )


def growth_lines(rows: Iterable[Growth]) -> list[str]:
    """Return the table as Markdown.

    Times, and after each in brackets its ratio to the growth that Table 1 claims for it.
    """
    lines = [
        "| w(n) | N | Algorithm 1 | recurrence (3) | beam | bound | pipelined | recurrence (4) | groups |"
        " bound |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        in_rounds, by_clock = (claimed(row.height) for claimed in CLAIMED[row.shape])
        rounds = (row.algorithm_1, row.recurrence_3, row.height_beam, row.round_bound)
        clock = (row.pipelined, row.recurrence_4, row.groups, row.clock_bound)
        cells = [f"{x} ({x / in_rounds:.2f})" for x in rounds] + [f"{x} ({x / by_clock:.2f})" for x in clock]
        lines.append(f"| {row.shape} | 2^{row.height} | {' | '.join(cells)} |")
    return lines


LINES = (
    ("algorithm_1", "Algorithm 1, rounds", "#d55e00", "s-"),
    ("height_beam", "beam over heights, rounds", "#cc79a7", "D-"),
    ("round_bound", "bound, rounds", "#d55e00", "s:"),
    ("pipelined", "section 3.3, clock", "#009e73", "^-"),
    ("groups", "groups, clock", "#0072b2", "o-"),
    ("clock_bound", "bound by lineages, clock", "#0072b2", "o:"),
)
"""What the picture shows: a field, its name, a colour, and how it is drawn."""


def draw_growth(rows: Sequence[Growth], file: str | BinaryIO) -> None:
    """Draw a panel for every shape: time divided by log N, by log N."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    shapes = [shape for shape in CLAIMED if any(row.shape == shape for row in rows)]
    figure = Figure(figsize=(3.4 * ((len(shapes) + 2) // 2), 6.4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(2, (len(shapes) + 2) // 2, sharex=True, sharey=True, squeeze=False)
    for axis, shape in zip(axes.flat, shapes, strict=False):
        chosen = sorted((row for row in rows if row.shape == shape), key=lambda row: row.height)
        heights = [row.height for row in chosen]
        for name, label, colour, style in LINES:
            values = [getattr(row, name) / row.height for row in chosen]
            axis.plot(heights, values, style, color=colour, markersize=3, linewidth=1, label=label)
        _add_claims(axis, shape, chosen)
        axis.set(title=f"w(n): {shape}", xlabel="log N", ylabel="time / log N")
        axis.grid(linewidth=0.3)
    axes.flat[0].set_ylim(bottom=0)
    handles, labels = axes.flat[0].get_legend_handles_labels()
    for spare in list(axes.flat)[len(shapes) :]:
        spare.set_axis_off()
    figure.legend(handles, labels, loc="lower right", fontsize=9)
    figure.savefig(file, dpi=100)


def _add_claims(axis: Any, shape: str, rows: Sequence[Growth]) -> None:
    """Table 1's growth, scaled to meet Algorithm 1 and the groups where they were measured last."""
    heights = [row.height for row in rows]
    for claimed, last, label in zip(
        CLAIMED[shape],
        (rows[-1].algorithm_1, rows[-1].groups),
        ("Table 1, rounds", "Table 1, clock"),
        strict=True,
    ):
        factor = last / claimed(heights[-1])
        colour = "#d55e00" if "rounds" in label else "#0072b2"
        values = [factor * claimed(m) / m for m in heights]
        axis.plot(heights, values, "--", color=colour, linewidth=0.7, alpha=0.6, label=label)


def read_rows(file: Path) -> Iterator[Growth]:
    """Yield the rows of a file, by shape and height."""
    rows = [Growth(**row) for row in json.loads(file.read_text(encoding="utf-8"))] if file.exists() else []
    shapes = list(CLAIMED)
    yield from sorted(rows, key=lambda row: (shapes.index(row.shape), row.height))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--heights", default="4,8", help="log N, several with commas")
    parser.add_argument("--shapes", default=",".join(CLAIMED))
    parser.add_argument("--picture")
    chosen = parser.parse_args(arguments)
    for height in map(int, chosen.heights.split(",")):
        for shape in chosen.shapes.split(","):
            rows = list(read_rows(chosen.data))
            if not any((row.shape, row.height) == (shape, height) for row in rows):
                rows.append(growth(shape, height))
                text = ",\n".join(json.dumps(asdict(row)) for row in rows)
                write_whole(f"[{text}]\n".encode(), str(chosen.data))
    rows = list(read_rows(chosen.data))
    print("\n".join(growth_lines(rows)))
    if chosen.picture:
        draw_growth(rows, chosen.picture)


if __name__ == "__main__":
    main()
