"""`schedsolve export`: a saved result as programs and files for other tools."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

from schedsolve.machines.commands.costs import CHUNKS, add_costs, add_target, asked_costs, byte_size
from schedsolve.commands.options import EXIT_DONE, TRUST, add_options, add_verb
from schedsolve.errors import InputError, cut, one_line
from schedsolve.modelkit.verb import natural, seconds
from schedsolve.report.output_files import print_text, refuse_output

THEOREM = ".v"
"""The ending of a file of Coq."""
CLAIM = ".claim"
"""The ending of a file for the checker that is extracted from theory/."""


def add_export(commands: Any) -> None:
    """Add the verb to the command line."""
    text = (
        "a result as a program for MPI or PyTorch (.py), for MSCCL (.xml) or MSCCL++ (.json), a theorem of"
        " Coq (.v) or a claim for the checker extracted from it (.claim), or its refutations in a folder, for"
        " any checker of proofs"
    )
    parser = add_verb(commands, "export", export_command, text)
    parser.add_argument("file", metavar="FILE")
    out = {"-o --output OUT": "the file (.py, .xml, .v, .claim) or folder to write"}
    add_options(parser, out, required=True)
    add_target(parser)
    bundle = "a folder that verifies itself: network, schedule, proof, claim.md and verify.py"
    add_options(parser, {"--bundle": bundle} | TRUST)
    limit = {
        "--time-limit S": "seek a refutation that the file lacks for S seconds of CPU time (default 10 for a"
        " bundle, which can do without one, 60 for a folder, 120 for .v and .claim)"
    }
    add_options(parser, limit, type=seconds)
    add_options(parser, CHUNKS, type=natural)
    add_costs(parser)
    size = "bytes of a unit: messages are put in order for them, and traces name them (default 1 MiB)"
    add_options(parser, {"--size BYTES": size}, type=byte_size)
    xml = parser.add_argument_group("for .xml")
    calls = {
        "--in-place": "for calls whose buffers are shared",
        "--out-of-place": "for calls whose buffers are apart (default)",
    }
    add_options(xml, calls)
    add_options(xml, {"--protocol NAME": "Simple, LL or LL128 (default Simple)"}, default="Simple")
    sizes = {"--min-bytes B": "the least size (default 0)", "--max-bytes B": "the greatest (default 0: any)"}
    add_options(xml, sizes, type=_bytes_or_0, default=0)


def export_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    from schedsolve.machines.targets import TELLING

    ending = Path(arguments.output).suffix
    program = arguments.target is not None or ending in TELLING
    if arguments.bundle and program:
        raise InputError("--bundle writes a folder, not a program")
    if ending in (THEOREM, CLAIM) and not program:
        write = _write_theorem if ending == THEOREM else _write_claim
    else:
        write = _write_program if program else _write_folder
    written = write(arguments)
    print_text("\n".join(written))
    return EXIT_DONE


def _write_folder(arguments: argparse.Namespace) -> list[str]:
    from schedsolve.export.bundles.bundle import export_bundle
    from schedsolve.export.refutations import export_refutations

    out = arguments.output
    if not out or (Path(out).exists() and not Path(out).is_dir()):
        raise InputError(f"cannot write {cut(out) or 'a folder without a name'}: --output takes a folder")
    if arguments.chunks is not None:
        raise InputError("--chunks is for programs; a folder gets refutations")
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
    from schedsolve.export.coq.theorem.theorem import export_theorem

    out = arguments.output
    refuse_output(out)
    if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", Path(out).stem):
        raise InputError(f"Coq takes {cut(Path(out).name)} for no name: use letters, digits and underscores")
    _refuse_folders_options(arguments)
    return export_theorem(arguments.file, out, **_limit(arguments))


def _write_claim(arguments: argparse.Namespace) -> list[str]:
    from schedsolve.export.coq.theorem.claim_file import export_claim

    refuse_output(arguments.output)
    _refuse_folders_options(arguments)
    return export_claim(arguments.file, arguments.output, **_limit(arguments))


def _refuse_folders_options(arguments: argparse.Namespace) -> None:
    if arguments.bundle or arguments.chunks is not None:
        raise InputError("--bundle and --chunks are not for theorems")


def _write_program(arguments: argparse.Namespace) -> list[str]:
    from schedsolve.machines.movement.saved_schedule import read_saved
    from schedsolve.machines.msccl.writer import Wishes
    from schedsolve.machines.programs import export_program

    refuse_output(arguments.output)
    if arguments.time_limit is not None:
        raise InputError("--time-limit is for refutations, and a program has none")
    given = asked_costs(arguments, assumed=False)
    saved = read_saved(arguments.file)
    wishes = Wishes(
        arguments.in_place,
        arguments.out_of_place or not arguments.in_place,
        arguments.protocol,
        arguments.min_bytes,
        arguments.max_bytes,
    )
    costs = None
    if arguments.size is not None:
        try:
            costs, _ = given(saved.problem.network, arguments.size)
        except InputError:
            if not _names_sizes(arguments) or arguments.alpha is not None or arguments.beta is not None:
                raise
    elif arguments.alpha is not None or arguments.beta is not None:
        raise InputError("--alpha and --beta go with --size, the bytes of a unit")
    try:
        return export_program(
            saved, arguments.output, wishes, arguments.chunks, costs, arguments.target, arguments.size
        )
    except InputError as error:
        named = str(error).startswith(arguments.file)
        raise error if named else InputError(f"{arguments.file}: {error}") from None


def _names_sizes(arguments: argparse.Namespace) -> bool:
    """Whether the program has the bytes of its messages in it, so that a size needs no prices."""
    return arguments.target == "chakra" or Path(arguments.output).suffix == ".et"


def _bytes_or_0(text: str) -> int:
    return 0 if text == "0" else byte_size(text)
