"""`schedsolve compare`: a table of bounds, algorithms, optimum and gap."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from schedsolve.certify.text.output_files import (
    print_json,
    print_text,
    refuse_output,
    write_json,
    write_text,
)
from schedsolve.commands.options import (
    EXIT_DONE,
    EXIT_LIMIT,
    add_options,
    add_solving_options,
    add_store,
    asked_options,
    asked_problem,
    problem_command,
)
from schedsolve.runtime.display.progress import ProgressLine
from schedsolve.runtime.errors import InputError, counted, one_line


def add_compare(commands: Any) -> None:
    """Add the verb to the command line."""
    parser = problem_command(
        commands, "compare", compare_command, "a table of bounds, algorithms, optimum and gap", networks="*"
    )
    add_options(parser, {"-o --output FILE": "write the table to FILE.md, .csv, .html or .json"})
    add_store(parser)
    add_solving_options(parser)


def compare_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    from schedsolve.solving import comparison
    from schedsolve.solving.store import Store

    writers = {
        ".md": comparison.groups_to_markdown,
        ".csv": comparison.groups_to_csv,
        ".html": comparison.groups_to_html,
    }
    ending = os.path.splitext(arguments.output or "")[1]
    if arguments.output is not None:
        refuse_output(arguments.output)
        if ending not in (*writers, ".json"):
            raise InputError(
                f"a table's file name ends in .md, .csv, .html or .json; not {arguments.output!r:.60}"
            )
    asked, options = _problem_groups(arguments), asked_options(arguments)
    groups: list[tuple[str, Any]] = []
    with Store(arguments.store, write=True) if arguments.store else nullcontext() as store:
        for title, problems, limit in asked:
            limited = options if limit is None else replace(options, time_limit=limit)
            rows = comparison.compare(problems, limited, store)
            groups.append((title, rows))
            if len(rows) < len(problems) or (rows and rows[-1].result.interrupted):
                break
    ProgressLine.clear()
    if arguments.store:
        print(one_line(f"{arguments.store}: what it had is taken as stored, not recomputed"), file=sys.stderr)
    every = [row for _, rows in groups for row in rows]
    if arguments.output is not None and ending == ".json":
        write_json(comparison.groups_to_json(groups), arguments.output)
    elif arguments.output is not None:
        write_text(writers[ending](groups), arguments.output)
    if arguments.json:
        print_json(comparison.groups_to_json(groups))
    elif arguments.quiet:
        decided = sum(row.decided for row in every)
        print_text(f"{counted(len(every), 'problem')}: {decided} decided, {len(every) - decided} open")
    else:
        print_text(comparison.groups_to_text(groups))
    return (
        EXIT_DONE
        if len(every) == sum(len(problems) for _, problems, _ in asked) and all(row.decided for row in every)
        else EXIT_LIMIT
    )


def _problem_groups(arguments: argparse.Namespace) -> list[tuple[str, Sequence[Any], float | None]]:
    """Return what to compare: titles, problems, and the time limit of each problem if a file sets one."""
    if not arguments.model.endswith(".toml"):
        if arguments.task is None or not arguments.network:
            raise InputError("compare takes MODEL TASK NETWORK..., or a .toml file of problems")
        return [("", [asked_problem(arguments, network) for network in arguments.network], None)]
    from schedsolve.solving.problem_list import read_problem_list

    given = [name for name in arguments.parameters if getattr(arguments, name) is not None]
    if arguments.task is not None or arguments.directed or given:
        raise InputError(
            "with a .toml file of problems, models, tasks, networks and parameters stand in the file"
        )
    own = arguments.time_limit is None
    return [
        (group.title, group.problems, group.time_limit if own else None)
        for group in read_problem_list(arguments.model).groups
    ]
