"""The named families: sizes, degrees, distances, numbering, reproducibility, and what is refused."""

from __future__ import annotations

import re
from contextlib import suppress

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.network.graph import Network
from schedsolve.network.named.families import families, family_network, is_family
from schedsolve.runtime.errors import InputError
from tests.network.graphs import degrees, diameter, graph

EXAMPLES = {
    "path": "path:8",
    "cycle": "cycle:9",
    "complete": "complete:7",
    "star": "star:5",
    "tree": "tree:2,3",
    "grid": "grid:4x4",
    "torus": "torus:5x5",
    "hypercube": "hypercube:4",
    "ccc": "ccc:3",
    "butterfly": "butterfly:3",
    "debruijn": "debruijn:4",
    "shuffle-exchange": "shuffle-exchange:4",
    "harary": "harary:4,11",
    "knodel": "knodel:3,10",
    "petersen": "petersen",
    "random-regular": "random-regular:3,20,5",
    "random-tree": "random-tree:20,5",
    "small-world": "small-world:4,20,0.1,5",
    "fat-tree": "fat-tree:16",
    "circulant": "circulant:8,1,3",
    "kautz": "kautz:2,2",
    "genkautz": "genkautz:4,32",
    "dragonfly": "dragonfly:4,2",
    "leaf-spine": "leaf-spine:2,4,2",
    "jellyfish": "jellyfish:12,6,2,5",
    "dgx1": "dgx1",
    "dgx2": "dgx2",
    "nvl72": "nvl72",
    "amd4": "amd4",
    "a100": "a100:2",
    "h100": "h100:2",
    "mi250": "mi250:2",
    "mi300x": "mi300x",
    "graph6": "graph6:IheA@GUAo",
}


@pytest.mark.parametrize("name", [family.name for family in families()])
def test_every_family_has_a_working_example(name: str) -> None:
    """Every record builds a connected network that carries its spec as name and its nodes as labels."""
    spec = EXAMPLES[name]
    network = family_network(spec)
    assert is_family(spec)
    assert network.name == spec
    assert network.labels == tuple(range(network.node_count))
    assert network.is_connected
    assert network.directed == (name in {"kautz", "genkautz"})
    assert network == Network.from_spec(spec)


def test_listing() -> None:
    """The listing has one record per family: a form that begins with its name, a one-line description, and
    the seeded ones marked.
    """
    assert [family.name for family in families()] == list(EXAMPLES)
    for family in families():
        assert family.form.partition(":")[0] == family.name
        assert family.description
        assert "\n" not in family.description
        assert (
            family.seeded
            == ("SEED" in family.form)
            == (family.name.startswith("random") or family.name in {"small-world", "jellyfish"})
        )


@pytest.mark.parametrize("spec", ["file.edges", "", "cycles:9", "Cycle:9", ":9", " path:3"])
def test_is_family_knows_only_its_names(spec: str) -> None:
    """A text whose part before the colon is no family's name is none, and asking for it is refused."""
    assert not is_family(spec)
    with pytest.raises(InputError, match="is no family"):
        family_network(spec)


@pytest.mark.parametrize(
    ("spec", "nodes", "edges", "degree_set", "greatest_distance"),
    [
        ("path:1", 1, 0, {0}, 0),
        ("path:2", 2, 1, {1}, 1),
        ("path:8", 8, 7, {1, 2}, 7),
        ("cycle:3", 3, 3, {2}, 1),
        ("cycle:9", 9, 9, {2}, 4),
        ("complete:1", 1, 0, {0}, 0),
        ("complete:2", 2, 1, {1}, 1),
        ("complete:7", 7, 21, {6}, 1),
        ("star:1", 1, 0, {0}, 0),
        ("star:2", 2, 1, {1}, 1),
        ("star:5", 5, 4, {1, 4}, 2),
        ("tree:5,0", 1, 0, {0}, 0),
        ("tree:1,4", 5, 4, {1, 2}, 4),
        ("tree:2,3", 15, 14, {1, 2, 3}, 6),
        ("tree:3,2", 13, 12, {1, 3, 4}, 4),
        ("grid:1x1", 1, 0, {0}, 0),
        ("grid:1x6", 6, 5, {1, 2}, 5),
        ("grid:6x1", 6, 5, {1, 2}, 5),
        ("grid:4x3", 12, 17, {2, 3, 4}, 5),
        ("torus:3x3", 9, 18, {4}, 2),
        ("torus:5x4", 20, 40, {4}, 4),
        ("hypercube:0", 1, 0, {0}, 0),
        ("hypercube:1", 2, 1, {1}, 1),
        ("hypercube:5", 32, 80, {5}, 5),
        ("ccc:3", 24, 36, {3}, 6),
        ("ccc:4", 64, 96, {3}, 8),
        ("ccc:5", 160, 240, {3}, 10),
        ("butterfly:3", 24, 48, {4}, 4),
        ("butterfly:4", 64, 128, {4}, 6),
        ("butterfly:5", 160, 320, {4}, 7),
        ("debruijn:1", 2, 1, {1}, 1),
        ("debruijn:4", 16, 29, {2, 3, 4}, 4),
        ("shuffle-exchange:1", 2, 1, {1}, 1),
        ("shuffle-exchange:2", 4, 3, {1, 2}, 3),
        ("shuffle-exchange:4", 16, 21, {1, 2, 3}, 7),
        ("petersen", 10, 15, {3}, 2),
        ("fat-tree:2", 3, 2, {1, 2}, 2),
        ("fat-tree:16", 31, 30, {1, 2, 3}, 8),
        ("graph6:@", 1, 0, {0}, 0),
        ("graph6:A_", 2, 1, {1}, 1),
        ("graph6:>>graph6<<Bw", 3, 3, {2}, 1),
    ],
)
def test_closed_forms(
    spec: str, nodes: int, edges: int, degree_set: set[int], greatest_distance: int
) -> None:
    """Nodes, edges, degrees and diameter are those of the literature."""
    network = family_network(spec)
    assert network.node_count == nodes
    assert len(network.edges) == edges
    assert degrees(network) == degree_set
    assert diameter(network) == greatest_distance


@pytest.mark.parametrize("d", range(3, 7))
def test_diameters_of_cube_like_networks(d: int) -> None:
    """Wrapped butterfly: floor(3d/2); cube-connected cycles: 2d + floor(d/2) - 2, with 6 for d = 3;
    shuffle-exchange: 2d - 1.
    """
    assert diameter(family_network(f"butterfly:{d}")) == 3 * d // 2
    assert diameter(family_network(f"ccc:{d}")) == (6 if d == 3 else 2 * d + d // 2 - 2)
    assert diameter(family_network(f"shuffle-exchange:{d}")) == 2 * d - 1
    assert diameter(family_network(f"debruijn:{d}")) == d


@pytest.mark.parametrize(
    ("spec", "reference"),
    [
        ("path:8", nx.path_graph(8)),
        ("cycle:9", nx.cycle_graph(9)),
        ("complete:7", nx.complete_graph(7)),
        ("star:5", nx.star_graph(4)),
        ("tree:3,3", nx.balanced_tree(3, 3)),
        ("harary:1,2", nx.path_graph(2)),
        ("harary:1,7", nx.path_graph(7)),
        ("harary:2,7", nx.cycle_graph(7)),
        ("harary:4,11", nx.circulant_graph(11, [1, 2])),
        ("harary:5,12", nx.circulant_graph(12, [1, 2, 6])),
    ],
)
def test_same_numbering_as_networkx(spec: str, reference: nx.Graph) -> None:
    """Where networkx numbers in the obvious way the edges are the same, not only isomorphic."""
    assert nx.utils.graphs_equal(nx.Graph(graph(spec).edges()), nx.Graph(reference.edges()))


@pytest.mark.parametrize(
    ("spec", "reference"),
    [
        ("grid:4x3", nx.grid_2d_graph(4, 3)),
        ("torus:5x4", nx.grid_2d_graph(5, 4, periodic=True)),
        ("hypercube:4", nx.hypercube_graph(4)),
        ("petersen", nx.petersen_graph()),
        ("harary:3,9", nx.hkn_harary_graph(3, 9)),
        ("harary:5,13", nx.hkn_harary_graph(5, 13)),
        ("fat-tree:8", nx.balanced_tree(2, 3)),
        ("knodel:3,8", nx.hypercube_graph(3)),
        ("knodel:2,10", nx.cycle_graph(10)),
        ("knodel:3,14", nx.heawood_graph()),
    ],
)
def test_isomorphic_to_networkx(spec: str, reference: nx.Graph) -> None:
    """The other standard graphs are isomorphic to networkx's."""
    assert nx.is_isomorphic(graph(spec), reference)


@pytest.mark.parametrize("n", range(2, 12))
def test_harary_is_minimal(n: int) -> None:
    """H(k,n) is k-connected with ceil(kn/2) edges (n-1 when k is 1), the fewest there can be."""
    for k in range(1, n):
        network = family_network(f"harary:{k},{n}")
        assert len(network.edges) == (n - 1 if k == 1 else (k * n + 1) // 2)
        assert nx.node_connectivity(network.to_networkx()) == k


@pytest.mark.parametrize("n", range(2, 21, 2))
def test_knodel_follows_its_definition(n: int) -> None:
    """W(delta,n) is bipartite and delta-regular, and the offsets of its edges are 2^k - 1."""
    for delta in range(1, n.bit_length()):
        network = family_network(f"knodel:{delta},{n}")
        half = n // 2
        assert degrees(network) == {delta}
        assert {(v - half - u) % half for u, v in network.edges} == {(2**k - 1) % half for k in range(delta)}
        assert all(u < half <= v for u, v in network.edges)


def test_grid_and_torus_numbering() -> None:
    """Node r*C+c has its neighbours in the rows and columns beside it."""
    grid, torus = family_network("grid:3x4"), family_network("torus:3x4")
    assert grid.successors[5] == (1, 4, 6, 9)
    assert grid.successors[3] == (2, 7)
    assert torus.successors[3] == (0, 2, 7, 11)


def test_ccc_numbering() -> None:
    """Node d*x+i is on the cycle at address x, and its cube edge flips bit i of x."""
    d = 4
    network = family_network(f"ccc:{d}")
    for x in range(2**d):
        for i in range(d):
            around = {d * x + (i + 1) % d, d * x + (i - 1) % d}
            assert set(network.successors[d * x + i]) == around | {d * (x ^ 1 << i) + i}


def test_butterfly_numbering() -> None:
    """Node d*x+i is joined to level i+1 modulo d in its own row and in the row that differs in bit i."""
    d = 4
    network = family_network(f"butterfly:{d}")
    expected = {
        frozenset((d * x + i, d * y + (i + 1) % d))
        for x in range(2**d)
        for i in range(d)
        for y in (x, x ^ 1 << i)
    }
    assert {frozenset(edge) for edge in network.edges} == expected


@pytest.mark.parametrize("d", range(1, 6))
def test_de_bruijn_and_shuffle_exchange_follow_words(d: int) -> None:
    """Written as words of d bits, de Bruijn shifts a new bit in; shuffle-exchange rotates, or flips the last
    bit.
    """
    words = [format(x, f"0{d}b") for x in range(2**d)]
    shifts = {frozenset((w, w[1:] + bit)) for w in words for bit in "01"}
    moves = {frozenset((w, w[1:] + w[0])) for w in words} | {
        frozenset((w, w[:-1] + "10"[int(w[-1])])) for w in words
    }
    for spec, expected in ((f"debruijn:{d}", shifts), (f"shuffle-exchange:{d}", moves)):
        found = {frozenset((words[u], words[v])) for u, v in family_network(spec).edges}
        assert found == {pair for pair in expected if len(pair) == 2}


def test_fat_tree_numbering() -> None:
    """The processors come first, then the switches level by level up to the root."""
    network = family_network("fat-tree:8")
    assert network.distances_from([14])[:8] == [3] * 8
    assert network.distances_from([14])[8:] == [2, 2, 2, 2, 1, 1, 0]
    assert network.successors[8] == (0, 1, 12)
    assert network.successors[14] == (12, 13)


REFUSALS = {
    "0 given": ["path", "path:"],
    "1 given": ["tree:2", "grid:4", "grid:4,4", "harary:4", "random-regular:3"],
    "2 given": ["path:3,4"],
    "3 given": ["grid:4x4x4"],
    "4 given": ["random-regular:3,20,1,1"],
    "it takes K and N and optionally SEED": ["random-regular:3"],
    "no parameter": ["petersen:5", "petersen:"],
    "is not an integer": [
        "path:abc",
        "path:3.0",
        "path: 3",
        "path:1_0",
        "path:٣",
        "path:+3",
        "grid:4x",
        "random-regular:3,20,x",
    ],
    "more than 18 digits": ["path:" + "9" * 5000],
    "N must be at least 1": [
        "path:0",
        "path:-3",
        "complete:0",
        "star:0",
        "random-tree:0",
        "random-regular:0,0",
    ],
    "N must be at least 3": ["cycle:2", "cycle:0"],
    "H must be at least 0": ["tree:2,-1"],
    "R must be at least 1": ["grid:0x4"],
    "A must be at least 3": ["torus:2x5", "torus:2"],
    "B must be at least 3": ["torus:5x2"],
    "C must be at least 3": ["torus:3x3x2"],
    "it takes N and J1 and more; 1 given": ["circulant:8"],
    "a jump must be from 1 to N/2": ["circulant:8,5", "circulant:8,0"],
    "a jump is given twice": ["circulant:8,3,3"],
    "d must be at least 1": ["kautz:0,2", "genkautz:0,4"],
    "n must be at least 2": ["genkautz:2,1"],
    "a must be at least 1": ["dragonfly:0,2"],
    "U must be at least 1": ["leaf-spine:2,2,0"],
    "K must be at least 1": ["tree:0,2", "harary:0,4", "a100:0", "h100:0", "mi250:0"],
    "it takes no parameter": ["dgx1:2", "nvl72:2", "petersen:3"],
    "D must be at least 0": ["hypercube:-1"],
    "D must be at least 1": ["debruijn:0", "shuffle-exchange:0"],
    "D must be at least 3": ["ccc:2", "butterfly:2"],
    "K must be less than N": ["harary:4,4", "harary:5,4", "random-regular:5,5"],
    "N must be even": ["knodel:1,9", "knodel:1,0"],
    "DELTA must be from 1 to 3": ["knodel:4,10", "knodel:0,10"],
    "K*N must be even": ["random-regular:3,5"],
    "not connected": ["random-regular:1,4", "random-regular:0,2", "small-world:0,2,0", "jellyfish:4,3,2"],
    "no whole number, decimal or fraction": [
        "small-world:4,20,x",
        "small-world:4,20,1e-3",
        "small-world:4,20,1/0",
    ],
    "P must be from 0 to 1": ["small-world:4,20,1.5", "small-world:4,20,-1/2"],
    "K must be even": ["small-world:3,20,0.1"],
    "it takes K and N and P and optionally SEED": ["small-world:4,20"],
    "P must be at least 3": ["jellyfish:4,2,3"],
    "H must be at least 1": ["jellyfish:4,2,0"],
    "P-H must be less than S": ["jellyfish:4,6,2"],
    "S*(P-H) must be even": ["jellyfish:5,5,2"],
    "K must be at least 0": ["random-regular:-1,4"],
    "SEED must be at least 0": ["random-tree:5,-1"],
    "power of two": ["fat-tree:0", "fat-tree:1", "fat-tree:12"],
    "no graph6 string": ["graph6", "graph6:"],
    "is empty": ["graph6:?"],
    "does not fit": ["graph6:D", "graph6:~", "graph6:~~", "graph6:Bww"],
    "no graph6 character": ["graph6::An", "graph6:Aé"],
}


@pytest.mark.parametrize(
    ("spec", "reason"), [(spec, reason) for reason, specs in REFUSALS.items() for spec in specs]
)
def test_refusals(spec: str, reason: str) -> None:
    """What is no such network is refused on one line with the reason and the valid form."""
    with pytest.raises(InputError) as refusal:
        family_network(spec)
    message = str(refusal.value)
    assert reason in message
    assert "the form is " + spec.partition(":")[0] in message
    assert "\n" not in message


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.sampled_from(sorted(EXAMPLES)), st.text(alphabet="0123456789x,-: ab?_~", max_size=5))
def test_any_parameters_give_a_network_or_a_refusal(name: str, text: str) -> None:
    """No text after a family's name raises anything but InputError."""
    if sum(character.isdigit() for character in text) > 3:
        return
    with suppress(InputError):
        assert family_network(f"{name}:{text}").node_count >= 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ring:8", "here it is cycle:N"),
        ("GB200", "nvl72-cluster-2,72x400Gb,rail"),
        ("hgx-b200", "h100:1, 8 accelerators at one switch"),
        ("dragonfly+:2,4", "leaf-spine:L,P,U for a group"),
        ("tpu-v4", "torus:4x4x4-without-5"),
        ("HLS-1", "every two of 8 accelerators joined"),
        ("slingshot", "dragonfly:a,h"),
        ("DGX1", "dgx1"),
        ("graphs:9", "is a set of networks"),
    ],
)
def test_names_that_others_use(text: str, words: str) -> None:
    """They are answered with the text to write."""
    with pytest.raises(InputError, match=re.escape(words)):
        Network.from_spec(text)
