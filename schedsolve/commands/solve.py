"""`schedsolve solve`: find the optimum, with a proven lower bound."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from schedsolve.certify.text.colour import painted
from schedsolve.certify.text.output_files import print_json, print_text, refuse_result, write_json
from schedsolve.commands.interrupts import held_back
from schedsolve.commands.options import (
    EXIT_DONE,
    EXIT_LIMIT,
    add_certify,
    add_options,
    add_solving_options,
    asked_options,
    asked_problem,
    problem_command,
)
from schedsolve.runtime.display.progress import ProgressLine
from schedsolve.runtime.errors import one_line

SHORTEST_LIMIT = 0.01
MOST_LINES = 12
"""Of a schedule, unless the whole is asked for."""


def add_solve(commands: Any) -> None:
    """Add the verb to the command line."""
    parser = problem_command(
        commands, "solve", solve_command, "find the optimum, with a proven lower bound", decides=True
    )
    add_solving_options(parser)
    options = {
        "--dask ADDRESS|local": "share hard refutations on the cluster of the Dask scheduler at this address,"
        " or on one started here",
        "--store RESULTS.db": "keep there what is done of hard refutations that several workers share, and go"
        " on from it",
        "--start FILE": "start from the schedule in a result or schedule file, which is replayed first",
        "--formulation-only": "with --backend cpsat or pulp: its answer to the integer program alone, no"
        " constructions and no other bounds",
        "-o --output FILE": "save the result as JSON (compressed if FILE ends in .gz)",
        "--strict": "exit with 3 and name the assumptions if the reader of the network's file left out"
        " something that could carry data, or assumed something that the file does not state",
        "--full": f"print the whole schedule, not its first {MOST_LINES} lines",
    }
    add_options(parser, options)
    add_certify(
        parser,
        None,
        "keep, or do not keep, what proves the lower bound to a checker (default: when --output is given)",
    )


def solve_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    from schedsolve.certify.text.text import certificate_line
    from schedsolve.modelkit.result import result_to_json
    from schedsolve.solving.solve import solve

    start = time.process_time()
    problem = asked_problem(arguments, arguments.network)
    if arguments.output is not None:
        refuse_result(arguments.output)
    only = arguments.formulation_only
    certify = bool(arguments.output) and not only if arguments.certify is None else arguments.certify
    options = asked_options(arguments)
    options = replace(options, certify=certify, warm_start=arguments.start, formulation_only=only)
    if options.time_limit is not None:
        # Reading the problem counts too.
        left = options.time_limit - (time.process_time() - start)
        options = replace(options, time_limit=max(SHORTEST_LIMIT, left))
    if arguments.dask not in (None, "local"):
        from schedsolve.runtime.executors.opened import executor

        # Fail fast if the scheduler is unreachable, before computing bounds.
        executor(dask=arguments.dask).close()
    with ExitStack() as opened:
        if arguments.store is not None:
            from schedsolve.solving.store import Store

            cubes = opened.enter_context(Store(arguments.store, write=True))
            options = replace(options, cubes=cubes)
        result = solve(problem, replace(options, dask=arguments.dask))
    ProgressLine.clear()
    if arguments.output:
        with held_back():
            write_json(result_to_json(result), arguments.output)
    show_result(result, arguments)
    if certify and not arguments.json:
        print_text(certificate_line(result))
    for assumption in (assumptions := problem.network.assumptions if arguments.strict else ()):
        print(one_line(f"{problem.network.name}: {assumption}"), file=sys.stderr)
    return EXIT_LIMIT if assumptions or not result.decided else EXIT_DONE


def show_result(result: Any, arguments: argparse.Namespace) -> None:
    """Print a result as the options ask for."""
    from schedsolve.certify.text.text import result_lines, verdict_line
    from schedsolve.modelkit.result import result_to_json

    if arguments.json:
        print_json(result_to_json(result))
        return
    verdict = verdict_line(result)
    shown = painted(verdict, "green" if result.decided else "yellow")
    most = None if getattr(arguments, "full", True) else MOST_LINES
    lines = [verdict] if arguments.quiet else result_lines(result, most=most)
    print_text("\n".join(shown if line == verdict else line for line in lines))
