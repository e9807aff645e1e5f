"""Runs notebooks from top to bottom, each in a fresh kernel, and prints the seconds they take; --strip
removes their outputs in place. What a notebook prints is held against expected.toml.

python notebooks/run.py                      all notebooks, nothing is written
python notebooks/run.py 03-line.ipynb        only this one
python notebooks/run.py --save DIRECTORY     keeps the executed copies there, as notebooks and as HTML
python notebooks/run.py --strip              strips outputs and execution counts, runs nothing
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from html_page import index_page, notebook_page

FOLDER = Path(__file__).resolve().parent
EXPECTED = FOLDER / "expected.toml"
"""For each notebook the lines that it must print, in this order; others may stand between them."""
MOST_SECONDS = 300
"""A notebook that takes longer fails, and so does a single cell."""
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
"""What is kept of a notebook's metadata."""


def main() -> int:
    """Run the command line; 0, or 1 when a notebook fails."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="notebooks of this folder (default: all)")
    parser.add_argument("--save", type=Path, metavar="DIRECTORY", help="keep the executed notebooks there")
    parser.add_argument("--strip", action="store_true", help="strip outputs in place, and run nothing")
    arguments = parser.parse_args()
    files = [FOLDER / Path(name).name for name in arguments.names] or sorted(FOLDER.glob("*.ipynb"))
    missing = [file.name for file in files if not file.is_file()]
    if missing:
        parser.error(f"no such notebook: {', '.join(missing)}")
    if arguments.strip:
        for file in files:
            strip(file)
        return 0
    executed = {file: run(file) for file in files}
    failed = [file.name for file, notebook in executed.items() if notebook is None]
    print(f"{_cpu_seconds():.0f} s of CPU in all", flush=True)
    if arguments.save is not None:
        save({file.stem: notebook for file, notebook in executed.items() if notebook}, arguments.save)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def run(file: Path) -> Any:
    """Run a notebook in its own folder and print how long it took; the executed notebook, or None when it
    does not run without an error, without a warning and in time to the picture at its end, or prints
    other values than those expected.
    """
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    notebook = nbformat.read(file, as_version=4)
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=MOST_SECONDS,
        coalesce_streams=True,
        extra_arguments=["--log-level=ERROR", "--InlineBackend.figure_formats={'retina'}"],
        resources={"metadata": {"path": str(FOLDER)}},
    )
    start, cpu = time.monotonic(), _cpu_seconds()
    try:
        client.execute()
        complaint = _complaint(notebook) or unexpected(notebook, expected_lines(file.stem))
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        complaint = str(error)
    seconds = time.monotonic() - start
    if not complaint and seconds > MOST_SECONDS:
        complaint = f"it takes more than {MOST_SECONDS} s"
    if complaint:
        print(f"{file.name}: FAILED after {seconds:.1f} s\n{complaint}", file=sys.stderr, flush=True)
        return None
    print(f"{file.name}: {seconds:.1f} s, {_cpu_seconds() - cpu:.1f} s of CPU", flush=True)
    return notebook


def _cpu_seconds() -> float:
    """Of the kernels that have ended."""
    spent = os.times()
    return spent.children_user + spent.children_system


def _complaint(notebook: Any) -> str:
    """What is wrong with an executed notebook: a warning, or no picture at the end; else an empty text."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for cell in cells:
        warnings = [output.text for output in cell.outputs if output.get("name") == "stderr"]
        if warnings:
            return f"a cell warns: {warnings[0]}"
    if not any("image/png" in output.get("data", {}) for output in cells[-1].outputs):
        return "its last cell draws nothing"
    return ""


def expected_lines(name: str) -> list[str]:
    """Return what the notebook with this name, without ending, must print."""
    lines: list[str] = tomllib.loads(EXPECTED.read_text(encoding="utf-8"))[name]
    return lines


def unexpected(notebook: Any, expected: Iterable[str]) -> str:
    """Return which expected line an executed notebook does not print, in its place; else an empty text.

    expected: whole lines but for spaces at both ends, in order.
    """
    printed = (
        line.strip()
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        for line in output.get("text", "").splitlines()
    )
    for line in expected:
        if line.strip() not in printed:  # membership consumes the lines up to the one found
            return f"it does not print, after what was expected before: {line}"
    return ""


def save(executed: Mapping[str, Any], folder: Path) -> None:
    """Write executed notebooks, by their names, and their pages with an index into a folder; say where."""
    import nbformat

    folder.mkdir(parents=True, exist_ok=True)
    known = {file.stem: nbformat.read(file, as_version=4) for file in sorted(FOLDER.glob("*.ipynb"))}
    names = list(known)
    for name, notebook in executed.items():
        nbformat.write(notebook, folder / f"{name}.ipynb")
        (folder / f"{name}.html").write_text(notebook_page(notebook, names, name), encoding="utf-8")
    (folder / "index.html").write_text(index_page(known), encoding="utf-8")
    print(f"open {folder / 'index.html'}")


def strip(file: Path) -> None:
    """Remove outputs, execution counts and all metadata but the kernel's name and the language."""
    import nbformat

    notebook: Any = nbformat.read(file, as_version=4)
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({})
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbformat.write(notebook, file)


if __name__ == "__main__":
    sys.exit(main())
