"""`python -m tests.docs.trusted_lines`: the table of docs/certificates.md that says on which lines a check
rests, made by tracing what a check executes.

Small results of every model are checked in a process of their own, in which nothing was computed before; a
file is listed when a function of it ran.
"""

from __future__ import annotations

import ast
import inspect
import json
import subprocess
import sys
from pathlib import Path
from types import FrameType

from schedsolve.models.systolic.bounds.tree_periods import heights_of
from schedsolve.models.systolic.command import rows_to_json
from schedsolve.network.graph import Network
from schedsolve.network.node_link import network_to_json
from tests.soak.saved_results import LINES, saved

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/certificates.md"
HEADER = "| file | lines | what it does |\n|---|---|---|\n"
KERNELS = ("schedsolve/certify/propagation.py", "schedsolve/formulas/proof.py")


def executed() -> list[str]:
    """The project's files of which a check runs a function, the models' by model, then the shared ones."""
    results = [saved(line) for line in LINES]
    network = network_to_json(Network.from_spec(results[0]["problem"]["network"]))
    results.append({**results[0], "problem": {**results[0]["problem"], "network": network}})
    results.append(rows_to_json(2, True, {8: heights_of(2, True, 8)}))
    data = json.dumps(results)
    command = [sys.executable, "-m", "tests.docs.trusted_lines", "--trace"]
    traced = subprocess.run(command, cwd=ROOT, input=data, capture_output=True, text=True, check=True)
    return sorted(json.loads(traced.stdout), key=_place)


def _place(file: str) -> tuple[int, str]:
    rooms = ("schedsolve/certify/", "models/")
    return next((i for i, room in enumerate(rooms) if file.startswith(room)), len(rooms)), file


def trace() -> None:
    """Check the results on standard input, and print the files whose functions ran, as a JSON list."""
    from schedsolve.certify.check import check_data
    from schedsolve.models import models

    models()
    files: set[str] = set()

    def called(frame: FrameType, event: str, _: object) -> None:
        # A module's or a class's own lines run when it is imported; they are no functions.
        if event == "call" and frame.f_code.co_flags & inspect.CO_OPTIMIZED:
            files.add(frame.f_code.co_filename)

    data = json.load(sys.stdin)
    sys.setprofile(called)
    for result in data:
        assert check_data(result).complete
    sys.setprofile(None)
    resolved = {Path(file).resolve() for file in files if Path(file).is_absolute()}
    ours = {file.relative_to(ROOT).as_posix() for file in resolved if file.is_relative_to(ROOT)}
    print(json.dumps(sorted(file for file in ours if file.startswith(("schedsolve/", "models/")))))


def table() -> str:
    """The table, with the number of lines and the first sentence of every file."""
    return HEADER + "".join(_row(file) for file in executed())


def _row(file: str) -> str:
    text = (ROOT / file).read_text(encoding="utf-8")
    words = " ".join((ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0].split())
    sentence = words.split(". ")[0].split("; ")[0].rstrip(".")
    return f"| `{file}` | {len(text.splitlines())} | {sentence.replace('|', '/')} |\n"


def listed() -> str:
    """The table as it stands on the page."""
    text = PAGE.read_text(encoding="utf-8")
    start = text.index(HEADER)
    return text[start : text.index("\n\n", start) + 1]


def main() -> None:
    """Write the table into the page."""
    if sys.argv[1:] == ["--trace"]:
        trace()
        return
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(text.replace(listed(), table()), encoding="utf-8")


if __name__ == "__main__":
    main()
