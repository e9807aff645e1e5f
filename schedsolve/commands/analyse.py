"""`schedsolve analyse`: time-paths, delays and collisions of a saved schedule."""

from __future__ import annotations

import argparse
from typing import Any

from schedsolve.commands.options import EXIT_DONE, add_trust
from schedsolve.report.output_files import print_json


def add_analyse(commands: Any) -> None:
    """Add the verb to the command line."""
    parser = commands.add_parser(
        "analyse", help="time-paths, delays and collisions of a saved schedule", allow_abbrev=False
    )
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--from", dest="start", metavar="V", help="show the time-path from this node")
    parser.add_argument("--to", dest="end", metavar="V", help="to that one")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    add_trust(parser)
    parser.set_defaults(command=analyse_command)


def analyse_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    from schedsolve.certify.saved_files import read_schedule
    from schedsolve.models import model_of
    from schedsolve.report.analysis import analysis_lines, analysis_to_json

    problem, schedule = read_schedule(arguments.file)
    analysis = model_of(problem).outputs.analyse(problem, schedule)
    if arguments.json:
        print_json(analysis_to_json(analysis, arguments.start, arguments.end))
    else:
        print("\n".join(analysis_lines(analysis, arguments.start, arguments.end)))
    return EXIT_DONE
