"""`schedsolve solution`: turn another solver's answer to a formulation into a schedule."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from schedsolve.certify.text.output_files import refuse_result, write_json
from schedsolve.commands.options import EXIT_DONE, JSON, add_options, add_verb
from schedsolve.commands.solve import show_result
from schedsolve.runtime.errors import one_line


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
    from schedsolve.modelkit.result import result_to_json
    from schedsolve.solving.solution_files import lines_of_others, result_of

    if arguments.output is not None:
        refuse_result(arguments.output)
    result = result_of(arguments.file, arguments.of)
    if arguments.output is not None:
        write_json(result_to_json(result), arguments.output)
    show_result(result, arguments)
    if added := lines_of_others(arguments.of):
        own = "line is" if len(added) == 1 else "lines are"
        said = (
            f"{len(added)} {own} not schedsolve's, the first '{added[0]:.60}'; the bounds say nothing of it"
        )
        print(one_line(f"{arguments.of}: {said}"), file=sys.stderr)
    return EXIT_DONE
