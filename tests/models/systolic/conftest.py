"""Results that are saved once for all tests of systolic schedules."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from schedsolve.commands.cli import main
from tests.models.systolic.saved_results import CASES


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the results of CASES are saved, by `solve --output`; to be read only.

    Those whose proofs tests alter have refutations beside the theorems.
    """
    folder = tmp_path_factory.mktemp("saved")
    for name, line in CASES.items():
        by = "--certify refutation" if name in ("infeasible", "least period") else ""
        assert main([*shlex.split(f"solve {line} {by} --quiet --output"), str(folder / f"{name}.json")]) == 0
    return folder
