"""A script without `if __name__ == "__main__":` ends with one clear error, whatever starts the processes."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PROBLEMS = """
from schedsolve import build_problem, solve, solve_many
problems = [build_problem("telephone", "gossip", f"cycle:{n}") for n in range(3, 9)]
"""
AT_ONCE = """
from schedsolve.solving import portfolio
portfolio.HARD_SECONDS = 0.0
solve(build_problem("telegraph", "gossip", "grid:4x4"), workers=2)
"""
NOT_SHARED = (
    "from schedsolve.solving.portfolio import Portfolio as P; P._split_hard_refutation = lambda _: None"
)


def run(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """The outcome of a script in its own folder."""
    (folder / "script.py").write_text(PROBLEMS + script)
    root = str(Path(__file__).parents[3])
    return subprocess.run(
        [sys.executable, "script.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize(
    "script",
    [
        "solve_many(problems, workers=2)",
        "solve_many(problems, workers=2, store='results.db')",
        "try:\n    solve_many(problems, workers=2)\nexcept ValueError as error:\n    raise SystemExit(error)",
        AT_ONCE,
        NOT_SHARED + AT_ONCE,
        "from schedsolve import simulate; simulate('routing', 4096, runs=300, workers=2)",
        pytest.param(
            "solve_many(problems, workers=2, dask='local')",
            marks=pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra cluster"),
        ),
    ],
)
def test_the_error_names_the_guard(tmp_path: Path, script: str) -> None:
    """In the parent and only there: the processes end without a word."""
    ran = run(tmp_path, script)
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert ran.stderr.count("errors.InputError: ") == ("except" not in script)
    assert ran.stderr.count('  File "') <= 2
    assert 'needs the guard `if __name__ == "__main__":`' in ran.stderr.splitlines()[-1]


def test_with_the_guard_all_is_solved(tmp_path: Path) -> None:
    script = 'if __name__ == "__main__":\n    print([r.value for r in solve_many(problems, workers=2)])'
    ran = run(tmp_path, script)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "[3, 2, 4, 3, 5, 4]\n"


def test_a_script_that_fails_when_it_is_imported(tmp_path: Path) -> None:
    """The first process to end ends all, with its exit status."""
    script = 'if __name__ != "__main__":\n    raise SystemExit(5)\nsolve_many(problems, workers=2)'
    last = run(tmp_path, script).stderr.splitlines()[-1]
    assert last.endswith("imports the script first; one ended with exit status 5")


def test_progress_is_a_line_on_standard_error(tmp_path: Path) -> None:
    """With and without a store; nothing unless it is asked for."""
    script = """
if __name__ == "__main__":
    solve_many(problems, workers=2, progress=True)
    solve_many(problems, workers=2, store="results.db", progress=True)
"""
    ran = run(tmp_path, script)
    assert (ran.returncode, ran.stdout) == (0, "")
    assert ran.stderr.count("6 solved, 0 open, 0 left") >= 2
