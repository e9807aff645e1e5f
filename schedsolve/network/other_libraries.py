"""Networks from what other libraries hold (networkx graphs, edges, adjacency matrices), and back."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from numbers import Integral
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from schedsolve.network.bandwidths import ATTRIBUTE, SWITCH, bandwidth_from_data
from schedsolve.network.files.reading import require_attribute
from schedsolve.network.graph import Label, Network, NetworkLike
from schedsolve.network.positions import POSITION, with_positions
from schedsolve.runtime.errors import InputError, shown

if TYPE_CHECKING:
    import networkx

MOST_NODES_IN_NAME = 36
"""The most nodes of an anonymous graph that is named by its graph6 string."""


@dataclass(frozen=True)
class Attributes:
    """What a networkx graph says of itself, its nodes and its edges, by the numbers of the nodes.

    anonymous: whether it has no name, so that the network's is its graph6 string.
    """

    graph: Mapping[Any, Any] = field(default_factory=dict)
    nodes: Mapping[int, Mapping[Any, Any]] = field(default_factory=dict)
    edges: Mapping[tuple[int, int], Mapping[Any, Any]] = field(default_factory=dict)
    anonymous: bool = False


def network_of(
    given: NetworkLike, *, weight: str | None = ATTRIBUTE, directed: bool = False, name: str = ""
) -> Network:
    """Return the network that is given in any of the usual forms.

    Parameters
    ----------
    given
        A network; the text of one, such as "cycle:9", or an edge list of several lines; a file; a networkx
        Graph or DiGraph, or its edges; edges (u, v), (u, v, bandwidth) or (u, v, attributes); neighbors by
        node, {u: [v, ...]}; an adjacency matrix of numpy or scipy, whose entries other than 0 are the
        bandwidths; or a DataFrame, which is such a matrix with the nodes as index and columns, or has
        the columns "source" and "target", and the one that `weight` names if it has it.
    weight
        The edge attribute that is the bandwidth; None to read none, of a matrix neither.
    directed
        Whether edges are arcs and an edge-list file is read as arcs. A matrix that is not symmetric has arcs.
    name
        The network's name, for display, in place of its own.

    Raises
    ------
    InputError
        If nothing of the kind is given, and as the class does.

    ```pycon
    >>> Network.of([("a", "b"), ("b", ("c", 1))]).nodes
    ('a', 'b', ('c', 1))

    ```
    """
    if isinstance(given, Network):
        network = given
    elif isinstance(given, str | PathLike):
        network = _network_of_text(given, directed, weight)
    elif hasattr(given, "is_multigraph"):
        return network_of_graph(given, name, weight)
    elif hasattr(given, "columns"):
        return _network_of_frame(given, weight, directed, name)
    elif len(getattr(given, "shape", ())) > 1:
        return _network_of_matrix(given, None, weight, directed, name)
    elif isinstance(given, Mapping) and not isinstance(given, Set):
        return network_of_graph(_graph_of_neighbors(given, directed), name, weight)
    elif isinstance(given, Iterable) and not isinstance(given, bytes):
        # The edges of a networkx DiGraph are a view that knows it by its class alone.
        arcs = type(given).__name__ in ("OutEdgeView", "OutEdgeDataView")
        return _network_of_edges(given, weight, directed or arcs, name)
    else:
        raise InputError(
            "a network is a Network, a text such as cycle:9, a file, a networkx graph, a list of edges or an"
            f" adjacency matrix; not {shown(given)}"
        )
    if directed and not network.directed:
        raise InputError(f"{network.name or 'the network'} is undirected; it cannot be taken as directed")
    if weight not in (ATTRIBUTE, None) and not isinstance(given, str | PathLike):
        raise InputError(f'a network has bandwidths, and no attribute "{weight}"')
    network = network if weight else network.plain()
    return replace(network, name=name) if name else network


def _network_of_text(given: str | PathLike[str], directed: bool, weight: str | None) -> Network:
    from schedsolve.network.files.line_formats import parse_edge_list

    text = fspath(given)
    if "\n" in text:
        return parse_edge_list(text.encode(), directed, weight or ATTRIBUTE)
    return Network.from_spec(text, directed=directed, bandwidth=weight or ATTRIBUTE)


def network_of_graph(graph: Any, name: str = "", weight: str | None = ATTRIBUTE) -> Network:
    """Return the network of a networkx Graph or DiGraph, which `to_networkx` gives back; see `Network`.

    Raises
    ------
    InputError
        If the graph is a multigraph, an edge lacks the attribute `weight` where that is none but the usual
        "bandwidth", and as the class does.
    """
    if graph.is_multigraph():
        raise InputError(
            "a multigraph has several edges between two nodes; convert it to a Graph or DiGraph first"
        )
    if weight is not None and graph.number_of_edges():
        known = dict.fromkeys(str(key) for *_, data in graph.edges(data=True) for key in data)
        lacking = [(u, v) for u, v, data in graph.edges(data=True) if weight not in data]
        require_attribute(weight, known, lacking)
    edges = [(u, v, 1 if weight is None else data.get(weight, 1)) for u, v, data in graph.edges(data=True)]
    switches = [v for v, data in graph.nodes(data=True) if data.get(SWITCH, False) is True]
    name = name or str(graph.name)
    network = _network(graph, edges, directed=graph.is_directed(), name=name, switches=switches)
    anonymous = not name
    if anonymous and (text := _graph6_string(graph)):
        # As "graph6:..." it is the text of a network, which must be this very one.
        named = [*graph] == [*range(len(graph))] and network.is_plain
        network = replace(network, name=f"graph6:{text}" if named else text)
    number = {node: v for v, node in enumerate(network.nodes)}
    attributes = Attributes(
        dict(graph.graph),
        {number[v]: dict(data) for v, data in graph.nodes(data=True) if data},
        {_pair(network, number[u], number[v]): dict(data) for u, v, data in graph.edges(data=True) if data},
        anonymous,
    )
    places = {network.labels[v]: _numbers(data.get(POSITION)) for v, data in attributes.nodes.items()}
    return replace(with_positions(network, places), attributes=attributes)


def graph_of_network(network: Network, *, indices: bool = False) -> networkx.Graph:
    """Return the networkx Graph or DiGraph of a network; see `Network.to_networkx`."""
    import networkx

    graph, n = plain_graph(network), range(network.node_count)
    if isinstance(network.attributes, Attributes):
        kept = network.attributes
        graph.graph.update(kept.graph)
        graph.add_nodes_from((v, kept.nodes.get(v, {})) for v in n)
        graph.add_edges_from((*edge, kept.edges.get(edge, {})) for edge in network.edges)
    if network.name and not (isinstance(network.attributes, Attributes) and network.attributes.anonymous):
        graph.name = network.name
    for v, place in enumerate(network.positions):
        graph.nodes[v].setdefault(POSITION, place)
    return graph if indices else networkx.relabel_nodes(graph, dict(zip(n, network.nodes, strict=True)))


def plain_graph(network: Network) -> networkx.Graph:
    """Return the networkx graph on 0..n-1 with the attributes that `network_of_graph` reads."""
    import networkx

    graph: networkx.Graph = networkx.DiGraph() if network.directed else networkx.Graph()
    graph.add_nodes_from(range(network.node_count))
    graph.add_edges_from(network.edges)
    for (u, v), bandwidth in zip(network.edges, network.bandwidths, strict=False):
        graph.edges[u, v][ATTRIBUTE] = bandwidth
    for v in network.switches:
        graph.nodes[v][SWITCH] = True
    return graph


def _network_of_edges(given: Iterable[Any], weight: str | None, directed: bool, name: str) -> Network:
    edges = []
    for edge in given:
        listed = isinstance(edge, Sequence) and not isinstance(edge, str | bytes)
        parts = tuple(edge) if listed or hasattr(edge, "tolist") else ()
        if len(parts) not in (2, 3):
            raise InputError(
                f"an edge is (u, v), (u, v, bandwidth) or (u, v, attributes); not {shown(edge)}; a matrix is"
                " an array of numpy"
            )
        value: Any = parts[2] if len(parts) == 3 else 1
        value = value.get(weight, 1) if isinstance(value, Mapping) else value
        edges.append((parts[0], parts[1], 1 if weight is None else value))
    return _network((), edges, directed=directed, name=name)


def _graph_of_neighbors(given: Mapping[Any, Any], directed: bool) -> networkx.Graph:
    """Return the networkx graph of neighbors by node.

    Raises
    ------
    InputError
        If it is another mapping, or if a neighbor is not mutual, unless they are arcs.
    """
    import networkx

    try:
        graph = networkx.DiGraph({u: dict(v) if isinstance(v, Mapping) else v for u, v in given.items()})
    except (TypeError, ValueError, AttributeError, networkx.NetworkXException):
        raise InputError(f"neighbors by node are {{u: [v, ...], ...}}; not {shown(given)}") from None
    if directed:
        return graph
    for u, v, data in graph.edges(data=True):
        if graph.get_edge_data(v, u) != data:
            raise InputError(
                f"{shown(v)} is a neighbor of {shown(u)}, and not alike the other way: list both, or take"
                " directed=True"
            )
    return graph.to_undirected()


def _network_of_frame(given: Any, weight: str | None, directed: bool, name: str) -> Network:
    """Return the network of a DataFrame: a list of edges, or, in pandas, an adjacency matrix."""
    nodes, columns = [*getattr(given, "index", ())], [*given.columns]
    if nodes == columns:
        return _network_of_matrix(given, nodes, weight, directed, name)
    if "source" not in columns or "target" not in columns:
        raise InputError(
            'a DataFrame has the columns "source" and "target", or is an adjacency matrix with the nodes as'
            f" index and columns; not the columns {shown(columns)}"
        )
    ends = zip(given["source"].to_list(), given["target"].to_list(), strict=True)
    if weight in columns:
        weights = given[weight].to_list()
        return _network_of_edges(
            ((u, v, x) for (u, v), x in zip(ends, weights, strict=True)), weight, directed, name
        )
    if weight not in (ATTRIBUTE, None):
        raise InputError(f"the DataFrame has no column {shown(weight)}")
    return _network_of_edges(ends, weight, directed, name)


def _network_of_matrix(
    given: Any, nodes: Sequence[Hashable] | None, weight: str | None, directed: bool, name: str
) -> Network:
    import numpy as np

    if len(given.shape) != 2 or given.shape[0] != given.shape[1]:
        raise InputError(
            f"an adjacency matrix is square, with a row per node; not {given.shape}; edges in an array are"
            " array.tolist()"
        )
    if hasattr(given, "tocoo"):
        sparse = given.tocoo(copy=True)
        sparse.sum_duplicates()
        rows, columns, values = sparse.row, sparse.col, sparse.data
    else:
        dense = np.asarray(np.ma.filled(given, 0))
        rows, columns = dense.nonzero()
        values = dense[rows, columns]
    entries = {
        (u, v): x for u, v, x in zip(rows.tolist(), columns.tolist(), values.tolist(), strict=True) if x != 0
    }
    directed = directed or any(entries.get((v, u)) != x for (u, v), x in entries.items())
    edges = [
        (u, v, int(x) if isinstance(x, bool) else x) if weight else (u, v, 1)
        for (u, v), x in entries.items()
        if directed or u <= v
    ]
    named = range(given.shape[0]) if nodes is None else nodes
    edges = [(named[u], named[v], x) for u, v, x in edges]
    return _network(named, edges, directed=directed, name=name)


def _network(
    nodes: Iterable[Hashable],
    edges: Sequence[tuple[Hashable, Hashable, Any]],
    *,
    directed: bool,
    name: str,
    switches: Iterable[Hashable] = (),
) -> Network:
    """Return the network on nodes of any hashable kind, which are numbered as `Network.from_labels` does.

    Raises
    ------
    InputError
        If two nodes have the same label, and as the class does.
    """
    try:
        known = dict.fromkeys([*nodes, *(end for edge in edges for end in edge[:2])])
    except TypeError as error:
        raise InputError(f"a node is a number, a text or a tuple, something hashable: {error}") from None
    label_of = {node: _label(node) for node in known}
    node_of = {label: node for node, label in label_of.items()}
    if len(node_of) < len(known):
        raise InputError("two nodes of the graph have the same text as label; relabel them first")
    network = Network.from_labels(
        label_of.values(),
        [(label_of[u], label_of[v]) for u, v, _ in edges],
        directed=directed,
        name=name,
        bandwidths=[bandwidth_from_data(_exact(value)) for _, _, value in edges],
        switches=[label_of[v] for v in switches],
    )
    return replace(network, nodes=tuple(node_of[label] for label in network.labels))


def _label(node: Hashable) -> Label:
    """Return the label of a node in files and texts: an integer as it is, anything else as text."""
    if isinstance(node, Integral) and not isinstance(node, bool):
        return int(node)
    text = str(node)
    return text if text and text.isprintable() else repr(node)


def _exact(value: Any) -> Any:
    """Return a number of numpy as one of Python."""
    return value.item() if hasattr(value, "item") else value


def _numbers(place: Any) -> object:
    """Return a position, which may be an array, as a list of floats; None for anything else."""
    try:
        return [float(x) for x in place]
    except (TypeError, ValueError):
        return None


def _pair(network: Network, u: int, v: int) -> tuple[int, int]:
    return (u, v) if network.directed else (min(u, v), max(u, v))


def _graph6_string(graph: Any) -> str:
    """Return the graph6 string of a small undirected graph, else ""."""
    if graph.is_directed() or not 0 < len(graph) <= MOST_NODES_IN_NAME:
        return ""
    import networkx

    return bytes(networkx.to_graph6_bytes(graph, header=False)).decode().strip()
