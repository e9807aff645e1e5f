"""Networks in line-based text files: edge lists, DIMACS, and minimum-broadcast-time instances."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterator
from dataclasses import dataclass, field
from reprlib import repr as _shown

from schedsolve.network.bandwidths import ATTRIBUTE, Bandwidth, bandwidth_from_data
from schedsolve.network.files.lookalikes import refuse_lookalikes
from schedsolve.network.files.reading import Format, Reading, require_attribute, with_words
from schedsolve.network.graph import Label, Network
from schedsolve.network.sizes import check_size
from schedsolve.runtime.errors import InputError

PACKED = (
    (b"\x1f\x8b", "compressed by gzip", "unpack it with gunzip"),
    (b"BZh", "compressed by bzip2", "unpack it with bunzip2"),
    (b"\xfd7zXZ", "compressed by xz", "unpack it with unxz"),
    (b"PK\x03\x04", "a zip archive", "unpack it"),
    (b"\xff\xfe", "UTF-16 text", "write it as UTF-8, with iconv -f UTF-16 -t UTF-8,"),
    (b"\xfe\xff", "UTF-16 text", "write it as UTF-8, with iconv -f UTF-16 -t UTF-8,"),
)
"""How files begin that are no UTF-8 text, what they are, and what to do."""


def label_of(text: str) -> Label:
    """Return the label for a word in a file: an int if it is an integer in canonical form, else the text."""
    if not text or not text.isprintable():
        raise InputError(f"{_shown(text)} is not printable text and cannot be a label; is this a text file?")
    return int(text) if re.fullmatch("0|-?[1-9][0-9]{0,17}", text) else text


def refuse_packed(data: bytes) -> None:
    """Refuse a file that is compressed or UTF-16, by what it is.

    Raises
    ------
    InputError
        If it is.
    """
    for start, name, way_out in PACKED:
        if data.startswith(start):
            raise InputError(f"it is {name}; {way_out} first")


def text_of(data: bytes) -> str:
    """Return the text of a file.

    Raises
    ------
    InputError
        If it is not UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8 text") from None


def _lines(data: bytes, comments: tuple[str, ...] = ()) -> Iterator[tuple[int, list[str]]]:
    """Yield the nonblank lines as their numbers, from 1, and their words, without comments.

    The first sign of `comments` begins one anywhere in a line, the others at its beginning.
    """
    for number, line in enumerate(re.split("\r\n|\r|\n", text_of(data)), start=1):
        words = (line.partition(comments[0])[0] if comments else line).split()
        if words and not words[0].startswith(comments[1:]):
            yield number, words


def _bytes(lines: list[str]) -> bytes:
    return "".join(line + "\n" for line in lines).encode()


def _numbers(words: list[str], form: str, line: int) -> list[int]:
    """Return the natural numbers on a line of the given form, one for every word of the form."""
    if len(words) != len(form.split()) or not all(re.fullmatch("[0-9]{1,18}", word) for word in words):
        raise InputError(f"line {line}: expected the numbers '{form}', not {_shown(' '.join(words))}")
    return [int(word) for word in words]


@dataclass
class _EdgeLines:
    """The edges of a text file, each with its line number for error messages.

    `bandwidth` maps the edges that have one to it; parallel links add up.
    """

    directed: bool = False
    line_of: dict[tuple[Label, Label], int] = field(default_factory=dict)
    bandwidth: dict[tuple[Label, Label], Bandwidth] = field(default_factory=dict)

    def earlier(self, u: Label, v: Label) -> int | None:
        """Return the line that gave the edge, or None."""
        return self.line_of.get((u, v)) or (None if self.directed else self.line_of.get((v, u)))

    def add(self, u: Label, v: Label, line: int) -> None:
        if u == v:
            raise InputError(
                f"line {line}: self-loop at node {_shown(u)}; remove it, a node cannot call itself"
            )
        if self.earlier(u, v):
            raise InputError(
                f"line {line}: the edge {_shown(u)} {_shown(v)} was given on line {self.earlier(u, v)}; give"
                " every edge once"
            )
        self.line_of[u, v] = line

    def add_link(self, u: Label, v: Label, bandwidth: Bandwidth, line: int) -> None:
        """Add an edge with a bandwidth, or add the bandwidth to that of a parallel edge."""
        pair = (v, u) if not self.directed and (v, u) in self.bandwidth else (u, v)
        if pair not in self.bandwidth:
            self.add(u, v, line)
        self.bandwidth[pair] = self.bandwidth.get(pair, 0) + bandwidth

    def add_numbered(self, u: int, v: int, line: int, nodes: int) -> None:
        if not (1 <= u <= nodes and 1 <= v <= nodes):
            raise InputError(f"line {line}: the edge {u} {v} is outside the nodes 1..{nodes}")
        self.add(u, v, line)


def parse_edge_list(data: bytes, directed: bool, bandwidth: str = ATTRIBUTE) -> Network:
    """Return the network of an edge list.

    Its lines are 'u v', 'u v bandwidth', or 'u' for a node without edges, separated by blanks or commas. In
    place of the bandwidth an edge may have a dictionary of attributes, as networkx writes it. Links that are
    given twice with a bandwidth are parallel, and add up.

    Parameters
    ----------
    data
        The bytes of the file.
    directed
        Whether the lines are arcs.
    bandwidth
        The attribute of edges that is their bandwidth.

    Raises
    ------
    InputError
        With the line, if it has another form, or if no edge has the attribute that was asked for.
    """
    attributes: dict[str, None] = {}
    appearing: dict[Label, None] = {}
    alone: set[Label] = set()
    edges = _EdgeLines(directed)
    rows: list[tuple[int, list[str]]] = []
    given_to: dict[tuple[Label, Label], dict[str, object]] = {}
    for line, words in _lines(data, ("#", "%", "//")):
        ends, given = _edge_words(words, bandwidth, line)
        attributes.update(dict.fromkeys(given))
        rows.append((line, ends))
        try:
            labels = [label_of(word) for word in ends[:2]]
            bandwidths = [bandwidth_from_data(word) for word in ends[2:]]
        except InputError as error:
            raise InputError(f"line {line}: {error}") from None
        appearing.update(dict.fromkeys(labels))
        if given:
            given_to[labels[0], labels[1]] = given
        if bandwidths:
            edges.add_link(labels[0], labels[1], bandwidths[0], line)
        elif len(labels) == 2:
            edges.add(labels[0], labels[1], line)
        elif labels[0] in alone:
            raise InputError(f"line {line}: node {_shown(labels[0])} is given twice")
        else:
            alone.add(labels[0])
    refuse_lookalikes(rows)
    require_attribute(bandwidth, attributes, [pair for pair in edges.line_of if pair not in edges.bandwidth])
    bandwidths = [edges.bandwidth.get(pair, 1) for pair in edges.line_of]
    network = Network.from_labels(appearing, edges.line_of, directed=directed, bandwidths=bandwidths)
    of_edges = [
        {**given_to.get(pair, {}), **({bandwidth: 1} if pair in edges.bandwidth else {})}
        for pair in edges.line_of
    ]
    return with_words(network, "edge list", of_edges, name=bandwidth, switches=False)


def _edge_words(words: list[str], bandwidth: str, line: int) -> tuple[list[str], dict[str, object]]:
    """Return the words of an edge or a node, the bandwidth third, and the attributes of a dictionary."""
    text, given = " ".join(words), {}
    if len(words) > 2 and words[2].startswith("{"):
        given = _attributes(" ".join(words[2:]), line)
        third = [str(given[bandwidth])] if bandwidth in given else []
        text = " ".join([*words[:2], *third])
    if not all(part.strip() for part in text.split(",")):
        raise InputError(f"line {line}: a name is missing at a comma: {_shown(text)}")
    ends = text.replace(",", " ").split()
    if len(ends) > 3 or "{}" in ends:
        raise InputError(
            f"line {line}: expected 'u v' or 'u v bandwidth' for an edge or 'u' for a node, not"
            f" {_shown(' '.join(words))}"
        )
    return ends, given


def _attributes(text: str, line: int) -> dict[str, object]:
    """Return a dictionary of attributes, as Python writes it."""
    try:
        given = literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise InputError(f"line {line}: {_shown(text)} is not a dictionary of attributes")
    return {str(name): value for name, value in given.items()}


def compose_edge_list(network: Network) -> bytes:
    """Return an edge list, with the bandwidths, if any, in a third column."""
    labels = network.labels
    lines = ["# arcs: read with --directed"] if network.directed else []
    third = [f" {bandwidth}" for bandwidth in network.bandwidths] or [""] * len(network.edges)
    links = [f"{labels[u]} {labels[v]}{b}" for (u, v), b in zip(network.edges, third, strict=True)]
    # Integers are numbered in sorted order whatever the lines, and one above the links would look like a
    # count; for other labels every node is listed first, which keeps the numbering.
    if all(isinstance(label, int) for label in labels):
        linked = {v for edge in network.edges for v in edge}
        lines += links + [str(label) for v, label in enumerate(labels) if v not in linked]
    else:
        lines += [str(label) for label in labels] + links
    return _bytes(lines)


def parse_dimacs(data: bytes, reading: Reading) -> Network:
    """Return the network of a DIMACS file."""
    n = m = problem_line = listed = weighted = 0
    edges = _EdgeLines()
    for line, words in _lines(data):
        if words[0] == "c":
            continue
        if words[0] == "p" and words[1:2] in (["edge"], ["edges"], ["col"]) and not problem_line:
            n, m = _numbers(words[2:], "n m", line)
            check_size(n, m)
            problem_line = line
        elif words[0] == "n" and problem_line and len(words) == 3:
            weighted += 1
        elif words[0] == "e" and problem_line:
            u, v = _numbers(words[1:], "u v", line)
            listed += 1
            # Many DIMACS files list every edge in both directions.
            if not edges.earlier(u, v):
                edges.add_numbered(u, v, line, n)
        else:
            raise InputError(
                f"line {line}: expected 'c' comments, one 'p edge n m', then lines 'e u v', not"
                f" {_shown(' '.join(words))}"
            )
    if not problem_line:
        raise InputError("the line 'p edge n m' is missing")
    if m not in (listed, len(edges.line_of)):
        raise InputError(
            f"line {problem_line}: {m} edges are announced, but {listed} are listed, {len(edges.line_of)} of"
            " them distinct"
        )
    network = Network.from_labels(range(1, n + 1), edges.line_of)
    return with_words(network, "DIMACS", [], [{"weight": ""}] * weighted)


def compose_dimacs(network: Network) -> bytes:
    """Return a DIMACS file."""
    return _bytes(
        [
            f"p edge {network.node_count} {len(network.edges)}",
            *(f"e {u + 1} {v + 1}" for u, v in network.edges),
        ]
    )


def parse_broadcast_instance(data: bytes, reading: Reading) -> Network:
    """Return the network of a minimum-broadcast-time instance, with its sources."""
    lines = list(_lines(data))
    if not lines:
        raise InputError("the file is empty; its first line must be 'n s m'")
    n, s, m = _numbers(lines[0][1], "n s m", lines[0][0])
    check_size(n, m)
    if len(lines) <= m:
        raise InputError(f"line {lines[0][0]}: {m} edges are announced, but {len(lines) - 1} lines follow")
    edges = _EdgeLines()
    for line, words in lines[1 : m + 1]:
        u, v = _numbers(words, "u v", line)
        edges.add_numbered(u, v, line, n)
    sources: dict[int, None] = {}
    for line, source in (
        (line, *_numbers([word], "source", line)) for line, words in lines[m + 1 :] for word in words
    ):
        if not 1 <= source <= n:
            raise InputError(f"line {line}: the source {source} is outside the nodes 1..{n}")
        if source in sources:
            raise InputError(f"line {line}: the source {source} is given twice")
        sources[source] = None
    if len(sources) != s:
        raise InputError(
            f"line {lines[0][0]}: {s} sources are announced, but {len(sources)} follow the {m} edges"
        )
    return Network.from_labels(range(1, n + 1), edges.line_of, default_sources=tuple(sources))


def compose_broadcast_instance(network: Network) -> bytes:
    """Return a minimum-broadcast-time instance."""
    first = f"{network.node_count} {len(network.default_sources)} {len(network.edges)}"
    edges = (f"{u + 1} {v + 1}" for u, v in network.edges)
    return _bytes([first, *edges, *(str(source + 1) for source in network.default_sources)])


def _parse_edges(data: bytes, reading: Reading) -> Network:
    return parse_edge_list(data, reading.directed, reading.bandwidth)


EDGES = Format("edge list", (".edges", ".edgelist", ".txt"), _parse_edges, compose_edge_list, attributes=True)
DIMACS = Format(
    "DIMACS",
    (".dimacs", ".col", ".gr"),
    parse_dimacs,
    compose_dimacs,
    1,
    head=re.compile(r"(?:c\b.*\n)*p\s+(?:edge|col)\b"),
)
INSTANCE = Format(
    "minimum broadcast time", (".mbt", ".in"), parse_broadcast_instance, compose_broadcast_instance, 1
)
