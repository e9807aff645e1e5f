"""Files of graphs that networkx reads and writes, and digraph6, which it does not."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

from schedsolve.network.files.graph6 import network_from_graph6
from schedsolve.network.files.line_formats import label_of, text_of
from schedsolve.network.files.reading import Format, Reading, network_of_items
from schedsolve.network.graph import Label, Network
from schedsolve.network.positions import with_positions
from schedsolve.network.sizes import check_size
from schedsolve.runtime.errors import InputError

POSITIONS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "GraphML": lambda data: (data.get("x"), data.get("y")),
    "GML": lambda data: tuple((data.get("graphics") or {}).get(axis) for axis in "xy"),
    "GEXF": lambda data: tuple(
        ((data.get("viz") or {}).get("position") or {}).get(axis) for axis in "xy"
    ),
}  # fmt: skip
"""Where a node's position stands in its attributes."""
USED = ("x", "y", "graphics", "viz", "label", "id", "shape")
"""Attributes of nodes that say no more than labels and positions, or that networkx adds."""


def _network(graph: Any, form: str, reading: Reading) -> Network:
    """Return the network of a networkx graph, parallel edges joined."""
    nodes = dict(graph.nodes(data=True))
    network = network_of_items(
        nodes,
        graph.edges(data=True),
        form,
        reading,
        directed=graph.is_directed(),
        used=USED,
        label=_label,
    )
    if form not in POSITIONS:
        return network
    return with_positions(network, {_label(v): POSITIONS[form](data) for v, data in nodes.items()})


def _label(node: Any) -> Label:
    return node if isinstance(node, int) and not isinstance(node, bool) else label_of(str(node))


def read_by_networkx(form: str, read: Callable[[Any], Any]) -> Any:
    """Return what a reader of networkx makes of a file.

    Raises
    ------
    InputError
        If it raises anything: what it raises depends on where the file leads it, so no list of exceptions
        would be complete.
    """
    import networkx

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return read(networkx)
    except Exception as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"it cannot be read as {form}: {reason}") from None


def _labelled_graph(network: Network) -> Any:
    """Return the networkx graph on the labels as text, with bandwidths as text, which keeps fractions."""
    import networkx

    from schedsolve.network.other_libraries import plain_graph

    graph = networkx.relabel_nodes(plain_graph(network), dict(enumerate(map(str, network.labels))))
    for _, _, data in graph.edges(data=True):
        data.update({name: str(value) for name, value in data.items()})
    return graph


def parse_graphml(data: bytes, reading: Reading) -> Network:
    """Return the network of a GraphML file."""
    graph = read_by_networkx("GraphML", lambda nx: nx.read_graphml(BytesIO(data), node_type=str))
    elements = [(e.tag.rpartition("}")[2], e.get("id")) for e in ElementTree.fromstring(data).iter()]
    if [tag for tag, _ in elements].count("graph") != 1:
        raise InputError("the file must hold exactly one graph")
    if sorted(graph) != sorted(name or "" for tag, name in elements if tag == "node"):
        raise InputError("every node needs one <node> element with an id of its own")
    return _network(graph, "GraphML", reading)


def compose_graphml(network: Network) -> bytes:
    """Return a GraphML file."""
    import networkx

    graph = _labelled_graph(network)
    for label, (x, y) in zip(network.labels, network.positions, strict=False):
        graph.nodes[str(label)].update(x=x, y=y)
    target = BytesIO()
    networkx.write_graphml_xml(graph, target)
    return target.getvalue()


def parse_gml(data: bytes, reading: Reading) -> Network:
    """Return the network of a GML file; its nodes are their labels, or ids where labels repeat."""
    text = text_of(data)
    if not re.search(r"(?m)^\s*multigraph\b", text):
        # Many files with parallel edges, those of the Topology Zoo, do not say that they have them.
        text = re.sub(r"\bgraph(\s*)\[", r"graph\1[ multigraph 1", text, count=1)
    try:
        graph = read_by_networkx("GML", lambda nx: nx.parse_gml(text, label="label"))
    except InputError:
        graph = read_by_networkx("GML", lambda nx: nx.parse_gml(text, label="id"))
    return _network(graph, "GML", reading)


def compose_gml(network: Network) -> bytes:
    """Return a GML file."""
    import networkx

    graph = _labelled_graph(network)
    for v, label in enumerate(network.labels):
        if v in network.switches:
            graph.nodes[str(label)]["switch"] = 1
        if network.positions:
            x, y = network.positions[v]
            graph.nodes[str(label)]["graphics"] = {"x": x, "y": y}
    return "".join(line + "\n" for line in networkx.generate_gml(graph)).encode()


def parse_gexf(data: bytes, reading: Reading) -> Network:
    """Return the network of a GEXF file; its nodes are their labels, or ids where labels repeat or lack."""
    import networkx

    graph = read_by_networkx("GEXF", lambda nx: nx.read_gexf(BytesIO(data), node_type=str))
    labels = {v: label for v, label in graph.nodes(data="label") if label}
    if len(set(labels.values())) == len(graph):
        graph = networkx.relabel_nodes(graph, labels)
    for _, _, attributes in graph.edges(data=True):
        attributes.pop("id", None)
    return _network(graph, "GEXF", reading)


def compose_gexf(network: Network) -> bytes:
    """Return a GEXF file."""
    import networkx

    graph = _labelled_graph(network)
    for label, (x, y) in zip(network.labels, network.positions, strict=False):
        graph.nodes[str(label)]["viz"] = {"position": {"x": x, "y": y, "z": 0.0}}
    target = BytesIO()
    networkx.write_gexf(graph, target)
    return target.getvalue()


def parse_adjacency(data: bytes, reading: Reading) -> Network:
    """Return the network of an adjacency list: a node, then its neighbours, on each line."""
    import networkx

    kind = networkx.DiGraph if reading.directed else networkx.Graph
    lines = _adjacency_lines(text_of(data))
    graph = read_by_networkx("an adjacency list", lambda nx: nx.parse_adjlist(lines, create_using=kind))
    return _network(graph, "adjacency list", reading)


def _adjacency_lines(text: str) -> list[str]:
    """Return the lines with blanks between nodes, where commas or a colon behind the first separate them.

    Raises
    ------
    InputError
        If it is networkx's multiline adjacency list.
    """
    lines = [words for line in text.splitlines() if (words := line.partition("#")[0].split())]
    if _is_multiline(lines):
        raise InputError(
            "this looks like a multiline adjacency list of networkx, which is not read; write it with"
            " networkx.write_adjlist or write_edgelist"
        )
    if all(len(words) == 1 for words in lines) and any("," in words[0] for words in lines):
        return [words[0].replace(",", " ") for words in lines]
    if lines and all(words[0].endswith(":") and len(words[0]) > 1 for words in lines):
        return [" ".join([words[0][:-1], *words[1:]]).replace(",", " ") for words in lines]
    return [" ".join(words) for words in lines]


def _is_multiline(lines: list[list[str]]) -> bool:
    """Whether every node has a line with its number of neighbours, and a line for each of these."""
    heads: list[str] = []
    ends: set[str] = set()
    at = 0
    while at < len(lines):
        if len(lines[at]) != 2 or not re.fullmatch("[0-9]{1,9}", lines[at][1]):
            return False
        below = lines[at + 1 : at + 1 + int(lines[at][1])]
        if len(below) < int(lines[at][1]) or any(len(x) > 1 and x[1][0] != "{" for x in below):
            return False
        heads.append(lines[at][0])
        ends.update(words[0] for words in below)
        at += 1 + len(below)
    return bool(ends) and len(set(heads)) == len(heads) and ends <= set(heads)


def compose_adjacency(network: Network) -> bytes:
    """Return an adjacency list."""
    import networkx

    if not network.is_plain:
        raise ValueError("an adjacency list has no bandwidths and no switches")
    return "".join(line + "\n" for line in networkx.generate_adjlist(_labelled_graph(network))).encode()


def _only_line(data: bytes, form: str) -> str:
    lines = [line for line in text_of(data).splitlines() if line.strip()]
    if len(lines) != 1:
        raise InputError(f"the file holds {len(lines)} {form} lines; it must hold exactly one graph")
    return lines[0].strip()


def parse_graph6(data: bytes, reading: Reading) -> Network:
    """Return the network of a graph6 file."""
    return network_from_graph6(_only_line(data, "graph6"))


def compose_graph6(network: Network) -> bytes:
    """Return a graph6 file."""
    import networkx

    from schedsolve.network.other_libraries import plain_graph

    return bytes(networkx.to_graph6_bytes(plain_graph(network), header=False))


def parse_sparse6(data: bytes, reading: Reading) -> Network:
    """Return the network of a sparse6 file."""
    text = _only_line(data, "sparse6").removeprefix(">>sparse6<<")
    if not text.startswith(":"):
        raise InputError("a sparse6 string begins with ':'")
    graph = read_by_networkx("sparse6", lambda nx: nx.from_sparse6_bytes(text.encode("ascii")))
    return _network(graph, "sparse6", reading)


def compose_sparse6(network: Network) -> bytes:
    """Return a sparse6 file."""
    import networkx

    from schedsolve.network.other_libraries import plain_graph

    return bytes(networkx.to_sparse6_bytes(plain_graph(network), header=False))


def parse_digraph6(data: bytes, reading: Reading) -> Network:
    """Return the network of a digraph6 file: '&', the number of nodes, and the adjacency matrix by rows.

    Where every arc has its reverse it is undirected, unless arcs are asked for.

    References
    ----------
    McKay, formats.txt of nauty.
    """
    text = _only_line(data, "digraph6").removeprefix(">>digraph6<<")
    values = [ord(character) - 63 for character in text[1:]]
    if not text.startswith("&") or not values or not all(0 <= x < 64 for x in values):
        raise InputError("a digraph6 string begins with '&', and its other characters run from ? to ~")
    width = 1 if values[0] < 63 else 4 if values[1:2] != [63] else 8
    if len(values) < width:
        raise InputError("the digraph6 string ends within its number of nodes")
    n = 0
    for x in values[{1: 0, 4: 1, 8: 2}[width] : width]:
        n = 64 * n + x
    check_size(n, 0)
    bits = "".join(f"{x:06b}" for x in values[width:])
    if n < 1 or len(values) - width != -(-n * n // 6):
        raise InputError("the length of the digraph6 string does not fit its number of nodes")
    arcs = {divmod(place, n) for place in range(n * n) if bits[place] == "1"}
    if reading.directed or not arcs or any((v, u) not in arcs for u, v in arcs):
        return Network(n, tuple(arcs), directed=True)
    return Network(n, tuple((u, v) for u, v in arcs if u <= v))


def compose_digraph6(network: Network) -> bytes:
    """Return a digraph6 file."""
    n, arcs = network.node_count, network.arc_set
    bits = "".join("1" if (u, v) in arcs else "0" for u in range(n) for v in range(n))
    bits += "0" * (-len(bits) % 6)
    head = [n] if n < 63 else [63, *(n >> shift & 63 for shift in (12, 6, 0))]
    if n >= 1 << 18:
        raise ValueError("the network is too large for a matrix")
    body = [int(bits[i : i + 6], 2) for i in range(0, len(bits), 6)]
    return ("&" + "".join(chr(63 + x) for x in [*head, *body]) + "\n").encode()


GRAPHML = Format("GraphML", (".graphml",), parse_graphml, compose_graphml, attributes=True, root="graphml")
_GML_HEAD = r"(?:\s*(?:#.*|creator\b.*|comment\b.*|version\b.*)\n)*\s*graph\s*\["
GML = Format(
    "GML", (".gml",), parse_gml, compose_gml, attributes=True, head=re.compile(_GML_HEAD, re.IGNORECASE)
)
GEXF = Format("GEXF", (".gexf",), parse_gexf, compose_gexf, attributes=True, root="gexf")
ADJACENCY = Format("adjacency list", (".adjlist",), parse_adjacency, compose_adjacency)
GRAPH6 = Format("graph6", (".g6",), parse_graph6, compose_graph6, 0, head=re.compile(">>graph6<<"))
SPARSE6 = Format("sparse6", (".s6",), parse_sparse6, compose_sparse6, 0, head=re.compile(">>sparse6<<"))
DIGRAPH6 = Format(
    "digraph6", (".d6",), parse_digraph6, compose_digraph6, 0, arcs=None, head=re.compile(">>digraph6<<")
)
