"""Networks from networkx graphs, edges and matrices: labels, names, weights and attributes survive."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from schedsolve.network import Network
from schedsolve.runtime.errors import InputError

PATH = Network(3, ((0, 1), (1, 2)))


def full_graph() -> nx.Graph:
    """A graph with everything that a graph can say."""
    graph = nx.Graph(name="three", author="me")
    graph.add_node(("b", 2), pos=(0, 1), colour="red")
    graph.add_node("a", pos=(1, 0), switch=True)
    graph.add_node(7, pos=(5, 5))
    graph.add_edge("a", ("b", 2), bandwidth=3, length=1.5)
    graph.add_edge(7, "a", bandwidth=Fraction(1, 2))
    return graph


def test_a_graph_comes_back_as_it_was() -> None:
    graph = full_graph()
    network = Network.from_networkx(graph)
    assert network.labels == ("('b', 2)", "a", 7)
    assert network.nodes == (("b", 2), "a", 7)
    assert (network.name, sorted(network.switches)) == ("three", [1])
    assert network.bandwidths == (3, Fraction(1, 2))
    assert network.positions == ((0, 1), (1, 0), (5, 5))
    assert nx.utils.graphs_equal(network.to_networkx(), graph)
    indices = network.to_networkx(indices=True)
    assert set(indices) == {0, 1, 2}
    assert indices.edges[0, 1] == {"bandwidth": 3, "length": 1.5}


def test_a_digraph_comes_back_as_it_was() -> None:
    graph = nx.DiGraph([((0, 0), (0, 1), {"bandwidth": 2}), ((0, 1), (0, 0), {"bandwidth": 5})], name="two")
    network = Network.from_networkx(graph)
    assert nx.utils.graphs_equal(network.to_networkx(), graph)
    # An arc's attributes do not move to the arc that goes the other way.
    assert network.reversed().to_networkx().edges[(0, 0), (0, 1)] == {"bandwidth": 5}


def test_any_edge_attribute_may_be_the_bandwidth() -> None:
    graph = nx.path_graph(3)
    nx.set_edge_attributes(graph, 4, "capacity")
    assert Network.from_networkx(graph).is_plain
    assert Network.from_networkx(graph, weight="capacity").bandwidths == (4, 4)
    assert Network.of(graph, weight="capacity").bandwidths == (4, 4)
    assert Network.of(full_graph(), weight=None).bandwidths == ()


def test_a_named_attribute_is_on_every_edge() -> None:
    """An edge without it would count 1 in silence; only the usual attribute may be missing."""
    graph = nx.path_graph(3)
    with pytest.raises(InputError, match="no edge has the attribute 'weight'"):
        Network.of(graph, weight="weight")
    graph.edges[0, 1]["weight"] = graph.edges[0, 1]["bandwidth"] = 5
    with pytest.raises(InputError, match="the edge 1 2 has no attribute 'weight'; give this edge one"):
        Network.of(graph, weight="weight")
    assert Network.of(graph).bandwidths == (5, 1)
    assert Network.of(nx.empty_graph(1), weight="weight").node_count == 1


def test_a_file_is_no_family(tmp_path: Path) -> None:
    file = tmp_path / "net.edges"
    file.write_text("a b\nb c\n")
    for given in (file, str(file)):
        network = Network.from_file(given, name="mine")
        assert (network.labels, network.edges, network.name) == (("a", "b", "c"), ((0, 1), (1, 2)), "mine")
    assert Network.from_file(file, directed=True).directed
    for missing in ("cycle:9", tmp_path / "none", tmp_path):
        with pytest.raises(InputError, match="there is no file"):
            Network.from_file(missing)


def test_entries_of_matrices_count_once() -> None:
    """Masked entries are none, and entries that a sparse matrix has twice add up."""
    entries = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    masked = np.ma.array(entries, mask=[[False, False, True], [False] * 3, [True, False, False]])
    assert Network.of(masked).edges == PATH.edges
    sparse = pytest.importorskip("scipy.sparse")
    twice = sparse.coo_matrix(([1, 2, 3], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    assert Network.of(twice).bandwidths == (3,)
    assert twice.nnz == 3
    for kind in ("csr", "csc", "lil", "dok", "bsr"):
        assert Network.of(sparse.coo_array(entries.astype(bool)).asformat(kind)).edges == (
            (0, 1),
            (0, 2),
            (1, 2),
        )


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 1, 0, 2)])
def test_an_anonymous_graph_is_named_by_its_graph6_string(order: tuple[int, ...]) -> None:
    graph = nx.Graph()
    graph.add_nodes_from(order)
    graph.add_edges_from([(0, 1), (1, 2), (1, 3)])
    network = Network.from_networkx(graph)
    text = nx.to_graph6_bytes(graph, header=False).decode().strip()
    # With the nodes in order it is the text of this very network; else it is a name only.
    assert network.name == (f"graph6:{text}" if order == (0, 1, 2, 3) else text)
    assert nx.is_isomorphic(Network.from_spec(f"graph6:{text}").to_networkx(), graph)
    assert Network.from_networkx(nx.petersen_graph()).name == "Petersen Graph"
    assert Network.from_networkx(graph, "mine").name == "mine"
    assert nx.utils.graphs_equal(network.to_networkx(), graph)


def test_every_form_of_a_path(tmp_path: Path) -> None:
    (tmp_path / "path.edges").write_text("0 1\n1 2\n")
    matrix = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    forms: list[Any] = [
        PATH,
        "path:3",
        "0 1\n1 2\n",
        tmp_path / "path.edges",
        str(tmp_path / "path.edges"),
        nx.path_graph(3),
        [(0, 1), (1, 2)],
        iter([[1, 0, 1], (2, 1, {"bandwidth": 1})]),
        matrix,
        matrix.astype(float),
        matrix.astype(bool),
        nx.path_graph(3).edges,
        nx.path_graph(3).edges(data=True),
        nx.path_graph(3).adj,
        {0: [1], 1: [0, 2], 2: {1}},
        [np.array([0, 1]), np.array([2, 1])],
    ]
    for form in forms:
        assert Network.of(form) == PATH
    scipy = pytest.importorskip("scipy.sparse")
    assert Network.of(scipy.csr_matrix(matrix)) == Network.of(scipy.coo_array(matrix.astype(float))) == PATH


def test_data_frames_have_names_and_weights() -> None:
    """A list of edges, and a matrix whose rows and columns are the nodes."""
    pandas = pytest.importorskip("pandas")
    assert Network.of(pandas.Series([(0, 1), (1, 2)])) == PATH
    assert Network.of(pandas.DataFrame({"source": [0, 1], "target": [1, 2], "length": [5, 7]})) == PATH
    with pytest.raises(InputError, match='has the columns "source" and "target"'):
        Network.of(pandas.DataFrame({"from": [0], "target": [1]}))
    edges = pandas.DataFrame({"source": ["a", "b"], "target": ["b", ("c", 1)], "w": [2, 3]})
    assert Network.of(edges).nodes == ("a", "b", ("c", 1))
    assert Network.of(edges, weight="w").bandwidths == (2, 3)
    assert Network.of(edges, directed=True).directed
    graph = nx.grid_2d_graph(2, 2)
    network = Network.of(nx.to_pandas_adjacency(graph))
    assert {frozenset(network.nodes[v] for v in edge) for edge in network.edges} == set(
        map(frozenset, graph.edges)
    )
    assert set(Network.of(nx.to_pandas_edgelist(graph)).nodes) == set(graph)


def test_edges_of_a_directed_graph_are_arcs() -> None:
    """The views of networkx look like those of a graph."""
    arcs = nx.DiGraph([(0, 1), (1, 0), (1, 2)])
    for given in (arcs, arcs.edges, arcs.edges(data=True)):
        assert Network.of(given) == Network(3, ((0, 1), (1, 0), (1, 2)), directed=True)
    assert Network.of({0: [1], 1: []}, directed=True) == Network(2, ((0, 1),), directed=True)


def test_matrices_have_weights_and_arcs() -> None:
    matrix = np.array([[0, 2.5, 0], [2.5, 0, 0], [0, 0, 0]])
    assert Network.of(matrix) == Network(3, ((0, 1),), bandwidths=(Fraction(5, 2),))
    assert Network.of(matrix, weight=None) == Network(3, ((0, 1),))
    assert Network.of(matrix, directed=True).edges == ((0, 1), (1, 0))
    one_way = np.array([[0, 1], [0, 0]])
    assert Network.of(one_way) == Network(2, ((0, 1),), directed=True)


def test_edges_in_an_array_of_numpy() -> None:
    """All pairs of three nodes, and some."""
    for pairs in (((0, 1), (0, 2), (1, 2)), ((0, 2), (1, 2))):
        edges: Any = np.array(pairs)
        assert Network(3, edges).edges == pairs


def test_numbers_of_numpy_are_numbers() -> None:
    network = Network.of([(np.int64(2), np.int64(1), np.float64(1.5))], name="one")
    assert (network.labels, network.bandwidths, network.name) == ((1, 2), (Fraction(3, 2),), "one")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (nx.MultiGraph([(0, 1)]), "multigraph"),
        ([(0, 1), (1, 0)], "given twice"),
        ([(0, 0)], "self-loop"),
        ([(0, 1, 2, 3)], "an edge is"),
        ([3], "an edge is"),
        ([[0, 1, 0, 1]] * 4, "a matrix is an array of numpy"),
        ({0: [1], 1: []}, "1 is a neighbor of 0, and not alike the other way"),
        ({0: 1}, "neighbors by node are"),
        ([([0], 1)], "hashable"),
        ([(0, 1, -1)], "bandwidth"),
        ([(0, 1, float("nan"))], "bandwidth"),
        ([("1.0", 0), (0, 1.0)], "same text as label"),
        (np.ones((2, 3)), r"square.*array.tolist\(\)"),
        (np.ones((2, 2)), "self-loop"),
        (np.zeros((0, 0)), "empty"),
        ([], "empty"),
        (5, "a network is"),
        (b"path:3", "a network is"),
        ("paht:3", "did you mean path"),
    ],
)
def test_refused(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Network.of(given)


def test_a_text_has_no_attributes() -> None:
    with pytest.raises(InputError, match="named family has its own"):
        Network.of("path:3", weight="weight")
    with pytest.raises(InputError, match='no attribute "weight"'):
        Network.of(PATH, weight="weight")
    with pytest.raises(InputError, match="is undirected"):
        Network.of(PATH, directed=True)
