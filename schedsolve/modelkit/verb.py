"""A verb of the command line that one model brings, and the functions of higher layers that it calls."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from schedsolve.runtime.errors import InputError, did_you_mean
from schedsolve.runtime.files.number_reader import float_number, whole_number

if TYPE_CHECKING:
    from schedsolve.modelkit.result import Result

Finding = tuple[Literal["ok", "not sure", "failed"], str]
"""What a check found of a claim in a file that only one model writes, and the claim in words."""


JSON = {"--json": "print one JSON object and nothing else"}


@dataclass(frozen=True)
class CliContext:
    """The functions of the command line that a model's verb calls; their modules lie above the models.

    Attributes
    ----------
    refuse_output
        Raises InputError about a file that cannot be written, before the work is done.
    write_json
        Writes JSON data to a file.
    print_json
        Prints JSON data on standard output.
    table_lines
        Returns a header and rows of cells as lines of text.
    progress
        Shows the current activity in one line of a terminal; "" wipes it.
    solve
        Solves a problem, in at most so many seconds if it is given `seconds`.
    """

    refuse_output: Callable[[str], None]
    write_json: Callable[[Any, str], None]
    print_json: Callable[[Any], None]
    table_lines: Callable[[Sequence[str], Sequence[Sequence[str]]], list[str]]
    progress: Callable[[str], None]
    solve: Callable[..., Result]


@dataclass(frozen=True)
class Verb:
    """A verb of the command line that a model brings.

    Attributes
    ----------
    name
        As it is typed.
    subject
        The word typed after it, where several models bring verbs of that name.
    summary
        One line of help.
    add_options
        Adds its arguments to a parser.
    run
        Does the work and gives the exit status: 0 done, 3 not settled. Raises InputError for bad input.
    function
        The same in Python, with the options as keywords; gives what was found.
    """

    name: str
    summary: str
    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, CliContext], int]
    function: Callable[..., Any]
    subject: str | None = None


def seconds(text: str) -> float:
    """Return a number of seconds above 0, as an option gives it.

    Raises
    ------
    argparse.ArgumentTypeError
        For anything else.
    """
    value = float_number(text)
    if value is None or value <= 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of seconds above 0")
    return value


def natural(text: str) -> int:
    """Return a whole number of 0 or more, as an option gives it.

    Raises
    ------
    argparse.ArgumentTypeError
        For anything else.
    """
    number = whole_number(text, 0, 10**18 - 1, text=True)
    if number is None:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number of 0 or more")
    return number


def span(option: str, text: str, least: int, greatest: int) -> range:
    """Return the whole numbers of "3..8" or "3", as an option gives them.

    Raises
    ------
    InputError
        For anything else, and for numbers below the least or above the greatest.
    """
    match = re.fullmatch(r"([0-9]{1,5})(?:\.\.([0-9]{1,5}))?", text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if not least <= first <= last <= greatest:
        limits = f"{least} <= A <= B <= {greatest}"
        raise InputError(f"{option} takes A..B with {limits}, such as 3..8; not {text!r:.60}")
    return range(first, last + 1)


def add_options(parser: argparse._ActionsContainer, options: Mapping[str, str], **others: Any) -> None:
    """Add options that are written as a usage shows them, each with its help.

    `-o --output FILE` takes a value, for which `others` may name a type and a default; `--full` is a switch.
    """
    for usage, text in options.items():
        *names, last = usage.split()
        if last.startswith("-"):
            parser.add_argument(*names, last, action="store_true", help=text)
        else:
            parser.add_argument(*names, metavar=last, help=text, **others)


def function_of(verbs: Sequence[Verb]) -> Callable[..., Any]:
    """Return the verbs of one name as one function for Python.

    Of one verb alone it is its own; of several, the first argument says which subject is meant.
    """
    name, found = verbs[0].name, {verb.subject: verb.function for verb in verbs}
    if None in found:
        return found[None]

    def chosen(subject: str, **options: Any) -> Any:
        if subject not in found:
            names = [known for known in found if known]
            raise InputError(
                f"{name} takes {' or '.join(names)}, not '{subject}'{did_you_mean(subject, names)}"
            )
        return found[subject](**options)

    chosen.__name__ = chosen.__qualname__ = name
    chosen.__doc__ = "\n\n".join(
        f"{name}({subject!r}, ...): {function.__doc__}" for subject, function in found.items()
    )
    return chosen
