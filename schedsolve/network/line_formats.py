"""Networks in text files of lines: edge lists, DIMACS, and minimum-broadcast-time instances."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from reprlib import repr as _shown

from schedsolve.errors import InputError
from schedsolve.network.bandwidths import Bandwidth, bandwidth_from_data
from schedsolve.network.graph import Label, Network, check_size


def label_of(text: str) -> Label:
    """The label that a word in a file stands for: an integer in its usual writing is an int, anything else
    the text itself.
    """
    if not text or not text.isprintable():
        raise InputError(f"{_shown(text)} is not printable text and cannot be a label; is this a text file?")
    return int(text) if re.fullmatch("0|-?[1-9][0-9]{0,17}", text) else text


def text_of(data: bytes) -> str:
    """The text of a file. Raises InputError where it is no UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8 text") from None


def _lines(data: bytes, comment: str | None = None) -> Iterator[tuple[int, list[str]]]:
    """The lines that are not blank, as their numbers from 1 and their words, without what follows the comment
    sign.
    """
    for number, line in enumerate(re.split("\r\n|\r|\n", text_of(data)), start=1):
        words = (line.partition(comment)[0] if comment else line).split()
        if words:
            yield number, words


def _bytes(lines: list[str]) -> bytes:
    return "".join(line + "\n" for line in lines).encode()


def _numbers(words: list[str], form: str, line: int) -> list[int]:
    """The natural numbers on a line that should look like `form`, one number for every word of it."""
    if len(words) != len(form.split()) or not all(re.fullmatch("[0-9]{1,18}", word) for word in words):
        raise InputError(f"line {line}: expected the numbers '{form}', not {_shown(' '.join(words))}")
    return [int(word) for word in words]


@dataclass
class _EdgeLines:
    """The edges of a text file, each with its line so that a refusal can name it.

    bandwidth: of the edges that were given with one; parallel links add up.
    """

    directed: bool = False
    line_of: dict[tuple[Label, Label], int] = field(default_factory=dict)
    bandwidth: dict[tuple[Label, Label], Bandwidth] = field(default_factory=dict)

    def earlier(self, u: Label, v: Label) -> int | None:
        """The line that gave the edge; None when there was none."""
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
        """Add an edge with a bandwidth, or its bandwidth to that of an edge with a bandwidth."""
        pair = (v, u) if not self.directed and (v, u) in self.bandwidth else (u, v)
        if pair not in self.bandwidth:
            self.add(u, v, line)
        self.bandwidth[pair] = self.bandwidth.get(pair, 0) + bandwidth

    def add_numbered(self, u: int, v: int, line: int, nodes: int) -> None:
        if not (1 <= u <= nodes and 1 <= v <= nodes):
            raise InputError(f"line {line}: the edge {u} {v} is outside the nodes 1..{nodes}")
        self.add(u, v, line)


def parse_edge_list(data: bytes, directed: bool) -> Network:
    """The network of an edge list: lines 'u v', 'u v bandwidth', or 'u' for a node without edges, separated
    by blanks or commas.

    directed: its lines are arcs. Links that are given twice with a bandwidth are parallel, and add up.
    """
    appearing: dict[Label, None] = {}
    alone: set[Label] = set()
    edges = _EdgeLines(directed)
    for line, words in _lines(data, comment="#"):
        # networkx ends every line of its edge lists with the edge's empty dictionary.
        text = " ".join(words[:2] if words[2:] == ["{}"] else words)
        if not all(part.strip() for part in text.split(",")):
            raise InputError(f"line {line}: a name is missing at a comma: {_shown(text)}")
        ends = text.replace(",", " ").split()
        if len(ends) > 3 or "{}" in ends:
            raise InputError(
                f"line {line}: expected 'u v' or 'u v bandwidth' for an edge or 'u' for a node, not"
                f" {_shown(' '.join(words))}"
            )
        try:
            labels = [label_of(word) for word in ends[:2]]
            bandwidths = [bandwidth_from_data(word) for word in ends[2:]]
        except InputError as error:
            raise InputError(f"line {line}: {error}") from None
        appearing.update(dict.fromkeys(labels))
        if bandwidths:
            edges.add_link(labels[0], labels[1], bandwidths[0], line)
        elif len(labels) == 2:
            edges.add(labels[0], labels[1], line)
        elif labels[0] in alone:
            raise InputError(f"line {line}: node {_shown(labels[0])} is given twice")
        else:
            alone.add(labels[0])
    bandwidths = [edges.bandwidth.get(pair, 1) for pair in edges.line_of]
    return Network.from_labels(appearing, edges.line_of, directed=directed, bandwidths=bandwidths)


def compose_edge_list(network: Network) -> bytes:
    """An edge list, with the bandwidths in a third column where there are any."""
    labels = network.labels
    lines = ["# arcs: read with --directed"] if network.directed else []
    # Integers are numbered in sorted order whatever the lines; for other labels every node is listed first,
    # which keeps the numbering.
    needless = (
        {v for edge in network.edges for v in edge}
        if all(isinstance(label, int) for label in labels)
        else set()
    )
    lines += [str(label) for v, label in enumerate(labels) if v not in needless]
    third = [f" {bandwidth}" for bandwidth in network.bandwidths] or [""] * len(network.edges)
    lines += [f"{labels[u]} {labels[v]}{b}" for (u, v), b in zip(network.edges, third, strict=True)]
    return _bytes(lines)


def parse_dimacs(data: bytes, directed: bool) -> Network:
    """The network of a DIMACS file."""
    n = m = problem_line = listed = 0
    edges = _EdgeLines()
    for line, words in _lines(data):
        if words[0] == "c":
            continue
        if words[0] == "p" and words[1:2] in (["edge"], ["col"]) and not problem_line:
            n, m = _numbers(words[2:], "n m", line)
            check_size(n, m)
            problem_line = line
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
    return Network.from_labels(range(1, n + 1), edges.line_of)


def compose_dimacs(network: Network) -> bytes:
    """A DIMACS file."""
    return _bytes(
        [
            f"p edge {network.node_count} {len(network.edges)}",
            *(f"e {u + 1} {v + 1}" for u, v in network.edges),
        ]
    )


def parse_broadcast_instance(data: bytes, directed: bool) -> Network:
    """The network of a minimum-broadcast-time instance, with its sources."""
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
    """A minimum-broadcast-time instance."""
    first = f"{network.node_count} {len(network.default_sources)} {len(network.edges)}"
    edges = (f"{u + 1} {v + 1}" for u, v in network.edges)
    return _bytes([first, *edges, *(str(source + 1) for source in network.default_sources)])
