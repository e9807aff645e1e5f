"""The networks of a store as one standalone HTML page that sorts, filters and draws them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from string import Template
from typing import Any

from schedsolve.drawing.page.inline import policy, text_of
from schedsolve.drawing.pictures.layouts import layout_of
from schedsolve.extensions import ask
from schedsolve.network.classes.invariants import INVARIANTS, TRUTHS
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.escapes import in_html, json_in_html, shell_line
from schedsolve.runtime.files.whole_file import write_whole

HypothesisTable = Any
Question = Any
"""Both as the extension experiments has them."""
MOST_NETWORKS = 20_000
MOST_NODES, MOST_EDGES = 60, 400
"""The most nodes and edges of a network that is drawn."""
SIDE = 100
"""The longer side of a drawing, whose positions are integers."""
SHOWN_INVARIANTS = frozenset({"n", "m", "diameter", "max_degree"})
"""The invariants that the table shows at first."""
SCRIPTS = ("networks_filter.js", "networks_drawing.js", "networks.js")


def write_networks_page(path: str, out: str, where: str | None = None) -> None:
    """Write a page of the networks in a store or a table, with their invariants and proven optima.

    Parameters
    ----------
    path
        The store or the table.
    out
        The page.
    where
        An expression; only the networks for which it is true are included. None for all.

    Raises
    ------
    InputError
        If the store cannot be read, has no such network or too many, or if the page cannot be written.
    """
    hypotheses, table_file = (ask("experiments", name) for name in ("hypotheses", "table_file"))
    with table_file.open_source(path) as source:
        table = hypotheses.hypothesis_table(source)
        rows = hypotheses.networks_where(table, where)
        if not 1 <= len(rows) <= MOST_NETWORKS:
            raise InputError(f"{path}: a page shows 1 to {MOST_NETWORKS} networks, not {len(rows)}")
        networks = table_file.networks_in(source, rows)
    write_whole(networks_page(Path(path).stem, table, rows, networks).encode("utf-8"), out)


def networks_page(
    title: str, table: HypothesisTable, rows: Mapping[int, Sequence[Any]], networks: Mapping[int, Network]
) -> str:
    """Return the page of some networks; `rows` and `networks` are keyed by the table's network numbers."""
    script = "\n".join(text_of(name) for name in SCRIPTS)
    style = text_of("colours.css") + text_of("networks.css")
    columns, values = _columns(table, list(rows.values()))
    shown = f"{len(rows)} networks, and what is proven of {len(set(table.tasks.values()))} questions on them."
    return Template(text_of("networks.html")).substitute(
        policy=policy(script, style),
        title=in_html(title),
        summary=in_html(f"{shown} An empty cell: not asked, or not proven."),
        example=in_html(f"{min(table.tasks)} > 2*diameter and n >= 6"),
        style=style,
        script=script,
        data=json_in_html(
            {"columns": columns, "values": values, "networks": [_drawn(networks[i]) for i in rows]}
        ),
    )


def _columns(
    table: HypothesisTable, rows: Sequence[Sequence[Any]]
) -> tuple[list[dict[str, Any]], list[list[Any]]]:
    """Return the columns of the page, and a list of values for each.

    They are the network's name, every question, and the invariants that are not the same everywhere.
    """
    size = ("n", "m")
    meanings = {"network": "the network's name", **{name: INVARIANTS[name] for name in size}}
    names: dict[Question, list[str]] = {}
    for name, question in table.tasks.items():
        names.setdefault(question, []).append(name)
    meanings |= {long: _meaning(table.tasks[long]) for long, *_ in sorted(names.values())}
    meanings |= INVARIANTS
    columns: list[dict[str, Any]] = []
    values = []
    for name, meaning in meanings.items():
        at = table.columns.index(name)
        cells = [row[at] for row in rows]
        if name in INVARIANTS and name not in size and len(set(cells)) == 1:
            continue
        kind = "truth" if name in TRUTHS else "text" if name in ("network", "degrees") else "number"
        column: dict[str, Any] = {"name": name, "meaning": meaning, "kind": kind}
        if name in table.tasks:
            question = table.tasks[name]
            column["command"] = [shell_line(question.model, question.task), question.options]
            column["aliases"] = names[question][1:]
        if name in table.tasks or name in SHOWN_INVARIANTS:
            column["shown"] = True
        fractions = {float(cell): str(cell) for cell in cells if isinstance(cell, Fraction)}
        if fractions:
            column["fractions"] = fractions
        columns.append(column)
        values.append([_plain(cell) for cell in cells])
    return columns, values


def _plain(cell: Any) -> Any:
    return int(cell) if isinstance(cell, bool) else float(cell) if isinstance(cell, Fraction) else cell


def _meaning(question: Question) -> str:
    words = f"the optimum of {question.model} {question.task}"
    parts = question.parameters.split()
    least_period = ask("experiments", "hypotheses").LEAST_PERIOD
    if least_period in parts:
        words = f"the least period with which {question.model} {question.task} is as fast as without one"
    rest = " ".join(part.replace("=", " ") for part in parts if part != least_period)
    return f"{words}, {rest}" if rest else words


def _drawn(network: Network) -> dict[str, Any]:
    """Return a network as the page's script draws it.

    `posed` says whether a command line can name it.
    """
    found: dict[str, Any] = {
        "edges": [],
        "points": [],
        "directed": int(network.directed),
        "posed": int(re.fullmatch(r"[a-z0-9-]+:[!-&(-~]+", network.name) is not None),
    }
    if network.node_count <= MOST_NODES and len(network.edges) <= MOST_EDGES:
        points = layout_of(network, straight=True).points
        left, top = min(x for x, _ in points), max(y for _, y in points)
        scale = SIDE / max(*(x - left for x, _ in points), *(top - y for _, y in points), 1)
        found["edges"] = [v for edge in network.edges for v in edge]
        found["points"] = [round(c * scale) for x, y in points for c in (x - left, top - y)]
    if network.labels != tuple(range(network.node_count)):
        found["labels"] = [str(label) for label in network.labels]
    return found
