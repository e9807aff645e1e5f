"""`schedsolve export`: a saved result as programs and files for other tools."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

from schedsolve.certify.text.output_files import print_text, refuse_output
from schedsolve.commands.options import EXIT_DONE, TRUST, add_options, add_verb
from schedsolve.extensions import ask, options_for
from schedsolve.modelkit.verb import seconds
from schedsolve.runtime.errors import InputError, cut, one_line

THEOREM = ".v"
"""The ending of a file of Coq."""
CLAIM = ".claim"
"""The ending of a file for the checker that is extracted from theory/."""


PROGRAMS = (".py", ".et", ".xml")
"""The endings that tell a program, which the extension machines writes or refuses."""


def add_export(commands: Any) -> None:
    """Add the verb to the command line."""
    text = (
        "a result as a program for MPI or PyTorch (.py), MSCCL++ (.json) or ASTRA-sim (.et), a theorem of"
        " Coq (.v) or a claim for the checker extracted from it (.claim), or its refutations in a folder, for"
        " any checker of proofs"
    )
    parser = add_verb(commands, "export", export_command, text)
    parser.add_argument("file", metavar="FILE")
    out = {"-o --output OUT": "the file (.py, .et, .v, .claim; .json with --for mscclpp) or folder to write"}
    add_options(parser, out, required=True)
    bundle = "a folder that verifies itself: network, schedule, proof, claim.md and verify.py"
    add_options(parser, {"--bundle": bundle} | TRUST)
    limit = {
        "--time-limit S": "seek a refutation that the file lacks for S seconds of CPU time (default 10 for a"
        " bundle, which can do without one, 60 for a folder, 120 for .v and .claim)"
    }
    add_options(parser, limit, type=seconds)
    for add_more in options_for("export"):
        add_more(parser)


def export_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    ending = Path(arguments.output).suffix
    program = getattr(arguments, "target", None) is not None or ending.lower() in PROGRAMS
    if program:
        written = ask("machines", "export_program")(arguments)
    elif ending in (THEOREM, CLAIM):
        written = (_write_theorem if ending == THEOREM else _write_claim)(arguments)
    else:
        written = _write_folder(arguments)
    print_text("\n".join(written))
    return EXIT_DONE


def _write_folder(arguments: argparse.Namespace) -> list[str]:
    from schedsolve.export.bundles.bundle import export_bundle
    from schedsolve.export.refutations import export_refutations

    out = arguments.output
    if not out or (Path(out).exists() and not Path(out).is_dir()):
        raise InputError(f"cannot write {cut(out) or 'a folder without a name'}: --output takes a folder")
    _refuse_options_of_programs(arguments, "a folder gets refutations")
    limit = _limit(arguments)
    if not arguments.bundle:
        return export_refutations(arguments.file, out, **limit)
    return export_bundle(
        arguments.file, out, **limit, tell=lambda line: print(one_line(line), file=sys.stderr)
    )


def _limit(arguments: argparse.Namespace) -> dict[str, float]:
    """Return the time limit of a search for a refutation, where one is given."""
    return {} if arguments.time_limit is None else {"seconds": arguments.time_limit}


def _write_theorem(arguments: argparse.Namespace) -> list[str]:
    from schedsolve.export.coq.theorem import export_theorem

    out = arguments.output
    refuse_output(out)
    if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", Path(out).stem):
        raise InputError(f"Coq takes {cut(Path(out).name)} for no name: use letters, digits and underscores")
    _refuse_folders_options(arguments)
    return export_theorem(arguments.file, out, **_limit(arguments))


def _write_claim(arguments: argparse.Namespace) -> list[str]:
    from schedsolve.export.coq.claim_file import export_claim

    refuse_output(arguments.output)
    _refuse_folders_options(arguments)
    return export_claim(arguments.file, arguments.output, **_limit(arguments))


def _refuse_folders_options(arguments: argparse.Namespace) -> None:
    if arguments.bundle:
        raise InputError("--bundle and --chunks are not for theorems")
    _refuse_options_of_programs(arguments, "a theorem has none")


def _refuse_options_of_programs(arguments: argparse.Namespace, why: str) -> None:
    if getattr(arguments, "chunks", None) is not None:
        raise InputError(f"--chunks is for programs; {why}")
