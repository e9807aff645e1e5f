"""`schedsolve formulate`: write a problem for any other solver."""

from __future__ import annotations

import argparse
from fractions import Fraction
from pathlib import Path
from typing import Any

from schedsolve.certify.text.output_files import print_json, refuse_output, write_text
from schedsolve.commands.options import EXIT_DONE, add_options, asked_problem, problem_command
from schedsolve.modelkit.verb import natural
from schedsolve.runtime.errors import InputError, counted
from schedsolve.runtime.files.number_reader import exact_number


def add_formulate(commands: Any) -> None:
    """Add the verb to the command line."""
    parser = problem_command(
        commands,
        "formulate",
        formulate_command,
        "write a problem down for any other solver: .lp .mps .opb (integer program), .cnf, .pbtxt (CP-SAT)",
        decides=True,
    )
    if "rounds" not in parser.get_default("parameters"):
        add_options(parser, {"--rounds V": "as --at-most"})
    options = {
        "--at-most V": "decide whether V rounds (or a time or cost V, such as 7/4) suffice, where there is no"
        " --rounds",
        "--minimise": "with --rounds or --at-most: ask for the least value up to it, as rows of your own may"
        " need more than the problem",
        "-o --output FILE": "write the formulation; its ending says in which form",
    }
    add_options(parser, options)
    packets = "cut messages into P packets each, so that all numbers are whole, where they can be cut"
    add_options(parser, {"--packets P": packets}, type=natural)


def formulate_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    from schedsolve.solving.formulation_files import formulation, refuse_ending

    at_most = arguments.at_most
    if at_most is None:
        at_most = _rounds_as_value(arguments)
    problem = _asked_problem(arguments)
    if arguments.packets == 0:
        raise InputError("--packets takes a number of 1 or more")
    ending = None if arguments.output is None else Path(arguments.output).suffix
    if ending is not None:
        refuse_ending(ending)
        refuse_output(arguments.output)
    least = arguments.minimise or None
    asked = formulation(problem, _value(at_most), minimise=least, packets=arguments.packets)
    if ending is not None:
        write_text(asked.text(ending), arguments.output)
    if arguments.json:
        print_json(_sizes(asked))
    elif not arguments.quiet:
        lines = _lines(asked)
        print("\n".join(lines if ending is None else [*lines, f"written to {arguments.output}"]))
    return EXIT_DONE


def _asked_problem(arguments: argparse.Namespace) -> Any:
    """Return the problem, refusing one that is too large to write before its network is built."""
    from schedsolve.runtime.limits.budget import OverBudgetError, within
    from schedsolve.solving.formulation_files import LARGEST

    try:
        with within(LARGEST):
            return asked_problem(arguments, arguments.network)
    except OverBudgetError:
        raise InputError(
            f"formulations are for {LARGEST.nodes} nodes and {LARGEST.edges} edges at most"
        ) from None


def _rounds_as_value(arguments: argparse.Namespace) -> str | None:
    """Return --rounds as a value, for a model whose problems have no number of rounds."""
    from schedsolve.models import get_model

    if "rounds" in arguments.parameters or arguments.rounds is None:
        return None
    if get_model(arguments.model).objective.name == "cost":
        raise InputError(f"--rounds means nothing for {arguments.model} here; --at-most limits the cost")
    given: str = arguments.rounds
    return given


def _value(text: str | None) -> int | Fraction | None:
    if text is None:
        return None
    value = exact_number(text)
    if value is None or value < 0:
        raise InputError(f"--at-most takes a number such as 7 or 7/4, not '{text:.30}'")
    return int(value) if value.denominator == 1 else value


def _sizes(asked: Any) -> dict[str, Any]:
    program = asked.integer.program
    return {
        "variables": len(program.variables),
        "rows": program.row_count,
        "families": [
            {"name": family.name, "rule": family.rule, "rows": len(family.rows)}
            for family in program.families
        ],
    }


def _lines(asked: Any) -> list[str]:
    """Return the header, the sizes and the families of constraints."""
    from schedsolve.solving.formulation_files import DATA_MARK

    program = asked.integer.program
    integers = sum(x.integer for x in program.variables)
    lines = [line for line in asked.header(".lp")[1:] if not line.startswith(DATA_MARK)]
    lines.append(
        f"integer program: {counted(len(program.variables), 'variable')}, {integers} of them integer,"
        f" {counted(program.row_count, 'row')}"
    )
    lines += [f"  {family.name} ({len(family.rows)}): {family.rule}" for family in program.families]
    try:
        cnf = asked.cnf.cnf
        lines.append(
            f"formula: {counted(cnf.variable_count, 'variable')}, {counted(len(cnf.clauses), 'clause')}"
        )
    except InputError as error:
        lines.append(f"no formula (.cnf): {error}")
    return lines
