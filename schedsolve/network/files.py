"""Networks in files: edge lists, DIMACS, graph6, GraphML, node-link JSON and minimum-broadcast-time
instances, known by their endings.

A format is one record in `_FORMATS`: how its bytes become a network and how a network becomes its bytes.
Attributes that GraphML and JSON attach to nodes and edges are not read.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from io import BytesIO
from os import PathLike
from pathlib import Path
from reprlib import repr as _shown
from typing import Any
from xml.etree import ElementTree

from schedsolve.errors import InputError
from schedsolve.network.graph import Label, Network, check_size
from schedsolve.network.graph6 import network_from_graph6


@dataclass(frozen=True)
class _Format:
    """A file format.

    parse: from the bytes of a file, and whether to read an edge list as arcs, to the network; its errors do
    not name the file.
    compose: from a network to the bytes of a file.
    numbered_from: the first node's number in a format that numbers the nodes itself, and so knows neither
    labels nor arcs.
    """

    parse: Callable[[bytes, bool], Network]
    compose: Callable[[Network], bytes]
    numbered_from: int | None = None


def is_network_file(spec: str) -> bool:
    """Whether `spec` ends like a network file: .edges .dimacs .col .g6 .graphml .json .mbt .in, in capitals
    or not.
    """
    return spec.lower().endswith(tuple(_FORMATS))


def read_network(path: str | PathLike[str], *, directed: bool = False) -> Network:
    """The network in a file, whose ending tells the format.

    directed: read the lines of an edge list as arcs; GraphML and JSON say for themselves whether their edges
    are arcs.
    Returns it with the labels of the file (counted from 1 in DIMACS and minimum-broadcast-time files, from 0
    in graph6) and the file's name; a minimum-broadcast-time file also gives the default sources.
    Raises InputError, naming the file, when it cannot be read, is malformed, or is undirected although
    `directed` asks for arcs.
    """
    file_format = _format_of(path)
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise _unusable(path, "read", error) from None
    try:
        network = file_format.parse(data, directed)
        if directed and not network.directed:
            raise InputError(
                "the file holds an undirected graph; --directed reads an edge list (.edges) as arcs"
            )
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return replace(network, name=Path(path).name)


def write_network(network: Network, path: str | PathLike[str]) -> None:
    """Write the network to a file, in the format that its ending tells.

    Default sources belong to the problem; only .mbt and .in files record them. Arcs in an .edges file need
    `directed` when read again.
    Raises InputError when the format cannot express the labels or the arcs, or the file cannot be written.
    """
    file_format = _format_of(path)
    first, n = file_format.numbered_from, network.node_count
    if first is not None and network.directed:
        raise InputError(f"cannot write {path}: the format has no arcs; write .edges, .graphml or .json")
    if first is not None and network.labels != tuple(range(first, first + n)):
        raise InputError(
            f"cannot write {path}: the format numbers the nodes {first}..{first + n - 1}; to keep the labels"
            " write .json"
        )
    try:
        data = file_format.compose(network)
        survives = _labelled(file_format.parse(data, network.directed)) == _labelled(network)
    except ValueError:
        survives = False
    if not survives:
        raise InputError(
            f"cannot write {path}: a label is empty, a number kept as text, or has a blank, '#' or a special"
            " character"
        )
    try:
        Path(path).write_bytes(data)
    except (OSError, ValueError) as error:
        raise _unusable(path, "write", error) from None


def network_to_json(network: Network) -> dict[str, Any]:
    """The network as node-link JSON: {"directed": bool, "nodes": [{"id": label}], "edges": [{"source": label,
    "target": label}]}.
    """
    labels = network.labels
    return {
        "directed": network.directed,
        "nodes": [{"id": label} for label in labels],
        "edges": [{"source": labels[u], "target": labels[v]} for u, v in network.edges],
    }


def network_from_json(obj: object) -> Network:
    """The network that node-link JSON describes, as `network_to_json` or networkx writes it ("links" may
    stand for "edges").

    Raises InputError for another structure, a multigraph, labels other than integers and printable text, a
    node given twice, an edge whose end is not among the nodes, a self-loop or a double edge.
    """
    if not isinstance(obj, dict) or ("edges" in obj) == ("links" in obj):
        raise InputError('a node-link network is an object with "nodes" and either "edges" or "links"')
    nodes, edges = obj.get("nodes"), obj.get("edges", obj.get("links"))
    if not isinstance(nodes, list) or not isinstance(edges, list):
        raise InputError('"nodes" and "edges" (or "links") must be lists of objects')
    directed = obj.get("directed", False)
    if not isinstance(directed, bool):
        raise InputError('"directed" must be true or false')
    if obj.get("multigraph", False) is not False:
        raise InputError("a multigraph cannot be read; give every edge once")
    labels: dict[Label, None] = {}
    for item in nodes:
        label = _json_label(item, "id")
        if label in labels:
            raise InputError(f"node {_shown(label)} is given twice")
        labels[label] = None
    pairs = [(_json_label(item, "source"), _json_label(item, "target")) for item in edges]
    for end in (end for pair in pairs for end in pair):
        if end not in labels:
            raise InputError(f"an edge names {_shown(end)}, which is not among the nodes")
    return Network.from_labels(labels, pairs, directed=directed)


def _format_of(path: str | PathLike[str]) -> _Format:
    for ending, file_format in _FORMATS.items():
        if str(path).lower().endswith(ending):
            return file_format
    raise InputError(
        f"the ending of {str(path)!r} tells no network format; the endings are {' '.join(_FORMATS)}"
    )


def _unusable(path: str | PathLike[str], verb: str, error: Exception) -> InputError:
    return InputError(f"cannot {verb} {str(path)!r}: {getattr(error, 'strerror', None) or error}")


def _labelled(network: Network) -> tuple[bool, set[Label], set[tuple[Label, Label] | frozenset[Label]]]:
    """What a file must preserve: direction, labels, and the edges between labels."""
    pairs = [(network.labels[u], network.labels[v]) for u, v in network.edges]
    return (
        network.directed,
        set(network.labels),
        set(pairs) if network.directed else set(map(frozenset, pairs)),
    )


def _label(text: str) -> Label:
    """The label that a word in a file stands for: an integer in its usual writing is an int, anything else
    the text itself.
    """
    if not text or not text.isprintable():
        raise InputError(f"{_shown(text)} is not printable text and cannot be a label; is this a text file?")
    return int(text) if re.fullmatch("0|-?[1-9][0-9]{0,17}", text) else text


def _json_label(item: object, key: str) -> Label:
    label = item.get(key) if isinstance(item, dict) else None
    if isinstance(label, bool) or not isinstance(label, int | str):
        raise InputError(f'{_shown(item)} needs "{key}", a label that is an integer or text')
    if isinstance(label, str) and not (label and label.isprintable()):
        raise InputError(f"{_shown(label)} is not printable text and cannot be a label")
    return label


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8 text") from None


def _lines(data: bytes, comment: str | None = None) -> Iterator[tuple[int, list[str]]]:
    """The lines that are not blank, as their numbers from 1 and their words, without what follows the comment
    sign.
    """
    for number, line in enumerate(re.split("\r\n|\r|\n", _text(data)), start=1):
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
    """The edges of a text file, each with its line so that a refusal can name it."""

    directed: bool = False
    line_of: dict[tuple[Label, Label], int] = field(default_factory=dict)

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

    def add_numbered(self, u: int, v: int, line: int, nodes: int) -> None:
        if not (1 <= u <= nodes and 1 <= v <= nodes):
            raise InputError(f"line {line}: the edge {u} {v} is outside the nodes 1..{nodes}")
        self.add(u, v, line)


def _parse_edge_list(data: bytes, directed: bool) -> Network:
    appearing: dict[Label, None] = {}
    alone: set[Label] = set()
    edges = _EdgeLines(directed)
    for line, words in _lines(data, comment="#"):
        # networkx ends every line of its edge lists with the edge's empty dictionary.
        ends = words[:2] if words[2:] == ["{}"] else words
        if len(ends) > 2 or "{}" in ends:
            raise InputError(
                f"line {line}: expected 'u v' for an edge or 'u' for a node, without weights, not"
                f" {_shown(' '.join(words))}"
            )
        if (len(ends) == 1 and "," in ends[0].strip(",")) or any(word.endswith(",") for word in ends):
            raise InputError(
                f"line {line}: separate the two names by a space, without a comma: not"
                f" {_shown(' '.join(words))}"
            )
        try:
            labels = [_label(word) for word in ends]
        except InputError as error:
            raise InputError(f"line {line}: {error}") from None
        appearing.update(dict.fromkeys(labels))
        if len(labels) == 2:
            edges.add(labels[0], labels[1], line)
        elif labels[0] in alone:
            raise InputError(f"line {line}: node {_shown(labels[0])} is given twice")
        else:
            alone.add(labels[0])
    return Network.from_labels(appearing, edges.line_of, directed=directed)


def _compose_edge_list(network: Network) -> bytes:
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
    lines += [f"{labels[u]} {labels[v]}" for u, v in network.edges]
    return _bytes(lines)


def _parse_dimacs(data: bytes, directed: bool) -> Network:
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


def _compose_dimacs(network: Network) -> bytes:
    return _bytes(
        [
            f"p edge {network.node_count} {len(network.edges)}",
            *(f"e {u + 1} {v + 1}" for u, v in network.edges),
        ]
    )


def _parse_broadcast_instance(data: bytes, directed: bool) -> Network:
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


def _compose_broadcast_instance(network: Network) -> bytes:
    first = f"{network.node_count} {len(network.default_sources)} {len(network.edges)}"
    edges = (f"{u + 1} {v + 1}" for u, v in network.edges)
    return _bytes([first, *edges, *(str(source + 1) for source in network.default_sources)])


def _parse_graph6(data: bytes, directed: bool) -> Network:
    lines = [line for line in _text(data).splitlines() if line.strip()]
    if len(lines) != 1:
        raise InputError(f"the file holds {len(lines)} graph6 lines; it must hold exactly one graph")
    return network_from_graph6(lines[0])


def _compose_graph6(network: Network) -> bytes:
    import networkx

    return bytes(networkx.to_graph6_bytes(network.to_networkx(), header=False))


def _parse_graphml(data: bytes, directed: bool) -> Network:
    import networkx

    try:
        elements = [(e.tag.rpartition("}")[2], e.get("id")) for e in ElementTree.fromstring(data).iter()]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            graph = networkx.read_graphml(BytesIO(data), node_type=str)
    except Exception as error:
        # What networkx's reader raises depends on where the XML leads it, so no list of exceptions would be
        # complete.
        reason = str(error).partition("\n")[0]
        raise InputError(f"it cannot be read as GraphML: {reason}") from None
    if [tag for tag, _ in elements].count("graph") != 1:
        raise InputError("the file must hold exactly one graph")
    if sorted(graph) != sorted(name or "" for tag, name in elements if tag == "node"):
        raise InputError("every node needs one <node> element with an id of its own")
    if graph.is_multigraph():
        raise InputError("two edges join the same nodes; give every edge once")
    edges = [(_label(u), _label(v)) for u, v in graph.edges()]
    return Network.from_labels([_label(v) for v in graph], edges, directed=graph.is_directed())


def _compose_graphml(network: Network) -> bytes:
    import networkx

    graph = networkx.relabel_nodes(network.to_networkx(), dict(enumerate(map(str, network.labels))))
    target = BytesIO()
    networkx.write_graphml_xml(graph, target)
    return target.getvalue()


def _parse_json(data: bytes, directed: bool) -> Network:
    text = _text(data)
    try:
        obj = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"it cannot be read as JSON: {error}") from None
    return network_from_json(obj)


def _compose_json(network: Network) -> bytes:
    return (json.dumps(network_to_json(network), indent=1) + "\n").encode()


_DIMACS = _Format(_parse_dimacs, _compose_dimacs, numbered_from=1)
_BROADCAST_INSTANCE = _Format(_parse_broadcast_instance, _compose_broadcast_instance, numbered_from=1)
_FORMATS = {
    ".edges": _Format(_parse_edge_list, _compose_edge_list),
    ".dimacs": _DIMACS,
    ".col": _DIMACS,
    ".g6": _Format(_parse_graph6, _compose_graph6, numbered_from=0),
    ".graphml": _Format(_parse_graphml, _compose_graphml),
    ".json": _Format(_parse_json, _compose_json),
    ".mbt": _BROADCAST_INSTANCE,
    ".in": _BROADCAST_INSTANCE,
}
