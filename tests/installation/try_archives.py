"""Tries the wheel and the sdist in fresh environments.

python -m tests.installation.try_archives dist python3.11 python3.12

The wheel under every interpreter that is named and found: it solves, checks, draws and pages, in an empty
folder. The sdist under the first of them: it holds what the README names, and its own tests of the house
and of certificates pass.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
PROMISED = (
    *("Makefile", "README.md", "CHANGELOG.md", "CITATION.cff", "LICENSE", "constraints.txt", "mkdocs.yml"),
    *("models/TEMPLATE.md", "schedsolve/models/TEMPLATE.md", "instances/comparison.toml", "docs/index.md"),
    *(
        "notebooks/00-tour.ipynb",
        "schedsolve/drawing/demonstration/demo.py",
        "benchmarks/bench.py",
        "tests/test_architecture.py",
    ),
)
WALK = (
    "--version",
    "solve telegraph gossip cycle:7 -o cycle.json --quiet",
    "check cycle.json --strict",
    "draw cycle.json -o cycle.svg",
    "draw cycle.json -o cycle.html",
    "solve pipelined allgather dgx1 -o dgx1.json --quiet",
    "check dgx1.json --strict",
    "solve linear-cost broadcast complete:9 --ports 2 --extra-rounds 2 --quiet",
    "compare telephone gossip path:3 cycle:4 --quiet",
)


def run(command: Sequence[object], folder: Path) -> None:
    """Run a command in a folder. Raises SystemExit with its output when it fails."""
    done = subprocess.run(
        [str(part) for part in command], cwd=folder, text=True, capture_output=True, check=False
    )
    if done.returncode:
        words = " ".join(str(part) for part in command)
        raise SystemExit(f"{words}: exit {done.returncode}\n{done.stdout}{done.stderr}")


def answers(python: str) -> bool:
    """Whether the interpreter is on this machine, and is no name that only points to one."""
    if not shutil.which(python):
        return False
    return not subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode


def environment(python: str, folder: Path, *install: str | Path) -> Path:
    """A virtual environment in the folder with what is installed; its folder of commands."""
    run([python, "-m", "venv", folder / "venv"], folder)
    commands = folder / "venv" / "bin"
    pip = [commands / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "--constraint", ROOT / "constraints.txt", *install], folder)
    return commands


def try_wheel(wheel: Path, python: str) -> None:
    """Solve, check, draw and page with the installed wheel, in an empty folder."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        commands = environment(python, folder, wheel)
        work = folder / "work"
        work.mkdir()
        for line in WALK:
            run([commands / "schedsolve", *line.split()], work)
        run([commands / "schedsolve", "demo", "demo"], work)
        for made in ("cycle.svg", "cycle.html"):
            if not (work / made).stat().st_size:
                raise SystemExit(f"{made} is empty")


def try_sdist(sdist: Path, python: str) -> None:
    """Unpack it, look for what the README names, and run the tests of the house in it."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        with tarfile.open(sdist) as archive:
            archive.extractall(folder, filter="data")
        (tree,) = [path for path in folder.iterdir() if path.is_dir()]
        missing = [file for file in PROMISED if not (tree / file).is_file()]
        if missing:
            raise SystemExit(f"{sdist.name} lacks {', '.join(missing)}")
        commands = environment(python, folder, "--editable", f"{tree}[dev]")
        run([commands / "python", "-m", "pytest", "-x", "tests/test_architecture.py", "tests/certify"], tree)
        run([commands / "python", "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, sdist], folder)
        run([commands / "python", "-m", "zipfile", "-t", next(folder.glob("*.whl"))], folder)


def main(arguments: Sequence[str]) -> None:
    """Try what lies in the folder of the first argument with the interpreters that the others name."""
    dist, *pythons = arguments
    (wheel,), (sdist,) = Path(dist).resolve().glob("*.whl"), Path(dist).resolve().glob("*.tar.gz")
    found = [python for python in pythons if answers(python)]
    if not found:
        raise SystemExit(f"none of {', '.join(pythons)} is on this machine")
    for python in pythons:
        if python not in found:
            print(f"{python}: not on this machine, not tried", flush=True)
            continue
        try_wheel(wheel, python)
        print(f"{wheel.name}: solves, checks, draws and pages with {python}", flush=True)
    try_sdist(sdist, found[0])
    print(f"{sdist.name}: holds what the README names, and passes its tests with {found[0]}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
