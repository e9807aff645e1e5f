"""A plugin of pytest that writes down which functions of the package every test calls, and how long it takes.

`python -m pytest -p tests.mutants.tracing TESTS` writes build/mutants/calls-NUMBER.json; what a test file's
fixtures call, each of its tests calls.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build/mutants"
PARTS = (str(ROOT / "schedsolve"), str(ROOT / "models"))


class Tracer:
    """What is called, test by test."""

    def __init__(self) -> None:
        self.seen: set[CodeType] = set()
        self.of_test: dict[str, set[CodeType]] = {}
        self.of_file: defaultdict[str, set[CodeType]] = defaultdict(set)
        self.seconds: dict[str, float] = {}

    def called(self, frame: FrameType, event: str, _: object) -> None:
        """Note a call."""
        self.seen.add(frame.f_code)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        """Trace the fixtures."""
        yield from self._traced(item, self.of_file[item.nodeid.partition("::")[0]])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Trace the test."""
        yield from self._traced(item, self.of_test.setdefault(item.nodeid, set()))

    def _traced(self, item: pytest.Item, kept: set[CodeType]) -> Iterator[None]:
        self.seen, start = set(), time.process_time()
        sys.settrace(self.called)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            kept |= {code for code in self.seen if code.co_filename.startswith(PARTS)}
            self.seconds[item.nodeid] = self.seconds.get(item.nodeid, 0.0) + time.process_time() - start

    def pytest_sessionfinish(self) -> None:
        """Write everything down: for every function the tests, and for every test the seconds."""
        names = list(self.of_test)
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, test in enumerate(names):
            for code in self.of_test[test] | self.of_file[test.partition("::")[0]]:
                file = Path(code.co_filename).resolve().relative_to(ROOT)
                found[f"{file}:{code.co_qualname}"].append(number)
        FOLDER.mkdir(parents=True, exist_ok=True)
        seconds = [round(self.seconds[test], 3) for test in names]
        data = {"names": names, "seconds": seconds, "tests": found}
        (FOLDER / f"calls-{os.getpid()}.json").write_text(json.dumps(data))


def pytest_configure(config: pytest.Config) -> None:
    """Trace."""
    config.pluginmanager.register(Tracer())
