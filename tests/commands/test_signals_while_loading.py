"""Ctrl-C and SIGTERM while the command is still being loaded: one line and the exit status 3."""

from __future__ import annotations

import subprocess
import sys

import pytest

LOADED = """
import os
import sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == wanted:
            os.kill(os.getpid(), number)

wanted, number, *arguments = sys.argv[1], int(sys.argv[2]), *sys.argv[3:]
sys.argv[1:] = arguments
sys.meta_path.insert(0, Interrupting())
from schedsolve.__main__ import main

sys.exit(main())
"""
"""The command, whose process gets a signal when it begins to import a module."""


EARLY = ("schedsolve.commands", "schedsolve.commands.interrupts", "schedsolve.runtime.limits.lost_exceptions")
LATER = ("schedsolve.commands.cli", "schedsolve.commands.bounds", "schedsolve.models.matching")


@pytest.mark.parametrize(
    ("module", "number"), [*((one, 2) for one in EARLY + LATER), *((one, 15) for one in LATER)]
)
def test_a_signal_during_an_import(module: str, number: int) -> None:
    """The import is finished first, as a broken one may end in another exception."""
    command = [sys.executable, "-c", LOADED, module, str(number), "bounds", "telephone", "gossip", "cycle:5"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "schedsolve: interrupted\n")


def test_nothing_is_loaded_before_signals_are_looked_after() -> None:
    code = "import sys, schedsolve.__main__; print([m for m in sys.modules if m.startswith('schedsolve')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(eval(done.stdout)) == {
        "schedsolve", "schedsolve.__main__", "schedsolve.commands", "schedsolve.commands.interrupts",
        "schedsolve.runtime", "schedsolve.runtime.limits", "schedsolve.runtime.limits.lost_exceptions",
    }  # fmt: skip
