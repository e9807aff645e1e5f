"""Comparing bounds, algorithms and optima over several problems, as text, Markdown, CSV, HTML or JSON."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from schedsolve.certify.saved_files import read_result
from schedsolve.escapes import csv_text, in_html, in_markdown
from schedsolve.modelkit.search import Options
from schedsolve.problem import Problem, problem_to_json
from schedsolve.report.text import table_lines
from schedsolve.result import Result, Status, Value, result_to_json, value_from_json, value_to_json
from schedsolve.solving.constructions import construct
from schedsolve.solving.solve import solve
from schedsolve.sweep.store import Asked, Store, record_of
from schedsolve.sweep.tables import html_page, html_table, markdown_table

COMPARISON_FORMAT = "schedsolve-comparison/1"
WIDEST_TABLE = 11
"""The most columns of a table that is not turned round."""


@dataclass(frozen=True)
class Comparison:
    """One row: a problem, the values that algorithms reach by their names, and the optimum or the bounds that
    are known of it.

    cpu_seconds: of this process, for the algorithms and the solve together.
    """

    problem: Problem
    algorithms: Mapping[str, Value]
    result: Result
    cpu_seconds: float = 0.0

    @property
    def value(self) -> Value | None:
        """The best value known, by solving or by an algorithm."""
        return min(
            (v for v in (self.result.value, *self.algorithms.values()) if v is not None),
            default=None,
        )

    @property
    def theorem_bound(self) -> Value | None:
        """The best lower bound that no search found; None when there is none."""
        found = (b.value for b in self.result.bounds if b.side == "lower" and b.by != "search")
        return max(found, default=None)

    @property
    def decided(self) -> bool:
        """Whether the optimum is known."""
        return self.value == self.result.lower_bound

    @property
    def status(self) -> Status:
        """As of a result with the best value known."""
        if self.value is None:
            return self.result.status
        return Status.OPTIMAL if self.decided else Status.BOUNDED

    @property
    def optimum(self) -> str:
        """The optimum, or what is known of it: "7", "7..9", "7..?" or "infeasible"."""
        lower, value = _text(self.result.lower_bound), _text(self.value)
        if self.decided:
            return "infeasible" if self.value is None else value
        return f"{lower}..{'?' if self.value is None else value}"

    @property
    def gap(self) -> str:
        """By how much the best algorithm misses the optimum; a range when the optimum is not known."""
        if not self.algorithms or self.value is None or self.result.lower_bound is None:
            return "-"
        best = min(self.algorithms.values())
        least, most = _text(best - self.value), _text(best - self.result.lower_bound)
        return least if least == most else f"{least}..{most}"


class Comparisons(list[Comparison]):
    """Rows of a comparison, which print as a table, and are one in a notebook."""

    def __str__(self) -> str:
        return "\n".join(comparison_lines(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(*readable_table(self))


def compare(
    problems: Sequence[Problem], options: Options | None = None, store: Store | None = None
) -> Comparisons:
    """Run every algorithm on every problem and solve it within the options' limits: each problem anew, or
    where the store has no answer, which is stored then, with its certificate.

    No algorithm is run on a problem that asks for the worst node. A KeyboardInterrupt (Ctrl-C) ends the
    comparison with the rows so far.
    Raises InputError for a problem that asks for a decision, and for a store that cannot be written.
    """
    options = options or Options()
    rows = Comparisons()
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
    """What the algorithms reach on a problem, from the store where it knows."""
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
    """The result in the store, or a new one, which is stored unless it was interrupted."""
    asked = Asked(options.time_limit, options.backend, options.seed)
    known = store.result(problem, asked)
    if known is not None:
        return replace(read_result(known), problem=problem)
    result = solve(problem, replace(options, certify=True))
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
    """The header and the rows of a table: a row for each problem, a column for each algorithm that ran on one
    of them.
    """
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
        rows.append([*cells, row.optimum, row.gap, f"{row.cpu_seconds:.1f}"])
    return header, rows


def readable_table(comparisons: Sequence[Comparison]) -> tuple[list[str], list[list[str]]]:
    """The same table, turned round where it is wide and that makes it narrower: a column for each problem."""
    header, rows = comparison_table(comparisons)
    if len(header) <= WIDEST_TABLE or len(rows) + 1 >= len(header):
        return header, rows
    first, *others = zip(header, *rows, strict=True)
    return list(first), [list(row) for row in others]


def comparison_lines(comparisons: Sequence[Comparison]) -> list[str]:
    """The comparisons as a table of text."""
    return table_lines(*readable_table(comparisons))


Groups = Sequence[tuple[str, Sequence[Comparison]]]
"""Titles with the comparisons below them."""


def groups_to_text(groups: Groups) -> str:
    """The groups as tables of text; without the title where there is only one group without one."""
    return "\n\n".join(
        "\n".join([title, *comparison_lines(rows)] if title else comparison_lines(rows))
        for title, rows in groups
    )


def groups_to_markdown(groups: Groups) -> str:
    """The groups as Markdown: a heading and a table each."""
    parts = []
    for title, comparisons in groups:
        header, rows = readable_table(comparisons)
        parts.append((f"## {in_markdown(title)}\n\n" if title else "") + markdown_table(header, rows))
    return "\n\n".join(parts) + "\n"


def groups_to_csv(groups: Groups) -> str:
    """The groups as CSV: a line for every algorithm on every problem, or one without algorithm where none
    ran.
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
    """The groups as one page without scripts or anything from elsewhere."""
    parts = [f"<h2>{in_html(title)}</h2>\n{html_table(*readable_table(rows))}" for title, rows in groups]
    return html_page("Comparison", "\n".join(parts))


def comparison_to_json(comparisons: Sequence[Comparison], title: str = "") -> dict[str, Any]:
    """The comparisons as a JSON object with a list of rows."""
    rows = [
        {
            **({"title": title} if title else {}),
            "problem": problem_to_json(row.problem),
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
    """The groups as one JSON object, every row with its group's title."""
    return {
        "format": COMPARISON_FORMAT,
        "rows": [row for title, rows in groups for row in comparison_to_json(rows, title)["rows"]],
    }
