"""`schedsolve solution`: turn another solver's answer to a formulation into a schedule."""

from __future__ import annotations

import argparse
from typing import Any

from schedsolve.commands.options import EXIT_DONE, JSON, add_options, add_verb
from schedsolve.commands.solve import show_result
from schedsolve.report.output_files import refuse_result, write_json


def add_solution(commands: Any) -> None:
    """Add the verb to the command line."""
    text = "another solver's answer to a formulation becomes a schedule that check replays"
    parser = add_verb(commands, "solution", solution_command, text)
    parser.add_argument("file", metavar="FILE", help="the solution, as the solver wrote it")
    add_options(parser, {"--of FORMULATION": "the file that `schedsolve formulate` wrote"}, required=True)
    output = {"-o --output RESULT": "save the result as JSON, for check"}
    add_options(parser, output | JSON | {"-q --quiet": "print the verdict only"})


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
