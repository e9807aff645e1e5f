"""Fixtures of all tests."""

from __future__ import annotations

import gc
import shlex
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from schedsolve.commands.cli import main
from schedsolve.extensions import installed
from schedsolve.solving import comparison, constructions
from tests.command_line import Cli, Run
from tests.worker_messages import send_results_only

# As often as usual, the garbage collector takes a third of the time of the collection of tests, and a
# thirtieth of the tests' own.
gc.set_threshold(200_000, 10, 10)


def pytest_collection_finish() -> None:
    """What was collected stays until the end: the garbage collector need not look through it again."""
    gc.collect()
    gc.freeze()


BEFORE: list[Any] = []
"""What SIGINT did before the tests."""


def pytest_sessionstart(session: pytest.Session) -> None:
    """Ctrl-C has its usual meaning, here and in processes that tests start, also where the tests were started
    with SIGINT ignored, as a shell does for `make test &`.
    """
    BEFORE.append(signal.signal(signal.SIGINT, signal.default_int_handler))
    send_results_only(session.config)


def pytest_sessionfinish() -> None:
    signal.signal(signal.SIGINT, BEFORE.pop())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Iterator[None]:
    """No test leaves a signal ignored or blocked for those after it; a fixture for all would take longer."""
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.fixture(scope="module")
def little_time_for_heuristics() -> Iterator[None]:
    """Searching heuristics get a moment only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("schedsolve.solving.solve_loop.FIRST_EFFORT_SECONDS", 0.02)
        yield


@pytest.fixture
def short_constructions(monkeypatch: pytest.MonkeyPatch) -> None:
    """`construct`, `bounds`, `compare`, `time` and `plan` run, but what they build need not be good."""
    for module, name in (
        (constructions, "construct"),
        (constructions, "all_bounds"),
        (comparison, "construct"),
    ):
        built = getattr(module, name)

        def in_short(*given: Any, built: Callable[..., Any] = built, **named: Any) -> Any:
            return built(*given, **{**named, "seconds": 0.05})

        monkeypatch.setattr(module, name, in_short)
    if installed("machines"):
        monkeypatch.setattr("schedsolve.machines.streams.streams.MOST_SIMULATED", 1000)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs a command line, words as in a shell and further words as they are, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(line: str, *more: str) -> Run:
        status: object
        try:
            status = main([*shlex.split(line), *more])
        except SystemExit as stop:
            status = stop.code
        return Run(status, *capsys.readouterr())

    return run
