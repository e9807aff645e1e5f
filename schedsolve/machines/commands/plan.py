"""`schedsolve plan`: the best schedule of a collective on a machine for each size, and its program."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from schedsolve.certify.text.output_files import print_json, print_text, refuse_output, write_json
from schedsolve.commands.options import (
    EXIT_DONE,
    JSON,
    add_options,
    add_reading,
    add_solving_options,
    add_verb,
    asked_network,
    asked_options,
    say_understood,
)
from schedsolve.machines.commands.costs import add_costs, add_target, asked_costs, byte_size
from schedsolve.runtime.display.progress import ProgressLine
from schedsolve.runtime.errors import InputError

COLUMNS = (
    "algbw and busbw in GB/s as nccl-tests counts them; the optimum is that of long messages, without"
    " latency; rings and NCCL: how many times as long they take"
)


def add_plan(commands: Any) -> None:
    """Add the verb to the command line."""
    text = "the best certified schedule of a collective on a machine for each size, and its program"
    parser = add_verb(commands, "plan", plan_command, text)
    parser.add_argument("task", metavar="TASK", help="allgather, allreduce, alltoall, broadcast, ...")
    parser.add_argument("network", metavar="NETWORK", help="a machine such as dgx1 or a100:2, or a file")
    add_reading(parser)
    sizes = "sizes as nccl-tests counts them (of a rank's larger buffer), such as 64MB or 1KB,1MB,1GB"
    add_options(parser, {"--size BYTES,..": sizes}, required=True)
    add_costs(parser)
    add_solving_options(parser)
    add_target(parser)
    options = {
        "--node V": "the source or the root (default: the first)",
        "-o --output PROGRAM": "the program (.py or .et; others with --for), or the result (.json); of"
        " several sizes one each, with the size in its name",
        "--verbose": "list the trees and sends of the schedules",
        **JSON,
    }
    add_options(parser, options)
    parser.set_defaults(quiet=False)


def plan_command(arguments: argparse.Namespace) -> int:
    """Run the verb; the exit status."""
    from schedsolve.machines.plan import plan
    from schedsolve.machines.plan_candidates import DEFAULT_SECONDS
    from schedsolve.network.assumptions import assumptions_to_json

    sizes = _sizes(arguments.size)
    _refuse_outputs(arguments.output, arguments.target, sizes)
    costs = asked_costs(arguments)
    network = asked_network(arguments, arguments.network)
    options = asked_options(arguments)
    options = replace(
        options, time_limit=options.time_limit or DEFAULT_SECONDS, certify=arguments.output is not None
    )
    found = plan(arguments.task, network, sizes, costs, node=arguments.node, options=options)
    ProgressLine.clear()
    say_understood(arguments, network)
    written = [] if arguments.output is None else _write(arguments.output, arguments.target, found)
    if arguments.json:
        data = {
            "format": "schedsolve-plan/1",
            "task": arguments.task,
            "network": network.name,
            **assumptions_to_json(network.assumptions),
            "alpha": float(found.costs.alpha),
            "beta": float(found.costs.beta),
            "optimum": None if found.proven is None else str(found.proven.time),
            "rows": found.records(),
        }
        print_json(data)
        return EXIT_DONE
    lines = _verdicts(found, verbose=arguments.verbose)
    print_text("\n".join([*lines, str(found), *written]))
    return EXIT_DONE


def _sizes(text: str) -> list[int]:
    try:
        return [byte_size(one.strip()) for one in text.split(",")]
    except argparse.ArgumentTypeError as error:
        raise InputError(str(error)) from None


def _verdicts(found: Any, *, verbose: bool) -> list[str]:
    """Return what was proven of each schedule, and the costs.

    Trees and sends are among it where they are asked for.
    """
    from schedsolve.certify.text.text import problem_line, schedule_lines, verdict_line

    lines = []
    for candidate in found.candidates:
        problem = candidate.source.problem
        lines.append(f"{problem_line(problem)}: {verdict_line(candidate.result)}")
        if verbose:
            lines += [f"  {line}" for line in schedule_lines(problem, candidate.result.indexed)]
    origin = f" ({found.source})" if found.source else ""
    costs = found.costs
    lines.append(f"alpha {float(costs.alpha) * 1e6:.4g} us, beta {float(costs.beta):.4g} s a byte{origin}")
    lines.append(COLUMNS)
    return lines


def _file(output: str, size: int, *, alone: bool) -> str:
    from schedsolve.machines.plan import size_text

    path = Path(output)
    return output if alone else str(path.with_name(f"{path.stem}-{size_text(size)}{path.suffix}"))


def _refuse_outputs(output: str | None, target: str | None, sizes: list[int]) -> None:
    """Refuse files that cannot be written, before anything is solved."""
    from schedsolve.machines.targets import target_of

    if output is None:
        if target is not None:
            raise InputError("--for is what the program is for: give its file with --output")
        return
    if target is not None or Path(output).suffix != ".json":
        target_of(output, target)
    for size in sizes:
        refuse_output(_file(output, size, alone=len(sizes) == 1))


def _write(output: str, target: str | None, found: Any) -> list[str]:
    """Write the best schedule for each size; what is said about the files."""
    from schedsolve.machines.programs import export_program
    from schedsolve.modelkit.result import result_to_json

    said = []
    for row in found.rows:
        file = _file(output, row.size, alone=len(found.rows) == 1)
        if target is None and file.endswith(".json"):
            write_json(result_to_json(row.best.result), file)
            said.append(file)
        else:
            said += export_program(row.best.source, file, costs=row.timing.costs, target=target)
    return said
