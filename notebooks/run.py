"""Runs notebooks from top to bottom, each in a fresh kernel, and prints the seconds they take; --strip
removes their outputs in place.

python notebooks/run.py                      all notebooks, nothing is written
python notebooks/run.py 03-line.ipynb        only this one
python notebooks/run.py --save DIRECTORY     keeps the executed copies there
python notebooks/run.py --strip              strips outputs and execution counts, runs nothing
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
MOST_SECONDS = 120
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
    if arguments.save is not None:
        arguments.save.mkdir(parents=True, exist_ok=True)
    failed = [file.name for file in files if not run(file, arguments.save)]
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def run(file: Path, save: Path | None) -> bool:
    """Run a notebook in its own folder and print how long it took; whether it ran without an error and in
    time.
    """
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    notebook = nbformat.read(file, as_version=4)
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=MOST_SECONDS,
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(FOLDER)}},
    )
    start = time.monotonic()
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        print(
            f"{file.name}: FAILED after {time.monotonic() - start:.1f} s\n{error}",
            file=sys.stderr,
            flush=True,
        )
        return False
    seconds = time.monotonic() - start
    print(
        f"{file.name}: {seconds:.1f} s" + (f", more than {MOST_SECONDS}" if seconds > MOST_SECONDS else ""),
        flush=True,
    )
    if save is not None:
        nbformat.write(notebook, save / file.name)
    return seconds <= MOST_SECONDS


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
