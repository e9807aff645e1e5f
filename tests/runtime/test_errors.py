"""Exceptions have one base, and name options as whoever asked writes them."""

from __future__ import annotations

import inspect
import pkgutil
import re
from importlib import import_module
from typing import Any

import pytest

import schedsolve
from schedsolve import SchedsolveError, build_problem, compare, solve, solve_many
from schedsolve.runtime.errors import InputError, on_command_line
from tests.command_line import Cli, refused


def test_all_exceptions_have_one_base() -> None:
    """Those of the kernel aside, whose files stand alone, and what needs torch or no caller meets."""
    for module in pkgutil.walk_packages(schedsolve.__path__, "schedsolve."):
        if module.name.endswith(("__main__", "torch_exchange")) or ".kernel" in module.name:
            continue
        for _, found in inspect.getmembers(import_module(module.name), inspect.isclass):
            ours = found.__module__.startswith("schedsolve.") and ".kernel" not in found.__module__
            if ours and issubclass(found, Exception) and not found.__name__.startswith("_"):
                assert issubclass(found, SchedsolveError), found


def test_python_names_keywords_and_the_command_line_options(cli: Cli) -> None:
    with pytest.raises(SchedsolveError, match=r"^extra_rounds "):
        build_problem("linear-cost", "broadcast", "complete:4", extra_rounds="x")
    assert "--extra-rounds " in refused(cli("solve linear-cost broadcast complete:4 --extra-rounds x"))
    with pytest.raises(InputError, match=r"^source takes labels"):
        build_problem("telephone", "broadcast", "path:3", source=1.5)


@pytest.mark.parametrize("text", ["a--b", "no --", "---x", "--X", "x--source", "--a_b"])
def test_what_is_no_option_stays(text: str) -> None:
    assert str(InputError(text)) == text


def test_on_the_command_line_nothing_changes() -> None:
    with on_command_line():
        assert str(InputError("--source takes a node")) == "--source takes a node"
    assert str(InputError("--source takes a node")) == "source takes a node"


def test_a_solve_starts_from_a_file(cli: Cli) -> None:
    """Of a peer, by way of a file; one of another problem is refused in one line."""
    cli("solve telephone gossip cycle:6 -o start.json")
    ran = cli("solve telephone gossip cycle:6 --start start.json")
    assert "upper bound 3: the schedule to start from" in ran.out
    refused(cli("solve telephone gossip cycle:8 --start start.json"))
    refused(cli("solve telephone gossip cycle:6 --start nowhere.json"))
    assert solve(build_problem("telephone", "gossip", "cycle:6"), warm_start="start.json").value == 3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"time_limit": "ten"}, "time_limit is a number of seconds, or None for no limit; not 'ten'"),
        ({"time_limit": float("nan")}, "time_limit is a number of seconds"),
        ({"workers": 0}, "workers is a number of 1 or more, not 0"),
        ({"seed": "a"}, "a seed is a whole number, not 'a'"),
    ],
)
def test_wrong_options(options: dict[str, Any], said: str) -> None:
    """Nothing is solved with options that mean nothing."""
    with pytest.raises(InputError, match=re.escape(said)):
        solve(build_problem("telephone", "gossip", "path:3"), **options)


def test_what_is_no_problem() -> None:
    """A text, or one problem in place of several."""
    problem: Any = build_problem("telephone", "gossip", "path:3")
    for no_problem in ("path:3", None):
        with pytest.raises(InputError, match="a problem is what build_problem"):
            solve(no_problem)  # type: ignore[arg-type]
    for ask in (solve_many, compare):
        with pytest.raises(InputError, match="several problems are a list"):
            ask(problem)
        with pytest.raises(InputError, match="a problem is what build_problem"):
            ask(["path:3"])  # type: ignore[list-item]
    with pytest.raises(InputError, match="workers is a number of 1 or more, or None"):
        solve_many([problem], workers=0)
