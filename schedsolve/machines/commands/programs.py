"""Programs among what `export` writes: their options, and how one is written."""

from __future__ import annotations

import argparse
from pathlib import Path

from schedsolve.certify.text.output_files import refuse_output
from schedsolve.commands.options import add_options as add
from schedsolve.machines.commands.costs import CHUNKS, add_costs, add_target, asked_costs, byte_size
from schedsolve.modelkit.verb import natural
from schedsolve.runtime.errors import InputError


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what a program is for, its chunks, and the costs for which its messages are put in order."""
    add_target(parser)
    add(parser, CHUNKS, type=natural)
    add_costs(parser)
    size = "bytes of a unit: messages are put in order for them, and traces name them (default 1 MiB)"
    add(parser, {"--size BYTES": size}, type=byte_size)
    plans = parser.add_argument_group("for mscclpp")
    calls = {
        "--in-place": "for calls whose buffers are shared",
        "--out-of-place": "for calls whose buffers are apart (default)",
    }
    add(plans.add_mutually_exclusive_group(), calls)
    sizes = {"--min-bytes B": "the least size (default 0)", "--max-bytes B": "the greatest (default 0: any)"}
    add(plans, sizes, type=_bytes_or_0, default=0)


def export_asked(arguments: argparse.Namespace) -> list[str]:
    """Write the program that the arguments of `export` ask for, and return its files and what they attain.

    Raises
    ------
    InputError
        As `schedsolve.machines.programs.export_program` does, and for options that do not go together.
    """
    from schedsolve.machines.movement.saved_schedule import read_saved
    from schedsolve.machines.mscclpp.writer import PlanOptions
    from schedsolve.machines.programs import export_program
    from schedsolve.machines.targets import target_of

    if arguments.time_limit is not None:
        raise InputError("--time-limit is for refutations, and a program has none")
    target_of(arguments.output, arguments.target)
    if arguments.bundle:
        raise InputError("--bundle writes a folder, not a program")
    refuse_output(arguments.output)
    given = asked_costs(arguments, assumed=False)
    saved = read_saved(arguments.file)
    plan = PlanOptions(arguments.in_place, arguments.min_bytes, arguments.max_bytes)
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
            saved, arguments.output, arguments.chunks, costs, arguments.target, arguments.size, plan
        )
    except InputError as error:
        named = str(error).startswith(arguments.file)
        raise error if named else InputError(f"{arguments.file}: {error}") from None


def _names_sizes(arguments: argparse.Namespace) -> bool:
    """Whether the program has the bytes of its messages in it, so that a size needs no prices."""
    return arguments.target == "chakra" or Path(arguments.output).suffix == ".et"


def _bytes_or_0(text: str) -> int:
    return 0 if text == "0" else byte_size(text)
