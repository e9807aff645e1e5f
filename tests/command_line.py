"""What tests of the command line share: a command's outcome, and the type of the fixture `cli` that runs
one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple


class Run(NamedTuple):
    """What a command left: its exit status, its standard output, its standard error."""

    status: object
    out: str
    err: str


Cli = Callable[..., Run]
"""Runs a command line, words as in a shell, and further words as they are."""


Json = Any


def refused(run: Run) -> str:
    """The one line that bad input gets."""
    assert (run.status, run.out) == (2, ""), run
    assert run.err.startswith("schedsolve: "), run
    assert run.err.count("\n") == 1, run
    assert run.err.strip().isprintable(), run
    return run.err


def json_of(run: Run, status: int = 0) -> Json:
    """The one object on standard output."""
    assert (run.status, run.err) == (status, ""), run
    assert run.out.count("\n") == 1
    return json.loads(run.out)


def checked(cli: Cli, data: Json, name: str = "file.json") -> Run:
    Path(name).write_text(json.dumps(data))
    return cli(f"check {name}")
