"""`schedsolve check`: replay a saved result, a schedule of your own or an MSCCL algorithm, and verify its
claims.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Generator, Iterable
from functools import partial
from itertools import islice
from typing import Any

from schedsolve.commands.options import EXIT_CLAIM_FAILS, EXIT_DONE, add_trust, asked_network, say_understood
from schedsolve.commands.progress import TextLine
from schedsolve.errors import InputError
from schedsolve.limits.budget import OverBudgetError
from schedsolve.modelkit.verb import natural
from schedsolve.report.colour import painted_findings
from schedsolve.report.output_files import print_text


def add_check(commands: Any) -> None:
    """Add the verb to the command line."""
    parser = commands.add_parser(
        "check",
        help="replay a saved result, your own schedule or an MSCCL algorithm (.xml), and verify its claims",
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE")
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit with 1 unless everything that the file claims was verified",
    )
    parser.add_argument("--topology", metavar="NETWORK", help="where an .xml algorithm is to run")
    parser.add_argument("--directed", action="store_true", help="read an edge list as arcs")
    parser.add_argument(
        "--buffers",
        type=natural,
        metavar="N",
        help="chunks that a connection of an .xml algorithm buffers (default: what its protocol has)",
    )
    parser.add_argument(
        "--workers",
        type=natural,
        default=1,
        metavar="N",
        help="processes that replay a proof in cubes, where --trust-size lets it be long (default 1)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    add_trust(parser)
    parser.set_defaults(command=check_command)


def check_command(arguments: argparse.Namespace) -> int:
    """Run the verb; the exit status."""
    from schedsolve.certify.check import check_file
    from schedsolve.certify.cubes import replays
    from schedsolve.certify.msccl.check import check_algorithm_file, is_algorithm_file

    if arguments.workers < 1:
        raise InputError("--workers takes a number of 1 or more")
    if is_algorithm_file(arguments.file):
        if arguments.buffers == 0:
            raise InputError("--buffers takes a number of 1 or more")
        network = None if arguments.topology is None else asked_network(arguments, arguments.topology)
        report = check_algorithm_file(arguments.file, network, arguments.buffers)
        if network is not None:
            say_understood(arguments, network)
    elif arguments.topology is not None or arguments.buffers is not None:
        raise InputError("--topology and --buffers are for .xml algorithms; other files name their network")
    else:
        try:
            with replays(_replays(arguments)):
                report = check_file(arguments.file)
        finally:
            TextLine.clear()
    if arguments.json:
        print_text(json.dumps(report.to_json()))
    else:
        print_text(painted_findings("; ".join([report.text, *([report.trust] if report.files else [])])))
    doubtful = report.failed or (arguments.strict and not report.complete)
    return EXIT_CLAIM_FAILS if doubtful else EXIT_DONE


def _replays(arguments: argparse.Namespace) -> Any:
    """How proofs are replayed: by so many processes, with progress where somebody watches."""
    from schedsolve.certify.cubes import Replays

    share = partial(_shared_out, arguments.workers) if arguments.workers > 1 else None
    return Replays(share, TextLine()) if sys.stderr.isatty() else Replays(share)


def _shared_out(
    workers: int, function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]
) -> Generator[Any]:
    """The values of the calls, done by so many processes, as they come."""
    from schedsolve.executors.opened import executor

    waiting = enumerate(calls)
    with executor(workers) as processes:
        for number, arguments in islice(waiting, 2 * workers):
            processes.submit(number, function, *arguments)
        for done in processes.completed():
            if done.error is not None:
                raise OverBudgetError(f"a part of its proof could not be replayed: {done.error}")
            for number, arguments in islice(waiting, 1):
                processes.submit(number, function, *arguments)
            yield done.value
