"""Compiling files of Coq over theory/, which `make theory` has compiled."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

THEORY = Path(__file__).parents[3] / "theory"
CLOSED = "Closed under the global context"
needs_coq = pytest.mark.skipif(
    shutil.which("coqc") is None or not (THEORY / "Prices.vo").exists(),
    reason="make theory compiles theory/",
)


class Compiled(NamedTuple):
    """What came of a file: whether Coq accepts it, and all that it said."""

    accepted: bool
    said: str


def compiled(text: str, folder: Path) -> Compiled:
    """The outcome of compiling a text."""
    file = folder / "gossip.v"
    file.write_text(text)
    run = subprocess.run(
        ["coqc", "-Q", str(THEORY), "Schedsolve", file.name],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return Compiled(run.returncode == 0, run.stdout + run.stderr)


def closed(text: str, folder: Path) -> bool:
    """Whether Coq accepts a theorem that rests on no axiom."""
    seen = compiled(text, folder)
    return seen.accepted and seen.said.count(CLOSED) == 1 and "Axioms:" not in seen.said
