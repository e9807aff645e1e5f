"""`schedsolve results`: the table of a store, which can be filtered, written and checked."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from schedsolve.certify.text.output_files import print_text, refuse_output, write_json
from schedsolve.commands.options import (
    AS_WRITTEN,
    EXIT_CLAIM_FAILS,
    EXIT_DONE,
    EXIT_LIMIT,
    TRUST,
    add_options,
    add_verb,
)
from schedsolve.experiments.commands.sweep import add_executor, open_executor, refuse_executor
from schedsolve.modelkit.verb import seconds
from schedsolve.runtime.display.progress import CountLine
from schedsolve.runtime.errors import InputError, counted, one_line

SHOWN_FAILURES = 10
SHOWN_COUNTEREXAMPLES = 3


def _columns_and_expressions() -> str:
    """Return the end of the help."""
    from schedsolve.experiments.sweeps import hypotheses
    from schedsolve.experiments.sweeps.expressions import HELP
    from schedsolve.experiments.sweeps.results import COLUMNS, USUAL_COLUMNS

    columns = "\n".join(f"  {name:18} {meaning}" for name, meaning in COLUMNS.items())
    usual = ",".join(USUAL_COLUMNS)
    said = f"expressions: {HELP}\n\nhypotheses (--claim): {hypotheses.HELP}"
    return f"columns (usually {usual}):\n{columns}\n\n{said}".replace("%", "%%")


def add_results(commands: Any) -> None:
    """Add the verb to the command line."""
    text = "the table of a store: a row a problem, with invariants of its network"
    parser: Any = add_verb(commands, "results", results_command, text, formatter_class=AS_WRITTEN)
    parser.late_epilog = _columns_and_expressions
    parser.add_argument(
        "store", metavar="RESULTS.db", help="a store; or a table, .csv or .parquet, that was written from one"
    )
    options = {
        "--where EXPR": "only rows for which this is true, such as 'value > n and not tree'",
        "--claim EXPR": "whether this is true for every row: how many, and the first counterexamples",
        "--conjecture COLUMN": "sharp linear inequalities between value, or the optimum of a task, and"
        " invariants",
        "--columns A,B": "these columns, or with a row for each network the optima of tasks, such as"
        " network,n,gossip",
        "-o --output FILE": "write the table to FILE.csv, .parquet, .md, .html or .tex; the result of a"
        " single row to FILE.json",
        "--check": "verify every result with its certificate, and its row",
        **TRUST,
    }
    hunt = {
        "--hunt S": "with --conjecture, look for a counterexample to each on networks beyond the table, S"
        " seconds; -o DIR saves its results"
    }
    add_options(parser, options)
    add_options(parser, hunt, type=seconds)
    add_executor(parser)


def results_command(arguments: argparse.Namespace) -> int:
    """Run the verb and return the exit status."""
    status = _results(arguments)
    if not arguments.check:
        print(one_line(f"{arguments.store}: taken as stored, not recomputed"), file=sys.stderr)
    return status


def _results(arguments: argparse.Namespace) -> int:
    """Do what is asked for, and return the exit status."""
    from schedsolve.certify.text.text import table_lines
    from schedsolve.experiments.sweeps.chosen_table import chosen_table
    from schedsolve.experiments.sweeps.results import COLUMNS
    from schedsolve.experiments.sweeps.table_file import open_source
    from schedsolve.runtime.files.whole_file import write_whole
    from schedsolve.solving.tables import WRITERS, cells_of

    refuse_executor(arguments)
    ending = os.path.splitext(arguments.output or "")[1]
    if arguments.hunt is not None and arguments.conjecture is None:
        raise InputError("--hunt goes with --conjecture COLUMN")
    if arguments.output is not None and arguments.hunt is None:
        refuse_output(arguments.output)
        if ending not in (*WRITERS, ".json"):
            raise InputError(
                f"a file of results ends in {', '.join(WRITERS)} or .json; not {arguments.output!r:.60}"
            )
    columns = None if arguments.columns is None else [c.strip() for c in arguments.columns.split(",")]
    with open_source(arguments.store) as store:
        if arguments.conjecture is not None:
            return _conjecture(arguments, store)
        if arguments.claim is not None:
            return _claim(arguments, store)
        table = chosen_table(store, columns, arguments.where)
        if (arguments.check or ending == ".json") and not set(table.columns) <= set(COLUMNS):
            raise InputError("a table with the optima of tasks has no results to check or to write")
        if arguments.check:
            return _check(arguments, store, table)
        if ending == ".json":
            _write_result(arguments.output, store, table)
    if ending in WRITERS:
        write_whole(WRITERS[ending](table), arguments.output)
    if arguments.output is None:
        print_text("\n".join(table_lines(table.columns, cells_of(table, short=True))))
    else:
        print_text(counted(len(table.rows), "row"))
    return EXIT_DONE


def _claim(arguments: argparse.Namespace, store: Any) -> int:
    """Test a hypothesis, and print how many rows it holds for and how to draw the first counterexamples."""
    from schedsolve.experiments.sweeps.hypotheses import hypothesis_table, verdict_on
    from schedsolve.experiments.sweeps.table_file import TableFile
    from schedsolve.runtime.files.escapes import shell_line
    from schedsolve.solving.tables import cell_text

    verdict = verdict_on(hypothesis_table(store, arguments.where), arguments.claim)
    counts = [f"holds for {verdict.holds}"]
    counts += [f"fails for {len(verdict.counterexamples)}"] if verdict.fails else []
    counts += [f"undecided for {verdict.undecided}"] if verdict.undecided else []
    word = "fails" if verdict.fails else "undecided" if verdict.undecided or not verdict.rows else "holds"
    print_text(f"{word}: {verdict.hypothesis}\n{verdict.rows} {verdict.per}s: {', '.join(counts)}")
    for found in verdict.counterexamples[:SHOWN_COUNTEREXAMPLES]:
        values = ", ".join(f"{name} {cell_text(value) or 'none'}" for name, value in found.values.items())
        print_text(f"\n{found.network}: {values}")
        for question, number in found.problems:
            solved = None if isinstance(store, TableFile) else number
            name = solved[:12] if solved else f"{question.model}-{question.task}"
            if solved is None:
                print_text(f"  {question.command(found.network)} {shell_line('--output', f'{name}.json')}")
            else:
                chosen = ["--where", f'problem_id == "{solved}"', "--output", f"{name}.json"]
                print_text(f"  {shell_line('schedsolve', 'results', arguments.store, *chosen)}")
            print_text(f"  {shell_line('schedsolve', 'draw', f'{name}.json', '-o', f'{name}.svg')}")
    if verdict.fails:
        return EXIT_CLAIM_FAILS
    return EXIT_DONE if word == "holds" else EXIT_LIMIT


def _conjecture(arguments: argparse.Namespace, store: Any) -> int:
    """Print the inequalities, with the networks for which each is an equation, and what refutes it."""
    from schedsolve.experiments.sweeps.conjectures import conjectures
    from schedsolve.experiments.sweeps.hypotheses import hypothesis_table, verdict_on

    table = hypothesis_table(store, arguments.where)
    for place, found in enumerate(conjectures(table, arguments.conjecture), 1):
        if verdict_on(table, found.text).fails:
            raise AssertionError(f"{found.text} was proposed and is false")
        where = ", ".join(found.tight[:SHOWN_COUNTEREXAMPLES])
        words = found.inequality if found.premise is None else f"{found.premise}: {found.inequality}"
        more = ", ..." if len(found.tight) > SHOWN_COUNTEREXAMPLES else ""
        print_text(f"{words}\n  tight for {len(found.tight)} networks of {found.rows} rows: {where}{more}")
        if arguments.hunt is not None:
            _hunt(arguments, found, table, place)
    print_text("true for every row of this store whose optimum is known, and so far for no other")
    return EXIT_DONE


def _hunt(arguments: argparse.Namespace, conjecture: Any, table: Any, place: int) -> None:
    """Look for a counterexample to the conjecture in this place; print it and save its results."""
    from pathlib import Path

    from schedsolve.experiments.sweeps.hunting import refuted
    from schedsolve.modelkit.result import result_to_json
    from schedsolve.solving.tables import cell_text

    found = refuted(conjecture, table, arguments.hunt)
    if found is None:
        print_text("  no counterexample found beyond the table")
        return
    values = ", ".join(f"{name} {cell_text(value)}" for name, value in found.values.items())
    print_text(f"  refuted by {found.network.name}: {values}")
    for result in found.results if arguments.output is not None else ():
        Path(arguments.output).mkdir(parents=True, exist_ok=True)
        name = f"{place:02}-{result.problem.model}-{result.problem.task}"
        file = (
            Path(arguments.output)
            / f"{name}{'-' + str(result.problem.choice) if result.problem.choice else ''}.json"
        )
        write_json(result_to_json(result), str(file))
        print_text(f"    {file}")


def _write_result(file: str, store: Any, table: Any) -> None:
    """Write the only result of the table as `solve --output` does."""
    from schedsolve.solving.store_file import unpacked

    if len(table.ids) != 1:
        raise InputError(
            f"a .json file holds one result, and there are {len(table.ids)}; --where narrows them down"
        )
    (document,) = store.documents(table.ids)
    write_json(unpacked(document), file)


def _check(arguments: argparse.Namespace, store: Any, table: Any) -> int:
    """Check the results of the table; print how many hold, and why the first others do not."""
    from schedsolve.experiments.sweeps.results import check_store

    line = CountLine() if sys.stderr.isatty() else None
    failed, incomplete, done = [], 0, 0
    with open_executor(arguments) as workers:
        for checked in check_store(store, table.ids, workers):
            done += 1
            incomplete += not checked.complete and not checked.failures
            if checked.failures:
                failed.append(checked)
            if line is not None:
                line.show(done - len(failed), len(failed), len(table.ids) - done, 0, ("checked", "failed"))
    CountLine.clear()
    for checked in sorted(failed, key=lambda found: found.result)[:SHOWN_FAILURES]:
        print_text(f"{checked.network or f'result {checked.result}'}: {'; '.join(checked.failures)}")
    whole = len(table.ids) - len(failed) - incomplete
    unproven = f", {incomplete} with something not verified" if incomplete else ""
    print_text(f"{len(table.ids)} results: {whole} verified{unproven}, {len(failed)} failed")
    return EXIT_CLAIM_FAILS if failed else EXIT_DONE
