"""`schedsolve frontier`: the optimum for every value of one parameter."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from schedsolve.certify.text.output_files import print_json, print_text, write_json
from schedsolve.commands.options import (
    EXIT_DONE,
    EXIT_LIMIT,
    add_options,
    add_solving_options,
    asked_network,
    asked_options,
    problem_command,
    say_understood,
)
from schedsolve.runtime.display.progress import ProgressLine
from schedsolve.runtime.errors import InputError


def add_frontier(commands: Any) -> None:
    """Add the verb to the command line."""
    parser = problem_command(
        commands,
        "frontier",
        frontier_command,
        "the optimum for every value of one parameter, given as A..B, both sides of each row",
        examples=False,
    )
    add_solving_options(parser)
    add_options(parser, {"-o --output FILE|DIR": "save the rows as FILE.json, or each result in DIR"})


def frontier_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    from schedsolve.certify.text.text import table_lines
    from schedsolve.modelkit.result import result_to_json, schedule_totals
    from schedsolve.network.assumptions import as_read
    from schedsolve.solving.frontier import frontier, frontier_to_json, range_of
    from schedsolve.solving.frontier_files import counts_text

    given = {name: getattr(arguments, name) for name in arguments.parameters}
    ranged = [name for name, text in given.items() if isinstance(text, str) and ".." in text]
    if len(ranged) != 1:
        raise InputError("frontier takes one parameter as a range, such as --period 2..12, and no other one")
    (name,) = ranged
    values = range_of(given.pop(name))
    folder = arguments.output is not None and not arguments.output.endswith((".json", ".json.gz"))
    network = asked_network(arguments, arguments.network)
    rows = frontier(
        arguments.model,
        arguments.task,
        network,
        name,
        values,
        {key: value for key, value in given.items() if value is not None},
        replace(asked_options(arguments), certify=arguments.output is not None),
        ignore_bandwidths=arguments.ignore_bandwidths,
    )
    ProgressLine.clear()
    say_understood(arguments, network)
    if folder:
        Path(arguments.output).mkdir(parents=True, exist_ok=True)
        for row in rows:
            file = Path(arguments.output) / f"{name.replace('_', '-')}-{row.at}.json"
            write_json(result_to_json(row.result), str(file))
    elif arguments.output is not None:
        write_json(frontier_to_json(rows), arguments.output)
    if arguments.json:
        print_json(frontier_to_json(rows))
    else:
        header = [name.replace("_", " "), "status", "value", "lower bound", "seconds"]
        cells = [
            [
                str(row.at),
                row.result.status.value,
                _text(row, "value"),
                _text(row, "lower_bound"),
                f"{row.result.runtime_seconds:.1f}",
            ]
            for row in rows
        ]
        counts = [counts_text(schedule_totals(row.result.indexed)) for row in rows]
        if any(counts):
            header.insert(4, "(C, S, R)")
            for line, text in zip(cells, counts, strict=True):
                line.insert(4, text or "-")
        said = as_read(network.assumptions)
        print_text("\n".join(table_lines(header, cells) + ([f"every row is{said}"] if said else [])))
    whole = len(rows) == len(values) and not any(row.open for row in rows)
    return EXIT_DONE if whole else EXIT_LIMIT


def _text(row: Any, side: str) -> str:
    from schedsolve.solving.frontier import row_to_json

    value = row_to_json(row)[side]
    return "-" if value is None else str(value)
