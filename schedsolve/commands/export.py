"""`schedsolve export`: a saved result as programs and files for other tools."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from schedsolve.commands.options import EXIT_DONE, add_trust
from schedsolve.errors import InputError, cut
from schedsolve.modelkit.verb import natural
from schedsolve.report.output_files import print_text, refuse_output


def add_export(commands: Any) -> None:
    """Add the verb to the command line."""
    text = (
        "a result as a program for MPI (.py) or an MSCCL algorithm (.xml), or its refutations in a folder,"
        " for any checker of proofs"
    )
    parser = commands.add_parser("export", help=text, description=text, allow_abbrev=False)
    parser.add_argument("file", metavar="FILE")
    parser.add_argument(
        "-o", "--output", metavar="OUT", required=True, help="the .py file or folder to write"
    )
    parser.add_argument(
        "--bundle",
        action="store_true",
        help="a folder that verifies itself: network, schedule, proof, claim.md and verify.py",
    )
    parser.add_argument("--chunks", metavar="C", type=natural, help="chunks of a unit, where that is open")
    xml = parser.add_argument_group("for .xml")
    xml.add_argument("--in-place", action="store_true", help="for calls whose buffers are shared")
    xml.add_argument(
        "--out-of-place", action="store_true", help="for calls whose buffers are apart (default)"
    )
    xml.add_argument(
        "--protocol", metavar="NAME", default="Simple", help="Simple, LL or LL128 (default Simple)"
    )
    xml.add_argument("--min-bytes", metavar="B", type=natural, default=0, help="the least size (default 0)")
    xml.add_argument(
        "--max-bytes", metavar="B", type=natural, default=0, help="the greatest (default 0: any)"
    )
    add_trust(parser)
    parser.set_defaults(command=export_command)


def export_command(arguments: argparse.Namespace) -> int:
    """Run the verb; the exit status."""
    from schedsolve.export.programs import ENDINGS

    if arguments.bundle and Path(arguments.output).suffix in ENDINGS:
        raise InputError("--bundle writes a folder, not a program for MPI or MSCCL")
    write = _write_program if Path(arguments.output).suffix in ENDINGS else _write_folder
    written = write(arguments)
    print_text("\n".join(written))
    return EXIT_DONE


def _write_folder(arguments: argparse.Namespace) -> list[str]:
    from schedsolve.export.bundle import export_bundle
    from schedsolve.export.formulas import export_refutations

    out = arguments.output
    if not out or (Path(out).exists() and not Path(out).is_dir()):
        raise InputError(f"cannot write {cut(out) or 'a folder without a name'}: --output takes a folder")
    if arguments.chunks is not None:
        raise InputError("--chunks is for programs; a folder gets refutations")
    return (export_bundle if arguments.bundle else export_refutations)(arguments.file, out)


def _write_program(arguments: argparse.Namespace) -> list[str]:
    from schedsolve.export.movements import read_movement
    from schedsolve.export.msccl import Wishes
    from schedsolve.export.programs import write_movement
    from schedsolve.report.text import problem_line

    out = arguments.output
    refuse_output(out)
    problem, movement = read_movement(arguments.file, arguments.chunks)
    wishes = Wishes(
        arguments.in_place,
        arguments.out_of_place or not arguments.in_place,
        arguments.protocol,
        arguments.min_bytes,
        arguments.max_bytes,
    )
    try:
        write_movement(movement, problem_line(problem), out, wishes)
    except InputError as error:
        raise InputError(f"{arguments.file}: {error}") from None
    return [out]
