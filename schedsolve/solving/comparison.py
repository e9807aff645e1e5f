"""Comparison of bounds, algorithms and optima over many problems, as text, Markdown, CSV, HTML or JSON."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Unpack

from schedsolve.certify.saved_result import read_result
from schedsolve.certify.text.text import table_lines
from schedsolve.modelkit.problem import Problem, problem_to_json, read_problems
from schedsolve.modelkit.result import (
    Result,
    Status,
    Value,
    result_to_json,
    value_from_json,
    value_to_json,
)
from schedsolve.modelkit.search import Asked, Options, asked_options
from schedsolve.network.assumptions import as_read, assumptions_to_json
from schedsolve.runtime.display.presentation import problem_text
from schedsolve.runtime.display.tabular import Tabular
from schedsolve.runtime.errors import counted
from schedsolve.runtime.files.escapes import csv_text, in_html, in_markdown
from schedsolve.solving.constructions import construct
from schedsolve.solving.solve import solve
from schedsolve.solving.store import ResultKey, Store, record_of
from schedsolve.solving.tables import html_page, html_table, markdown_table

COMPARISON_FORMAT = "schedsolve-comparison/1"
WIDEST_TABLE = 11
"""The most columns of a table before it is transposed."""


@dataclass(frozen=True)
class Comparison:
    """One problem, the values that its algorithms reach, and its optimum or the bounds that are known.

    `algorithms` maps the name of an algorithm to its value; `cpu_seconds` is the CPU time of this process
    for the algorithms and the solve together.
    """

    problem: Problem
    algorithms: Mapping[str, Value]
    result: Result
    cpu_seconds: float = 0.0

    def __repr__(self) -> str:
        return f"<Comparison {problem_text(self.problem)}: optimum {self.optimum}, gap {self.gap}>"

    @property
    def value(self) -> Value | None:
        """The best known value, found by a search or by an algorithm."""
        return min(
            (v for v in (self.result.value, *self.algorithms.values()) if v is not None),
            default=None,
        )

    @property
    def theorem_bound(self) -> Value | None:
        """The best lower bound that no search found; None if there is none."""
        found = (b.value for b in self.result.bounds if b.side == "lower" and b.by not in ("search", "store"))
        return max(found, default=None)

    @property
    def decided(self) -> bool:
        """Whether the optimum is known."""
        return self.value == self.result.lower_bound

    @property
    def status(self) -> Status:
        """The status of a result that has the best known value."""
        if self.value is None:
            return self.result.status
        return Status.OPTIMAL if self.decided else Status.BOUNDED

    @property
    def optimum(self) -> str:
        """The optimum, or the interval in which it lies: "7", "7..9", "7..?" or "infeasible"."""
        lower, value = _text(self.result.lower_bound), _text(self.value)
        if self.decided:
            return "infeasible" if self.value is None else value
        return f"{lower}..{'?' if self.value is None else value}"

    @property
    def gap(self) -> str:
        """The best algorithm's value minus the optimum; a range if the optimum is not known."""
        if not self.algorithms or self.value is None or self.result.lower_bound is None:
            return "-"
        best = min(self.algorithms.values())
        least, most = _text(best - self.value), _text(best - self.result.lower_bound)
        return least if least == most else f"{least}..{most}"


class Comparisons(Tabular, list[Comparison]):
    """The rows of a comparison; they print as a table, and a notebook displays them as one."""

    def __str__(self) -> str:
        return "\n".join(comparison_lines(self))

    def __repr__(self) -> str:
        return f"<Comparisons: {counted(len(self), 'problem')}>"

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each problem: the network, the bounds, each algorithm's value and the optimum."""
        return [
            {
                "network": row.problem.network.name,
                "nodes": row.problem.network.node_count,
                "model": row.problem.model,
                "task": row.problem.task,
                "status": row.status.value,
                "theorem_bound": row.theorem_bound,
                "lower_bound": row.result.lower_bound,
                "value": row.value,
                **row.algorithms,
                "cpu_seconds": row.cpu_seconds,
            }
            for row in self
        ]

    def _repr_html_(self) -> str:
        return html_table(*readable_table(self))


def compare(
    problems: Iterable[Problem],
    options: Options | None = None,
    store: Store | str | PathLike[str] | None = None,
    **keywords: Unpack[Asked],
) -> Comparisons:
    """Run every algorithm on every problem, and solve the problem within the limits of the options.

    No algorithm is run on a problem that asks for the worst node. A KeyboardInterrupt (Ctrl-C) ends the
    comparison and keeps the rows so far.

    Parameters
    ----------
    problems
        The problems; each becomes a row.
    options
        The options of every solve; None for the defaults.
    store
        Where known results are read from, and new ones are kept with their certificates, or its file; None to
        solve every problem.
    keywords
        Fields of `Options`, in place of those in `options`.

    Raises
    ------
    InputError
        If a problem asks for a decision, or if the store cannot be written.
    """
    if isinstance(store, str | PathLike):
        with Store(store, write=True) as opened:
            return compare(problems, options, opened, **keywords)
    options = asked_options(options, keywords)
    rows, problems = Comparisons(), read_problems(problems)
    try:
        for problem in problems:
            start = time.process_time()
            algorithms = _algorithms(problem, options, store)
            result = solve(problem, options) if store is None else _stored(problem, options, store)
            rows.append(Comparison(problem, algorithms, result, time.process_time() - start))
            if rows[-1].result.interrupted:
                break
    except KeyboardInterrupt:
        pass
    return rows


def _algorithms(problem: Problem, options: Options, store: Store | None) -> Mapping[str, Value]:
    """Return the values that the algorithms reach on a problem, from the store if it has them."""
    if problem.choice == "max":
        return {}
    known = None if store is None else store.algorithms(problem, options.seed)
    if known is not None:
        return {name: value for name, text in known.items() if (value := value_from_json(text)) is not None}
    seconds = min(2.0, options.time_limit or 2.0)
    built = construct(problem, seed=options.seed, seconds=seconds)
    if store is not None:
        store.add_algorithms(problem, options.seed, {c.algorithm.name: value_to_json(c.value) for c in built})
    return {c.algorithm.name: c.value for c in built}


def _stored(problem: Problem, options: Options, store: Store) -> Result:
    """Return the stored result, or a new one, which is then stored unless it was interrupted."""
    asked = ResultKey(options.time_limit, options.backend, options.seed, options.certify or True)
    known = store.result(problem, asked)
    if known is not None:
        return replace(read_result(known), problem=problem)
    result = solve(problem, replace(options, certify=asked.certify))
    if not result.interrupted:
        store.add(problem, asked, record_of(result_to_json(result, links=False)))
    return result


def _text(value: Value | None) -> str:
    if value is None:
        return "-"
    if not isinstance(value, int) and value.denominator > 10_000:
        return f"{float(value):.6f}"
    return str(value_to_json(value))


def comparison_table(comparisons: Sequence[Comparison]) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of a table with a row per problem and a column per algorithm."""
    names = list(dict.fromkeys(name for row in comparisons for name in row.algorithms))
    header = ["network", "nodes", "without search", "lower bound", *names, "optimum", "gap", "CPU seconds"]
    rows = []
    for row in comparisons:
        values = {name: _text(value) for name, value in row.algorithms.items()}
        network = row.problem.network
        cells = [
            network.name,
            str(network.node_count),
            _text(row.theorem_bound),
            _text(row.result.lower_bound),
            *(values.get(name, "-") for name in names),
        ]
        optimum = row.optimum + as_read(network.assumptions)
        rows.append([*cells, optimum, row.gap, f"{row.cpu_seconds:.1f}"])
    return header, rows


def readable_table(comparisons: Sequence[Comparison]) -> tuple[list[str], list[list[str]]]:
    """Return the same table, transposed (a column per problem) if it is wide and that makes it narrower."""
    header, rows = comparison_table(comparisons)
    if len(header) <= WIDEST_TABLE or len(rows) + 1 >= len(header):
        return header, rows
    first, *others = zip(header, *rows, strict=True)
    return list(first), [list(row) for row in others]


def comparison_lines(comparisons: Sequence[Comparison]) -> list[str]:
    """Return the lines of the comparisons' table as text."""
    return table_lines(*readable_table(comparisons))


Groups = Sequence[tuple[str, Sequence[Comparison]]]
"""Titles, each with the comparisons below it."""


def groups_to_text(groups: Groups) -> str:
    """Return the groups as tables of text; a single group without a title has no heading."""
    return "\n\n".join(
        "\n".join([title, *comparison_lines(rows)] if title else comparison_lines(rows))
        for title, rows in groups
    )


def groups_to_markdown(groups: Groups) -> str:
    """Return the groups as Markdown, each with a heading and a table."""
    parts = []
    for title, comparisons in groups:
        header, rows = readable_table(comparisons)
        parts.append((f"## {in_markdown(title)}\n\n" if title else "") + markdown_table(header, rows))
    return "\n\n".join(parts) + "\n"


def groups_to_csv(groups: Groups) -> str:
    """Return the groups as CSV with one line for each algorithm of each problem.

    A problem on which no algorithm ran has one line without an algorithm.
    """
    known_columns = ["lower_bound", "value", "status", "algorithm", "algorithm_value", "cpu_seconds"]
    lines: list[list[Any]] = [["title", "model", "task", "network", "nodes", "parameters", *known_columns]]
    for title, rows in groups:
        for row in rows:
            problem = row.problem
            parameters = " ".join(f"{name}={value}" for name, value in problem.parameters.items())
            head = [
                title,
                problem.model,
                problem.task,
                problem.network.name,
                problem.network.node_count,
                parameters,
            ]
            known = [value_to_json(row.result.lower_bound), value_to_json(row.value), row.status.value]
            for name, value in row.algorithms.items() or [("", None)]:
                lines.append([*head, *known, name, value_to_json(value), f"{row.cpu_seconds:.2f}"])
    return csv_text(lines)


def groups_to_html(groups: Groups) -> str:
    """Return the groups as one HTML page without scripts or external resources."""
    parts = [f"<h2>{in_html(title)}</h2>\n{html_table(*readable_table(rows))}" for title, rows in groups]
    return html_page("Comparison", "\n".join(parts))


def comparison_to_json(comparisons: Sequence[Comparison], title: str = "") -> dict[str, Any]:
    """Return the comparisons as a JSON object with a list of rows."""
    rows = [
        {
            **({"title": title} if title else {}),
            "problem": problem_to_json(row.problem),
            **assumptions_to_json(row.problem.network.assumptions),
            "status": row.status.value,
            "theorem_bound": value_to_json(row.theorem_bound),
            "lower_bound": value_to_json(row.result.lower_bound),
            "value": value_to_json(row.value),
            "algorithms": {name: value_to_json(value) for name, value in row.algorithms.items()},
            "gap": row.gap,
            "runtime_seconds": round(row.result.runtime_seconds, 3),
            "cpu_seconds": round(row.cpu_seconds, 3),
        }
        for row in comparisons
    ]
    return {"format": COMPARISON_FORMAT, "rows": rows}


def groups_to_json(groups: Groups) -> dict[str, Any]:
    """Return the groups as one JSON object, in which every row has its group's title."""
    return {
        "format": COMPARISON_FORMAT,
        "rows": [row for title, rows in groups for row in comparison_to_json(rows, title)["rows"]],
    }
