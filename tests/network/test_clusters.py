"""Several boxes as one network: equal ones on a fabric, and two joined by links."""

from __future__ import annotations

import json
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from schedsolve.network.files.any_format import read_network
from schedsolve.network.graph import Network
from schedsolve.network.named.clusters import cluster
from schedsolve.network.named.families import family_network
from schedsolve.network.named.spec import network_from_data, network_to_data
from schedsolve.runtime.errors import InputError
from tests.command_line import Cli, json_of, refused
from tests.network.file_reading import read_text

BOX = Path(__file__).parents[1] / "data" / "machines" / "8p-940.xml"


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a file in the folder, with eight accelerators, and ports of 200 Gb/s at its processors."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(BOX, "box.xml")
    return "box.xml"


def links(network: Network) -> dict[tuple[object, object], object]:
    """The bandwidth of every link, by labels, in both directions."""
    return {(network.labels[u], network.labels[v]): b for (u, v), b in network.bandwidth_of.items()}


@pytest.mark.parametrize("count", [2, 3, 5])
@pytest.mark.parametrize(("name", "cards"), [("h100", "8x400Gb"), ("h100", "8x50"), ("mi250", "16x16GB")])
def test_the_machines_of_several_boxes(name: str, cards: str, count: int) -> None:
    """Boxes of one on a switch are the machine that has the name of several."""
    made, named = (
        Network.from_spec(f"{name}:1-cluster-{count},{cards},switch"),
        family_network(f"{name}:{count}"),
    )
    assert (made.node_count, made.edges, made.bandwidths) == (named.node_count, named.edges, named.bandwidths)
    assert made.switches == named.switches
    assert made.hardware == named.hardware
    assert made.labels[:2] == ("0.gpu0", "0.gpu1")
    assert made.labels[-1] == "fabric"


def test_rails() -> None:
    """The first cards of all boxes share a switch, and so on; bandwidths of a DGX-1 become GB/s."""
    network = Network.from_spec("dgx1-cluster-3,8x400Gb,rail")
    found, inside = links(network), family_network("dgx1").bandwidth_of
    expected = {(f"{k}.gpu{u}", f"{k}.gpu{v}"): 25 * b for k in range(3) for (u, v), b in inside.items()}
    rails = {(f"{k}.gpu{v}", f"rail{v}"): 50 for k in range(3) for v in range(8)}
    assert found == expected | rails | {(v, u): b for (u, v), b in rails.items()}
    assert "bandwidth 1 of dgx1 as 25" in network.understood
    assert set(links(Network.from_spec("dgx1-cluster-2,8x4,rail")).values()) == {1, 2, 4}


def test_a_fat_tree() -> None:
    """Boxes share leaf switches in turn, and every leaf reaches every spine."""
    found = links(Network.from_spec("dgx1-cluster-4,8x1,leaf-spine:2,3,5"))
    assert found["0.gpu7", "leaf0"] == found["1.gpu0", "leaf0"] == found["3.gpu2", "leaf1"] == 1
    assert {pair: b for pair, b in found.items() if str(pair[0]).startswith("leaf") and b == 5} == {
        (f"leaf{i}", f"spine{j}"): 5 for i in range(2) for j in range(3)
    }
    rails = links(Network.from_spec("dgx1-cluster-2,8x1,rail:1,5"))
    assert [rails[f"rail{i}", "spine0"] for i in range(8)] == [5] * 8


def test_several_accelerators_to_a_card_and_several_cards_to_one() -> None:
    """A shared card is a node; cards of one accelerator are not."""
    shared = links(Network.from_spec("dgx1-cluster-2,4x10GB,rail"))
    assert shared["1.gpu4", "1.nic2"] == shared["1.gpu5", "1.nic2"] == shared["1.nic2", "rail2"] == 10
    several = links(Network.from_spec("amd4-cluster-2,8x10,switch"))
    assert several["0.gpu3", "fabric"] == 20
    assert links(Network.from_spec("amd4-cluster-2,8x10,rail"))["0.gpu3", "rail7"] == 10


def test_ports_of_a_file(box: str) -> None:
    """They reach the fabric at their own speed, or at the given one, which is theirs then."""
    own, given = (Network.from_spec(f"{box}-cluster-2,{cards}rail") for cards in ("", "2x400Gb,"))
    assert own.node_count == 2 * read_network(box).node_count + 2
    for network, speed in ((own, 25), (given, 50)):
        found = links(network)
        assert found["0.port1", "rail1"] == found["0.port1", "0.cpu1"] == speed
        assert network.compute_nodes == tuple(range(16))
    assert "at 50 (the file says 25)" in given.understood
    alone = Network.from_spec(f"{box}-without-port0-cluster-2,switch")
    assert [pair for pair in links(alone) if pair[1] == "fabric"] == [
        ("0.port1", "fabric"),
        ("1.port1", "fabric"),
    ]


def test_ports_of_other_files(tmp_path: Path) -> None:
    """Without a word on ports, they are the switches with one link, whose bandwidth stays."""
    text = {"format": "schedsolve-topology/1", "compute": ["a", "b"], "switches": ["p", "nic"],
            "links": [["a", "p", 8], ["b", "p", 8], ["p", "nic", 2]]}  # fmt: skip
    read_text(tmp_path, "box.topo", json.dumps(text))
    network = Network.from_spec(f"{tmp_path / 'box.topo'}-cluster-2,1x400Gb,switch")
    assert links(network)["0.p", "0.nic"] == 2
    assert links(network)["0.nic", "fabric"] == 50
    assert "taken as GB/s" in network.understood
    assert "have 2)" in network.understood


def test_arcs(tmp_path: Path) -> None:
    """A fabric is linked to boxes with arcs in both directions."""
    read_text(tmp_path, "ring.edges", "0 1\n1 2\n2 0\n")
    network = Network.from_spec(f"{tmp_path / 'ring.edges'}-cluster-2,3x1,switch", directed=True)
    assert network.directed
    assert {("0.gpu0", "0.gpu1"), ("0.gpu2", "fabric"), ("fabric", "0.gpu2")} <= set(links(network))
    assert ("0.gpu1", "0.gpu0") not in links(network)
    assert network.is_connected


def test_two_boxes(box: str) -> None:
    """Joined by named links, in GB/s; several steps are made one after the other."""
    network = Network.from_spec(f"dgx1-joined-{box}-by-0-port0=100Gb,7-3=1GB-without-0.gpu5")
    found = links(network)
    assert found["0.gpu0", "1.port0"] == Fraction(25, 2)
    assert found["1.gpu3", "0.gpu7"] == 1
    assert found["0.gpu0", "0.gpu1"] == 50
    assert "0.gpu5" not in network.labels
    assert network.understood.startswith("without 0.gpu5: 15 compute nodes")
    nested = Network.from_spec("amd4-joined-amd4-joined-amd4-by-0-0=1-by-0-1.gpu3=1")
    assert ("0.gpu0", "1.1.gpu3") in links(nested)
    assert ("1.0.gpu0", "1.1.gpu0") in links(nested)
    chained = Network.from_spec("amd4-joined-amd4-by-0-0=1-joined-amd4-by-1.gpu2-0=3")
    assert links(chained)["0.1.gpu2", "1.gpu0"] == 3


def test_saved_by_its_text() -> None:
    """A cluster of a named machine is its text in results."""
    network = Network.from_spec("dgx1-cluster-2,8x400Gb,rail-without-0.gpu3")
    assert network_to_data(network) == network.name
    assert network_from_data(network.name) == network


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dgx1-cluster-1,8x1,rail", "the number of boxes is a whole number from 2 on, not '1'"),
        ("dgx1-cluster-2,8x1,ring", "what joins the boxes as switch, rail, rail:S,U or leaf-spine:L,S,U"),
        ("dgx1-cluster-2,8x1,rail:0,1", "what joins the boxes"),
        ("dgx1-cluster-2,rail", "the box has no network ports; give its network cards"),
        ("dgx1-cluster-2,8x400Gb", "such as 8x400Gb,switch"),
        ("dgx1-cluster-2,3x1,rail", "one number must divide the other"),
        ("dgx1-cluster-2,8x1Tb,rail", "a speed is given as 400Gb"),
        ("dgx1-cluster-2,8x0Gb,rail", "bandwidths are positive"),
        ("dgx1-cluster-2,8x400Gb,rail:2,50", "give all speeds with a unit"),
        ("dgx1-cluster-3,8x1,leaf-spine:2,1,1", "3 boxes cannot be shared equally by 2 leaf switches"),
        ("box.xml-cluster-2,8x400Gb,rail", "has 2 network ports, port0, port1, and not 8"),
        ("dgx1-joined-box.xml-by-0-0=1", "in different units"),
        ("dgx1-joined-dgx1-by-0-9=1", "'9' is not a node"),
        ("dgx1-joined-dgx1-by-0-1", "given as U-V=400Gb"),
        ("dgx1-joined-dgx1", "is incomplete"),
        ("dgx1-by-0-0=1", "is incomplete"),
        ("dgx1-joined-kautz:2,2-by-0-0=1", "one of the two has arcs"),
        ("dgx1-cluster-100001,8x1,rail", "the number of boxes"),
    ],
)
def test_refusals(cli: Cli, box: str, text: str, words: str) -> None:
    """One line with the place."""
    assert words in refused(cli(f"networks {text}"))


def test_names_that_meet() -> None:
    """Two nodes of a box cannot get one name."""
    odd = Network.from_labels(["gpu0", 0], [("gpu0", 0)], name="odd")
    with pytest.raises(InputError, match="would be called the same"):
        cluster(odd, "2,2x1,switch")


def test_options(cli: Cli, box: str) -> None:
    """They are the text in other words, written to a file or solved."""
    seen = cli(f"networks {box} --nodes 2 --nics 2x400Gb --fabric rail:1,800Gb -o c.topo")
    assert seen.status == 0
    assert read_network("c.topo") == Network.from_spec(f"{box}-cluster-2,2x400Gb,rail:1,800Gb")
    assert cli("networks dgx1 --join dgx1 --link 0-0=2 --link 1-1=2 -o two.topo").status == 0
    assert links(read_network("two.topo"))["0.gpu1", "1.gpu1"] == 2
    for options in (
        "--nodes 2",
        "--fabric rail",
        "--nics 8x1",
        "--join dgx1",
        "--nodes 2 --fabric rail --join dgx1",
    ):
        assert "a cluster needs --nodes and --fabric" in refused(cli(f"networks dgx1 {options}"))


def test_a_cluster_is_solved_and_checked(cli: Cli) -> None:
    """Two DGX-1 on rails: each accelerator gets 15 parts over 162.5 GB/s."""
    solved = cli("solve pipelined allgather dgx1-cluster-2,8x100Gb,rail --quiet --output r.json")
    assert solved.status == 0
    assert cli("check --strict r.json").status == 0
    assert json.loads(Path("r.json").read_text())["value"] == "6/65"


def test_without(cli: Cli) -> None:
    """The option stands for the text, for every verb with a network."""
    seen = cli("networks torus:4x4 --without 5 --without 0-1")
    assert seen.status == 0
    assert seen.out == cli("networks torus:4x4-without-5,0-1").out
    value = json_of(cli("solve pipelined allgather torus:4x4 --without 5 --without 0-1 --json"))["value"]
    assert value == json_of(cli("solve pipelined allgather torus:4x4-without-5,0-1 --json"))["value"]
    assert "'x' is not a node" in refused(cli("bounds telephone gossip cycle:4 --without x"))
