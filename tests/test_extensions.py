"""Without the folder of an extension and its line in the registry, the core does as before."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from schedsolve import extensions
from schedsolve.runtime.errors import InputError

ROOT = Path(__file__).parent.parent
PROBLEMS = (
    "telephone gossip cycle:4", "telegraph gossip path:4", "telephone gossip path:4 --period 3",
    "telegraph gossip path:3 --period 4", "line gossip path:3",
    "linear-cost broadcast complete:4 --extra-rounds 1", "linear-cost broadcast complete:4 --alpha 1 --tau 1",
    "fat-tree broadcast fat-tree:4", "routing deliver fat-tree:4 --pattern shift:1",
    "synchronous allgather cycle:4 --steps 2", "pipelined allgather cycle:4",
)  # fmt: skip
SCRIPT = """
import contextlib, io, json, sys
import schedsolve
from schedsolve.__main__ import main

def run(*words):
    out = io.StringIO()
    sys.argv = ["schedsolve", *words]
    with contextlib.redirect_stdout(out):
        try:
            status = main()
        except SystemExit as stop:
            status = stop.code
    return status, out.getvalue()

problems = json.loads(sys.argv[1])
printed = [run("--help")[0]]
for problem in problems:
    words = problem.split()
    printed += [
        run("solve", *words, "-q", "-o", "result.json"), run("check", "result.json"),
        run("formulate", *words, "-o", "program.lp"), run("compare", *words, "-q", "--time-limit", "2"),
    ]
assert schedsolve.solve(schedsolve.build_problem("telephone", "gossip", "cycle:4")).value == 2
print(json.dumps(printed))
"""


def printed_without(gone: tuple[str, ...], folder: Path) -> list[object]:
    """What solve, check, formulate and compare print of every model in a copy without some extensions."""
    shutil.copytree(ROOT / "schedsolve", folder / "schedsolve", symlinks=True)
    shutil.copytree(ROOT / "models", folder / "models")
    registry = folder / "schedsolve" / "extensions.py"
    text = registry.read_text(encoding="utf-8")
    for name in gone:
        shutil.rmtree(folder / "schedsolve" / name)
        assert f'    "{name}",\n' in text
        text = text.replace(f'    "{name}",\n', "")
    registry.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(PROBLEMS)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[object] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """What the whole product prints, with status 0 throughout."""
    found = printed_without((), tmp_path_factory.mktemp("whole"))
    assert all(one[0] in (0, 2) for one in found if isinstance(one, list))
    return found


@pytest.mark.parametrize(
    "gone", [*((name,) for name in extensions.EXTENSIONS), extensions.EXTENSIONS], ids="+".join
)
def test_the_core_does_as_before(gone: tuple[str, ...], whole: list[object], tmp_path: Path) -> None:
    assert printed_without(gone, tmp_path) == whole


def test_an_extension_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extensions, "EXTENSIONS", ("export",))
    with pytest.raises(InputError, match=r"^this needs the extension machines of schedsolve, which is not"):
        extensions.ask("machines", "times")
