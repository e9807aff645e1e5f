"""Files as other tools write them: read with the links that their authors mean, or refused by name."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from tests.network.file_reading import read_text, refusal

MATRIX = "%%MatrixMarket matrix coordinate "
GEPHI = "Source,Target,Type,Id,Weight\n1,2,{0},0,2.0\n2,3,{0},1,1.5\n"
GEXF = (
    '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph defaultedgetype="undirected"><nodes>'
    '<node id="0" label="{}"/><node id="1" label="{}"/></nodes><edges><edge id="0" source="0" target="1"'
    ' weight="2.5"/></edges></graph></gexf>'
)
READ = {
    "symmetric.mtx": (MATRIX + "pattern symmetric\n% Pajek/x\n3 3 3\n1 1\n2 1\n3 2\n", "1-2 2-3", "diagonal"),
    "both.mtx": (MATRIX + "integer general\n3 3 4\n1 2 5\n2 1 5\n2 3 7\n3 2 7\n", "1-2:5 2-3:7", ""),
    "arcs.mtx": (MATRIX + "real general\r\n2 2 2\r\n1 2 1.5E+01\r\n2 1 0.0\r\n", "1>2:15", ""),
    "scipy.mtx": (MATRIX + "real symmetric\n%\n2 2 1\n2 1 1.0000000000000000e+04\n", "1-2:10000", ""),
    "fortran.mtx": (MATRIX + "real general\n2 2 1\n2 1 2.0D+00\n", "2>1:2", ""),
    "nodes.graph": ("3 2 10\n9 2\n9 1 3\n9 2\n", "1-2 2-3", "not used: weight of nodes"),
    "two.graph": ("3 2 010 2\n9 8 2\n9 8 1 3\n9 8 2\n", "1-2 2-3", "not used: weight of nodes"),
    "sizes.txt": ("3 2 111\n1 9 2 5\n1 9 1 5 3 6\n1 9 2 6\n", "1-2 2-3", "not used: size, weight of nodes"),
    "n.col": ("c x\np edges 3 2\nn 1 5\ne 1 2\ne 2 3\n", "1-2 2-3", "not used: weight of nodes"),
    "semicolon.csv": ("Source;Target;Type;Weight\na;b;Undirected;2\nb;c;Undirected;3\n", "a-b b-c",
                      "not used: Weight of edges; --bandwidth Weight takes it"),
    "gephi.csv": ("\ufeff" + GEPHI.format("Directed"), "1>2 2>3",
                  "not used: Id, Weight of edges"),
    "quoted.csv": ('source, target, "bandwidth"\r\n"a b", "c,d", 2\r\n"c,d", e, 3\r\n',
                   "a b-c,d:2 c,d-e:3", ""),
    "comment.csv": ("# a graph\na,b\nb,c\n", "a-b b-c", ""),
    "unnamed.csv": (",source,target,bandwidth\n0,a,b,2\n1,b,c,4\n", "a-b:2 b-c:4", "nothing left out"),
    "first.csv": ("a,b,1\nb,a,1\nb,c,1\n", "a-b:2 b-c:1", "1 parallel edges joined"),
    "u.csv": ("u,v\nv,w\n", "u-v v-w", ""),
    "heads.csv": ("u,v\n0,1\n1,2\n", "0-1 1-2", ""),
    "parts.edges": ("a b\nc d\n", "a-b c-d", ""),
    "names.csv": ("Node 1,Node 2\nx,y\ny,z\n", "x-y y-z", ""),
    "matrix.csv": ("0,1,0,1\n1,0,1,0\n0,1,0,1\n1,0,1,0\n", "0-1 0-3 1-2 2-3", ""),
    "tab.tsv": ("from\tto\na\tb\n", "a-b", ""),
    "konect.edges": ("% sym unweighted\n% 2 3 3\n1 2\n2 3\n", "1-2 2-3", ""),
    "weighted.edgelist": ("0 1 2.5\n1 2 1\n", "0-1:5/2 1-2:1", ""),
    "both.net": ("*Vertices 3\n1 a\n2 b\n3 c\n*Arcs\n1 2 1\n*Edges\n2 3 1\n", "a>b b>c c>b", ""),
    "lists.net": ("*Vertices 4 2\n*Edgeslist\n1 3 4\n2 3\n", "1-3 1-4 2-3", ""),
    "arcs.net": ('% x\r\n*Network y\r\n*vertices 3\r\n1 "a b"\r\n*Arcslist\r\n1 2 3\r\n',
                 "a b>2 a b>3", ""),
    "weights.net": ("*Vertices 2\n*Edges :1\n1 2 5 c Blue\n", "1-2",
                    "weight, c of edges; --bandwidth weight"),
    "matrix.net": ("*Vertices 2\n*Matrix\n0 1\n0 0\n", "1>2", ""),
    "words.net": ("*Vertices 3\n1 O'Hare\n2 a\\b\n3 2\n*Edges\n1 2 bandwidth 4/3\n2 3 1 l 'q bandwidth 2\n",
                  "O'Hare-a\\b:4/3 a\\b-2:2", "not used: l of edges"),
    "commas.adjlist": ("a,b,c\nb,a\n", "a-b a-c", ""),
    "colons.adjlist": ("0: 1 2\n1: 0\n2:\n", "0-1 0-2", ""),
    "labels.gexf": (GEXF.format("Paris", "Rome"), "Paris-Rome", "not used: weight of edges"),
    "equal.gexf": (GEXF.format("x", "x"), "0-1", ""),
    "drawn.gml": ('graph [ node [ id 1 label "a" ] node [ id 2 label "b" ]\n'
                  "edge [ source 1 target 2 graphics [ x 1 ] ] ]", "a-b", "not used: graphics of edges"),
}  # fmt: skip
"""Texts, the links that they mean, and what is said."""
REFUSED = {
    "nodes.txt": ("5\n0 1\n0 4\n", "'5' looks like the number of nodes"),
    "both.txt": ("8\n3\n0 1 4\n1 2 8\n7 8 7\n", "line 2: '3' looks like the number of nodes or edges"),
    "end.txt": ("Arad Zerind 75\nEND\n", "'END' looks like the end of the file"),
    "arrow.txt": ("A->B\nB->C\n", "'A->B' is one name"),
    "pipes.txt": ("A|B|3\nB|C|4\n", "'A|B|3' is one name"),
    "pairs.txt": ("(0,1)\n(1,2)\n", "looks like a pair in brackets"),
    "settings.txt": ("a.port=1000\na.next=2,3\n", "looks like a setting"),
    "sections.txt": ("[Routers]\na 65001\n[Links]\na b\n", "'[Routers]' looks like the head of a section"),
    "costs.conf": ("A B 4\nA C 7\n", "SLURM's topology.conf has SwitchName=..."),
    "blank.conf": ("SwitchName=s0 Nodes=a, b\n", "SLURM's topology.conf has SwitchName=..."),
    "lgl.edges": ("# a\nb 1.0\nc 2.0\n# b\nc 0.5\n", "a node with a number (LGL)"),
    "skew.mtx": (MATRIX + "real skew-symmetric\n2 2 1\n2 1 1.5\n", "write it as 'general'"),
    "laplacian.mtx": (MATRIX + "real symmetric\n2 2 1\n2 1 -1.0\n", "'coordinate pattern'"),
    "word.mtx": (MATRIX + "real general\n2 2 1\n1 2 abc\n", "'abc' is not a number"),
    "both.mtx": (MATRIX + "pattern symmetric\n2 2 2\n2 1\n1 2\n", "one triangle only"),
    "unequal.graph": ("2 1 1\n2 5\n1 6\n", "the weights 5 and 6"),
    "sp.gr": ("c x\np sp 2 1\na 1 2 5\n", "shortest paths"),
    "max.dimacs": ("p max 2 1\nn 1 s\nn 2 t\na 1 2 5\n", "flows"),
    "tw.gr": ("c x\np tw 3 2\n1 2\n2 3\n", "PACE"),
    "dot.txt": ("// x\ndigraph G {\n a -> b;\n}\n", "gv2gml"),
    "stp.txt": ("33D32945 STP File, STP Format Version 1.0\n", "SteinLib"),
    "tsp.txt": ("NAME: x\nTYPE: TSP\nDIMENSION: 3\n", "TSPLIB"),
    "cytoscape.json": ('{"elements": {"nodes": [], "edges": []}}', "GraphML"),
    "adjacency.json": ('{"nodes": [], "adjacency": []}', "node_link_data"),
    "parts.csv": ("a,b\nc,d\n", "are they names of columns"),
    "mixed.csv": ("Source,Target,Type\na,b,Directed\nb,c,Undirected\n", "some Undirected"),
    "nodes.csv": ("Id,Label\n1,a\n2,b\n", "names of columns"),
    "matrix.csv": (",a,b,c\na,0,1,1\nb,1,0,1\nc,1,1,0\n", "adjacency matrix"),
    "semicolon.edges": ("a;b\nb;c\n", "name a file with ';' .csv"),
    "colon.edges": ("0: 1 2\n1: 0\n2: 0\n", ".adjlist"),
    "head.txt": ("4 3\n0 1\n1 2\n2 3\n", "looks like a head"),
    "names.txt": ("source target\na b\nb c\n", "looks like a line of names"),
    "ids.txt": ("person friend\n0 1\n1 2\n", "looks like a line of names"),
    "adjacency.txt": ("0 1 2\n1 2\n2\n", ".adjlist"),
    "hypothetical.net": ("*Vertices 2\n*Edges\n1 2\n*Partition x\n1\n", "'*Partition' is not read"),
    "labels.net": ("*Vertices 2\n1 3\n2 4\n*Edges\n1 3\n", "'3' is not a vertex 1..2"),
    "lists.net": ("*Vertices 2\n*Arcslist\n1 2 3\n", "'3' is not a vertex 1..2"),
    "end.net": ("*Vertices 2\n*Arcs\n1 2\n1\n", "a link needs two vertices"),
    "short.net": ("*Vertices 2\n*Matrix\n0 1\n", "the matrix needs 2 lines of 2 numbers"),
    "signs.net": ("*Vertices 2\n*Matrix\n0 x\n0 0\n", "it cannot be read as Pajek: could not convert"),
    "equal.net": ("*Vertices 2\n1 a\n2 a\n*Arcs\n1 2\n", "two nodes have the same label"),
    "early.net": ("*Network\n1 2\n*Vertices 2\n", "no line '*Vertices n' before its links"),
}  # fmt: skip
"""Texts that would be read wrongly, and what is said."""


def links(network: Network) -> str:
    """The links, such as "a>b:2"."""
    sign = ">" if network.directed else "-"
    widths = [f":{x}" for x in network.bandwidths] or [""] * len(network.edges)
    names = network.labels
    return " ".join(f"{names[u]}{sign}{names[v]}{x}" for (u, v), x in zip(network.edges, widths, strict=True))


@pytest.mark.parametrize("name", READ)
def test_read_as_meant(tmp_path: Path, name: str) -> None:
    text, meant, said = READ[name]
    network = read_text(tmp_path, name, text)
    assert links(network) == meant
    assert said in network.understood


@pytest.mark.parametrize("name", REFUSED)
def test_refused_by_name(tmp_path: Path, name: str) -> None:
    text, words = REFUSED[name]
    assert words in refusal(tmp_path, name, text)


def test_the_way_out_of_an_edge_list(tmp_path: Path) -> None:
    """What is refused at the head of a file is read where it says so."""
    assert links(read_text(tmp_path, "n.txt", "0 1\n1 2\n4 3\n2 3\n")) == "0-1 1-2 2-3 3-4"
    assert links(read_text(tmp_path, "n.txt", "0 1\nperson friend\n")) == "0-1 person-friend"
    assert links(read_text(tmp_path, "n.csv", "source,target\nid,label\n1,2\n")) == "id-label 1-2"
    assert links(read_text(tmp_path, "n.edges", "a;b c\n")) == "a;b-c"


def test_adjacency_lists_of_networkx(tmp_path: Path) -> None:
    """The short form is read, the form in many lines refused."""
    graph = nx.petersen_graph()
    nx.write_adjlist(graph, tmp_path / "short.adjlist")
    short = read_text(tmp_path, "short.adjlist", (tmp_path / "short.adjlist").read_bytes())
    assert {*short.edges} == {*graph.edges}
    nx.write_multiline_adjlist(graph, tmp_path / "long.adjlist")
    long = (tmp_path / "long.adjlist").read_bytes()
    assert "networkx.write_adjlist" in refusal(tmp_path, "long.adjlist", long)


def test_arcs_that_are_mirrored(tmp_path: Path) -> None:
    """They stay arcs where arcs are asked for."""
    text = MATRIX + "pattern general\n2 2 2\n1 2\n2 1\n"
    assert links(read_text(tmp_path, "n.mtx", text)) == "1-2"
    assert links(read_text(tmp_path, "n.mtx", text, directed=True)) == "1>2 2>1"


def test_a_file_of_no_known_ending_is_told_from_a_family(tmp_path: Path) -> None:
    path = tmp_path / "a.dot"
    path.write_text("graph { a -- b; }")
    with pytest.raises(InputError, match=r"the ending of '.*a\.dot' names no format of networks"):
        Network.from_spec(str(path))
