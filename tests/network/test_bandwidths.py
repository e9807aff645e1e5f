"""Networks with bandwidths and switches: their data, files, ids, automorphisms, machines, and who refuses
them.
"""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from tempfile import TemporaryDirectory

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve import Network, build_problem
from schedsolve.modelkit.problem import Problem, problem_from_json, problem_id, problem_to_json
from schedsolve.models import models
from schedsolve.network.automorphisms import automorphisms, is_automorphism
from schedsolve.network.bandwidths import bandwidth_from_data, rounds_needed
from schedsolve.network.files.any_format import read_network, write_network
from schedsolve.network.files.formats import ENDINGS, FORMATS
from schedsolve.runtime.errors import InputError
from tests.command_line import Cli

SQUARE = ((0, 1), (1, 2), (2, 3), (0, 3))
WRITTEN = sorted({ending for form in FORMATS if form.compose for ending in form.endings})
BANDWIDTHS = st.integers(1, 3) | st.sampled_from([Fraction(1, 2), Fraction(4, 3)])


@st.composite
def machines(draw: st.DrawFn) -> Network:
    """Small networks of any direction, labels, bandwidths and switches."""
    n = draw(st.integers(1, 5))
    directed = draw(st.booleans())
    pairs = [(u, v) for u in range(n) for v in range(n) if u < v or (directed and u != v)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    bandwidths = draw(st.lists(BANDWIDTHS, min_size=len(edges), max_size=len(edges)))
    switches = draw(st.sets(st.integers(0, n - 1)))
    return Network(n, tuple(edges), directed, bandwidths=tuple(bandwidths), switches=frozenset(switches))


def test_bandwidths_follow_their_edges() -> None:
    """Edges are sorted with their bandwidths; an undirected edge has it both ways; whole fractions are
    integers.
    """
    network = Network(3, ((2, 1), (1, 0)), bandwidths=(Fraction(3, 2), Fraction(4, 2)))
    assert network.edges == ((0, 1), (1, 2))
    assert network.bandwidths == (2, Fraction(3, 2))
    assert network.bandwidth_of == {(0, 1): 2, (1, 0): 2, (1, 2): Fraction(3, 2), (2, 1): Fraction(3, 2)}
    arcs = Network(2, ((1, 0), (0, 1)), True, bandwidths=(5, 7))
    assert arcs.bandwidth_of == {(0, 1): 7, (1, 0): 5}
    assert arcs.reversed().bandwidth_of == {(1, 0): 7, (0, 1): 5}


def test_bandwidths_of_one_are_none() -> None:
    """All 1 is the same network as none; plain() forgets bandwidths and switches."""
    assert Network(2, ((0, 1),), bandwidths=(1,)) == Network(2, ((0, 1),))
    machine = Network(3, ((0, 2), (1, 2)), bandwidths=(1, 2), switches=frozenset({2}))
    assert machine.plain() == Network(3, ((0, 2), (1, 2)))
    assert machine.compute_nodes == (0, 1)
    assert not machine.is_plain
    assert hash(machine) != hash(machine.plain())


@pytest.mark.parametrize(
    ("bandwidths", "switches", "reason"),
    [
        ((1,), (), "2 edges need as many bandwidths, not 1"),
        ((1, 0), (), "bandwidths are positive"),
        ((1, Fraction(-1, 2)), (), "bandwidths are positive"),
        ((1, True), (), "bandwidths are positive"),
        ((1, 1.5), (), "bandwidths are positive"),
        ((), (3,), "a switch is outside the nodes 0..2"),
    ],
)
def test_refusals(bandwidths: tuple[int, ...], switches: tuple[int, ...], reason: str) -> None:
    """Bandwidths of no edge or no size, and switches that are no nodes."""
    with pytest.raises(InputError, match=reason):
        Network(3, ((0, 1), (1, 2)), bandwidths=bandwidths, switches=frozenset(switches))


@settings(derandomize=True, max_examples=150, deadline=None)
@given(machines(), st.sampled_from(WRITTEN))
def test_files_keep_bandwidths_and_switches(network: Network, ending: str) -> None:
    """A file holds the same machine or is not written; .topo, .json and .graphml hold every one."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / ("net" + ending)
        try:
            write_network(network, path)
        except InputError:
            assert ending not in (".topo", ".json", ".graphml", ".gml", ".gexf")
            return
        lines = (".edges", ".edgelist", ".txt", ".adjlist", ".csv", ".tsv", ".mtx", ".d6")
        again = read_network(path, directed=network.directed and ending in lines)
        numbered = ENDINGS[ending].numbered_from is not None
        assert replace(again, labels=network.labels, nodes=()) == network if numbered else again == network


@settings(derandomize=True, max_examples=100, deadline=None)
@given(machines())
def test_problem_json_and_networkx(network: Network) -> None:
    """Problems and networkx graphs bring bandwidths and switches back."""
    problem = Problem("any", "gossip", network)
    again = problem_from_json(json.loads(json.dumps(problem_to_json(problem))))
    assert again.network == network
    assert problem_id(again) == problem_id(problem)
    assert Network.from_networkx(network.to_networkx()) == network
    assert network.reversed().reversed() == network


def test_ids() -> None:
    """One other bandwidth or switch is another id; without any the id is that of version 0.1.0."""
    plain = Network(4, SQUARE)
    variants = [
        plain,
        replace(plain, bandwidths=(1, 1, 1, 2)),
        replace(plain, bandwidths=(1, 1, 2, 1)),
        replace(plain, bandwidths=(1, 1, 1, Fraction(1, 2))),
        replace(plain, switches=frozenset({0})),
        replace(plain, switches=frozenset({1})),
    ]
    ids = [problem_id(Problem("telegraph", "gossip", network)) for network in variants]
    assert len(set(ids)) == len(ids)
    assert ids[0] == "0a4a7412d48def7a3a87a5df48d860f511afc66f9a04822c45780698c5c74a85"


def test_parallel_links_add_up(tmp_path: Path) -> None:
    """In edge lists with a third column and in topologies, in either direction when undirected."""
    path = tmp_path / "net.edges"
    path.write_text("0 1 2\n1 0 1/2\n1 2\n")
    assert read_network(path).bandwidths == (Fraction(5, 2), 1)
    assert read_network(path, directed=True).bandwidth_of == {(0, 1): 2, (1, 0): Fraction(1, 2), (1, 2): 1}
    topology = {
        "format": "schedsolve-topology/1",
        "compute": [0, 1],
        "links": [[0, 1, 2], [1, 0], [0, 1, "1/3"]],
    }
    path = tmp_path / "net.topo"
    path.write_text(json.dumps(topology))
    assert read_network(path).bandwidths == (Fraction(10, 3),)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": "x"}, "a topology is an object"),
        ({"compute": 3}, "must be lists"),
        ({"directed": 1}, "must be true or false"),
        ({"compute": [0, 0]}, "node 0 is given twice"),
        ({"switches": [1]}, "node 1 is given twice"),
        ({"compute": [0, 1, [2]]}, "is no label"),
        ({"compute": [0, 1, ""]}, "not printable"),
        ({"links": [[0, 2, 1]]}, "a link names 2, which is not among the nodes"),
        ({"links": [[0, 1, 1, 1]]}, "a link is"),
        ({"links": [[0, 0, 1]]}, "self-loop"),
        ({"links": [[0, 1, 0]]}, "bandwidths are positive"),
        ({"links": [[0, 1, None]]}, "a bandwidth is a positive whole number"),
        ({"links": [[0, 1, True]]}, "a bandwidth is a positive whole number"),
        ({"compute": []}, "a link names 0"),
    ],
)
def test_malformed_topologies(tmp_path: Path, changes: dict[str, object], reason: str) -> None:
    """Each fault is refused in one line under the file's name."""
    whole = {"format": "schedsolve-topology/1", "compute": [0, 1], "switches": [], "links": [[0, 1, 2]]}
    path = tmp_path / "net.topo"
    path.write_text(json.dumps({**whole, **changes}))
    with pytest.raises(InputError, match=reason) as raised:
        read_network(path)
    assert "\n" not in str(raised.value)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(machines())
def test_automorphisms_keep_bandwidths_and_switches(network: Network) -> None:
    """Exactly the permutations that keep the bandwidth of every pair of nodes and every switch."""
    n, bandwidth = network.node_count, network.bandwidth_of

    def keeps(image: tuple[int, ...]) -> bool:
        return all((image[v] in network.switches) == (v in network.switches) for v in range(n)) and all(
            bandwidth.get((u, v)) == bandwidth.get((image[u], image[v]))
            for u, v in product(range(n), repeat=2)
        )

    kept = {image for image in permutations(range(n)) if keeps(image)}
    assert {image for image in permutations(range(n)) if is_automorphism(network, image)} == kept
    assert {*automorphisms(network), tuple(range(n))} == kept


@pytest.mark.parametrize(
    ("spec", "compute", "switches", "bandwidths"),
    [
        ("dgx1", 8, 0, {1: 8, 2: 8}),
        ("amd4", 4, 0, {1: 4}),
        ("dgx2", 16, 12, {1: 96, 8: 6}),
        ("nvl72", 72, 18, {1: 1296}),
        ("mi300x", 8, 0, {1: 28}),
        ("jellyfish:6,5,2,1", 12, 6, {1: 21}),
        ("a100:1", 8, 1, {300: 8}),
        ("a100:2", 16, 4, {300: 16, 25: 16}),
        ("h100:3", 24, 4, {450: 24, 50: 24}),
        ("mi250:1", 16, 0, {200: 8, 100: 4, 50: 16}),
        ("mi250:2", 32, 1, {200: 16, 100: 8, 50: 32, 16: 32}),
        ("leaf-spine:2,3,4", 6, 3, {1: 6, 4: 2}),
    ],
)
def test_machines(spec: str, compute: int, switches: int, bandwidths: dict[int, int]) -> None:
    """Numbers of nodes and of links of every bandwidth; switches are numbered after the compute nodes."""
    network = Network.from_spec(spec)
    assert network.compute_nodes == tuple(range(compute))
    assert network.switches == set(range(compute, compute + switches))
    all_bandwidths = network.bandwidths or (1,) * len(network.edges)
    assert {b: all_bandwidths.count(b) for b in set(all_bandwidths)} == bandwidths
    assert network.is_connected


def test_directed_families() -> None:
    """Kautz digraphs are regular of the given diameter, and the generalised ones of the right size are they;
    parallel arcs add up.
    """
    for d, diameter in ((2, 2), (3, 1), (2, 3)):
        kautz = Network.from_spec(f"kautz:{d},{diameter}")
        assert kautz.node_count == (d + 1) * d**diameter == len(kautz.edges) // d
        assert set(kautz.eccentricities) == {diameter + 1}
        general = Network.from_spec(f"genkautz:{d},{kautz.node_count}")
        assert nx.is_isomorphic(general.to_networkx(), kautz.to_networkx())
    doubled = Network.from_spec("genkautz:3,2")
    assert sum(doubled.bandwidths or (1,) * len(doubled.edges)) == sum(
        (-3 * u - a) % 2 != u for u in range(2) for a in (1, 2, 3)
    )


@pytest.mark.parametrize(("a", "h"), [(1, 1), (2, 1), (4, 2), (3, 3)])
def test_dragonfly(a: int, h: int) -> None:
    """Every router has a - 1 + h links, and any two groups are joined by one."""
    network = Network.from_spec(f"dragonfly:{a},{h}")
    groups = a * h + 1
    assert {len(near) for near in network.successors} == {a - 1 + h}
    between = [frozenset((u // a, v // a)) for u, v in network.edges if u // a != v // a]
    assert len(between) == len(set(between)) == groups * (groups - 1) // 2


def test_circulants_and_tori() -> None:
    """As networkx has them; the torus of two sides keeps the numbering of version 0.1.0."""
    for n, jumps in ((8, (1, 3)), (8, (4,)), (9, (1, 2, 4))):
        text = ",".join(map(str, jumps))
        ours = Network.from_spec(f"circulant:{n},{text}")
        assert ours == Network.from_networkx(nx.circulant_graph(n, list(jumps)), name=ours.name)
    lattice = nx.grid_graph([5, 4, 3], periodic=True)
    torus = Network.from_spec("torus:3x4x5")
    assert {frozenset(edge) for edge in torus.edges} == {
        frozenset(20 * a + 5 * b + c for a, b, c in edge) for edge in lattice.edges
    }
    assert Network.from_spec("torus:7").edges == Network.from_spec("cycle:7").edges


@pytest.mark.parametrize("name", sorted({m.name for m in models().values() if not m.machines}))
def test_models_without_use_for_bandwidths(name: str) -> None:
    """Refused in one line, and taken as the plain graph when asked."""
    record = models()[name]
    task = next(iter(record.tasks))
    machine = (
        Network.from_spec("dgx1") if name not in ("fat-tree", "routing") else Network.from_spec("fat-tree:4")
    )
    machine = machine if machine.bandwidths else replace(machine, bandwidths=(2,) * len(machine.edges))
    with pytest.raises(InputError, match="; ignore_bandwidths takes"):
        build_problem(name, task, machine)
    given = {"messages": [[0, 1]]} if name == "routing" else {}
    problem = build_problem(name, task, machine, given, ignore_bandwidths=True)
    assert problem.network == machine.plain()


def test_command_line(cli: Cli) -> None:
    """`solve` says which option takes the plain graph, and takes it; the file is about that."""
    refused = cli("solve telephone gossip dgx1")
    assert refused.status == 2
    assert refused.err.count("\n") == 1
    assert "--ignore-bandwidths" in refused.err
    taken = cli("solve telephone gossip dgx1 --ignore-bandwidths --json")
    assert taken.status == 0
    data = json.loads(taken.out)
    assert data["value"] == 3
    assert problem_from_json(data["problem"]).network == Network.from_spec("dgx1").plain()


def test_the_greatest_numbers_of_bandwidths() -> None:
    """A numerator and a denominator of 37 digits, no more, and neither 0 nor below."""
    most = 10**36
    for text, value in (
        (f"{most}", most),
        (f"1/{most}", Fraction(1, most)),
        (f" {most}/7 ", Fraction(most, 7)),
    ):
        assert bandwidth_from_data(text) == value
    for text in (f"{most + 1}", f"1/{most + 1}", f"{most + 1}/{most + 2}", "much", ""):
        with pytest.raises(InputError, match="a bandwidth is a positive whole number"):
            bandwidth_from_data(text)
    for text in ("0", "-1", "-1/2", f"-{most * 10}"):
        with pytest.raises(InputError, match="positive"):
            bandwidth_from_data(text)


def test_rounds_needed_are_those_of_the_fullest_link() -> None:
    """A link of bandwidth 3/2 carries 3 chunks in 2 rounds, and 4 in 3; no load takes no round."""
    bandwidth_of = {(0, 1): Fraction(3, 2), (1, 2): Fraction(4)}
    assert rounds_needed({}, bandwidth_of) == 0
    assert rounds_needed({(0, 1): 3, (1, 2): 8}, bandwidth_of) == 2
    assert rounds_needed({(0, 1): 4, (1, 2): 1}, bandwidth_of) == 3
    assert rounds_needed({(0, 1): 1, (1, 2): 17}, bandwidth_of) == 5
