"""`python -m tests.installation.core_alone`: the core's tests in a copy of the tree without the extensions.

The copy, in build/core, has neither their folders and tests nor their lines in the registry.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from schedsolve.extensions import EXTENSIONS

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / "build" / "core"
CORE = (
    "backends", "certify", "commands", "modelkit", "models", "network", "reference", "runtime", "solving",
)  # fmt: skip
"""The folders of tests that are the core's."""
COPIED = ("schedsolve", "models", "tests", "instances", "docs", "pyproject.toml", "README.md")


def copy() -> None:
    """Copy the tree without the extensions."""
    shutil.rmtree(COPY, ignore_errors=True)
    COPY.mkdir(parents=True)
    left = {str(ROOT / top / name) for top in ("schedsolve", "tests") for name in EXTENSIONS}

    def ignored(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if name == "__pycache__" or os.path.join(folder, name) in left]

    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, COPY / name, symlinks=True, ignore=ignored)
        else:
            shutil.copy2(ROOT / name, COPY / name)
    registry = COPY / "schedsolve" / "extensions.py"
    text, lines = re.subn(r'^    "\w+",\n', "", registry.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert lines == len(EXTENSIONS)
    registry.write_text(text, encoding="utf-8")


def main() -> int:
    """Run the tests, and return pytest's status."""
    copy()
    folders = [f"tests/{name}" for name in CORE]
    command = [sys.executable, "-m", "pytest", "-n", "auto", "--dist", "worksteal", *folders]
    return subprocess.run(
        command, cwd=COPY, env={**os.environ, "PYTHONPATH": str(COPY)}, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
