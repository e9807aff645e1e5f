"""Formats of network files: round trips through all of them, content before endings, and attributes named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.network.files.any_format import _kept, read_network, write_network
from schedsolve.network.files.column_formats import METIS
from schedsolve.network.files.formats import ENDINGS, FORMATS, format_of
from schedsolve.network.graph import Network
from schedsolve.network.named.families import family_network
from schedsolve.runtime.errors import InputError
from tests.command_line import Cli, refused
from tests.network.file_reading import graphml, read_text, refusal

WRITTEN = sorted({ending for form in FORMATS if form.compose for ending in form.endings})
NUMBERED = {ending for form in FORMATS if form.numbered_from is not None for ending in form.endings}
LABELLED = (".edges", ".json", ".topo", ".graphml", ".gml", ".gexf", ".net", ".adjlist", ".csv")
POSITIONED = (".json", ".graphml", ".gml", ".gexf", ".net")


@pytest.mark.parametrize("ending", WRITTEN)
@pytest.mark.parametrize("spec", ["path:2", "cycle:5", "petersen", "tree:2,3", "random-tree:30,1"])
def test_named_families_are_written_everywhere(tmp_path: Path, ending: str, spec: str) -> None:
    """A format that numbers nodes from 1 gives them these numbers; otherwise the same network comes back."""
    network, path = family_network(spec), tmp_path / f"net{ending}"
    write_network(network, path)
    again = read_network(path)
    assert again.edges == network.edges
    assert again.labels in (network.labels, tuple(range(1, network.node_count + 1)))
    if ending not in NUMBERED:
        assert again == network


MACHINES = {
    "dgx1": {"bandwidths"},
    "nvl72": {"switches"},
    "a100:2": {"switches", "bandwidths"},
    "jellyfish:6,3,1": {"switches"},
    "kautz:2,2": {"arcs"},
    "torus:4x4-without-5,0-1": {"labels"},
    "dgx1-cluster-2,4x100Gb,rail": {"switches", "bandwidths", "labels"},
    "h100:1-cluster-2,8x400Gb,leaf-spine:2,2,400Gb": {"switches", "bandwidths", "labels"},
}
"""Networks, and what a format needs for them besides nodes and edges."""
NAMED = frozenset({"bandwidths", "arcs", "labels"})
HELD = {
    **dict.fromkeys((".topo", ".json", ".graphml", ".gml", ".gexf"), NAMED | {"switches"}),
    **dict.fromkeys((".edges", ".edgelist", ".txt", ".csv", ".tsv", ".net", ".paj"), NAMED),
    ".adjlist": {"arcs", "labels"},
    ".mtx": {"bandwidths", "arcs"},
    ".d6": {"arcs"},
}
"""What the formats hold; the others numbers of nodes and edges only."""


@pytest.mark.parametrize("ending", WRITTEN)
def test_machines_come_back_or_are_refused(tmp_path: Path, ending: str) -> None:
    """A machine or cluster is written where the format holds it, and there nothing of it is lost."""
    for spec, needed in MACHINES.items():
        network, path = Network.from_spec(spec), tmp_path / f"net{ending}"
        if not needed <= HELD.get(ending, set()):
            with pytest.raises(InputError, match=r"has no|has neither|numbers the nodes"):
                write_network(network, path)
            continue
        write_network(network, path)
        again = read_network(path, directed=network.directed and ending in BY_LINES)
        if ending in NUMBERED:
            again = replace(again, labels=network.labels)
        assert _kept(again) == _kept(network), spec


BY_LINES = (".edges", ".edgelist", ".txt", ".csv", ".tsv", ".adjlist")
"""Formats that do not say that they have arcs."""


def test_the_docs_name_every_format() -> None:
    """Its table has a row for each format, with its endings, and says which are only read."""
    table = (Path(__file__).parents[2] / "docs" / "files.md").read_text(encoding="utf-8")
    networks = table.partition("\n## Networks\n")[2].partition("\n### ")[0]
    rows = [line.split(" | ") for line in networks.splitlines() if line.startswith("| `.")]
    told = {ending for row in rows for ending in row[0].replace("`", "").replace("|", "").split()}
    assert told == {*ENDINGS}
    for form in FORMATS:
        of_form = [row[1] for row in rows if all(f"`{ending}`" in row[0] for ending in form.endings)]
        named = [words for words in of_form if form.name.partition(",")[0].lower() in words.lower()]
        assert named, form.name
        assert any("only read" in words for words in named) == (form.compose is None), form.name


@pytest.mark.parametrize("ending", [".d6", ".mtx", ".graphml", ".gml", ".gexf", ".net", ".json", ".topo"])
def test_arcs_come_back(tmp_path: Path, ending: str) -> None:
    """Formats that hold arcs."""
    network = Network(4, ((0, 1), (1, 2), (2, 0), (3, 0)), directed=True)
    write_network(network, tmp_path / f"net{ending}")
    again = read_network(tmp_path / f"net{ending}")
    assert (again.directed, again.edges) == (True, network.edges)


@pytest.mark.parametrize("ending", LABELLED)
def test_labels_come_back(tmp_path: Path, ending: str) -> None:
    network = Network(4, ((0, 1), (1, 2), (2, 3)), labels=("hub", 4, "x1", 2))
    write_network(network, tmp_path / f"net{ending}")
    again = read_network(tmp_path / f"net{ending}")
    assert {frozenset((again.labels[u], again.labels[v])) for u, v in again.edges} == {
        frozenset(("hub", 4)), frozenset((4, "x1")), frozenset(("x1", 2)),
    }  # fmt: skip


@pytest.mark.parametrize("ending", POSITIONED)
def test_positions_come_back(tmp_path: Path, ending: str) -> None:
    network = Network(3, ((0, 1), (1, 2)), positions=((0.0, 1.5), (2.0, -1.0), (3.25, 0.5)))
    write_network(network, tmp_path / f"net{ending}")
    assert read_network(tmp_path / f"net{ending}").positions == network.positions


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.integers(1, 70), st.data())
def test_digraph6(n: int, data: st.DataObject) -> None:
    """What is written is read again, for one number before the matrix and for four."""
    from schedsolve.network.files.graph_formats import compose_digraph6, parse_digraph6
    from schedsolve.network.files.reading import Reading

    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda pair: pair[0] != pair[1])
    arcs = data.draw(st.lists(pairs, unique=True, max_size=30)) if n > 1 else []
    network = Network(n, tuple(sorted(arcs)), directed=True)
    assert parse_digraph6(compose_digraph6(network), Reading(directed=True)) == network


def test_a_digraph6_of_the_definition() -> None:
    """The example of nauty's formats.txt: 5 nodes, arcs 0->2, 0->4, 3->1, 3->4."""
    from schedsolve.network.files.graph_formats import parse_digraph6
    from schedsolve.network.files.reading import Reading

    assert parse_digraph6(b"&DI?AO?\n", Reading()).edges == ((0, 2), (0, 4), (3, 1), (3, 4))


SLURM = """# a cluster
SwitchName=s0 Nodes=n[0-1]
SwitchName=s1 Nodes=n[02-03],login LinkSpeed=100
SwitchName=top Switches=s[0-1] LinkSpeed=400
"""
CONTENTS = {
    "slurm": (SLURM, 8, 7),
    "metis": ("% a square\n4 4\n2 4\n1 3\n2 4\n1 3\n", 4, 4),
    "dimacs": ("c x\np edge 3 2\ne 1 2\ne 2 3\n", 3, 2),
    "gml": (
        'graph [\n node [ id 0 label "a" ]\n node [ id 1 label "b" ]\n edge [ source 0 target 1 ]\n]\n',
        2,
        1,
    ),
    "pajek": ("*Vertices 2\n1 \"a\"\n2 \"b\"\n*Edges\n1 2 1\n", 2, 1),
    "mtx": ("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n", 3, 2),
    "graphml": (graphml('<node id="a"/><node id="b"/><edge source="a" target="b"/>'), 2, 1),
    "json": ('{"nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1}]}', 2, 1),
    "sparse6": (">>sparse6<<:An\n", 2, 1),
}  # fmt: skip


@pytest.mark.parametrize("ending", [".txt", ".edges"])
@pytest.mark.parametrize("kind", CONTENTS)
def test_content_counts_before_the_ending(tmp_path: Path, kind: str, ending: str) -> None:
    """A file of any kind that is called an edge list is read as what it is."""
    text, nodes, links = CONTENTS[kind]
    network = read_text(tmp_path, f"net{ending}", text)
    assert (network.node_count, len(network.edges)) == (nodes, links)


def test_an_edge_list_is_no_metis_file() -> None:
    """Edge lists that begin with a line like a head: an edge, and lines that are not neighbours."""
    for text in ("1 2\n2 3\n3 1\n", "3 2\n1 2\n2 3\n", "2 1\n1 2\n", "0 1\n1 2\n"):
        assert format_of(text, ENDINGS[".txt"]) is not METIS, text


@pytest.mark.parametrize(
    ("text", "way_out"),
    [
        ('<graphs version="1"><graph id="0"/></graphs>', "NCCL_TOPO_DUMP_FILE"),
        ("Nodes 8\nTiers 3\n", ".edges"),
        ("c comment\np sp 3 3\na 1 2 4\n", ".edges"),
        ('{"TopologyParams": {"name": "AMD", "chassis": 1}}', "mi250:1"),
        ('{"topologies-per-dim": ["Ring"], "units-count": [4]}', "npus_count"),
        ('{"name": "NDv2", "gpus_per_node": 8, "node_invbws_list": [23, 46]}', "dgx1"),
        ("vendid=0x2c9\ndevid=0xd2f0\n", "is it cut off"),
        ("======= ROCm System Management Interface =======\nGPU0\n", "rocm-smi"),
        ('<?xml version="1.0"?>\n<topology>\n<object type="Machine" os_index="0"/>\n</topology>', "edges"),
        ("topology: [ Ring ]\nnpus_count: [ 8 ]\n", "bandwidth"),
        ("\x1f\u008b".encode("latin-1"), "gunzip"),
        ("0 1\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_what_is_recognized_and_not_read(tmp_path: Path, text: str | bytes, way_out: str) -> None:
    """It is named, with a way out."""
    assert way_out in refusal(tmp_path, "net.txt", text)


def test_slurm(tmp_path: Path) -> None:
    """Hosts keep their zeros, and the speeds of links are used when asked for."""
    network = read_text(tmp_path, "topology.conf", SLURM)
    assert [network.labels[v] for v in network.compute_nodes] == ["n0", "n1", "n02", "n03", "login"]
    assert "not used: LinkSpeed of edges" in network.understood
    fast = read_text(tmp_path, "topology.conf", SLURM, bandwidth="LinkSpeed")
    assert sorted(fast.bandwidths) == [1, 1, 100, 100, 100, 400, 400]
    assert "has no line of its own" in refusal(tmp_path, "topology.conf", "SwitchName=a Switches=b\n")
    twice = "SwitchName=a Nodes=x\nSwitchName=a Nodes=y\n"
    assert "given twice" in refusal(tmp_path, "topology.conf", twice)
    assert "line 1" in refusal(tmp_path, "topology.conf", "Nodes=x\n")


WEIGHTED = {
    ".edges": "a b {'weight': 2.5, 'LinkSpeedRaw': 4}\nb c {'weight': 1, 'LinkSpeedRaw': 8}\n",
    ".json": '{"nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}], "edges": [{"source": "a", "target": "b",'
    ' "weight": 2.5, "LinkSpeedRaw": 4}, {"source": "b", "target": "c", "weight": 1, "LinkSpeedRaw": 8}]}',
    ".csv": "source,target,weight,LinkSpeedRaw\na,b,2.5,4\nb,c,1,8\n",
    ".gml": "graph [ node [ id 0 label \"a\" ] node [ id 1 label \"b\" ] node [ id 2 label \"c\" ]\n"
    " edge [ source 0 target 1 weight 2.5 LinkSpeedRaw 4 ]\n"
    " edge [ source 1 target 2 weight 1 LinkSpeedRaw 8 ] ]\n",
}  # fmt: skip


@pytest.mark.parametrize("ending", WEIGHTED)
def test_attributes_that_are_not_used_are_named(tmp_path: Path, ending: str) -> None:
    """And one of them is the bandwidth when it is asked for."""
    network = read_text(tmp_path, f"net{ending}", WEIGHTED[ending])
    assert network.is_plain
    assert "not used: weight, LinkSpeedRaw of edges; --bandwidth weight takes it" in network.understood
    fast = read_text(tmp_path, f"net{ending}", WEIGHTED[ending], bandwidth="LinkSpeedRaw")
    assert fast.bandwidths == (4, 8)
    assert "not used: weight of edges" in fast.understood
    asked = refusal(tmp_path, f"net{ending}", WEIGHTED[ending], bandwidth="speed")
    assert "no edge has the attribute 'speed'; they have weight, LinkSpeedRaw" in asked


PARTLY = {
    ".csv": "source,target,weight,LinkSpeedRaw\na,b,1,4\nb,c,1,\n",
    ".edges": "a b {'weight': 1, 'LinkSpeedRaw': 4}\nb c {'weight': 1}\n",
    ".json": '{"nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}], "edges": [{"source": "a", "target": "b",'
    ' "LinkSpeedRaw": 4}, {"source": "b", "target": "c"}]}',
    ".gml": 'graph [ node [ id 0 label "a" ] node [ id 1 label "b" ] node [ id 2 label "c" ]'
    " edge [ source 0 target 1 LinkSpeedRaw 4 ] edge [ source 1 target 2 ] ]",
}


@pytest.mark.parametrize("ending", PARTLY)
def test_every_edge_has_the_attribute_that_is_asked_for(tmp_path: Path, ending: str) -> None:
    """An edge without it would count 1 beside rates such as 10^9; the file's bandwidth may be left out."""
    refused = refusal(tmp_path, f"net{ending}", PARTLY[ending], bandwidth="LinkSpeedRaw")
    assert "the edge 'b' 'c' has no attribute 'LinkSpeedRaw'; give this edge one" in refused
    own = PARTLY[ending].replace("LinkSpeedRaw", "bandwidth")
    assert read_text(tmp_path, f"own{ending}", own).bandwidths == (4, 1)


def test_the_command_takes_an_attribute(cli: Cli) -> None:
    """It is said what was not used, once, and which option takes it."""
    Path("n.csv").write_text(WEIGHTED[".csv"])
    assert "not used: weight, LinkSpeedRaw" in cli("solve telephone gossip n.csv").err
    shown = cli("networks n.csv --bandwidth LinkSpeedRaw").out
    assert "a -- b: bandwidth 4" in shown
    assert "a named family has its own" in refused(cli("solve telephone gossip cycle:5 --bandwidth weight"))


def test_parallel_edges_are_joined(tmp_path: Path) -> None:
    """They count once, which is said; bandwidths add up."""
    body = '<node id="a"/><node id="b"/>' + 2 * '<edge source="a" target="b"/>'
    network = read_text(tmp_path, "net.graphml", graphml(body))
    assert len(network.edges) == 1
    assert "1 parallel edges joined" in network.understood


def test_disconnected_machines_are_told(tmp_path: Path) -> None:
    assert "not connected: 2 parts" in read_text(tmp_path, "n.edges", "0 1 5\n2 3 5\n").understood
    assert "connected" not in read_text(tmp_path, "n.edges", "0 1 5\n1 2 5\n").understood


def test_networkx_files(tmp_path: Path) -> None:
    """Files that networkx writes, with its own weights."""
    graph = nx.karate_club_graph()
    nx.write_gml(graph, tmp_path / "k.gml")
    nx.write_gexf(graph, tmp_path / "k.gexf")
    nx.write_pajek(graph, tmp_path / "k.net")
    nx.write_adjlist(graph, tmp_path / "k.adjlist")
    nx.write_weighted_edgelist(graph, tmp_path / "k.edges")
    nx.write_edgelist(graph, tmp_path / "e.edges")
    (tmp_path / "k.s6").write_bytes(nx.to_sparse6_bytes(graph))
    for name in ("k.gml", "k.gexf", "k.net", "k.adjlist", "k.edges", "e.edges", "k.s6"):
        network = read_network(tmp_path / name)
        assert (network.node_count, len(network.edges)) == (34, 78), name
        assert set(network.plain().edges) == {tuple(sorted(edge)) for edge in graph.edges}, name


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("n.csv", "a\nb\n", "a row for each edge"),
        ("n.csv", "source,target\na,b,c\n", "row 2: expected 2 cells"),
        ("n.mtx", "3 3 1\n1 2\n", "first line of a Matrix Market"),
        ("n.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n", "'array real' is not read"),
        ("n.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1\n", "outside of 1..2"),
        ("n.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 -1\n", "'coordinate pattern'"),
        ("n.graph", "3 2\n2\n1\n2\n", "a METIS file has a head"),
        ("n.d6", "DI?", "begins with '&'"),
        ("n.d6", "&D\n", "does not fit"),
        ("n.s6", "An\n", "begins with ':'"),
        ("n.gml", "graph [ node ]", "cannot be read as GML"),
        ("n.gexf", "<gexf></gexf>", "cannot be read as GEXF"),
        ("n.net", "*Vertices 2\n1 a\n2 b\n*Edges\n1 9\n", "cannot be read as Pajek"),
        ("n.gml", "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 0 ] ]", "self-loop"),
    ],
)  # fmt: skip
def test_malformed(tmp_path: Path, name: str, text: str, reason: str) -> None:
    assert reason in refusal(tmp_path, name, text)


def test_what_a_format_cannot_hold(tmp_path: Path) -> None:
    """It is said, and nothing is written."""
    machine = Network(3, ((0, 2), (1, 2)), bandwidths=(1, 2), switches=frozenset({2}))
    arcs = Network(2, ((0, 1),), directed=True)
    for network, name, reason in (
        (machine, "n.net", "no switches"),
        (machine, "n.csv", "no switches"),
        (machine, "n.s6", "neither bandwidths nor switches"),
        (arcs, "n.s6", "no arcs"),
        (Network(2, ()), "n.csv", "no nodes without edges"),
    ):
        with pytest.raises(InputError, match=reason):
            write_network(network, tmp_path / name)
    assert not list(tmp_path.iterdir())
