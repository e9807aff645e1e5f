"""`schedsolve export`: a saved result as files for other programs."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from schedsolve.commands.options import EXIT_DONE, add_trust
from schedsolve.errors import InputError, cut
from schedsolve.report.output_files import print_text


def add_export(commands: Any) -> None:
    """Add the verb to the command line."""
    text = "the refutations of a result as formula.cnf and proof.drat in a folder, for any checker of proofs"
    parser = commands.add_parser("export", help=text, description=text, allow_abbrev=False)
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="the folder to write")
    add_trust(parser)
    parser.set_defaults(command=export_command)


def export_command(arguments: argparse.Namespace) -> int:
    """Run the verb; the exit status."""
    out = arguments.output
    written = _WRITERS.get(Path(out).suffix, _write_folder)(arguments.file, out)
    print_text("\n".join(written))
    return EXIT_DONE


def _write_folder(file: str, out: str) -> list[str]:
    from schedsolve.export.formulas import export_refutations

    if not out or (Path(out).exists() and not Path(out).is_dir()):
        raise InputError(f"cannot write {cut(out) or 'a folder without a name'}: --output takes a folder")
    return export_refutations(file, out)


_WRITERS: Mapping[str, Callable[[str, str], list[str]]] = {}
"""By the ending of OUT, what writes it: from the file's name and OUT to the names of the files written. Any
other OUT is a folder.
"""
