"""CSV edge lists."""

from __future__ import annotations

import csv
import re
from collections.abc import Hashable
from itertools import chain

from schedsolve.network.bandwidths import ATTRIBUTE
from schedsolve.network.files.line_formats import label_of, text_of
from schedsolve.network.files.link_matrix import SHORTEST_TEXT, network_from_rows
from schedsolve.network.files.lookalikes import ENDS, plain_name
from schedsolve.network.files.reading import Format, Reading, network_of_items
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError, shown

NUMBER = re.compile(r"[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?")
FORM = "CSV edge list"


def parse_csv(data: bytes, reading: Reading) -> Network:
    """Return the network of a CSV edge list, with or without a line of names at the head.

    The ends of an edge are the columns with the names of `ENDS`, else the first two; a third column without
    a name is the bandwidth. A column `type` with Directed or Undirected, as Gephi writes it, says which
    edges are arcs.
    """
    rows, delimiter = _rows(text_of(data))
    if _is_matrix(rows):
        return network_from_rows(rows)
    names = [plain_name(name) for name in rows[0]]
    first, second, headed = _head(rows, names, reading.bandwidth)
    head = rows.pop(0) if headed else ["source", "target", ATTRIBUTE, *map(str, range(4, len(names) + 1))]
    nodes: dict[Hashable, dict[str, str]] = {}
    edges = []
    for number, row in enumerate(rows, 1 + headed):
        if len(row) < 2 or len(row) > len(head):
            raise InputError(f"row {number}: expected {len(head)} cells, not {shown(delimiter.join(row))}")
        ends = row[first], row[second]
        nodes.update({end: {} for end in ends})
        # A column without a name numbers the rows.
        other = {
            name: cell
            for i, (name, cell) in enumerate(zip(head, row, strict=False))
            if cell and name and i not in (first, second)
        }
        edges.append((*ends, other))
    directed = reading.directed or _is_directed([other for _, _, other in edges])
    return network_of_items(nodes, edges, FORM, reading, directed=directed, label=label_of, switches=False)


def _rows(text: str) -> tuple[list[list[str]], str]:
    """Return the cells of the rows, without comments, and what separates them."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    delimiter = max(",;\t|", key=lines[0].count) if lines else ","
    rows = [
        [cell.strip() for cell in row]
        for row in csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
        if any(cell.strip() for cell in row)
    ]
    if not rows or len(rows[0]) < 2:
        raise InputError("a CSV edge list has a row for each edge, with its two ends in columns")
    return rows, delimiter


def _head(rows: list[list[str]], names: list[str], bandwidth: str) -> tuple[int, int, bool]:
    """Return the columns of the two ends, and whether the first row has their names.

    Raises
    ------
    InputError
        If it seems to have names that say nothing.
    """
    for pair in ENDS:
        if set(pair) <= set(names):
            first, second = map(names.index, pair)
            below = {row[i] for row in rows[1:] for i in (first, second) if i < len(row)}
            # Nodes may well be called a and b.
            sure = len(pair[0]) > 1 or (below and all(NUMBER.fullmatch(cell) for cell in below))
            if sure and below.isdisjoint((rows[0][first], rows[0][second])):
                return first, second, True
    if any(name in (ATTRIBUTE, "weight", plain_name(bandwidth)) for name in names[2:]):
        return 0, 1, True
    ends = rows[0][:2]
    below = {cell for row in rows[1:] for cell in row[:2]}
    if below and below.isdisjoint(ends) and not any(NUMBER.fullmatch(cell) for cell in ends):
        raise InputError(
            f"row 1: {shown(', '.join(ends))} stand in no other row: are they names of columns? Put a row"
            " source,target in its place if they are, else above it"
        )
    return 0, 1, False


def _is_directed(others: list[dict[str, str]]) -> bool:
    """Return whether the edges are arcs by their type, which is taken out where it says so.

    Raises
    ------
    InputError
        If some are and some are not.
    """
    name = next((name for name in others[0] if name.lower() == "type"), "") if others else ""
    kinds = {other.get(name, "").lower() for other in others}
    if not name or not kinds <= {"directed", "undirected"}:
        return False
    if len(kinds) > 1:
        raise InputError("some edges are Directed and some Undirected; give both directions as Directed")
    for other in others:
        del other[name]
    return kinds == {"directed"}


def _is_matrix(rows: list[list[str]]) -> bool:
    """Return whether the rows are an adjacency matrix of whole numbers.

    Raises
    ------
    InputError
        If they are one with names, or of other numbers.
    """
    named = not NUMBER.fullmatch(rows[0][-1])
    body = rows[1:] if named else rows
    if (
        named
        and len(rows[0]) > 1
        and all(row[0] == name for row, name in zip(body, rows[0][1:], strict=False))
    ):
        body = [row[1:] for row in body]
    n = len(body)
    if n < SHORTEST_TEXT - named or any(len(row) != n for row in body):
        return False
    if any(not NUMBER.fullmatch(cell) for row in body for cell in row):
        return False
    if any(body[v][v].strip("0.") for v in range(n)):
        return False
    if named or any("." in cell or "e" in cell.lower() for row in body for cell in row):
        raise InputError(
            "this looks like an adjacency matrix; write it as a square of whole numbers without names"
        )
    return True


def compose_csv(network: Network, delimiter: str = ",") -> bytes:
    """Return an edge list in columns with a line of names.

    Raises
    ------
    ValueError
        If a node has no edges, or there are switches, which it cannot say.
    """
    touched = set(chain.from_iterable(network.edges))
    if len(touched) < network.node_count or network.switches:
        raise ValueError("a CSV edge list has no switches and no nodes without edges")
    lines = [delimiter.join(["source", "target", *[ATTRIBUTE] * bool(network.bandwidths)])]
    for i, (u, v) in enumerate(network.edges):
        cells = [str(network.labels[u]), str(network.labels[v])]
        cells += [str(network.bandwidths[i])] if network.bandwidths else []
        if any(set(cell) & set(',;|"\t\n') for cell in cells):
            raise ValueError("a label has a delimiter")
        lines.append(delimiter.join(cells))
    return "".join(line + "\n" for line in lines).encode()


CSV = Format(FORM, (".csv",), parse_csv, compose_csv, attributes=True)
TSV = Format("TSV edge list", (".tsv",), parse_csv, lambda net: compose_csv(net, "\t"), attributes=True)
