"""Trying a mutant: in a process of its own the battery, then tests of its folder."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import sys
from collections.abc import Collection
from functools import cache
from pathlib import Path

from tests.mutants import patching, reach
from tests.mutants.operators import Mutant
from tests.mutants.tracing import FOLDER as CALLS

ROOT = Path(__file__).parents[2]
BATTERY_SECONDS = 10
"""CPU seconds after which a battery counts as endless."""
MOST_PARTS = 1500
"""Of more parts of the battery that call a mutant's function as many are tried, spread evenly."""
OUTCOMES = {10: "battery", 11: "tests", 0: "survived"}
TITLES = {
    "matching": ("telegraph", "telephone", "telegraph --period", "telephone --period"),
    "systolic": ("telegraph --period", "telephone --period", "explore periods"),
    "line": ("line",),
    "linear_cost": ("linear-cost", "linear-cost --alpha"),
    "fat_tree": ("fat-tree",),
    "routing": ("routing",),
    "synchronous": ("synchronous",),
    "pipelined": ("pipelined", "synchronous"),
}
"""The records whose battery a model's folder has."""
SHARED_TITLES = (
    "routing", "telephone", "telegraph", "pipelined", "synchronous", "linear-cost", "fat-tree", "line",
)  # fmt: skip
"""Those of shared code: one form of everything, as a period changes nothing there."""
TESTS = {
    "schedsolve/certify": ("tests/certify", "tests/commands/test_check.py"),
    "schedsolve/experiments": ("tests/experiments/designs",),
    "schedsolve/machines": ("tests/machines", "tests/commands/test_check.py"),
    "schedsolve/network": ("tests/network",),
    "schedsolve/modelkit": ("tests/modelkit", "tests/certify"),
}
"""Where the tests of a shared folder are; those of a model are in tests/models."""


def folder_of(file: str) -> str:
    """The folder that a file counts with."""
    return "/".join(file.split("/")[:2])


def tried(mutant: Mutant, seconds: float) -> str:
    """What caught the mutant: "battery" or "tests"; "survived" when nothing did. seconds: of tests, as they
    take without the change.
    """
    child = os.fork()
    if child == 0:
        code = 12
        try:
            code = _in_child(mutant, seconds)
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) in OUTCOMES:
        return OUTCOMES[os.WEXITSTATUS(status)]
    if os.WIFEXITED(status):
        raise RuntimeError(f"{mutant} could not be tried")
    # It ran out of its CPU time, or of memory, which a test would notice.
    return "endless"


def _in_child(mutant: Mutant, seconds: float) -> int:
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _limit(BATTERY_SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    try:
        if _battery_finds(mutant):
            return 10
    except BaseException:
        return 10
    chosen = tests_of(mutant, seconds)
    if not chosen:
        return 0
    import pytest

    _limit(BATTERY_SECONDS + 3 * seconds)
    sys.argv = ["pytest"]
    # Some plugins of pytest would rewrite what is imported already.
    ignored = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    options = ["-x", "-q", *ignored, "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly"]
    with contextlib.suppress(SystemExit):
        # 4: a test that was traced is there no more, which catches nothing.
        return 0 if pytest.main([*options, *chosen]) in (0, 4, 5) else 11
    return 11


def _battery_finds(mutant: Mutant) -> bool:
    """Whether any part of the battery finds something: those that call the mutant's function, or all where
    the package was imported once more.
    """
    from tests.forgeries.battery import battery

    titles = titles_of(mutant.file)
    called = [key for key in reach.known() if concerns(key, mutant)]
    numbers = {pair for key in called for pair in reach.known()[key]}
    own = [one for title in titles for i, one in enumerate(battery(title)) if (title, i) in numbers]
    if patching.apply(mutant):
        step = len(own) // MOST_PARTS + 1
        return any(one.finding for one in own[::step])
    from tests.forgeries.battery import findings

    return any(findings(titles))


def _limit(seconds: float) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), resource.RLIM_INFINITY))


def titles_of(file: str) -> Collection[str]:
    """The records whose battery mutants of a file meet."""
    top, folder = file.split("/")[:2]
    if file.startswith("schedsolve/certify/msccl"):
        return ("MSCCL XML",)
    return TITLES[folder] if top == "models" else SHARED_TITLES


@cache
def calls() -> tuple[dict[str, set[str]], dict[str, float]]:
    """For every function, as file and name, the tests that call it; and the seconds that the tests take."""
    tests: dict[str, set[str]] = {}
    seconds: dict[str, float] = {}
    for path in CALLS.glob("calls-*.json"):
        data = json.loads(path.read_text(encoding="utf-8"))
        seconds.update(zip(data["names"], data["seconds"], strict=True))
        for function, numbers in data["tests"].items():
            tests.setdefault(function, set()).update(data["names"][number] for number in numbers)
    return tests, seconds


def tests_of(mutant: Mutant, seconds: float) -> list[str]:
    """The tests that call the mutant's function, the fastest first, as many as take so many seconds; where no
    calls are known, the folder's test files that name its module.
    """
    tests, taken = calls()
    folder = TESTS.get(folder_of(mutant.file), (f"tests/{folder_of(mutant.file)}",))
    if not tests:
        module = Path(mutant.file).stem if mutant.file.count("/") > 1 else ""
        module = Path(mutant.file).parent.name if module == "__init__" else module
        files = [file for part in folder for file in _files(ROOT / part) if module in file.read_text("utf-8")]
        return [str(file) for file in files]
    known = {test for key, calling in tests.items() if concerns(key, mutant) for test in calling}
    own = sorted(known, key=lambda test: (not test.startswith(folder), taken.get(test, 0.0)))
    chosen: list[str] = []
    total = 0.0
    for test in own:
        total += taken.get(test, 0.0)
        if total > seconds and chosen:
            break
        chosen.append(test)
    return chosen


def _files(path: Path) -> list[Path]:
    return sorted(path.rglob("test_*.py")) if path.is_dir() else [path]


def concerns(key: str, mutant: Mutant) -> bool:
    """Whether a function that was called, as file and name, is the mutant's, or inside it; all of the file
    are where the mutant is outside of them.
    """
    file, _, name = key.partition(":")
    return file == mutant.file and name.replace(".<locals>", "").startswith(mutant.function)
