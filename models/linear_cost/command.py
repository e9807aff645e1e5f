"""The command `schedsolve explore f`: the laboratory for Conjecture 31 of the linear cost model."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from io import BytesIO
from typing import TYPE_CHECKING, Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import LEAST_COST, Bound, Result, Status, result_to_json, value_to_json
from schedsolve.modelkit.verb import JSON, CliContext, Verb, add_options, natural, seconds, span
from schedsolve.network.named.families import family_network
from schedsolve.runtime.display.layout import laid_out_once
from schedsolve.runtime.errors import InputError, counted, shown
from schedsolve.runtime.files.number_reader import measured_number
from schedsolve.runtime.files.whole_file import write_whole

if TYPE_CHECKING:
    from .laboratory import Row
    from .rules import Shape

LARGEST_NETWORK, LARGEST_SAVED, MOST_EXTRA_ROUNDS = 20_000, 1100, 100
SEARCH_SECONDS = 300.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments to a parser."""
    add_options(parser, {"--ports K": "ports of a node (default 1)"}, type=natural, default=1)
    add_options(parser, {"--dimension T": "there are (K+1)^T nodes"}, type=natural, required=True)
    rounds = "the numbers r of extra rounds, a row for each"
    add_options(parser, {"--extra-rounds R0..R1": rounds}, required=True)
    scratch = (
        "look for protocols below the conjectured value, or for r < T below the constructions, from scratch"
    )
    add_options(parser, {"--search": scratch})
    limit = f"seconds to search in each row (default {SEARCH_SECONDS:.0f})"
    add_options(parser, {"--time-limit S": limit}, type=seconds)
    add_options(parser, {"--seed N": "seed of the search (default 0)"}, type=natural, default=0)
    others = {
        "--alpha A": "start-up time of a round; with --tau and --length: which r is best",
        "--tau B": "time for a message of size 1 over a link",
        "--length L": "size of the whole message (default 1)",
        "--plot FILE": "draw the rows as FILE.svg or FILE.png",
        "-o --output FILE": "save the protocol of the row of least time, or of the last row",
    }
    add_options(parser, others | JSON)


def run(arguments: argparse.Namespace, context: CliContext) -> int:
    """Run the verb; 0, or 3 when some row is open."""
    from .laboratory import explore

    asked = span("--extra-rounds", arguments.extra_rounds, 0, MOST_EXTRA_ROUNDS)
    prices = _prices(arguments)
    _refuse_size(arguments.ports, arguments.dimension, asked[-1])
    nodes = (arguments.ports + 1) ** arguments.dimension
    if arguments.output is not None and nodes > LARGEST_SAVED:
        raise InputError(
            f"--output saves a protocol on the complete network, for up to {LARGEST_SAVED} nodes, not {nodes}"
        )
    if arguments.time_limit is not None and not arguments.search:
        raise InputError("--time-limit is for --search")
    for file in (arguments.plot, arguments.output):
        if file is not None:
            context.refuse_output(file)
    if arguments.plot is not None and not arguments.plot.endswith((".svg", ".png")):
        raise InputError("--plot takes the name of an .svg or .png file")
    limit = (arguments.time_limit or SEARCH_SECONDS) if arguments.search else 0.0
    rows: list[Row] = []
    try:
        for r in asked:
            rows.append(
                explore(
                    arguments.ports,
                    arguments.dimension,
                    r,
                    seconds=limit,
                    seed=arguments.seed,
                    progress=_shown(arguments, context, r),
                )
            )
    except KeyboardInterrupt:
        if not rows:
            raise
    context.progress("")
    if arguments.output is not None:
        _save(min(rows, key=lambda row: row.time(*prices)) if prices else rows[-1], arguments.output, context)
    if arguments.plot is not None:
        plot(rows, arguments.plot)
    if arguments.json:
        context.print_json(rows_to_json(rows, prices))
    else:
        header, cells, remarks = table_of(rows, prices, searched=arguments.search)
        print("\n".join([_title(rows[0].shape), *context.table_lines(header, cells), *remarks]))
    return 3 if len(rows) < len(asked) or any(row.verdict == "open" for row in rows) else 0


def explored(
    *, ports: int = 1, dimension: int, extra_rounds: Iterable[int], time_limit: float = 0.0, seed: int = 0
) -> list[Row]:
    """Return what is known of f_T(r), the least cost of a broadcast, a row for each r.

    The broadcast is among (ports + 1)^T nodes in T + r rounds.

    Parameters
    ----------
    ports
        The ports of a node.
    dimension
        T.
    extra_rounds
        The numbers r, a row for each.
    time_limit
        Seconds to search in each row for a protocol from scratch; 0 for bounds and constructions.
    seed
        For the search.

    Raises
    ------
    InputError
        For numbers for which the protocols would be too long.
    """
    from .laboratory import explore

    asked = sorted(set(extra_rounds))
    if not asked or asked[0] < 0 or asked[-1] > MOST_EXTRA_ROUNDS:
        raise InputError(f"--extra-rounds takes numbers from 0 to {MOST_EXTRA_ROUNDS}")
    _refuse_size(ports, dimension, asked[-1])
    return [explore(ports, dimension, r, seconds=time_limit, seed=seed) for r in asked]


def _refuse_size(ports: int, dimension: int, last: int) -> None:
    """Complain about numbers for which the protocols would be too long to build and replay."""
    from .constructions.algorithms import LARGEST_PROTOCOL

    if ports < 1 or dimension < 1:
        raise InputError("explore takes --ports 1 or more and --dimension 1 or more")
    nodes = (ports + 1) ** min(dimension, 20)
    if nodes > LARGEST_NETWORK or nodes * ports * (dimension + last) > LARGEST_PROTOCOL:
        raise InputError(
            f"every protocol is replayed: there may be {LARGEST_NETWORK} nodes at most, (K+1)^T, "
            f"and nodes times ports times rounds {LARGEST_PROTOCOL} at most"
        )


def _prices(arguments: argparse.Namespace) -> tuple[Fraction, Fraction, Fraction] | None:
    """alpha, tau and the length, as exact numbers; None when none is given."""
    if arguments.alpha is None and arguments.tau is None and arguments.length is None:
        return None
    if arguments.alpha is None or arguments.tau is None:
        raise InputError(
            "for the best number of rounds give both --alpha and --tau (and --length, if it is not 1)"
        )
    return (
        _price("alpha", arguments.alpha),
        _price("tau", arguments.tau),
        _price("length", arguments.length or "1"),
    )


def _price(name: str, text: str) -> Fraction:
    value = measured_number(text)
    if value is None or value < 0:
        raise InputError(f"--{name} takes a number of 0 or more, such as 2.5 or 1/3; not {shown(text)}")
    return value


def _shown(arguments: argparse.Namespace, context: CliContext, r: int) -> Callable[[str], None]:
    """Return what shows progress of a row on a terminal."""
    if arguments.json:
        return lambda _: None
    return lambda activity: context.progress(f"r = {r}: {activity}")


def rows_to_json(rows: Sequence[Row], prices: tuple[Fraction, Fraction, Fraction] | None) -> dict[str, Any]:
    """Return the rows as one JSON object; values are integers or exact fractions as text."""
    data = []
    for row in rows:
        entry = {
            "extra_rounds": row.shape.extra_rounds,
            "lower_bound": value_to_json(row.lower),
            "lower_reason": row.lower_reason,
            "upper_bound": value_to_json(row.upper),
            "upper_reason": row.upper_reason,
            "g_lower_bound": value_to_json(row.amounts),
            "g_lower_reason": row.amounts_reason,
            "conjectured": value_to_json(row.conjectured),
            "verdict": row.verdict,
            "searched": value_to_json(row.searched),
        }
        data.append(entry | ({"time": value_to_json(row.time(*prices))} if prices else {}))
    head = {"ports": rows[0].shape.ports, "dimension": rows[0].shape.dimension, "nodes": rows[0].shape.nodes}
    return {"format": "schedsolve-exploration/1", **head, "rows": data}


def _title(shape: Shape) -> str:
    return f"f_{shape.dimension}(r) for {_ports(shape)}, {counted(shape.nodes, 'node')}"


def table_of(
    rows: Sequence[Row], prices: tuple[Fraction, Fraction, Fraction] | None, *, searched: bool
) -> tuple[list[str], list[list[str]], list[str]]:
    """Return the rows as a table: its header, its cells, and lines that say what the columns mean."""
    header = ["r", "g_T(r) >=", "lower bound", "upper bound", "gap", "conjectured", "verdict"]
    header += ["search"] if searched else []
    header += ["time"] if prices else []
    header += ["lower bound by", "upper bound by"]
    cells = []
    for row in rows:
        gap = "0" if row.lower == row.upper else f"{float(row.upper / row.lower - 1):.3%}"
        line = [
            str(row.shape.extra_rounds),
            _text(row.amounts, up=False),
            _text(row.lower, up=False),
            _text(row.upper),
            gap,
            _text(row.conjectured),
        ]
        line.append(row.verdict.upper() if row.verdict == "refuted" else row.verdict)
        if searched:
            line.append("-" if row.searched is None else f"{row.searched} after {row.seconds:.0f} s")
        if prices:
            line.append(_text(row.time(*prices)))
        cells.append([*line, row.lower_reason, row.upper_reason])
    lines = [
        (
            "lower bounds are proven, exactly; upper bounds are computed: protocols built and replayed"
            " message by message; g_T(r) <= f_T(r) counts amounts alone (Definition 18, Property 19);"
        ),
        (
            "the conjectured value (T+r)/(kr+1), for r >= T, is believed; proven: both sides meet; REFUTED: a"
            " protocol is cheaper"
        ),
    ]
    if prices:
        best = min(rows, key=lambda row: row.time(*prices))
        proven = min(row.least_time(*prices) for row in rows)
        time, least = _text(best.time(*prices)), _text(proven, up=False)
        how = (
            "proven to be the least of the rows shown"
            if proven == best.time(*prices)
            else f"computed; for these r it is proven to be at least {least}"
        )
        lines.append(f"least time: {time} with r = {best.shape.extra_rounds}, {best.upper_reason} ({how})")
    return header, cells, lines


def _ports(shape: Shape) -> str:
    return f"{shape.ports} port{'s' if shape.ports > 1 else ''}"


def _text(value: Fraction | None, *, up: bool = True) -> str:
    """Return a value; with a large denominator six decimals of it, rounded up or down."""
    if value is None:
        return "-"
    if value.denominator <= 10_000:
        return str(value) if value.denominator > 1 or value < 10**12 else f"{float(value):.6e}"
    micros = -(-value * 10**6 // 1) if up else value * 10**6 // 1
    return f"{micros // 10**6}.{micros % 10**6:06d}"


def plot(rows: Sequence[Row], file: str) -> None:
    """Draw f_T(r) against r.

    The bounds, with what lies between them shaded, and the conjectured values; if there are any, below it how
    far the bounds are from these.
    """
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    believed = [row for row in rows if row.conjectured is not None]
    figure = Figure(figsize=(7, 6.5 if believed else 4.5), layout="constrained")
    panels = figure.subplots(2 if believed else 1, 1, sharex=True, squeeze=False)[:, 0]
    _draw_costs(panels[0], rows)
    if believed:
        _draw_differences(panels[1], believed)
    shape = rows[0].shape
    panels[0].set_title(
        f"Least cost of a broadcast: {counted(shape.nodes, 'node')}, {_ports(shape)} (T = {shape.dimension})"
    )
    panels[-1].set_xlabel("extra rounds r")
    for axes in panels:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(alpha=0.3)
        axes.legend()
    drawn = BytesIO()
    with laid_out_once(figure):
        figure.savefig(drawn, format=file.rpartition(".")[2])
    write_whole(drawn.getvalue(), file)


def _draw_costs(axes: Any, rows: Sequence[Row]) -> None:
    """Draw the bounds and the conjectured values."""
    r = [row.shape.extra_rounds for row in rows]
    lower, upper = [float(row.lower) for row in rows], [float(row.upper) for row in rows]
    axes.fill_between(r, lower, upper, alpha=0.25, label="open")
    axes.plot(r, upper, "o-", markersize=5, label="replayed protocol")
    axes.plot(r, lower, "^--", markersize=4, label="proven lower bound")
    believed = [(x, float(row.conjectured)) for x, row in zip(r, rows, strict=True) if row.conjectured]
    if believed:
        axes.plot(*zip(*believed, strict=True), "x", color="black", label="conjectured")
    axes.set_ylabel("cost $f_T(r)$")
    axes.set_ylim(bottom=0)


def _draw_differences(axes: Any, rows: Sequence[Row]) -> None:
    """By how many per cent the bounds differ from the conjectured values, which all these rows have."""
    r = [row.shape.extra_rounds for row in rows]
    conjectured = [row.conjectured or 1 for row in rows]
    lower = [float(100 * (row.lower / c - 1)) for row, c in zip(rows, conjectured, strict=True)]
    upper = [float(100 * (row.upper / c - 1)) for row, c in zip(rows, conjectured, strict=True)]
    axes.axhline(0, color="black", linewidth=0.8)
    axes.vlines(r, lower, upper, linewidth=5, alpha=0.4, label="open")
    axes.plot(r, upper, "o", markersize=6, label="replayed protocol")
    axes.plot(r, lower, "^", markersize=4, label="proven lower bound")
    axes.set_ylabel("% from the conjectured value")


def _save(row: Row, file: str, context: CliContext) -> None:
    """Save the row's protocol as a result file, on the complete network."""
    from .bounds import aggregated_bound
    from .formulation import derived_bounds

    shape = row.shape
    parameters = {"source": 0, "ports": shape.ports, "extra_rounds": shape.extra_rounds}
    problem = Problem("linear-cost", "broadcast", family_network(f"complete:{shape.nodes}"), parameters)
    proven = list(derived_bounds(problem))
    if row.lower > max(bound.value for bound in proven):
        found = aggregated_bound(shape)
        proven += [found] if found else []
    status = Status.OPTIMAL if row.lower == row.upper else Status.BOUNDED
    bounds = (*proven, Bound("upper", row.upper, row.upper_reason, by="construction"))
    result = Result(problem, status, LEAST_COST, row.upper, row.lower, bounds, row.schedule, row.seconds)
    context.write_json(result_to_json(result), file)


EXPLORE = Verb(
    "explore",
    "the laboratory for the conjecture on f_T(r), the least cost of a broadcast",
    add_arguments,
    run,
    explored,
    subject="f",
)

VERBS = (EXPLORE,)
