"""Networks in Pajek's format."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from schedsolve.network.bandwidths import ATTRIBUTE
from schedsolve.network.files.graph_formats import read_by_networkx
from schedsolve.network.files.line_formats import label_of, text_of
from schedsolve.network.files.reading import Format, Reading, network_of_items
from schedsolve.network.graph import Label, Network
from schedsolve.network.positions import with_positions
from schedsolve.network.sizes import check_size
from schedsolve.runtime.errors import InputError, shown

WORD = re.compile(r'"[^"]*"|\S+')
NUMBER = re.compile(r"[+-]?(?:\d{1,20}\.?\d{0,20}|\.\d{1,20})(?:[eE][+-]?\d{1,2})?")
UNWEIGHTED = re.compile(rf"^(\S++\s++\S++)\s++(?!{NUMBER.pattern}(?:\s|$))")
"""Two vertices and attributes, without a weight between them."""
SECTIONS = ("arcs", "edges", "arcslist", "edgeslist", "matrix")


def parse_pajek(data: bytes, reading: Reading) -> Network:
    """Return the network of a Pajek file.

    Where it has arcs and edges, an edge is an arc in each direction. A vertex without a label is its number.
    """
    (head, *vertices), *sections = _sections(text_of(data))
    size = re.match(r"\*vertices\s+([0-9]{1,9})(?!\S)", head, re.IGNORECASE)
    if size is None:
        raise InputError("it cannot be read as Pajek: it has no line '*Vertices n' before its links")
    n = int(size[1])
    check_size(n, 0)
    labels: dict[int, Label] = {v: v for v in range(1, n + 1)}
    places: dict[int, tuple[float, float]] = {}
    for line in vertices:
        number, *words = WORD.findall(line)
        v = _vertex(number, n)
        labels[v] = label_of(words[0].strip('"')) if words else v
        if len(words) > 2 and all(map(NUMBER.fullmatch, words[1:3])):
            places[v] = float(words[1]), float(words[2])
    graphs = [_graph(section, n) for section in sections]
    directed = any(graph.is_directed() and graph.size() for graph in graphs)
    edges = [
        edge for graph in graphs for edge in (graph.to_directed() if directed else graph).edges(data=True)
    ]
    # Many programs write 1 for "no weight".
    if all(data.get("weight", 1) == 1 for _, _, data in edges):
        for _, _, given in edges:
            given.pop("weight", None)
    network = network_of_items(
        {v: {} for v in labels},
        [(_vertex(u, n), _vertex(v, n), data) for u, v, data in edges],
        "Pajek",
        reading,
        directed=directed,
        label=labels.__getitem__,
        switches=False,
    )
    return with_positions(network, {labels[v]: place for v, place in places.items()})


def _sections(text: str) -> list[list[str]]:
    """Return the lines of every section, its head first."""
    lines = [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("%")]
    if lines and lines[0].lower().startswith("*network"):
        del lines[0]
    heads = [at for at, line in enumerate(lines) if line.startswith("*")]
    return [lines[i:j] for i, j in pairwise([0, *heads[1:], len(lines)])] if lines else [[""]]


def _vertex(word: str, n: int) -> int:
    if not re.fullmatch("[0-9]{1,9}", word) or not 1 <= int(word) <= n:
        raise InputError(f"it cannot be read as Pajek: {shown(word)} is not a vertex 1..{n}")
    return int(word)


def _graph(section: list[str], n: int) -> Any:
    return read_by_networkx("Pajek", lambda networkx: networkx.parse_pajek(_links(section, n)))


def _links(section: list[str], n: int) -> list[str]:
    """Return a section of links as a file with nothing else, which networkx reads as it is meant."""
    head, *lines = section
    kind = re.split(r"[:\s]", head[1:].lower())[0]
    if kind not in SECTIONS:
        raise ValueError(f"{shown(head.split()[0])} is not read; keep one network and its links")
    rows = [line.split() for line in lines]
    if kind == "matrix":
        if len(rows) != n or any(len(row) != n for row in rows):
            raise ValueError(f"the matrix needs {n} lines of {n} numbers")
        entries = ((u, v, x) for u, row in enumerate(rows, 1) for v, x in enumerate(row, 1))
        return ["*vertices 0", "*arcs", *(f"{u} {v} {x}" for u, v, x in entries if float(x))]
    if any(len(row) < 2 for row in rows):
        raise ValueError("a link needs two vertices")
    if kind.endswith("list"):
        lines = [f"{row[0]} {v}" for row in rows for v in row[1:]]
    # networkx takes a third word for the weight, and reads apostrophes and backslashes as a shell does.
    lines = [re.sub(r"['\\]", r"\\\g<0>", UNWEIGHTED.sub(r"\1 - ", line)) for line in lines]
    return ["*vertices 0", f"*{kind.removesuffix('list')}", *lines]


def compose_pajek(network: Network) -> bytes:
    """Return a Pajek file, with a bandwidth as the attribute of that name.

    Raises
    ------
    ValueError
        If there are switches, or a label has a quotation mark.
    """
    if network.switches:
        raise ValueError("a Pajek file has no switches")
    places = [f" {x} {y} ellipse" for x, y in network.positions] or [""] * network.node_count
    labels = [str(label) for label in network.labels]
    if any('"' in label for label in labels):
        raise ValueError("a label has a quotation mark")
    lines = [f"*Vertices {network.node_count}"]
    lines += [f'{v} "{label}"{place}' for v, (label, place) in enumerate(zip(labels, places, strict=True), 1)]
    lines += ["*Arcs" if network.directed else "*Edges"]
    given = [f" {ATTRIBUTE} {x}" for x in network.bandwidths] or [""] * len(network.edges)
    lines += [f"{u + 1} {v + 1} 1{x}" for (u, v), x in zip(network.edges, given, strict=True)]
    return "".join(line + "\n" for line in lines).encode()


PAJEK = Format(
    "Pajek",
    (".net", ".paj"),
    parse_pajek,
    compose_pajek,
    attributes=True,
    head=re.compile(r"\s*\*(?:vertices|network)\b", re.IGNORECASE),
)
