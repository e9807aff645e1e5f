"""The command `schedsolve draw`: pictures of a saved schedule, or a page to play it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from schedsolve.commands.options import add_trust
from schedsolve.errors import InputError
from schedsolve.report.output_files import refuse_output

if TYPE_CHECKING:
    from schedsolve.problem import Problem
    from schedsolve.schedule import Schedule

ENDINGS = (".svg", ".png", ".html")


def add_draw(commands: Any) -> None:
    """Add the verb to the command line."""
    parser = commands.add_parser(
        "draw",
        help="pictures of a saved schedule (.svg, .png), or a page that plays it (.html)",
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE")
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        required=True,
        help="the picture: a name that ends in .svg, .png or .html",
    )
    parser.add_argument(
        "--view",
        metavar="NAME",
        help="only bottleneck, rounds, space-time, knowledge, period, packets or loads (default: all that"
        " apply)",
    )
    add_trust(parser)
    parser.set_defaults(command=draw_command)


def draw_command(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from schedsolve.certify.saved_files import read_schedule
    from schedsolve.draw.pictures import draw
    from schedsolve.models import model_of

    if not arguments.output.endswith(ENDINGS):
        raise InputError(f"a picture's name ends in {', '.join(ENDINGS)}; not {arguments.output!r:.60}")
    refuse_output(arguments.output)
    if arguments.output.endswith(".html"):
        from schedsolve.page.page import write_page

        if arguments.view is not None:
            raise InputError("--view is for .svg and .png; a page shows everything")
        write_page(arguments.file, arguments.output)
        return 0
    problem, schedule = read_schedule(arguments.file)
    draw(
        model_of(problem).story(problem, schedule),
        arguments.output,
        arguments.view,
        _caption(problem, schedule, arguments.file),
    )
    return 0


def _caption(problem: Problem, schedule: Schedule, file: str) -> str:
    """What the referee sees, and whether the file calls it optimal, which is for `schedsolve check` to
    verify.
    """
    from schedsolve.certify.saved_files import read_file
    from schedsolve.models import model_of, replay
    from schedsolve.result import Status

    seen = replay(problem, schedule)
    replayed = f"replayed: {model_of(problem).objective.quantity(seen.value)}"
    if seen.violation:
        return f"{replayed}, incomplete"
    return (
        f"{replayed}, optimal according to the file"
        if read_file(file).get("status") == Status.OPTIMAL
        else replayed
    )
