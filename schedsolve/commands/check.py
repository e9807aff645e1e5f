"""`schedsolve check`: replay a saved result, a schedule or a program, and verify its claims."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Generator, Iterable
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from schedsolve.certify.text.colour import painted_findings
from schedsolve.certify.text.output_files import print_text
from schedsolve.commands.options import (
    EXIT_CLAIM_FAILS,
    EXIT_DONE,
    JSON,
    TRUST,
    add_options,
    add_verb,
)
from schedsolve.extensions import checked_by_extensions, options_for
from schedsolve.modelkit.verb import natural
from schedsolve.runtime.display.progress import TextLine
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.limits.budget import OverBudgetError

if TYPE_CHECKING:
    from schedsolve.certify.report import CheckReport


def add_check(commands: Any) -> None:
    """Add the verb to the command line."""
    text = "replay a saved result, your own schedule or a program, and verify its claims"
    parser = add_verb(commands, "check", check_command, text)
    parser.add_argument("file", metavar="FILE", help="a file; of Chakra traces one, or those of all ranks")
    options = {
        "--strict": "exit with 1 unless everything that the file claims was verified",
        "-q --quiet": "print the summary only",
        **JSON,
        **TRUST,
    }
    add_options(parser, options)
    for add_more in options_for("check"):
        add_more(parser)
    workers = "processes that replay a proof in cubes, where --trust-size lets it be long (default 1)"
    add_options(parser, {"--workers N": workers}, type=natural, default=1)


def check_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    if arguments.workers < 1:
        raise InputError("--workers takes a number of 1 or more")
    report: CheckReport = checked_by_extensions(arguments.file, vars(arguments)) or _report(arguments)
    if arguments.json:
        print_text(json.dumps(report.to_json()))
    else:
        text = report.summary if arguments.quiet else report.text
        print_text(painted_findings("; ".join([text, *([report.trust] if report.files else [])])))
    doubtful = report.failed or (arguments.strict and not report.complete)
    return EXIT_CLAIM_FAILS if doubtful else EXIT_DONE


def _report(arguments: argparse.Namespace) -> CheckReport:
    """Return what is found of a result or a schedule."""
    from schedsolve.certify.check import check_file
    from schedsolve.certify.cubes import replays

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
    from schedsolve.runtime.executors.opened import executor

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
