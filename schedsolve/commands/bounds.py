"""`schedsolve bounds`: every lower bound with its source."""

from __future__ import annotations

import argparse
from typing import Any

from schedsolve.certify.text.output_files import print_json
from schedsolve.commands.options import EXIT_DONE, asked_problem, problem_command


def add_bounds(commands: Any) -> None:
    """Add the verb to the command line."""
    problem_command(commands, "bounds", bounds_command, "every lower bound with its source")


def bounds_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    from schedsolve.certify.text.text import bound_lines, problem_line
    from schedsolve.modelkit.problem import problem_to_json
    from schedsolve.modelkit.result import bound_to_json
    from schedsolve.network.assumptions import as_read, assumptions_to_json
    from schedsolve.solving.constructions import all_bounds

    problem = asked_problem(arguments, arguments.network)
    bounds = all_bounds(problem)
    if arguments.json:
        read = assumptions_to_json(problem.network.assumptions)
        data = {"problem": problem_to_json(problem), **read, "bounds": list(map(bound_to_json, bounds))}
        print_json({"format": "schedsolve-bounds/1", **data})
        return EXIT_DONE
    print(problem_line(problem) + as_read(problem.network.assumptions))
    print("\n".join(bound_lines(bounds)))
    return EXIT_DONE
