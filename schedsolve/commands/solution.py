"""`schedsolve solution`: turn another solver's answer to a formulation into a schedule."""

from __future__ import annotations

import argparse
from typing import Any

from schedsolve.commands.options import EXIT_DONE
from schedsolve.commands.solve import show_result
from schedsolve.report.output_files import refuse_result, write_json


def add_solution(commands: Any) -> None:
    """Add the verb to the command line."""
    parser = commands.add_parser(
        "solution",
        help="another solver's answer to a formulation becomes a schedule that check replays",
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", help="the solution, as the solver wrote it")
    parser.add_argument(
        "--of", required=True, metavar="FORMULATION", help="the file that `schedsolve formulate` wrote"
    )
    parser.add_argument("-o", "--output", metavar="RESULT", help="save the result as JSON, for check")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("-q", "--quiet", action="store_true", help="print the verdict only")
    parser.set_defaults(command=solution_command)


def solution_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    from schedsolve.export.solution_files import result_of
    from schedsolve.result import result_to_json

    if arguments.output is not None:
        refuse_result(arguments.output)
    result = result_of(arguments.file, arguments.of)
    if arguments.output is not None:
        write_json(result_to_json(result), arguments.output)
    show_result(result, arguments)
    return EXIT_DONE
