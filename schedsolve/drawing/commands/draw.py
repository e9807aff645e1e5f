"""The command `schedsolve draw`: pictures of schedules and frontiers, and pages to play them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from schedsolve.certify.text.output_files import refuse_output
from schedsolve.commands.options import TRUST, add_options, add_verb
from schedsolve.extensions import ask, installed
from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.files.number_reader import byte_count, measured_number
from schedsolve.runtime.limits.budget import naming

if TYPE_CHECKING:
    from fractions import Fraction

    from schedsolve.drawing.pictures.look import Look
    from schedsolve.drawing.traces.trace import Trace

MOST_INCHES = 200
ENDINGS = (".svg", ".png", ".pdf", ".tex", ".tikz", ".html")


def add_draw(commands: Any) -> None:
    """Add the verb to the command line."""
    text = (
        "pictures of a saved schedule or frontier (.svg, .png, .pdf), a page that plays it (.html), or one of"
        " all networks in a store"
    )
    parser = add_verb(commands, "draw", draw_command, text)
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="+",
        help="a result or a schedule; or a frontier, and whatever is to stand in the same chart; or a"
        " store or a table of results",
    )
    out = "the picture: a name that ends in .svg, .png, .pdf, .tex or .tikz (TikZ), or .html"
    add_options(parser, {"-o --output OUT": out}, required=True)
    options = {
        "--view NAME": "only bottleneck, rounds, space-time, knowledge, period, packets or loads (default:"
        " all that apply)",
        "--where EXPR": "of a store or a table: the networks for which this is true, as in results",
        "--alpha A": "of a frontier: the time that a step takes to start",
        "--beta B": "of a frontier: the time for a unit of size and a round a chunk",
        "--size L,..|WxH": "of a frontier: sizes of messages, such as 1KB,64MB, to find the best row for"
        " each; of a schedule: width, or width and height, of the picture in inches, such as 3.4 or 7x5",
        **TRUST,
    }
    add_options(parser, options)
    title = {
        "--title TEXT": "of a schedule: in place of the problem and its verdict",
        "--no-title": "of a schedule: no title, as for a paper",
    }
    add_options(parser.add_mutually_exclusive_group(), title)
    parser.add_argument(
        "--nodes",
        choices=("names", "numbers", "dots"),
        help="of a schedule: what stands in the nodes (default: their names)",
    )


def draw_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    from schedsolve.certify.saved_files import read_file
    from schedsolve.drawing.pictures.pictures import draw
    from schedsolve.solving.frontier_files import is_frontier

    if not arguments.output.endswith(ENDINGS):
        raise InputError(f"a picture's name ends in {', '.join(ENDINGS)}; not {arguments.output!r:.60}")
    refuse_output(arguments.output)
    if installed("experiments") and ask("experiments", "table_file").is_source(arguments.file[0]):
        return _draw_networks(arguments)
    if arguments.where is not None:
        raise InputError("--where chooses networks of a store or a table")
    with naming(arguments.file[0]):
        data = read_file(arguments.file[0])
    if is_frontier(data):
        return _draw_frontier(arguments)
    if len(arguments.file) > 1:
        raise InputError("several files make a chart of which the first is a frontier")
    for name in ("alpha", "beta"):
        if getattr(arguments, name) is not None:
            raise InputError(f"only a frontier is drawn with --{name}")
    look = _look(arguments)
    (file,) = arguments.file
    if arguments.output.endswith(".html"):
        from schedsolve.drawing.page.page import write_page

        if arguments.view is not None or _for_schedules(arguments) or arguments.size is not None:
            raise InputError("--view, --title, --size and --nodes are for pictures; a page shows everything")
        write_page(file, arguments.output, data)
        return 0
    trace, caption = _trace(file, data)
    draw(trace, arguments.output, arguments.view or ("rounds" if trace.broken else None), caption, look)
    return 0


def _look(arguments: argparse.Namespace) -> Look:
    from schedsolve.drawing.pictures.look import NAMES, Look

    sides = [] if arguments.size is None else arguments.size.split("x")
    inches = [measured_number(side) for side in sides]
    if len(inches) > 2 or any(x is None or not 1 <= x <= MOST_INCHES for x in inches):
        raise InputError(
            f"--size of a schedule is its width in inches, or width x height such as 7x5, from 1 to"
            f" {MOST_INCHES}; not {shown(arguments.size)}"
        )
    width, height = ([float(x or 0) for x in inches] + [None, None])[:2]
    title = "" if arguments.no_title else arguments.title
    return Look(title, width, height, arguments.nodes or NAMES)


def _for_schedules(arguments: argparse.Namespace) -> list[str]:
    """Return the options for schedules that are given, but for --size, which frontiers have too."""
    given = {"--title": arguments.title, "--no-title": arguments.no_title or None, "--nodes": arguments.nodes}
    return [name for name, value in given.items() if value is not None]


def _given(arguments: argparse.Namespace) -> list[str]:
    """Return the options for frontiers that are given."""
    return [f"--{name}" for name in ("alpha", "beta", "size") if getattr(arguments, name) is not None]


def _draw_networks(arguments: argparse.Namespace) -> int:
    """Draw the networks of a store or a table, as a page or as a picture with the values of the condition."""
    if (
        len(arguments.file) > 1
        or _given(arguments)
        or arguments.view is not None
        or _for_schedules(arguments)
    ):
        raise InputError("a store or a table is drawn alone, with no option but --where")
    (file,) = arguments.file
    if arguments.output.endswith(".html"):
        from schedsolve.drawing.page.networks_page import write_networks_page

        write_networks_page(file, arguments.output, arguments.where)
        return 0
    from schedsolve.drawing.pictures.networks_sheet import MOST_DRAWN, draw_networks
    from schedsolve.solving.tables import cell_text

    hypotheses, table_file = (ask("experiments", name) for name in ("hypotheses", "table_file"))
    with table_file.open_source(file) as source:
        table = hypotheses.hypothesis_table(source)
        found = hypotheses.networks_where(table, arguments.where)
        if not 1 <= len(found) <= MOST_DRAWN:
            raise InputError(
                f"a picture shows 1 to {MOST_DRAWN} networks, not {len(found)}; --where chooses some, and a"
                " page (.html) shows all"
            )
        networks = table_file.networks_in(source, found)
    read = hypotheses.columns_read(table, arguments.where)
    varied = {name: at for name, at in read.items() if len({row[at] for row in found.values()}) > 1}
    values = [
        "\n".join(f"{name} {cell_text(row[at]) or 'none'}" for name, at in varied.items())
        for row in found.values()
    ]
    draw_networks([networks[i] for i in found], values, arguments.output, arguments.where or "")
    return 0


def _draw_frontier(arguments: argparse.Namespace) -> int:
    """Draw the chart, and print which row is best for every size."""
    from fractions import Fraction

    from schedsolve.certify.text.output_files import print_text
    from schedsolve.certify.text.text import table_lines
    from schedsolve.drawing.pictures.frontier_chart import Prices, best_lines, draw_frontier
    from schedsolve.models import get_model
    from schedsolve.solving.frontier_files import read_curve, refuse_unlike

    if not arguments.output.endswith((".svg", ".png", ".pdf")) or arguments.view is not None:
        raise InputError("a frontier is drawn as one chart, .svg, .png or .pdf")
    if _for_schedules(arguments):
        raise InputError(f"only a schedule is drawn with {' and '.join(_for_schedules(arguments))}")
    curves = [read_curve(file) for file in arguments.file]
    refuse_unlike(curves, bool(_given(arguments)))
    prices = None
    if _given(arguments):
        if len(_given(arguments)) < 3:
            raise InputError("costs need --alpha, --beta and --size together")
        alpha, beta = (_positive(getattr(arguments, name), name) for name in ("alpha", "beta"))
        prices = Prices(alpha, beta, tuple(map(_size, arguments.size.split(","))))
        if all(curve.best(alpha, beta, Fraction(1)) is None for curve in curves):
            raise InputError("--alpha, --beta and --size are for frontiers whose schedules have steps")
    draw_frontier(curves, arguments.output, prices, get_model(curves[0].model).objective.axis)
    if prices:
        header = ["size", "steps", "(C, S, R)", "cost"]
        print_text("\n".join(table_lines(header, best_lines(curves, prices))))
    return 0


def _size(text: str) -> Fraction:
    """Return a size: bytes, with a unit such as 64MB, or a number of any other unit."""
    from fractions import Fraction

    found = byte_count(text.strip())
    return _positive(text, "size") if found is None else Fraction(found)


def _positive(text: str, name: str) -> Fraction:
    """Return a number above 0, such as 5e-6 or 1/3.

    Raises
    ------
    InputError
        If the text is anything else.
    """
    value = measured_number(text)
    if value is None or value <= 0:
        raise InputError(f"--{name} takes a number above 0, such as 5e-6; not {shown(text)}")
    return value


def _trace(file: str, data: Any) -> tuple[Trace, str]:
    """Return the trace of a file, of which these are the JSON data, and its caption.

    The caption says what the referee found, and whether a check verifies that the schedule is optimal where
    the file says so. Of an illegal schedule, the trace is the beginning, and the caption names the violated
    rule.
    """
    from schedsolve.certify.check import check_data
    from schedsolve.certify.saved_files import any_schedule_of
    from schedsolve.drawing.pictures.broken_trace import trace_up_to_break
    from schedsolve.drawing.traces.of_problem import trace_of
    from schedsolve.modelkit.result import Status
    from schedsolve.models import model_of, replay
    from schedsolve.network.assumptions import as_read

    with naming(file):
        problem, schedule = any_schedule_of(data)
        seen, model = replay(problem, schedule), model_of(problem)
        if seen.violation and not seen.legal:
            broken = trace_up_to_break(problem, schedule, seen.violation)
            return broken, f"breaks a rule: {seen.violation}"
    value = model.objective.quantity(seen.value)
    said = f"replayed: {value}"
    if seen.violation:
        said += ", incomplete"
    elif data.get("status") == Status.OPTIMAL:
        report = check_data(data)
        if report.failed:
            said += "; the file says that it is optimal, but its check fails"
        elif report.complete:
            said = f"optimal: {value}, proven"
        else:
            said += ", optimal according to the file, not verified in full"
    elif data.get("status") is None:
        said += "; no claim made"
    unit = f" ({model.objective.name} 1: {model.objective.one})" if model.objective.one else ""
    return trace_of(problem, schedule), said + unit + as_read(problem.network.assumptions)
