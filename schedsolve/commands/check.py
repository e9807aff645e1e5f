"""`schedsolve check`: replay a saved result, a schedule or a program, and verify its claims."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Generator, Iterable
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from schedsolve.commands.options import (
    EXIT_CLAIM_FAILS,
    EXIT_DONE,
    JSON,
    TRUST,
    add_options,
    add_reading,
    add_verb,
    asked_network,
    say_understood,
)
from schedsolve.display.progress import TextLine
from schedsolve.errors import InputError
from schedsolve.limits.budget import OverBudgetError
from schedsolve.modelkit.verb import natural
from schedsolve.report.colour import painted_findings
from schedsolve.report.output_files import print_text

if TYPE_CHECKING:
    from schedsolve.certify.report import CheckReport


def add_check(commands: Any) -> None:
    """Add the verb to the command line."""
    text = "replay a saved result, your own schedule or a program, and verify its claims"
    parser = add_verb(commands, "check", check_command, text)
    parser.add_argument("file", metavar="FILE", help="a file; of Chakra traces one, or those of all ranks")
    parser.add_argument("others", metavar="TRACE", nargs="*", help=argparse.SUPPRESS)
    options = {
        "--strict": "exit with 1 unless everything that the file claims was verified",
        "--topology NETWORK": "where a program for MSCCL, MSCCL++ or ASTRA-sim is to run",
        "-q --quiet": "print the summary only",
        **JSON,
        **TRUST,
    }
    add_options(parser, options)
    add_reading(parser)
    buffers = "chunks that a connection of an .xml algorithm buffers (default: what its protocol has)"
    add_options(parser, {"--buffers N": buffers}, type=natural)
    parser.add_argument(
        "--executor",
        choices=("msccl", "azure", "rccl"),
        metavar="NAME",
        help="whose demands an .xml algorithm is to meet: msccl, azure or rccl (default rccl, the narrowest)",
    )
    workers = "processes that replay a proof in cubes, where --trust-size lets it be long (default 1)"
    add_options(parser, {"--workers N": workers}, type=natural, default=1)


def check_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    if arguments.workers < 1:
        raise InputError("--workers takes a number of 1 or more")
    report = _program_report(arguments) or _report(arguments)
    if arguments.json:
        print_text(json.dumps(report.to_json()))
    else:
        text = report.summary if arguments.quiet else report.text
        print_text(painted_findings("; ".join([text, *([report.trust] if report.files else [])])))
    doubtful = report.failed or (arguments.strict and not report.complete)
    return EXIT_CLAIM_FAILS if doubtful else EXIT_DONE


def _program_report(arguments: argparse.Namespace) -> CheckReport | None:
    """Return what is found of a program; None of other files."""
    from schedsolve.machines.any_file import ALGORITHM, TRACE, check_program

    file, buffers, executor = arguments.file, arguments.buffers, arguments.executor
    if arguments.others and not file.lower().endswith(TRACE):
        raise InputError("check takes one file, but of Chakra traces (.et) those of all ranks")
    if not file.lower().endswith(ALGORITHM) and (buffers is not None or executor is not None):
        raise InputError("--buffers and --executor are for .xml algorithms")
    if buffers == 0:
        raise InputError("--buffers takes a number of 1 or more")
    topology = arguments.topology
    network = cache(lambda: None if topology is None else asked_network(arguments, topology))
    report = check_program(file, network, others=arguments.others, buffers=buffers, executor=executor)
    if report is not None and topology is not None:
        say_understood(arguments, network())
    return report


def _report(arguments: argparse.Namespace) -> CheckReport:
    """Return what is found of a result or a schedule."""
    from schedsolve.certify.check import check_file
    from schedsolve.certify.cubes import replays

    if arguments.topology is not None:
        raise InputError("--topology is for programs for GPUs; other files name their network")
    try:
        with replays(_replays(arguments)):
            return check_file(arguments.file)
    finally:
        TextLine.clear()


def _replays(arguments: argparse.Namespace) -> Any:
    """Return how proofs are replayed: the number of processes, and progress on a terminal."""
    from schedsolve.certify.cubes import Replays

    share = partial(_shared_out, arguments.workers) if arguments.workers > 1 else None
    return Replays(share, TextLine()) if sys.stderr.isatty() else Replays(share)


def _shared_out(
    workers: int, function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]
) -> Generator[Any]:
    """Yield the values of the calls, computed by several processes, as they complete."""
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
