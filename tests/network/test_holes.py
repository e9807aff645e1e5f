"""Networks without some nodes and links, by name and in files, in every verb that takes a network."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.network.classes.sets import networks_of
from schedsolve.network.graph import Network
from schedsolve.network.named.holes import MOST_HYPHENS, without
from schedsolve.network.named.spec import network_from_data
from schedsolve.runtime.errors import InputError
from tests.command_line import Cli
from tests.needs import needs

WHOLE = "complete:6"


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_what_is_left(data: st.DataObject) -> None:
    """It is what networkx leaves, or it is refused because the graph is empty or falls apart."""
    whole = Network.from_spec(data.draw(st.sampled_from([WHOLE, "grid:2x4", "cycle:5"])))
    nodes = data.draw(st.sets(st.sampled_from(whole.labels), max_size=2))
    links = data.draw(st.sets(st.sampled_from(whole.edges), min_size=not nodes, max_size=3))
    items = [*map(str, nodes), *(f"{v}-{u}" for u, v in links)]
    graph = nx.Graph(whole.to_networkx())
    graph.remove_edges_from(links)
    graph.remove_nodes_from(nodes)
    spec = f"{whole.name}-without-{','.join(items)}"
    if not nx.is_connected(graph):
        with pytest.raises(InputError, match="falls apart"):
            Network.from_spec(spec)
        return
    network = Network.from_spec(spec)
    assert network.labels == tuple(sorted(graph))
    found = {(network.labels[u], network.labels[v]) for u, v in network.edges}
    assert found == {(min(edge), max(edge)) for edge in graph.edges}
    assert network.name == spec


@needs("drawing")
def test_bandwidths_switches_and_places_stay() -> None:
    """What belongs to the nodes and links that are left is that of the whole machine."""
    from schedsolve.drawing.pictures.layouts import layout_of

    whole, network = Network.from_spec("leaf-spine:2,2,3"), Network.from_spec("leaf-spine:2,2,3-without-1")
    assert [network.labels[v] for v in sorted(network.switches)] == sorted(whole.switches)
    for (u, v), bandwidth in network.bandwidth_of.items():
        ends = whole.node(network.labels[u]), whole.node(network.labels[v])
        assert bandwidth == whole.bandwidth_of[ends]
    full, holed = Network.from_spec("grid:3x3"), Network.from_spec("grid:3x3-without-4,0-1")
    assert holed.labels == (0, 1, 2, 3, 5, 6, 7, 8)
    places = layout_of(full).points
    assert layout_of(holed).points == tuple(places[v] for v in holed.labels)


def test_one_direction_of_a_directed_network() -> None:
    """U-V is the arc from U to V; the network must stay strongly connected, and the message says which way
    is lost.
    """
    arcs = tuple((u, v) for pair in combinations(range(3), 2) for u, v in (pair, pair[::-1]))
    network = without(Network(3, arcs, directed=True), "0-1")
    assert set(network.edges) == set(arcs) - {(0, 1)}
    with pytest.raises(InputError, match="there is no link 1-0"):
        without(Network(3, ((0, 1), (1, 2), (2, 0)), directed=True), "1-0")
    with pytest.raises(InputError, match="0 no longer reaches 1"):
        without(Network(3, ((0, 1), (1, 2), (2, 0)), directed=True), "0-1")
    with pytest.raises(InputError, match="1 no longer reaches 0"):
        without(Network(2, ((0, 1), (1, 0)), directed=True), "1-0")


def test_labels_with_hyphens() -> None:
    """A label wins over a link; of the ways to read a link the one that is a link counts."""
    labels = ("a", "a-b", "b", "b-c", "c")
    whole = Network.from_labels(labels, [*combinations(labels, 2)])
    assert without(whole, "a-b").labels == ("a", "b", "b-c", "c")
    assert len(without(whole, "a-b-b").edges) == 9
    only = Network.from_labels(labels, [("a", "b-c"), ("a-b", "b"), ("a", "b"), ("b", "c"), ("c", "b-c")])
    smaller = without(only, "a-b-c")
    assert ("a", "b-c") not in {(smaller.labels[u], smaller.labels[v]) for u, v in smaller.edges}


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("torus:8x8-without-99", "'99' is not a node of the network; its nodes are 0..63"),
        ("torus:8x8-without-0-99", "'99' is not a node of the network"),
        ("torus:8x8-without-0-2", "there is no link 0-2"),
        ("torus:8x8-without-", "'' is not a node"),
        ("torus:8x8-without-5,", "'' is not a node"),
        ("torus:8x8-without-1-2-3", "there is no link 1-2-3"),
        ("path:5-without-2", "falls apart: 0 no longer reaches 3"),
        ("path:1-without-0", "no node is left"),
        ("dgx1-without-0,0", "named twice"),
        ("dgx1-without-0-1,1-0", "named twice"),
        ("path:5-without-0-without-3", "falls apart: 1 no longer reaches 4"),
        ("path:0-without-0", "N must be at least 1"),
        ("path:5-without-0" + "-1" * (MOST_HYPHENS + 1), f"more than {MOST_HYPHENS} hyphens"),
        ("nowhere-without-0", "unknown network"),
        ("nowhere.edges-without-0", "cannot read"),
    ],
)
def test_refusals(cli: Cli, spec: str, words: str) -> None:
    """One line, exit status 2."""
    seen = cli(f"networks {spec}")
    assert (seen.status, seen.out, seen.err.count("\n")) == (2, "", 1)
    assert words in seen.err


def test_standard_input_has_no_holes() -> None:
    """A saved file cannot make the reader wait for standard input."""
    with pytest.raises(InputError, match="unknown network"):
        network_from_data("--without-0")


def test_a_result_is_checked_on_its_own_links(cli: Cli) -> None:
    """The links stand in the file, and the name is made again; with another link it is the wrong name."""
    assert cli("solve pipelined allreduce torus:4x4-without-5,0-1 --quiet -o r.json").status == 0
    data = json.loads(Path("r.json").read_text())
    assert data["problem"]["network"] == "torus:4x4-without-5,0-1"
    assert 5 not in data["problem"]["links"]["nodes"]
    seen = cli("check r.json")
    assert seen.status == 0
    assert "torus:4x4-without-5,0-1, made again from its name" in seen.out
    data["problem"]["network"] = "torus:4x4-without-5,0-4"
    Path("r.json").write_text(json.dumps(data))
    seen = cli("check r.json")
    assert seen.status == 1
    assert "the links of the file are other ones" in seen.out


def test_files_and_lists_of_problems(cli: Cli) -> None:
    """A file has holes as a family has; a list of problems takes a range of them."""
    Path("ring.edges").write_text("a b\nb c\nc d\nd a\n")
    assert cli("solve telephone gossip ring.edges-without-b --quiet -o r.json").status == 0
    assert cli("check r.json").status == 0
    assert json.loads(Path("r.json").read_text())["problem"]["network"]["name"] == "ring.edges-without-b"
    names = [network.name for network in networks_of("torus:3x3-without-0..2")]
    assert names == [f"torus:3x3-without-{v}" for v in range(3)]
