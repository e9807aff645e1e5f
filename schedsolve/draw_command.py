"""The command `schedsolve draw`: pictures of a saved schedule, or a page to play it."""

from __future__ import annotations

import argparse
from typing import Any

from schedsolve.errors import InputError
from schedsolve.output_files import refuse_output

ENDINGS = (".svg", ".png", ".html")


def add_draw_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "draw", help="pictures of a saved schedule (.svg, .png), or a page that plays it (.html)", allow_abbrev=False
    )
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="the picture: a name that ends in .svg, .png or .html")
    parser.add_argument(
        "--view", metavar="NAME", help="only rounds, space-time, knowledge, period, packets or loads (default: all that apply)"
    )
    parser.set_defaults(command=draw_command)


def draw_command(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from schedsolve.certify.check import read_file, read_schedule
    from schedsolve.draw.pictures import draw
    from schedsolve.models import model_of

    if not arguments.output.endswith(ENDINGS):
        raise InputError(f"a picture's name ends in {', '.join(ENDINGS)}; not {arguments.output!r:.60}")
    refuse_output(arguments.output)
    if arguments.output.endswith(".html"):
        from schedsolve.report.page import write_page

        if arguments.view is not None:
            raise InputError("--view is for .svg and .png; a page shows everything")
        write_page(arguments.file, arguments.output)
        return 0
    problem, schedule = read_schedule(arguments.file)
    draw(model_of(problem).story(problem, schedule), arguments.output, arguments.view, _claim(read_file(arguments.file)))
    return 0


def _claim(data: Any) -> str:
    """What a result file says of its schedule; nothing for a schedule file."""
    from schedsolve.result import RESULT_FORMAT, Status

    if data.get("format") != RESULT_FORMAT:
        return ""
    objective, value, lower = data["objective"], data["value"], data["lower_bound"]
    known = f"{value} {objective}" if objective == "rounds" else f"{objective} {value}"
    if data["status"] == Status.OPTIMAL:
        return f"optimal: {known}"
    return f"{known}; at least {lower} are needed" if objective == "rounds" else f"{known}; at least {lower} is needed"
