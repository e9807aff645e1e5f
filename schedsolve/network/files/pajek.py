"""Networks in Pajek's format."""

from __future__ import annotations

import re
from itertools import chain
from typing import Any

from schedsolve.network.bandwidths import ATTRIBUTE
from schedsolve.network.files.line_formats import label_of, text_of
from schedsolve.network.files.reading import Format, Reading, network_of_items
from schedsolve.network.graph import Label, Network
from schedsolve.network.positions import with_positions
from schedsolve.network.sizes import check_size
from schedsolve.runtime.errors import InputError, shown

WORD = re.compile(r'"[^"]*"|\S+')
NUMBER = re.compile(r"[+-]?(?:\d{1,20}\.?\d{0,20}|\.\d{1,20})(?:[eE][+-]?\d{1,2})?")
SECTIONS = ("vertices", "arcs", "edges", "arcslist", "edgeslist", "matrix")
Edges = list[tuple[int, int, dict[str, Any]]]


def parse_pajek(data: bytes, reading: Reading) -> Network:
    """Return the network of a Pajek file.

    Where it has arcs and edges, an edge is an arc in each direction. A vertex without a label is its number.
    """
    sections = _sections(text_of(data))
    (title, *_), vertices = sections[0] if sections else ([""], [])
    sizes = sections[0][0][1:] if sections else []
    if title != "vertices" or not sizes or not re.fullmatch("[0-9]{1,9}", sizes[0]):
        raise InputError("it cannot be read as Pajek: it has no line '*Vertices n' before its links")
    n = int(sizes[0])
    check_size(n, 0)
    labels: dict[int, Label] = {v: v for v in range(1, n + 1)}
    places: dict[int, tuple[float, float]] = {}
    for number, words in vertices:
        v = _vertex(words[0], n, number)
        labels[v] = label_of(words[1].strip('"')) if len(words) > 1 else v
        if len(words) > 3 and all(NUMBER.fullmatch(word) for word in words[2:4]):
            places[v] = float(words[2]), float(words[3])
    arcs: Edges = []
    edges: Edges = []
    for (kind, *_), lines in sections[1:]:
        (edges if kind.startswith("edges") else arcs).extend(_links(kind, lines, n))
    directed = bool(arcs)
    if directed:
        arcs += list(chain.from_iterable(((u, v, data), (v, u, data)) for u, v, data in edges))
    links = arcs if directed else edges
    # Many programs write 1 for "no weight".
    if all(data.get("weight", "1") in ("1", "1.0") for _, _, data in links):
        links = [(u, v, {key: x for key, x in data.items() if key != "weight"}) for u, v, data in links]
    network = network_of_items(
        {v: {} for v in labels}, links, "Pajek", reading, directed=directed, label=labels.__getitem__
    )
    return with_positions(network, {labels[v]: place for v, place in places.items()})


def _sections(text: str) -> list[tuple[list[str], list[tuple[int, list[str]]]]]:
    """Return the sections: the words of the head, the first in lower case, and the numbered lines."""
    found: list[tuple[list[str], list[tuple[int, list[str]]]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = WORD.findall(line)
        if not words or words[0].startswith("%"):
            continue
        if not words[0].startswith("*"):
            if not found:
                raise InputError(f"it cannot be read as Pajek: line {number} stands before '*Vertices n'")
            found[-1][1].append((number, words))
            continue
        name = words[0][1:].lower().partition(":")[0]
        if name == "network" and not found:
            continue
        if name not in SECTIONS or (name == "vertices" and found):
            raise InputError(f"line {number}: {shown(words[0])} is not read; keep one network and its links")
        found.append(([name, *words[1:]], []))
    return found


def _vertex(word: str, n: int, line: int) -> int:
    if not re.fullmatch("[0-9]{1,9}", word) or not 1 <= int(word) <= n:
        raise InputError(f"it cannot be read as Pajek: line {line}: {shown(word)} is not a vertex 1..{n}")
    return int(word)


def _links(kind: str, lines: list[tuple[int, list[str]]], n: int) -> Edges:
    """Return the links of a section."""
    if kind == "matrix":
        if len(lines) != n or any(len(words) != n for _, words in lines):
            raise InputError(f"it cannot be read as Pajek: the matrix needs {n} lines of {n} numbers")
        entries = (
            (u, v, word)
            for u, (_, words) in enumerate(lines, 1)
            for v, word in enumerate(words, 1)
            if word.strip("0.") or not word.strip(".")
        )
        return [(u, v, {"weight": word}) for u, v, word in entries]
    found: Edges = []
    for number, words in lines:
        if len(words) < 2:
            raise InputError(f"it cannot be read as Pajek: line {number}: a link needs two vertices")
        if kind.endswith("list"):
            ends = [_vertex(word, n, number) for word in words]
            found += [(ends[0], v, {}) for v in ends[1:]]
            continue
        weighted = len(words) > 2 and NUMBER.fullmatch(words[2]) is not None
        given = {"weight": words[2]} if weighted else {}
        others = words[3 if weighted else 2 :]
        given.update({key: value.strip('"') for key, value in zip(others[::2], others[1::2], strict=False)})
        found.append((_vertex(words[0], n, number), _vertex(words[1], n, number), given))
    return found


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
