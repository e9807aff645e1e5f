"""Sweeps without processes, for the tests of many problems."""

from __future__ import annotations

import pytest

from tests.solving.in_process import Here


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweeps start no processes."""
    monkeypatch.setattr("schedsolve.runtime.executors.processes.Processes", Here)
