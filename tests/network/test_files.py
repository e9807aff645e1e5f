"""Reading and writing networks: every format, what it cannot express, and that garbage is refused with one
line.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.network.files.any_format import is_network_file, read_network, write_network
from schedsolve.network.files.graph6 import network_from_graph6
from schedsolve.network.files.node_link import network_from_json, network_to_json
from schedsolve.network.graph import Label, Network
from schedsolve.network.named.families import family_network
from schedsolve.runtime.errors import InputError
from tests.network.file_reading import ARC, ENDINGS, ONE, TWO, graphml, read_text, refusal

ONE_BASED = (".dimacs", ".col", ".mbt", ".in")


def relabelled(network: Network, first: int) -> Network:
    return Network(network.node_count, network.edges, labels=tuple(range(first, first + network.node_count)))


def test_files_are_known_by_their_endings(tmp_path: Path) -> None:
    """Endings count in capitals too, folders do not matter, and a file without a known ending is neither read
    nor written.
    """
    assert all(
        is_network_file("net" + ending) and is_network_file("some/folder/NET" + ending.upper())
        for ending in ENDINGS
    )
    assert not any(is_network_file("net" + ending + "x") for ending in ("", *ENDINGS))
    assert not is_network_file("cycle:9")
    for use in (read_network, lambda path: write_network(family_network("path:2"), path)):
        with pytest.raises(InputError, match=r"the endings are \.edges"):
            use(tmp_path / "net.xyz")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    "spec", ["path:1", "path:2", "cycle:9", "grid:4x4", "petersen", "random-tree:30,1", "graph6:E?_?"]
)
def test_round_trip_of_numbered_networks(tmp_path: Path, ending: str, spec: str) -> None:
    """A network whose labels are the format's own numbers comes back equal, isolated nodes too, under the
    file's name.
    """
    network = relabelled(family_network(spec), 1 if ending in ONE_BASED else 0)
    path = tmp_path / ("net" + ending.upper())
    write_network(network, path)
    again = read_network(path)
    assert again == network
    assert again.name == path.name
    assert again == Network.from_spec(str(path))


@pytest.mark.parametrize("ending", [".edges", ".graphml", ".json"])
@pytest.mark.parametrize(
    "labels",
    [
        ("a", "b", "c", "d"),
        (3, 5, 8, 1000),
        (-2, 0, 7, 9),
        ("hub", 4, "x1", 2),
        ("é", "01", "-0", "1.5"),
        ("<a>", "&", '"', "b'"),
    ],
)
@pytest.mark.parametrize("directed", [False, True])
def test_labels_and_numbering_survive(
    tmp_path: Path, ending: str, labels: tuple[Label, ...], directed: bool
) -> None:
    """Labels and the numbers of the nodes come back, also where edges would name the nodes in another
    order.
    """
    network = Network(4, ((0, 2), (1, 2)), labels=labels, directed=directed)
    write_network(network, tmp_path / ("net" + ending))
    again = read_network(tmp_path / ("net" + ending), directed=directed)
    assert again == network
    assert [type(label) for label in again.labels] == [type(label) for label in labels]


LABELS = st.integers(-(10**20), 10**20) | st.text(max_size=4)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(
    st.lists(LABELS, min_size=1, max_size=5, unique=True), st.booleans(), st.sampled_from(ENDINGS), st.data()
)
def test_files_lose_nothing(labels: list[Label], directed: bool, ending: str, data: st.DataObject) -> None:
    """Whatever the labels, a file holds the same labelled graph or is not written."""
    pairs = [(u, v) for u in range(len(labels)) for v in range(u)]
    edges = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    network = Network(len(labels), tuple(edges), directed, tuple(labels))
    with TemporaryDirectory() as folder:
        path = Path(folder) / ("net" + ending)
        try:
            write_network(network, path)
        except InputError:
            assert not path.exists()
            return
        again = read_network(path, directed=directed)
    assert set(again.labels) == set(labels)
    named = [{(n.labels[u], n.labels[v]) for u, v in n.arcs} for n in (again, network)]
    assert named[0] == named[1]


CHANGED_LABELS = [(ending, label) for ending in (".edges", ".graphml") for label in ("5", "-7", "")]
UNQUOTED_LABELS = [
    (".edges", label) for label in ("a b", "a\tb", "#", "a#b", "{}", "a\nb", "\u2028", "\ud800")
]


@pytest.mark.parametrize(("ending", "label"), CHANGED_LABELS + UNQUOTED_LABELS)
def test_labels_that_would_change_are_refused(tmp_path: Path, ending: str, label: str) -> None:
    """Text that looks like an integer would come back as one, and an edge list has no way to quote blanks or
    comment signs.
    """
    with pytest.raises(InputError, match="a label is empty"):
        write_network(Network(2, ((0, 1),), labels=("a", label)), tmp_path / ("net" + ending))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", [".dimacs", ".col", ".g6", ".mbt", ".in"])
def test_plain_formats_refuse_labels_and_arcs(tmp_path: Path, ending: str) -> None:
    """Formats that number the nodes refuse other labels, and arcs, rather than drop them."""
    first = 1 if ending in ONE_BASED else 0
    with pytest.raises(InputError, match=f"numbers the nodes {first}..{first + 1}"):
        write_network(Network(2, ((0, 1),), labels=(first, first + 5)), tmp_path / ("net" + ending))
    with pytest.raises(InputError, match="no arcs"):
        write_network(Network(2, ((0, 1),), True, (first, first + 1)), tmp_path / ("net" + ending))
    assert not list(tmp_path.iterdir())


def test_unwritable_and_unreadable_places(tmp_path: Path) -> None:
    """A missing folder, a folder in place of a file, and an impossible name are bad input."""
    network = family_network("path:2")
    (tmp_path / "folder.json").mkdir()
    for path in (tmp_path / "missing" / "net.json", tmp_path / "folder.json", "a\0b.json"):
        with pytest.raises(InputError, match="cannot write"):
            write_network(network, path)
        with pytest.raises(InputError, match="cannot read"):
            read_network(path)


def test_edge_list(tmp_path: Path) -> None:
    """Comments, blank lines, single nodes, carriage returns, a byte order mark and networkx's empty
    dictionaries are understood.
    """
    network = read_text(tmp_path, "net.edges", "\ufeff# a comment\r\n\r\n10 2\r\n2 3 {} # another\r\n  7\r\n")
    assert network.labels == (2, 3, 7, 10)
    assert network.edges == ((0, 1), (0, 3))
    nx.write_edgelist(nx.petersen_graph(), tmp_path / "net.edges")
    assert read_network(tmp_path / "net.edges") == Network.from_networkx(nx.petersen_graph())


def test_edge_list_numbers_text_by_appearance(tmp_path: Path) -> None:
    """Labels that are not all integers are numbered as they appear; a node may be declared before its
    edges.
    """
    network = read_text(tmp_path, "net.edges", "z\nb a\na z\n007 b\n")
    assert network.labels == ("z", "b", "a", "007")
    assert network.edges == ((0, 2), (1, 2), (1, 3))


def test_edge_list_of_arcs(tmp_path: Path) -> None:
    """Read as arcs, both directions of a pair are two arcs."""
    network = read_text(tmp_path, "net.edges", "1 2\n2 1\n2 3\n", directed=True)
    assert network.directed
    assert network.edges == ((0, 1), (1, 0), (1, 2))
    assert network == Network.from_spec(str(tmp_path / "net.edges"), directed=True)
    assert "line 3: the edge 1 2 was given on line 1" in refusal(
        tmp_path, "net.edges", "1 2\n2 1\n1 2\n", directed=True
    )


@pytest.mark.parametrize(
    "text",
    [
        "c comment\np edge 4 3\ne 1 2\ne 2 3\ne 1 3\n",
        "p col 4 3\nc\ne 2 1\ne 3 2\ne 3 1\n",
        "p edge 4 6\ne 1 2\ne 2 1\ne 2 3\ne 3 2\ne 1 3\ne 3 1\n",
        "p edge 4 3\ne 1 2\ne 2 1\ne 2 3\ne 3 2\ne 1 3\ne 3 1\n",
        "p edge 4 4\ne 1 2\ne 1 2\ne 2 3\ne 1 3\n",
    ],
)
def test_dimacs(tmp_path: Path, text: str) -> None:
    """Edges may be listed once or in both directions, and the count may mean either."""
    network = read_text(tmp_path, "net.col", text)
    assert network.labels == (1, 2, 3, 4)
    assert network.edges == ((0, 1), (0, 2), (1, 2))
    assert network == read_text(tmp_path, "net.dimacs", text)


@pytest.mark.parametrize(
    "text", ["4 2 3\n1 2\n2 3\n3 4\n4\n1\n", "4 2 3\n\n1 2\n3 2\n3 4\n4 1", "4 0 3\n1 2\n2 3\n4 3\n"]
)
def test_broadcast_instance(tmp_path: Path, text: str) -> None:
    """A minimum-broadcast-time file gives the network and its sources; other formats keep the network and
    leave the sources aside.
    """
    network = read_text(tmp_path, "net.mbt", text)
    assert network == Network(
        4, ((0, 1), (1, 2), (2, 3)), labels=(1, 2, 3, 4), default_sources=(3, 0) if text[2] == "2" else ()
    )
    for name, sources in (("net.in", network.default_sources), ("net.edges", ())):
        write_network(network, tmp_path / name)
        assert read_network(tmp_path / name) == replace(network, default_sources=sources)


def test_graph6(tmp_path: Path) -> None:
    """One graph6 line, with or without the header, gives the graph that networkx wrote."""
    for graph in (nx.petersen_graph(), nx.empty_graph(1), nx.path_graph(70)):
        for header in (False, True):
            text = nx.to_graph6_bytes(graph, header=header)
            assert read_text(tmp_path, "net.g6", text) == Network.from_networkx(graph)
    assert network_from_graph6(" Bw ") == family_network("complete:3")


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_networkx_graphml(tmp_path: Path, kind: type[nx.Graph]) -> None:
    """GraphML from networkx is read with its direction, integers as integers, and its attributes left
    aside.
    """
    graph = kind([(3, 1), (1, "hub")])
    graph.add_node(9, colour="red")
    graph.edges[3, 1]["weight"] = 2.5
    nx.write_graphml(graph, tmp_path / "net.graphml")
    network = read_network(tmp_path / "net.graphml")
    assert network.directed == graph.is_directed()
    assert network.labels == (3, 1, "hub", 9)
    assert network.edges == ((0, 1), (1, 2))


def test_graphml_without_namespace(tmp_path: Path) -> None:
    """A file that leaves the namespace out is understood."""
    assert read_text(tmp_path, "net.graphml", graphml(ONE + TWO + ARC, namespace="")) == Network(
        2, ((0, 1),), labels=(1, 2)
    )


def test_json_form() -> None:
    """The node-link form is exactly the documented one, and reading it gives the network back."""
    network = Network(3, ((2, 0),), True, ("a", 5, "b"))
    obj = {
        "directed": True,
        "nodes": [{"id": "a"}, {"id": 5}, {"id": "b"}],
        "edges": [{"source": "b", "target": "a"}],
    }
    assert network_to_json(network) == obj
    assert network_from_json(obj) == network
    one_and_text = Network(2, ((0, 1),), labels=(1, "1"))
    assert network_from_json(network_to_json(one_and_text)) == one_and_text


@pytest.mark.parametrize("key", ["edges", "links"])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_networkx_node_link(tmp_path: Path, key: str, kind: type[nx.Graph]) -> None:
    """Node-link data from networkx is read under either name of its edges, with its direction."""
    graph = nx.path_graph(4, create_using=kind)
    graph.nodes[0]["colour"] = "red"
    network = read_text(tmp_path, "net.json", json.dumps(nx.node_link_data(graph, edges=key)))
    assert network.directed == graph.is_directed()
    assert network.edges == ((0, 1), (1, 2), (2, 3))


@pytest.mark.parametrize("ending", [ending for ending in ENDINGS if ending not in (".edges", ".txt")])
def test_reading_as_arcs(tmp_path: Path, ending: str) -> None:
    """Asking for arcs is refused where the file is undirected, and does no harm where GraphML or JSON says
    that it has arcs.
    """
    path = tmp_path / ("net" + ending)
    write_network(relabelled(family_network("path:3"), 1 if ending in ONE_BASED else 0), path)
    with pytest.raises(InputError, match="; directed reads an edge list"):
        read_network(path, directed=True)
    if ending in (".graphml", ".json"):
        network = Network(3, ((0, 1), (1, 0), (1, 2)), True)
        write_network(network, path)
        assert read_network(path) == read_network(path, directed=True) == network
