"""A verb of the command line that one model brings, and what it is handed from the rooms above the models."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from schedsolve.number_reader import float_number, whole_number

Finding = tuple[Literal["ok", "not sure", "failed"], str]
"""What a check found of a claim in a file that only one model writes, and the claim in words."""


@dataclass(frozen=True)
class Desk:
    """What a model's verb is handed, as the rooms that do it lie above the models.

    refuse_output: raises InputError about a file that cannot be written, before the work is done. write_json:
    writes JSON data to a file.
    print_json: prints JSON data on standard output. table_lines: a header and rows of cells as lines of text.
    progress: shows what is being done on a terminal, in one line; "" wipes it.
    """

    refuse_output: Callable[[str], None]
    write_json: Callable[[Any, str], None]
    print_json: Callable[[Any], None]
    table_lines: Callable[[Sequence[str], Sequence[Sequence[str]]], list[str]]
    progress: Callable[[str], None]


@dataclass(frozen=True)
class Verb:
    """A verb of the command line that a model brings.

    name: as it is typed. subject: the word typed after it, where several models bring verbs of that name.
    summary: one line of help. add_options: adds its arguments to a parser.
    run: does the work and gives the exit status: 0 done, 3 not settled. Raises InputError for bad input.
    function: the same in Python, with the options as keywords; gives what was found.
    """

    name: str
    summary: str
    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Desk], int]
    function: Callable[..., Any]
    subject: str | None = None


def seconds(text: str) -> float:
    """A number of seconds above 0, as an option gives it. Raises argparse.ArgumentTypeError for anything
    else.
    """
    value = float_number(text)
    if value is None or value <= 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of seconds above 0")
    return value


def natural(text: str) -> int:
    """A whole number of 0 or more, as an option gives it. Raises argparse.ArgumentTypeError for anything
    else.
    """
    number = whole_number(text, 0, 10**18 - 1, text=True)
    if number is None:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number of 0 or more")
    return number
