"""The command line: `schedsolve solve MODEL TASK NETWORK` and its siblings."""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from shutil import get_terminal_size
from types import MappingProxyType
from typing import Any, NoReturn

from schedsolve.commands.interrupts import one_interrupt
from schedsolve.commands.options import (
    EXIT_BAD_INPUT,
    EXIT_DONE,
    EXIT_LIMIT,
    asked_model,
    with_refutations,
)
from schedsolve.extensions import add_verb_of_extension, registered
from schedsolve.runtime.errors import (
    InputError,
    UnsettledError,
    did_you_mean,
    echoing_little,
    on_command_line,
)
from schedsolve.runtime.limits.budget import trusting


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    The status is 0 when done, 1 if a checked claim fails, 2 for bad input, and 3 when stopped at a limit.
    """
    with on_command_line():
        return _run(arguments)


def _run(arguments: Sequence[str] | None) -> int:
    """Run one command, and print what it raises in one line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        parsed = _parsed(sys.argv[1:] if arguments is None else list(arguments))
        command: Callable[[argparse.Namespace], int] = parsed.command
        with one_interrupt(), trusting(getattr(parsed, "trust_size", False)):
            status = command(parsed)
        sys.stdout.flush()
        return status
    except InputError as error:
        given = sys.argv[1:] if arguments is None else arguments
        print(f"schedsolve: {echoing_little(str(error), given)}", file=sys.stderr)
        return EXIT_LIMIT if isinstance(error, UnsettledError) else EXIT_BAD_INPUT
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
    except (MemoryError, RecursionError) as error:
        what = (
            "memory than there is" if isinstance(error, MemoryError) else "calls of calls than Python makes"
        )
        print(f"schedsolve: this takes more {what}", file=sys.stderr)
        return EXIT_BAD_INPUT


VERBS = {
    "solve": "find the optimum, with a proven lower bound",
    "frontier": "the optimum for every value of one parameter",
    "construct": "run the papers' algorithms, replay, print the best schedule",
    "bounds": "every lower bound with its source",
    "compare": "a table of bounds, algorithms, optimum and gap",
    "check": "replay a saved result or your own schedule, and verify its claims",
    "formulate": "write the formulation, for any other solver",
    "solution": "another solver's answer becomes a schedule that check replays",
}
"""The verbs of the core, each in the file of its name in commands/; extensions, models and lists add more."""


LISTS = ("list", "models", "networks", "algorithms")
"""The commands of commands/lists.py, which load no verb and no option of a model."""
AMERICAN, BRITISH = "analyze", "analyse"


class _NarrowError(Exception):
    """The parser of one verb and one model cannot parse the arguments; the complete parser says why."""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, with exit status 2."""

    narrow = False
    summaries: Mapping[str, str] = MappingProxyType({})
    """What the commands do, where the parser is that of all of them."""
    late_epilog: Callable[[], str] | None = None
    """Gives the end of the help, where that takes much to load."""
    verbs: Mapping[str, argparse.ArgumentParser] = MappingProxyType({})

    def __init__(
        self, *, formatter_class: type[argparse.HelpFormatter] = argparse.HelpFormatter, **others: Any
    ) -> None:
        # argparse makes a formatter for each option, each of which would ask for the width of the terminal.
        width = get_terminal_size().columns - 2
        super().__init__(formatter_class=partial(formatter_class, width=width), **others)

    def read(self, arguments: list[str]) -> argparse.Namespace:
        """Return the parsed arguments; the error for an unknown command or option names a similar one."""
        verb = arguments[0] if arguments else "-"
        if not verb.startswith("-") and verb not in self.verbs:
            near = did_you_mean(verb, self.verbs)
            self.error(f"unknown command '{verb}'; the commands are {', '.join(self.verbs)}{near}")
        parsed, unknown = self.parse_known_args(arguments)
        if unknown and not unknown[0].startswith("-"):
            self.error(f"{unknown[0]!r} is one argument too many for {verb}")
        if unknown:
            known = re.findall(
                r"--[a-z][a-z-]*", self.verbs[verb].format_help() if verb in self.verbs else ""
            )
            near = did_you_mean(unknown[0].partition("=")[0], known)
            self.error(f"unknown arguments: {' '.join(unknown)}{near}")
        return parsed

    def format_help(self) -> str:
        """Return the help, in groups where it is that of all commands."""
        if self.late_epilog is not None:
            self.epilog = self.late_epilog()
        if not self.summaries:
            return super().format_help()
        from schedsolve.commands.overview import overview

        return overview(self.summaries)

    def error(self, message: str) -> NoReturn:
        if _Parser.narrow:
            raise _NarrowError
        print(
            f"schedsolve: {echoing_little(message, sys.argv[1:])} (see {self.prog} --help)", file=sys.stderr
        )
        raise SystemExit(EXIT_BAD_INPUT)


def _parsed(arguments: list[str]) -> argparse.Namespace:
    """Return the parsed arguments.

    The parser has only the verb and the options of the model that the arguments name, so that no other model
    is loaded; if it fails, the complete parser is used.
    """
    if arguments and arguments[0] == "help":
        arguments = [*arguments[1:], "--help"]
    if arguments and arguments[0] == AMERICAN:
        arguments = [BRITISH, *arguments[1:]]
    arguments = with_refutations(arguments)
    if arguments and (arguments[0] in (*all_verbs(), *LISTS) or _is_of_models(arguments[0])):
        _Parser.narrow = True
        try:
            return _parser(arguments[:1], arguments[1:]).read(arguments)
        except _NarrowError:
            pass
        finally:
            _Parser.narrow = False
    if not [word for word in arguments if not word.startswith("-")]:
        return _parser([]).read(arguments)
    return whole_parser().read(arguments)


def all_verbs() -> dict[str, str]:
    """Return the verbs of the core and the extensions, with their summaries."""
    return {**VERBS, **{verb: text for verb, (_, text) in registered("verbs").items()}}


def _add_verb(verb: str, commands: Any) -> None:
    if verb in VERBS:
        getattr(import_module(f"schedsolve.commands.{verb}"), f"add_{verb}")(commands)
    else:
        add_verb_of_extension(verb, commands)


def _is_of_models(verb: str) -> bool:
    from schedsolve.models import verb_summaries

    return verb in verb_summaries()


def whole_parser() -> _Parser:
    """Return the parser of every command with the options of all models."""
    return _parser(list(all_verbs()))


def _parser(verbs: list[str], rest: Sequence[str] = ()) -> _Parser:
    """Return the parser of one verb, or of some verbs, in which the other verbs are named.

    Parameters
    ----------
    verbs
        The verbs.
    rest
        The arguments after the verb; only the options of the model that they name are added.
    """
    from schedsolve import __version__

    parser = _Parser(
        prog="schedsolve",
        description="Optimal communication schedules, solved exactly and certified.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"schedsolve {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", prog="schedsolve")
    for verb, text in all_verbs().items():
        if verb in verbs:
            with asked_model(rest):
                _add_verb(verb, commands)
        elif len(verbs) != 1:
            commands.add_parser(verb, help=text)
    if len(verbs) != 1:
        from schedsolve.commands import completion, lists, model_verbs

        model_verbs.add_model_verbs(commands, named_only=not verbs)
        lists.add_lists(commands)
        completion.add_completion(parser, commands)
    elif verbs[0] in LISTS:
        import_module("schedsolve.commands.lists").add_lists(commands)
    elif verbs[0] not in all_verbs():
        import_module("schedsolve.commands.model_verbs").add_model_verbs(commands, named=verbs[0])
    parser.verbs = commands.choices
    parser.summaries = {choice.dest: str(choice.help) for choice in commands._choices_actions}
    return parser
