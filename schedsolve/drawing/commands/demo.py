"""`schedsolve demo`: one problem of every model, solved, certified, checked and drawn."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from schedsolve.commands.options import EXIT_DONE, add_verb


def add_demo(commands: Any) -> None:
    """Add the verb to the command line."""
    text = "one problem of every model, solved, certified, checked and drawn, on one page"
    parser = add_verb(commands, "demo", demo_command, text)
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        nargs="?",
        default="schedsolve-demo",
        help="where the pages go (default schedsolve-demo)",
    )


def demo_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    from schedsolve.drawing.demonstration.demo import run

    print(f"\nall pictures on one page: {run(Path(arguments.folder))}")
    return EXIT_DONE
