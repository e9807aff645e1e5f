"""The command line: `schedsolve solve MODEL TASK NETWORK` and its siblings."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from schedsolve.commands.interrupts import one_interrupt
from schedsolve.commands.options import EXIT_BAD_INPUT, EXIT_DONE, EXIT_LIMIT
from schedsolve.errors import InputError, one_line


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0 done, 1 a checked claim fails, 2 bad input, 3 stopped at a
    limit.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        parsed = _parser().parse_args(arguments)
        command: Callable[[argparse.Namespace], int] = parsed.command
        with one_interrupt():
            status = command(parsed)
        sys.stdout.flush()
        return status
    except InputError as error:
        print(f"schedsolve: {one_line(str(error))}", file=sys.stderr)
        return EXIT_BAD_INPUT
    except KeyboardInterrupt:
        print("schedsolve: interrupted", file=sys.stderr)
        return EXIT_LIMIT
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_DONE
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        name = error.filename or "standard output"
        print(f"schedsolve: cannot write {name}: {error.strerror or error}", file=sys.stderr)
        return EXIT_BAD_INPUT
    except MemoryError:
        print("schedsolve: this takes more memory than there is", file=sys.stderr)
        return EXIT_BAD_INPUT


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line and an exit status of 2."""

    def error(self, message: str) -> NoReturn:
        print(f"schedsolve: {one_line(message)} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(EXIT_BAD_INPUT)


def _parser() -> argparse.ArgumentParser:
    from schedsolve import __version__
    from schedsolve.commands import (
        analyse,
        bounds,
        check,
        compare,
        construct,
        demo,
        draw,
        export,
        formulate,
        lists,
        model_verbs,
        solution,
        solve,
    )

    parser = _Parser(
        prog="schedsolve",
        description="Optimal communication schedules, solved exactly and certified.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"schedsolve {__version__}")
    verbs = parser.add_subparsers(required=True, metavar="COMMAND")
    solve.add_solve(verbs)
    construct.add_construct(verbs)
    bounds.add_bounds(verbs)
    compare.add_compare(verbs)
    check.add_check(verbs)
    formulate.add_formulate(verbs)
    solution.add_solution(verbs)
    analyse.add_analyse(verbs)
    draw.add_draw(verbs)
    export.add_export(verbs)
    model_verbs.add_model_verbs(verbs)
    demo.add_demo(verbs)
    lists.add_lists(verbs)
    return parser
