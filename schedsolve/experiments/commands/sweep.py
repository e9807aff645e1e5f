"""`schedsolve sweep`: solve many problems in parallel and store the results."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from schedsolve.certify.text.output_files import print_text
from schedsolve.commands.options import (
    EXIT_DONE,
    EXIT_LIMIT,
    SEED,
    TRUST,
    add_certify,
    add_options,
    add_store,
    add_verb,
)
from schedsolve.modelkit.verb import natural, seconds
from schedsolve.runtime.display.progress import CountLine
from schedsolve.runtime.errors import InputError, counted


def add_sweep(commands: Any) -> None:
    """Add the verb to the command line."""
    text = "many problems, solved side by side into a store; run again, it goes on"
    parser = add_verb(commands, "sweep", sweep_command, text)
    parser.add_argument("file", metavar="FILE.toml", help="the list of problems")
    add_store(parser, required=True)
    add_executor(parser)
    add_options(parser, {"--time-limit S": "for each problem, in place of what the file says"}, type=seconds)
    add_options(parser, {"--backend NAME": "search with one backend only, as in solve"})
    add_options(parser, SEED, type=natural, default=0)
    add_certify(
        parser, True, "keep, or do not keep, what proves the lower bounds to a checker (default: keep)"
    )
    add_options(parser, TRUST | {"-q --quiet": "show no progress"})


def add_executor(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where the work runs."""
    workers = {"--workers N": "processes side by side (default: one for every core)"}
    add_options(parser, workers, type=natural)
    dask = "work on the cluster of the Dask scheduler at this address, or on one started here"
    add_options(parser, {"--dask ADDRESS|local": dask})


def open_executor(arguments: argparse.Namespace) -> Any:
    """Return the executor that the arguments ask for.

    Raises
    ------
    InputError
        If the cluster does not answer.
    """
    from schedsolve.runtime.executors.opened import executor

    return executor(arguments.workers, arguments.dask)


def refuse_executor(arguments: argparse.Namespace) -> None:
    """Raise InputError for an invalid number of workers."""
    if arguments.workers == 0:
        raise InputError("--workers takes a number of 1 or more")
    if arguments.workers is not None and arguments.dask not in (None, "local"):
        raise InputError("--workers is for this machine; a Dask cluster has the workers that it has")


def sweep_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    from schedsolve.solving.many import Tally, sweep
    from schedsolve.solving.problem_list import read_problem_list
    from schedsolve.solving.store import ResultKey, Store

    refuse_executor(arguments)
    start = time.monotonic()
    listed = read_problem_list(arguments.file)
    asked = [
        (
            problem,
            ResultKey(
                arguments.time_limit or group.time_limit,
                arguments.backend,
                arguments.seed,
                arguments.certify,
            ),
        )
        for group in listed.groups
        for problem in group.problems
    ]
    watched = sys.stderr.isatty() and not arguments.quiet
    last = Tally()
    line = CountLine() if watched else None

    def show(tally: Tally) -> None:
        nonlocal last
        last = tally
        if line is not None:
            line.show(tally.solved, tally.open, tally.left, tally.known)

    try:
        with Store(arguments.store, write=True) as store:
            last = sweep(asked, store, lambda: open_executor(arguments), show)
    except KeyboardInterrupt:
        CountLine.clear()
        print_text(_summary(last, time.monotonic() - start))
        print_text("interrupted; what is solved is stored, and the same command goes on")
        return EXIT_LIMIT
    CountLine.clear()
    print_text(_summary(last, time.monotonic() - start))
    for problem, why in last.failed[:1]:
        name = f"{problem.model} {problem.task} on {problem.network.name or 'a network'}"
        print(f"schedsolve: {len(last.failed)} failed, the first {name}: {why:.200}", file=sys.stderr)
    return EXIT_DONE if last.settled else EXIT_LIMIT


def _summary(tally: Any, elapsed: float) -> str:
    failed = f", {len(tally.failed)} failed" if tally.failed else ""
    left = f", {tally.left} left" if tally.left else ""
    known = f"; {tally.known} of them were there" if tally.known else ""
    counts = f"{tally.solved} solved, {tally.open} open{failed}{left}"
    return f"{counted(tally.total, 'problem')}: {counts}{known}; {elapsed:.1f} s"
