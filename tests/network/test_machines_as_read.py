"""Machines whose files say less than they seem to, or in another way: values by cuts, and assumptions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

from schedsolve.network.graph import Network
from tests.command_line import Cli, json_of
from tests.needs import needs
from tests.network.file_reading import read_text, refusal
from tests.network.test_nccl_topology import device, gpu, system
from tests.network.test_pci_levels import links, matrix
from tests.network.test_vendor_files import HWLOC, SNDLIB, table

ARM = 'arch="arm64"'


def noted(network: Network) -> set[tuple[str, str]]:
    return {(note.kind, note.subject) for note in network.assumptions}


def grace(rank: int) -> str:
    """An accelerator with 3 GB/s over PCI and 345 over C2C, and a port behind 12 GB/s."""
    inside = gpu(rank, '<c2c bw="43125" count="8"/>', 'sm="121"')
    card = device(f"c{rank}", f'<nic><net name="m{rank}" speed="200000"/></nic>', "32.0 GT/s PCIe", 4)
    return device(f"a{rank}", inside, "2.5 GT/s PCIe") + card


def rocm(weights: Sequence[str], kinds: Sequence[str], hops: Sequence[str] = ()) -> str:
    """Tables of four accelerators from the cells of pairs 01, 02, 03, 12, 13, 23."""
    parts = ""
    titles = ("Weight between two GPUs", "Hops between two GPUs", "Link Type between two GPUs")
    for title, cells in zip(titles, (weights, hops or ["1"] * 6, kinds), strict=True):
        of = dict(zip(combinations(range(4), 2), cells, strict=False))
        rows = [" ".join(of.get((min(u, v), max(u, v)), "0") for v in range(4)) for u in range(4)]
        parts += table(title, rows) if cells else ""
    return parts


def nvidia(n: int, cells: dict[tuple[int, int], str], other: str = "SYS") -> str:
    named = {(f"GPU{u}", f"GPU{v}"): cell for (u, v), cell in cells.items()}
    return matrix([f"GPU{v}" for v in range(n)], named, other)


XGMI = ["XGMI"] * 6
RING = ["15", "30", "15", "15", "30", "15"]
MIXED = {(u, v): f"NV{min((18, 18, 12, 6)[u], (18, 18, 12, 6)[v])}" for u, v in combinations(range(4), 2)}


@pytest.mark.parametrize(
    ("name", "text", "task", "value"),
    [
        # With its processor, card and port an accelerator gets 3 units over 12 + 6, the processors' link.
        ("m.xml-cluster-2,switch", system((ARM, grace(0)), (ARM, grace(1))), "allgather", "1/6"),
        # Alone, two exchange a unit over that link.
        ("m.xml", system((ARM, grace(0)), (ARM, grace(1))), "allgather", "1/6"),
        # Both ways round a ring: 3 units over 2 links, and twice 3/4 of a unit over 2 links.
        ("m.txt", rocm(RING, XGMI), "allgather", "3/2"),
        ("m.txt", rocm(RING, XGMI), "allreduce", "3/4"),
        # The least of the accelerators at the switch gets 3 units over 6, and reduces a unit over 6 twice.
        ("m.txt", nvidia(4, MIXED), "allgather", "1/2"),
        # Named ones have 6 links, all of them at a switch: 2 units over 6. Without the name, over 12.
        ("m.txt", "GPU 0: Tesla V100-SXM3\n" + nvidia(3, {}, "NV6"), "allgather", "1/3"),
        ("m.txt", nvidia(3, {}, "NV6"), "allgather", "1/6"),
    ],
)
def test_values(cli: Cli, name: str, text: str, task: str, value: str) -> None:
    Path(name.partition("-")[0]).write_text(text)
    found = json_of(cli(f"solve pipelined {task} {name} --json"))
    assert (found["status"], found["value"]) == ("optimal", value)


def test_elements_that_may_be_links(tmp_path: Path) -> None:
    """What is not known in an accelerator or on its way is refused; within a card it is left out."""
    places = ("<gpu", "</gpu>"), ("<pci", "<gpu"), ("<cpu", "</cpu>"), ("<system", "</system>")
    text = system((ARM, device("B", device("a0", gpu(0)) + device("a1", gpu(1)))))
    for parent, place in places:
        said = refusal(tmp_path, "m.xml", text.replace(place, "<cxl/>" + place, 1))
        assert "<cxl>" in said, parent
    unclear = gpu(0, '<nvlink target="s" count="1" tclass="0x060400"/>')
    said = refusal(tmp_path, "m.xml", system((ARM, device("a", unclear))))
    assert "no accelerator has the bus id 's'" in said
    network = read_text(tmp_path, "m.xml", text.replace("</cpu>", "<nic><net><cxl/></net></nic></cpu>"))
    assert noted(network) == {("assumed", "bandwidth"), ("left-out", "elements"), ("assumed", "ports")}


def test_bridges_of_one_chip(tmp_path: Path) -> None:
    """A <pcilink> joins two bridges, once; one to a bridge that is not there joins nothing."""
    inside = '<pcilink target="{}"/>'.format
    one, two = (device(b, inside(t) + device(f"a{b}", gpu(ord(b)))) for b, t in (("B", "C"), ("C", "B")))
    network = read_text(tmp_path, "m.xml", system((ARM, one + two + device("D", inside("E")))))
    assert (links(network)[frozenset("bc")], len(network.edges)) == (5000, 6)
    assert ("assumed", "pci-links") in noted(network)


def test_rows_of_nvlink(tmp_path: Path) -> None:
    """Islands are told apart, each a switch if its rows are; a star of too many links is none."""
    pairs = [*combinations(range(3), 2), *combinations(range(3, 6), 2)]
    network = read_text(tmp_path, "m.txt", nvidia(7, dict.fromkeys(pairs, "NV18")))
    found = links(network)
    assert found[frozenset((2, "switch"))] == found[frozenset((3, "switch1"))] == 360
    assert found[frozenset((6, "cpu2"))] == 24
    assert noted(network) == {("assumed", s) for s in ("pci-links", "processors", "switch", "bandwidth")}
    direct = read_text(tmp_path, "m.txt", nvidia(4, {}, "NV4"))
    assert (len(direct.edges), noted(direct)) == (6, {("assumed", "switch"), ("assumed", "bandwidth")})
    uneven = read_text(tmp_path, "m.txt", nvidia(3, {(0, 1): "NV9"}, "NV18"))
    assert ("left-out", "pairs") in noted(uneven)
    star = nvidia(3, {(0, 1): "NV12", (0, 2): "NV12"})
    assert "GPU0 shows 24 NVLinks" in refusal(tmp_path, "m.txt", star)
    assert "'N/A' is no connection" in refusal(tmp_path, "m.txt", nvidia(3, {(0, 1): "N/A"}))
    card = matrix(["GPU0", "NIC0"], {("GPU0", "NIC0"): "NV4"})
    assert "'NV4' is no connection" in refusal(tmp_path, "m.txt", card)


def test_xgmi_by_weights(tmp_path: Path) -> None:
    """Without weights hops tell; weights and hops that fit no number of hops are refused."""
    known = read_text(tmp_path, "m.txt", rocm(RING, XGMI))
    assert noted(known) == {("assumed", "bandwidth")}
    hops = read_text(tmp_path, "m.txt", rocm([], XGMI, ["1", "2", "1", "1", "2", "1"]))
    assert (hops.edges, noted(hops)) == (known.edges, {("assumed", "bandwidth"), ("assumed", "xgmi-links")})
    over_pci = ["15", "40", "40", "40", "40", "15"]
    kinds = ["XGMI" if weight == "15" else "PCIE" for weight in over_pci]
    assert noted(read_text(tmp_path, "m.txt", rocm(over_pci, kinds))) == {
        ("assumed", s) for s in ("pci-links", "processors", "bandwidth", "numa")
    }
    for weight, hop in (("41", "1"), ("N/A", "1"), ("15", "2"), ("15", "N/A")):
        text = rocm([weight, *RING[1:]], XGMI, [hop] + ["1"] * 5)
        assert "of which each weighs 15" in refusal(tmp_path, "m.txt", text)


def test_matrices_of_hwloc(tmp_path: Path) -> None:
    """NVSwitches are one, packages are themselves; what leads to another object is refused."""
    switch = '<object type="PCIDev" gp_index="20" pci_type="0680 [10de:1af1]" pci_busid="s"/><object type='
    values = "1000000 50000 0 1000000"
    text = HWLOC.replace("OSDev:10", "PCIDev:20").replace("1000000 50000 50000 1000000", values)
    network = read_text(tmp_path, "m.xml", text.replace("<object type=", switch, 1))
    assert links(network)[frozenset((0, "nvswitch"))] == 50
    assert ("assumed", "switch") in noted(network)
    package = text.replace(
        '<object type="Package" os_index="1"', '<object type="Package" gp_index="20" os_index="1"'
    )
    assert links(read_text(tmp_path, "m.xml", package))[frozenset((0, "package1"))] == 50
    assert "leads to object '20', which is unknown" in refusal(tmp_path, "m.xml", text)
    other = HWLOC.replace("NVLinkBandwidth", "CXLBandwidth")
    assert "'CXLBandwidth' of accelerators is not read" in refusal(tmp_path, "m.xml", other)
    assert links(read_text(tmp_path, "m.xml", HWLOC.replace("NVLink", "XeLink")))[frozenset((0, 1))] == 50


@needs("machines")
@pytest.mark.parametrize(
    ("name", "text", "alpha", "notes"),
    [
        ("m.yml", "latency: [ 500.0, 500 ]\n", Fraction(1, 2 * 10**6), set()),
        ("m.yml", "latency: [ 500, 2000 ]\n", Fraction(1, 500_000), {("assumed", "latency")}),
        ("m.yml", "", None, set()),
        ("m.yml", "loss: 3\n", None, {("left-out", "fields")}),
        ("m.txt", "0.0005ms 0", Fraction(1, 2 * 10**6), set()),
        ("m.txt", "1us 0.01", Fraction(1, 10**6), {("assumed", "latency"), ("left-out", "error-rates")}),
    ],
)  # fmt: skip
def test_latencies(
    tmp_path: Path, name: str, text: str, alpha: Fraction | None, notes: set[tuple[str, str]]
) -> None:
    """Those of simulators are alpha; of several the largest, which is said."""
    from schedsolve.machines.known_costs import IN_A_BOX, known_costs

    lists = "topology: [ Ring, Switch ]\nnpus_count: [ 2, 2 ]\nbandwidth: [ 50, 50 ]\n"
    given = lists + text if name == "m.yml" else f"3 1 2\n2\n0 2 1Gbps 500ns 0\n1 2 1Gbps {text}\n"
    network = read_text(tmp_path, name, given)
    costs = known_costs(network)
    assert costs is not None
    assert (costs.alpha, noted(network)) == (IN_A_BOX if alpha is None else alpha, notes)
    assert "different lengths" in refusal(tmp_path, "m.yml", lists + "latency: 500\n")
    assert "is a number of ns" in refusal(tmp_path, "m.yml", lists + "latency: [ -1, x ]\n")


UNSTATED, UNMARKED, UNREAD = (
    ("assumed", "bandwidth"),
    ("assumed", "switches"),
    ("left-out", "edge-attributes"),
)


@pytest.mark.parametrize(
    ("name", "text", "notes"),
    [
        ("n.edges", "0 1\n1 2\n", set()),
        ("n.edges", "0 1 5\n1 2\n", {UNSTATED, UNMARKED}),
        ("n.edges", "0 1 {'capacity': 5}\n", {UNREAD}),
        ("n.edges", "0 1 {'weight': 1, 'label': '7', 'delay': 3, 'kind': 'fast'}\n", set()),
        ("n.csv", "source,target,LinkSpeed\na,b,10 Gbps\n", {UNREAD}),
        ("n.csv", "a,b\nb,a\nb,c\n", {("assumed", "parallel-edges")}),
        ("n.net", "*Vertices 2\n*Edges\n1 2 1 bandwidth 3\n", {UNMARKED}),
        ("n.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 3\n", {UNMARKED}),
        ("n.txt", "0 2 0 1\n2 0 1 0\n0 1 0 1\n1 0 1 0\n", {UNMARKED}),
        ("n.graph", "2 1 1\n2 7\n1 7\n", {UNREAD}),
        ("n.txt", SNDLIB, {UNREAD}),
        ("n.conf", "SwitchName=s Nodes=a,b\n", {UNSTATED}),
        ("n.conf", "SwitchName=s Nodes=a,b LinkSpeed=100\n", {UNREAD}),
        ("n.json", '{"nodes":[{"id": 0}, {"id": 1}], "links":[{"source": 0, "target": 1, "b":2}]}', {UNREAD}),
        ("n.json", '{"links": [[0, 1], [1, 0]], "invbws": 2}', {("left-out", "fields")}),
        (
            "n.topo",
            '{"format": "schedsolve-topology/1", "compute": [0, 1, 2], "links": [[0, 1], [1, 2, 4]], "x": 1}',
            {UNSTATED, ("left-out", "fields")},
        ),
    ],
)  # fmt: skip
def test_graphs_and_what_could_be_a_bandwidth(
    tmp_path: Path, name: str, text: str, notes: set[tuple[str, str]]
) -> None:
    assert noted(read_text(tmp_path, name, text)) == notes


def test_clusters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Named boxes are definitions; of a file's box it is assumed where the cards are, and its unit."""
    monkeypatch.chdir(tmp_path)
    Path("m.edges").write_text("0 1 5\n1 2 5\n")
    assert not Network.from_spec("dgx1-cluster-2,8x400Gb,rail").assumptions
    found = noted(Network.from_spec("m.edges-cluster-2,3x100Gb,switch"))
    assert found == {UNSTATED, UNMARKED, ("assumed", "network-cards")}
