"""The command `schedsolve explore growth`: how broadcasts on fat-trees grow, against Table 1 of the paper."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from io import BytesIO
from typing import Any

from schedsolve.modelkit.verb import JSON, CliContext, Verb, add_options, seconds
from schedsolve.runtime.display.layout import laid_out_once
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.whole_file import write_whole

from ..rules.tree import SHAPES
from .growth import CLAIMED, Growth, Sides, Solver, growth

MOST_PROCESSORS, EXACT, LIMIT = 65536, 64, 5.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments to a parser."""
    wanted = {
        "--capacity SHAPE": f"w(n): one of {', '.join(SHAPES)}",
        "--processors A..B": "the powers of two from A to B, a row for each",
    }
    add_options(parser, wanted, required=True)
    limit = f"seconds for each optimum that is sought, up to {EXACT} processors (default {LIMIT:.0f})"
    add_options(parser, {"--time-limit S": limit}, type=seconds, default=LIMIT)
    add_options(parser, {"--plot FILE": "draw the rows as FILE.svg or FILE.png"} | JSON)


def run(arguments: argparse.Namespace, context: CliContext) -> int:
    """Run the verb and return 0."""
    match = re.fullmatch(r"([0-9]{1,5})(?:\.\.([0-9]{1,5}))?", arguments.processors)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    chosen = [n for n in (1 << height for height in range(1, 17)) if first <= n <= last]
    if arguments.plot is not None:
        if not arguments.plot.endswith((".svg", ".png")):
            raise InputError("--plot takes the name of an .svg or .png file")
        context.refuse_output(arguments.plot)
    solve = partial(context.solve, seconds=arguments.time_limit)
    rows = _rows(arguments.capacity, chosen, solve, context.progress, arguments.processors)
    context.progress("")
    if arguments.plot is not None:
        plot(arguments.capacity, rows, arguments.plot)
    if arguments.json:
        context.print_json(rows_to_json(arguments.capacity, rows))
    else:
        print("\n".join(_lines(arguments.capacity, rows, context)))
    return 0


def explored(*, capacity: str, processors: Iterable[int], solve: Solver | None = None) -> list[Growth]:
    """Return how long broadcasts on fat-trees take, in rounds and by the clock, a row for each size.

    Parameters
    ----------
    capacity
        The name of the capacities w(n), such as "log".
    processors
        Powers of two from 2 to 65536.
    solve
        What seeks the optima of up to 64 processors, such as `schedsolve.solve`; None for bounds and
        algorithms only.

    Raises
    ------
    InputError
        For unknown capacities or another number of processors.
    """
    asked = sorted(set(processors))
    powers = all(2 <= n <= MOST_PROCESSORS and n & (n - 1) == 0 for n in asked)
    return _rows(capacity, asked if powers else [], solve, lambda _: None, str(asked))


def _rows(
    capacity: str, processors: Sequence[int], solve: Solver | None, progress: Callable[[str], None], text: str
) -> list[Growth]:
    if capacity not in SHAPES:
        raise InputError(f"--capacity is one of {', '.join(SHAPES)}; not {capacity!r:.60}")
    if not processors:
        raise InputError(
            f"--processors takes powers of two from 2 to {MOST_PROCESSORS}, such as 8..1024; not {text:.60}"
        )
    rows = []
    for n in processors:
        progress(f"{n} processors")
        rows.append(growth(capacity, n.bit_length() - 1, solve if n <= EXACT else None))
    return rows


def rows_to_json(capacity: str, rows: Sequence[Growth]) -> dict[str, Any]:
    """Return the rows as one JSON object.

    "claimed" has the growth of Table 1 at N, in rounds and by the clock, without its constant.
    """
    entries = []
    for row in rows:
        in_rounds, by_clock = (claimed(row.height) for claimed in CLAIMED[capacity])
        entries.append(
            {
                "processors": 1 << row.height,
                "capacity": row.capacity,
                "recurrences": {str(number): value for number, value in row.recurrences.items()},
                "algorithms": row.times,
                "rounds": _sides_to_json(row.rounds),
                "clock": _sides_to_json(row.clock),
                "claimed": {"rounds": round(in_rounds, 6), "clock": round(by_clock, 6)},
            }
        )
    return {"format": "schedsolve-exploration/1", "capacity": capacity, "rows": entries}


def _sides_to_json(sides: Sides) -> dict[str, int | None]:
    return {"lower_bound": sides.lower, "upper_bound": sides.upper, "exact": sides.exact}


def _lines(capacity: str, rows: Sequence[Growth], context: CliContext) -> list[str]:
    """Return the answer as text; a time has its ratio to Table 1's growth in brackets."""
    header = ["N", "w(N)", "S (2)", "T (3)", "Algorithm 1", "beam", "rounds", "T' (4)", "pipelined", "groups"]
    cells = []
    for row in rows:
        in_rounds, by_clock = (claimed(row.height) for claimed in CLAIMED[capacity])
        shown = [_time(row.times.get(name), in_rounds) for name in ("algorithm-1", "height-beam")]
        clocked = [_time(row.times.get(name), by_clock) for name in ("pipelined", "groups")]
        start = [1 << row.height, row.capacity, row.recurrences[2], row.recurrences[3]]
        timed = [*shown, _both(row.rounds), str(row.recurrences[4]), *clocked, _both(row.clock)]
        cells.append([*map(str, start), *timed])
    return [
        f"broadcast on fat-trees with w(n): {capacity}",
        *context.table_lines([*header, "clock"], cells),
        "(2), (3), (4): the paper's recurrences; algorithms are replayed, and divided by Table 1's growth in"
        " brackets; rounds, clock: proven bound and fastest broadcast known, one number where they meet",
    ]


def _time(value: int | None, claimed: float) -> str:
    return "-" if value is None else f"{value} ({value / claimed:.2f})"


def _both(sides: Sides) -> str:
    return str(sides.upper) if sides.exact is not None else f"{sides.lower}..{sides.upper}"


def plot(capacity: str, rows: Sequence[Growth], file: str) -> None:
    """Draw times divided by log N against log N: both sides, recurrences, and Table 1's growth, scaled."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4.5), layout="constrained")
    heights = [row.height for row in rows]
    panels = figure.subplots(1, 2, squeeze=False)[0]
    for axes, timing, number, claimed in zip(
        panels, ("rounds", "clock"), (3, 4), CLAIMED[capacity], strict=True
    ):
        sides = [row.rounds if timing == "rounds" else row.clock for row in rows]
        lines = {
            "fastest known": [side.upper for side in sides],
            "proven": [side.lower for side in sides],
            f"recurrence ({number})": [row.recurrences[number] for row in rows],
        }
        factor = sides[-1].upper / claimed(heights[-1])
        for (label, values), style in zip(lines.items(), ("o-", "^--", "s:"), strict=True):
            axes.plot(heights, [v / m for v, m in zip(values, heights, strict=True)], style, label=label)
        axes.plot(heights, [factor * claimed(m) / m for m in heights], "k-", linewidth=0.7, label="Table 1")
        axes.set(title=f"w(n): {capacity}, {timing}", xlabel="log N", ylabel="time / log N")
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.legend()
    drawn = BytesIO()
    with laid_out_once(figure):
        figure.savefig(drawn, format=file.rpartition(".")[2])
    write_whole(drawn.getvalue(), file)


EXPLORE = Verb(
    "explore",
    "how broadcasts on fat-trees grow with the processors, against the recurrences and Table 1",
    add_arguments,
    run,
    explored,
    subject="growth",
)

VERBS = (EXPLORE,)
