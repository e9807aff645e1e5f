"""`python -m tests.docs.formulation_matrix`: what has a formulation in which form, the tables of
docs/formulations.md, made by writing every task of every model.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.task import with_article
from schedsolve.models import build_problem, models
from schedsolve.runtime.errors import InputError, on_command_line
from schedsolve.solving.formulation_files import COMMENT, Formulation, formulation, formulations_of

PAGE = Path(__file__).parents[2] / "docs/formulations.md"
FIRST, LAST = "<!-- matrix -->\n", "<!-- end of the matrix -->"
ENDINGS = (".lp", ".mps", ".opb", ".cnf", ".pbtxt")
COLUMNS = (*ENDINGS, "cpsat", "pulp")

NETWORKS = {"fat-tree": "fat-tree:2", "routing": "fat-tree:4", "linear-cost": "complete:3"}
MODEL_OPTIONS: dict[str, dict[str, Any]] = {
    "telegraph --period": {"period": 4},
    "telephone --period": {"period": 2},
    "linear-cost": {"extra_rounds": 1},
    "linear-cost --alpha": {"alpha": "2/5", "tau": "1"},
    "routing": {"pattern": "all-to-one"},
    "synchronous": {"steps": 2, "chunks": 1},
}
SIZES = {"allgatherv": [1, 0, 2], "alltoallv": [[0, 1, 0], [2, 0, 1], [0, 1, 0]]}
PACKETS = {"pipelined allreduce through switches": 3}
"""Packets with which a row's value is the least for any number; 2 elsewhere."""


class Row(NamedTuple):
    """A row of the table: the model's title, the task, what else is asked, and the problem."""

    title: str
    task: str
    more: str
    problem: Problem
    packets: int | None = None

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.title} {self.task} {self.more}".strip()


def rows() -> Iterator[Row]:
    """Every task of every model, on a tiny network, with the options that change its formulation."""
    for row in _rows():
        if formulations_of(row.problem).takes_packets:
            yield row._replace(more=f"{row.more} --packets".strip(), packets=PACKETS.get(row.name, 2))
        yield row


def _rows() -> Iterator[Row]:
    for title, record in models().items():
        for task, parameters in record.tasks.items():
            names = {parameter.name for parameter in parameters}
            options = dict(MODEL_OPTIONS.get(title, {}))
            options |= {name: 0 for name in ("source", "root") if name in names}
            options |= {"targets": [2]} if task == "multicast" else {}
            options |= {"sizes": SIZES[task]} if task in SIZES else {}
            network = NETWORKS.get(record.name, "path:3")
            yield Row(title, task, "", build_problem(record.name, task, network, options))
            if record.name in ("synchronous", "pipelined"):
                switched = build_problem(record.name, task, "leaf-spine:3,1,1", options)
                yield Row(title, task, "through switches", switched)
            for name in ("ordered", "switches_copy"):
                if name in names:
                    network = "leaf-spine:3,1,1" if name == "switches_copy" else network
                    problem = build_problem(record.name, task, network, {**options, name: True})
                    yield Row(title, task, f"--{name.replace('_', '-')}", problem)
            if "ranks" in names and task not in SIZES:
                problem = build_problem(record.name, task, "path:3", {**options, "ranks": "0,2"})
                yield Row(title, task, "--ranks", problem)


def asked(row: Row) -> Formulation:
    """The formulation of a row, which asks for the least value."""
    return formulation(row.problem, packets=row.packets)


def refusals(row: Row) -> dict[str, str]:
    """Column by column why there is no formulation; columns that have one are left out."""
    found = {}
    try:
        made = asked(row)
    except InputError as error:
        found = dict.fromkeys(ENDINGS, str(error))
    for ending in ENDINGS if not found else ():
        try:
            made.text(ending)
        except InputError as error:
            found[ending] = str(error)
    if ".pbtxt" in found and not formulations_of(row.problem).takes_packets:
        found["cpsat"] = found[".pbtxt"]
    if ".lp" in found:
        found["pulp"] = found[".lp"]
    return found


def table() -> str:
    """A table for every model, which opens by a click, and the reasons below them."""
    reasons: dict[str, int] = {}
    lines: dict[str, list[str]] = {}
    for row in rows():
        with on_command_line():
            refused = refusals(row)
        cells = []
        for column in COLUMNS:
            why = refused.get(column)
            if why is not None:
                why = why.replace(with_article(row.task), "a task", 1).replace(
                    f"{row.problem.model} has", "the model has"
                )
            cells.append("yes" if why is None else f"no ({reasons.setdefault(why, len(reasons) + 1)})")
        task = f"{row.task} {row.more}".strip()
        lines.setdefault(row.title, []).append(f"| {task} | " + " | ".join(cells) + " |")
    parts = [part for title, of_model in lines.items() for part in _folded(title, of_model)]
    count = sum(_refused(of_model) for of_model in lines.values())
    cells_in_all = sum(map(len, lines.values())) * len(COLUMNS)
    notes = [
        textwrap.fill(f"{number}. {why}", 98, subsequent_indent="   ", break_on_hyphens=False)
        for why, number in reasons.items()
    ]
    said = f"Of {cells_in_all} cells {count} are refused, for these reasons:"
    return "\n".join([*parts, said, "", *notes]) + "\n\n"


def _folded(title: str, rows_of_model: list[str]) -> list[str]:
    """The lines of a model's table, with what a reader sees of it before it is opened."""
    count, refused = len(rows_of_model), _refused(rows_of_model)
    problems = f"{count} problem{'s' if count > 1 else ''}"
    said = f"{refused} of {count * len(COLUMNS)} cells refused" if refused else "all forms"
    head = "| problem | " + " | ".join(f"`{column}`" for column in COLUMNS) + " |"
    return [
        f'<details markdown="1"><summary>{title}: {problems}, {said}</summary>',
        "",
        head,
        "|---" * (len(COLUMNS) + 1) + "|",
        *rows_of_model,
        "",
        "</details>",
        "",
    ]


def _refused(rows_of_model: list[str]) -> int:
    return sum(line.count("no (") for line in rows_of_model)


def main() -> None:
    """Write the table."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(FIRST)
    PAGE.write_text(f"{before}{FIRST}\n{table()}{LAST}{rest.partition(LAST)[2]}", encoding="utf-8")


assert set(ENDINGS) == set(COMMENT)
if __name__ == "__main__":
    main()
