"""Networks in files: edge lists, DIMACS, graph6, GraphML, node-link JSON, topologies of machines and
minimum-broadcast-time instances, known by their endings, and where several share one by their content.

A format is one record in `_FORMATS`: how its bytes become a network and how a network becomes its bytes.
Of the attributes that GraphML and JSON attach to nodes and edges, the edges' "bandwidth", the nodes' "switch"
and their positions ("x" and "y" in GraphML, "pos" in JSON) are read, and no other.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from io import BytesIO
from os import PathLike
from pathlib import Path
from xml.etree import ElementTree

from schedsolve.errors import InputError
from schedsolve.limits.budget import OverBudgetError, limit_of, spend, within
from schedsolve.network.bandwidths import ATTRIBUTE, SWITCH, bandwidth_from_data
from schedsolve.network.graph import Network
from schedsolve.network.graph6 import network_from_graph6
from schedsolve.network.line_formats import (
    compose_broadcast_instance,
    compose_dimacs,
    compose_edge_list,
    label_of,
    parse_broadcast_instance,
    parse_dimacs,
    parse_edge_list,
    text_of,
)
from schedsolve.network.link_matrix import (
    is_link_matrix,
    is_matrix_text,
    network_from_link_matrix,
    network_from_matrix_text,
)
from schedsolve.network.nccl_topology import network_from_nccl_topology
from schedsolve.network.node_link import network_from_json, network_to_json
from schedsolve.network.nvidia_topology import is_nvidia_topology, network_from_nvidia_topology
from schedsolve.network.positions import with_positions
from schedsolve.network.topology_file import network_from_topology, network_to_topology
from schedsolve.network.understood import understood
from schedsolve.number_reader import parse_json
from schedsolve.whole_file import write_whole


@dataclass(frozen=True)
class _Format:
    """A file format.

    parse: from the bytes of a file, and whether to read an edge list as arcs, to the network; its errors do
    not name the file.
    compose: from a network to the bytes of a file; None for a format that is only read.
    numbered_from: the first node's number in a format that numbers the nodes itself, and so knows neither
    labels nor arcs.
    """

    parse: Callable[[bytes, bool], Network]
    compose: Callable[[Network], bytes] | None
    numbered_from: int | None = None


STANDARD_INPUT = "-"


def is_network_file(spec: str) -> bool:
    """Whether `spec` ends like a network file: .edges .txt .dimacs .col .g6 .graphml .json .topo .xml .mbt
    .in, in capitals or not; or is "-", an edge list on standard input.
    """
    return spec == STANDARD_INPUT or spec.lower().endswith(tuple(_FORMATS))


@within()
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
        most = limit_of("bytes")
        with nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else Path(path).open("rb") as file:
            data = file.read(-1 if most is None else most + 1)
    except (OSError, ValueError) as error:
        raise _unusable(path, "read", error) from None
    try:
        spend("bytes", len(data))
        network = file_format.parse(data, directed)
        if directed and not network.directed:
            raise InputError(
                "the file holds an undirected graph; --directed reads an edge list (.edges) as arcs"
            )
    except OverBudgetError as error:
        raise OverBudgetError(f"{path}: {error}") from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return replace(network, name="standard input" if path == STANDARD_INPUT else Path(path).name)


def write_network(network: Network, path: str | PathLike[str]) -> None:
    """Write the network to a file, in the format that its ending tells.

    Default sources belong to the problem; only .mbt and .in files record them. Arcs in an .edges file need
    `directed` when read again.
    Raises InputError when the format cannot express the labels or the arcs, or the file cannot be written.
    """
    file_format = _format_of(path)
    if file_format.compose is None:
        raise InputError(f"cannot write {path}: the format is only read; write .topo, .json or .edges")
    first, n = file_format.numbered_from, network.node_count
    if first is not None and network.directed:
        raise InputError(f"cannot write {path}: the format has no arcs; write .edges, .graphml or .json")
    if first is not None and not network.is_plain:
        raise InputError(
            f"cannot write {path}: the format has neither bandwidths nor switches; write .topo,"
            " .json or .graphml"
        )
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
    if not survives and network.switches:
        raise InputError(f"cannot write {path}: the format has no switches; write .topo, .json or .graphml")
    if not survives:
        raise InputError(
            f"cannot write {path}: a label is empty, a number kept as text, or has a blank, '#' or a special"
            " character"
        )
    write_whole(data, path)


def _format_of(path: str | PathLike[str]) -> _Format:
    if path == STANDARD_INPUT:
        return _FORMATS[".edges"]
    for ending, file_format in _FORMATS.items():
        if str(path).lower().endswith(ending):
            return file_format
    raise InputError(
        f"the ending of {str(path)!r} tells no network format; the endings are {' '.join(_FORMATS)}"
    )


def _unusable(path: str | PathLike[str], verb: str, error: Exception) -> InputError:
    return InputError(f"cannot {verb} {str(path)!r}: {getattr(error, 'strerror', None) or error}")


def _labelled(network: Network) -> tuple[object, ...]:
    """What a file must preserve: direction, labels, switches, and the edges between labels with their
    bandwidths.
    """
    pairs = [(network.labels[u], network.labels[v]) for u, v in network.edges]
    ends = pairs if network.directed else list(map(frozenset, pairs))
    switches = {network.labels[v] for v in network.switches}
    return (
        network.directed,
        set(network.labels),
        switches,
        set(ends),
        dict(zip(ends, network.bandwidths or (1,) * len(ends), strict=True)),
    )


def _parse_graph6(data: bytes, directed: bool) -> Network:
    lines = [line for line in text_of(data).splitlines() if line.strip()]
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
    edges = [(label_of(u), label_of(v)) for u, v in graph.edges()]
    network = Network.from_labels(
        [label_of(v) for v in graph],
        edges,
        directed=graph.is_directed(),
        bandwidths=[bandwidth_from_data(data.get(ATTRIBUTE, 1)) for _, _, data in graph.edges(data=True)],
        switches=[label_of(v) for v, data in graph.nodes(data=True) if data.get(SWITCH, False) is True],
    )
    places = {label_of(v): (data.get("x"), data.get("y")) for v, data in graph.nodes(data=True)}
    return with_positions(network, places)


def _compose_graphml(network: Network) -> bytes:
    import networkx

    graph = networkx.relabel_nodes(network.to_networkx(), dict(enumerate(map(str, network.labels))))
    for _, _, data in graph.edges(data=True):
        # One type for all edges, as GraphML wants it: text, which keeps fractions.
        data.update({name: str(value) for name, value in data.items()})
    for label, (x, y) in zip(network.labels, network.positions, strict=False):
        graph.nodes[str(label)].update(x=x, y=y)
    target = BytesIO()
    networkx.write_graphml_xml(graph, target)
    return target.getvalue()


def _json_object(data: bytes) -> object:
    text = text_of(data)
    try:
        return parse_json(text)
    except InputError as error:
        raise InputError(f"it cannot be read as JSON: {error}") from None


def _parse_json(data: bytes, directed: bool) -> Network:
    found = _json_object(data)
    return network_from_link_matrix(found) if is_link_matrix(found) else network_from_json(found)


def _parse_topology(data: bytes, directed: bool) -> Network:
    return understood(network_from_topology(_json_object(data)), "topology")


def _parse_nccl_topology(data: bytes, directed: bool) -> Network:
    return network_from_nccl_topology(data)


def _parse_edges(data: bytes, directed: bool) -> Network:
    network = parse_edge_list(data, directed)
    return understood(network, "edge list") if network.bandwidths else network


def _parse_text(data: bytes, directed: bool) -> Network:
    """A matrix that `nvidia-smi topo -m` printed, a matrix of links, or an edge list."""
    text = text_of(data)
    if is_nvidia_topology(text):
        return network_from_nvidia_topology(text)
    return network_from_matrix_text(text) if is_matrix_text(text) else _parse_edges(data, directed)


def _compose_topology(network: Network) -> bytes:
    return (json.dumps(network_to_topology(network)) + "\n").encode()


def _compose_json(network: Network) -> bytes:
    return (json.dumps(network_to_json(network), indent=1) + "\n").encode()


_DIMACS = _Format(parse_dimacs, compose_dimacs, numbered_from=1)
_BROADCAST_INSTANCE = _Format(parse_broadcast_instance, compose_broadcast_instance, numbered_from=1)
_FORMATS = {
    ".edges": _Format(_parse_edges, compose_edge_list),
    ".txt": _Format(_parse_text, compose_edge_list),
    ".dimacs": _DIMACS,
    ".col": _DIMACS,
    ".g6": _Format(_parse_graph6, _compose_graph6, numbered_from=0),
    ".graphml": _Format(_parse_graphml, _compose_graphml),
    ".json": _Format(_parse_json, _compose_json),
    ".topo": _Format(_parse_topology, _compose_topology),
    ".xml": _Format(_parse_nccl_topology, None),
    ".mbt": _BROADCAST_INSTANCE,
    ".in": _BROADCAST_INSTANCE,
}
