"""`schedsolve construct`: run the papers' algorithms, replay, print the best schedule."""

from __future__ import annotations

import argparse
from typing import Any

from schedsolve.certify.text.output_files import print_json, refuse_result, write_json
from schedsolve.commands.options import EXIT_DONE, add_options, asked_problem, problem_command
from schedsolve.commands.solve import show_result
from schedsolve.modelkit.verb import natural
from schedsolve.runtime.errors import InputError


def add_construct(commands: Any) -> None:
    """Add the verb to the command line."""
    parser = problem_command(
        commands,
        "construct",
        construct_command,
        "run the papers' algorithms, replay, print the best schedule",
    )
    options = {
        "--algorithm NAME": "only this one (see `schedsolve list algorithms`)",
        "-o --output FILE": "save the best schedule as JSON, for check and analyse",
    }
    add_options(parser, options)
    add_options(parser, {"--seed N": "seed of the searching algorithms (default 0)"}, type=natural, default=0)


def construct_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    from schedsolve.certify.text.text import problem_line, schedule_lines
    from schedsolve.modelkit.result import result_to_json, value_to_json
    from schedsolve.models import model_of
    from schedsolve.network.assumptions import as_read
    from schedsolve.solving.constructions import construct, proven_infeasible, result_of

    problem = asked_problem(arguments, arguments.network)
    if arguments.output is not None:
        refuse_result(arguments.output)
    found = construct(problem, arguments.algorithm, seed=arguments.seed)
    if not found:
        hopeless = proven_infeasible(problem)
        if hopeless is not None:
            show_result(hopeless, arguments)
            return EXIT_DONE
        raise InputError(
            "no algorithm works on this problem (`schedsolve list algorithms` tells what each needs)"
        )
    best = min(found, key=lambda c: c.value)
    data = result_to_json(result_of(problem, found))
    if arguments.output is not None:
        write_json(data, arguments.output)
    if arguments.json:
        values = {construction.algorithm.name: value_to_json(construction.value) for construction in found}
        print_json({**data, "algorithms": values})
        return EXIT_DONE
    print(problem_line(problem) + as_read(problem.network.assumptions))
    objective = model_of(problem).objective
    print(f"  lower bound: {objective.quantity(data['lower_bound'])}")
    for construction in found:
        print(
            f"  {construction.algorithm.name}: {objective.quantity(construction.value)}"
            f" ({construction.algorithm.source})"
        )
    if not arguments.quiet:
        labels = problem.network.labels
        where = f", {problem.node_parameter} {labels[best.node_index]}" if best.node_index is not None else ""
        print(f"schedule of {best.algorithm.name}, replayed{where}:")
        print("\n".join(schedule_lines(problem, best.indexed, best.node_index)))
    return EXIT_DONE
