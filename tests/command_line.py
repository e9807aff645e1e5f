"""What tests of the command line share: a command's outcome, and the type of the fixture `cli` that runs
one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Run(NamedTuple):
    """What a command left: its exit status, its standard output, its standard error."""

    status: object
    out: str
    err: str


Cli = Callable[..., Run]
"""Runs a command line, words as in a shell, and further words as they are."""
