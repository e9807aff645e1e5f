"""`schedsolve analyse`: time-paths, delays and collisions of a saved schedule."""

from __future__ import annotations

import argparse
from typing import Any

from schedsolve.certify.text.output_files import print_json
from schedsolve.commands.options import EXIT_DONE, JSON, TRUST, add_options, add_verb
from schedsolve.drawing.analysis.of_problem import analysis_of


def add_analyse(commands: Any) -> None:
    """Add the verb to the command line."""
    text = "time-paths, delays and collisions of a saved schedule"
    parser = add_verb(commands, "analyse", analyse_command, text)
    parser.add_argument("file", metavar="FILE")
    add_options(parser, {"--from V": "show the time-path from this node"}, dest="start")
    add_options(parser, {"--to V": "to that one"}, dest="end")
    add_options(parser, JSON | TRUST)


def analyse_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    from schedsolve.certify.saved_files import read_schedule
    from schedsolve.drawing.analysis.text import analysis_lines, analysis_to_json

    problem, schedule = read_schedule(arguments.file)
    analysis = analysis_of(problem, schedule)
    if arguments.json:
        print_json(analysis_to_json(analysis, arguments.start, arguments.end))
    else:
        print("\n".join(analysis_lines(analysis, arguments.start, arguments.end)))
    return EXIT_DONE
