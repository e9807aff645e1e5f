"""Matrices with PCI: `nvidia-smi topo -m` with PIX, PXB, PHB, NODE, SYS and network cards."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.network.bandwidths import Bandwidth
from schedsolve.network.files.any_format import read_network
from schedsolve.network.files.pci_levels import pci_tree, pcie_from_text
from schedsolve.network.graph import Label, Network
from schedsolve.runtime.errors import InputError
from tests.command_line import Cli, refused
from tests.network.file_reading import read_text, refusal

MACHINES = Path(__file__).parents[1] / "data" / "machines"
NAMES = ["GPU0", "GPU1", "GPU2", "GPU3", "NIC0", "NIC1"]
CELLS = {
    ("GPU0", "GPU1"): "PIX", ("GPU0", "NIC0"): "PXB", ("GPU1", "NIC0"): "PXB", ("GPU2", "GPU3"): "NODE",
    ("GPU2", "NIC1"): "PHB", ("GPU3", "NIC1"): "NODE",
}  # fmt: skip
"""Two accelerators under a switch, which another joins to a card; two of another processor with a card."""


def matrix(names: list[str], cells: dict[tuple[str, str], str], other: str = "SYS", legend: str = "") -> str:
    rows = [[cells.get((u, v), cells.get((v, u), " X " if u == v else other)) for v in names] for u in names]
    lines = ["\t" + "\t".join(names) + "\tCPU Affinity"]
    lines += ["\t".join([name, *row]) for name, row in zip(names, rows, strict=True)]
    return "\n".join(lines) + "\n" + legend


def links(network: Network) -> dict[frozenset[Label], Bandwidth]:
    return {
        frozenset((network.labels[u], network.labels[v])): bandwidth
        for (u, v), bandwidth in zip(network.edges, network.bandwidths, strict=True)
    }


def test_a_machine_without_nvlink(tmp_path: Path) -> None:
    """PIX is a switch, PXB one above it, PHB and NODE meet at a processor, SYS crosses two."""
    network = read_text(tmp_path, "m.txt", matrix(NAMES, CELLS), pcie="gen3x16,10")
    assert [network.labels[v] for v in network.compute_nodes] == [0, 1, 2, 3]
    assert links(network) == {
        frozenset((0, "pci0")): 12, frozenset((1, "pci0")): 12, frozenset(("pci0", "pci1")): 12,
        frozenset(("NIC0", "pci1")): 12, frozenset(("pci1", "cpu0")): 12, frozenset((2, "cpu1")): 12,
        frozenset((3, "cpu1")): 12, frozenset(("NIC1", "cpu1")): 12, frozenset(("cpu0", "cpu1")): 10,
    }  # fmt: skip
    assert "PCI gen3x16 as 12 GB/s; between processors 10 GB/s" in network.understood
    assert "left out: affinities" in network.understood


def test_the_default_is_named(tmp_path: Path) -> None:
    network = read_text(tmp_path, "m.txt", matrix(NAMES, CELLS))
    assert set(network.bandwidths) == {24, 16}
    assert "PCI gen4x16 as 24 GB/s (--pcie says otherwise)" in network.understood
    assert "between processors 16 GB/s (--pcie gen4x16,22 says otherwise)" in network.understood


def test_names_of_cards_in_the_legend(tmp_path: Path) -> None:
    legend = "\nNIC Legend:\n\n  NIC0: mlx5_0\n  NIC1: mlx5_bond_1\n"
    network = read_text(tmp_path, "m.txt", matrix(NAMES, CELLS, legend=legend))
    assert {"mlx5_0", "mlx5_bond_1"} <= set(network.labels)


def test_nvlink_and_pci(tmp_path: Path) -> None:
    """Pairs of NVLink that are not connected to each other: both, at 20 GB/s an NVLink."""
    cells = {("GPU0", "GPU1"): "NV4", ("GPU2", "GPU3"): "NV4"}
    network = read_text(tmp_path, "m.txt", matrix(NAMES[:4], cells, other="NODE"))
    found = links(network)
    assert found[frozenset((0, 1))] == found[frozenset((2, 3))] == 80
    assert network.is_connected
    assert "an NVLink as 20 GB/s" in network.understood


def test_pci_beside_nvlink_when_asked() -> None:
    """Four accelerators and a card under each switch of the file; NVLink as before, in GB/s."""
    path = MACHINES / "dgx1-smi.txt"
    plain, network = read_network(path), read_network(path, pcie="gen3x16,10")
    found = links(network)
    assert all(found[pair] == 20 * bandwidth for pair, bandwidth in links(plain).items())
    assert [network.labels[v] for v in sorted(network.switches)] == [
        "mlx5_0", "mlx5_1", "pci0", "pci1", "cpu0", "cpu1",
    ]  # fmt: skip
    assert found[frozenset(("mlx5_1", "pci1"))] == 12
    switched = read_network(MACHINES / "a100-smi.txt", pcie="gen4x16")
    assert links(switched)[frozenset((0, "switch"))] == 240


def test_contradictions_are_counted(tmp_path: Path) -> None:
    """Of two devices that others put under one switch, SYS is not used, which is said."""
    cells = {("GPU0", "GPU1"): "PIX", ("GPU1", "GPU2"): "PIX"}
    network = read_text(tmp_path, "m.txt", matrix(NAMES[:3], cells))
    assert len(network.switches) == 1
    assert "left out: 1 cells that contradict others" in network.understood


def test_one_switch_has_no_processor(tmp_path: Path) -> None:
    network = read_text(tmp_path, "m.txt", matrix(NAMES[:2], {("GPU0", "GPU1"): "PIX"}))
    assert [network.labels[v] for v in sorted(network.switches)] == ["pci0"]


@pytest.mark.parametrize("text", ["gen9x16", "gen4", "gen4x16,", "gen4x16,0", "x16", "gen4x16,a"])
def test_bandwidths_that_are_none(text: str) -> None:
    with pytest.raises(InputError):
        pcie_from_text(text)


def test_rows_that_contradict_each_other(tmp_path: Path) -> None:
    text = matrix(NAMES[:2], {}).replace("GPU1\tSYS", "GPU1\tPHB")
    assert "line 3, column GPU0: it should be SYS" in refusal(tmp_path, "m.txt", text)


def test_the_option_belongs_to_some_files(cli: Cli) -> None:
    Path("m.edges").write_text("0 1\n")
    Path("m.txt").write_text(matrix(NAMES, CELLS))
    assert "not for edge list" in refused(cli("networks m.edges --pcie gen4x16"))
    assert "a named family has its own" in refused(cli("networks cycle:5 --pcie gen4x16"))
    assert "bandwidth 63" not in cli("networks m.txt").out
    assert "  0 -- pci0: bandwidth 48" in cli("networks m.txt --pcie gen5x16").out
    assert cli("solve pipelined allgather m.txt -o r.json").status == 0
    assert cli("check r.json --strict").status == 0


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.integers(2, 7), st.data())
def test_every_tree_is_found_again(n: int, data: st.DataObject) -> None:
    """Levels of a random tree: two devices meet as low as their level says, and all are connected."""
    places = [
        data.draw(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 1)), label="place")
        for _ in range(n)
    ]
    levels: dict[tuple[Label, Label], int] = {}
    for u, v in product(range(n), repeat=2):
        if u < v:
            same = next((i for i in range(3) if places[u][i] != places[v][i]), 3)
            levels[u, v] = (5, 4, 2, 1)[same]
    tree = pci_tree(range(n), levels, pcie_from_text("gen3x16,10"))
    assert tree.contradictions == 0
    network = Network.from_labels(
        [*range(n), *tree.switches], [(u, v) for u, v, _ in tree.links], switches=tree.switches
    )
    assert network.is_connected
    for (one, other), level in levels.items():
        path = _path(network, network.node(one), network.node(other))
        crossed = [str(network.labels[w]) for w in path if w in network.switches]
        processors = sum(label.startswith("cpu") for label in crossed)
        assert processors == {1: 0, 2: 0, 4: 1, 5: 2}[level]
        assert len(crossed) == 1 if level == 1 else len(crossed) >= 1


def _path(network: Network, u: int, v: int) -> list[int]:
    previous: dict[int, int] = {u: u}
    waiting = [u]
    for w in waiting:
        for x in network.successors[w]:
            if x not in previous:
                previous[x] = w
                waiting.append(x)
    path = [v]
    while path[-1] != u:
        path.append(previous[path[-1]])
    return path
