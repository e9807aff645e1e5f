"""Files of machines: what nvidia-smi, NCCL and RCCL, and msccl-tools print, each told by its content, and
refused with its place when it is spoilt.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from schedsolve.network.files.any_format import read_network
from schedsolve.network.graph import Network
from schedsolve.network.named.families import family_network
from tests.command_line import Cli, refused
from tests.network.file_reading import read_text, refusal

MACHINES = Path(__file__).parents[1] / "data" / "machines"
OF_RCCL = {
    "4p1h": (4, 4, 4), "4p2h": (8, 8, 8), "4p3l": (4, 6, 6), "4p3l-2h": (8, 12, 12), "4p4h": (16, 24, 24),
    "4p-940": (4, 6, 6), "8p1h": (8, 12, 26), "8p6l": (8, 24, 24), "8p-90a": (8, 12, 12),
    "8p-940": (8, 28, 28), "8p-rome": (8, 8, 8), "8p-rome-4n-1": (8, 12, 12), "16p1h": (16, 28, 56),
}  # fmt: skip
"""Machines of RCCL's collection: accelerators, pairs that are linked, links."""
OURS = {"dgx1": "dgx1", "amd4": "amd4", "a100-2": "a100:2", "mi250-1": "mi250:1", "mi250-2": "mi250:2"}


def machine(name: str) -> Network:
    return read_network(MACHINES / name)


@pytest.mark.parametrize("name", OF_RCCL)
def test_machines_of_rccls_collection(name: str) -> None:
    """Accelerators and links as RCCL's files have them, at 24 a link where no architecture is named."""
    network = machine(f"{name}.xml")
    nodes, pairs, links = OF_RCCL[name]
    direct = [bandwidth for (u, v), bandwidth in network.bandwidth_of.items() if max(u, v) < nodes]
    assert (len(network.compute_nodes), len(direct) // 2, sum(direct) // 48) == (nodes, pairs, links)
    assert network.understood.startswith(f"NCCL topology: {nodes} compute nodes, ")
    assert "xgmi of unknown accelerators as 24" in network.understood
    assert network.is_connected


@pytest.mark.parametrize("name", OURS)
def test_topologies(name: str) -> None:
    """The five machines as files are the families of the same name."""
    network = machine(f"{name}.topo")
    assert network == family_network(OURS[name])
    assert network.understood.endswith("nothing left out")


def test_nvidia_smi() -> None:
    """A DGX-1 link by link; an A100's NV12 between all is a switch, and said."""
    network = machine("dgx1-smi.txt")
    assert network == family_network("dgx1")
    assert network.understood == (
        "nvidia-smi topo -m: 8 compute nodes, 16 links, bandwidths 1 to 2; --pcie gen4x16 adds PCI and"
        " network cards; bandwidth 1 for an NVLink, whose speed it does not say; left out: 12 pairs"
        " joined by SYS only, 2 network cards, affinities"
    )
    network = machine("a100-smi.txt")
    assert (sorted(network.switches), sorted(set(network.bandwidths))) == ([8], [12])
    assert "read as one switch" in network.understood


def test_colours_and_more_blanks(tmp_path: Path) -> None:
    """The header is often underlined, and copies have blanks for tabs."""
    text = (MACHINES / "dgx1-smi.txt").read_text()
    coloured = text.replace("\tGPU0\tGPU1", "\t\x1b[4mGPU0\tGPU1", 1).replace("\t", "    ")
    assert read_text(tmp_path, "a.txt", coloured) == machine("dgx1-smi.txt")


def test_text_before_the_matrix(tmp_path: Path) -> None:
    """The command and a warning are skipped, and lines are still counted from the top."""
    text = (
        "$ nvidia-smi topo -m\nWarning: persistence mode is off\n\n" + (MACHINES / "dgx1-smi.txt").read_text()
    )
    assert read_text(tmp_path, "a.txt", text) == machine("dgx1-smi.txt")
    assert "line 5, column GPU1" in refusal(tmp_path, "a.txt", text.replace("NV2", "NVx", 1))


def test_edge_lists_of_accelerators(tmp_path: Path) -> None:
    """An edge list whose nodes are called GPU0, GPU1 stays one; with bandwidths it says what it is."""
    network = read_text(tmp_path, "a.txt", "GPU0 GPU1 2\nGPU1 GPU2 4/3\n")
    assert network.understood == (
        "edge list: 3 compute nodes, 2 links, bandwidths 4/3 to 2;"
        " no node is a switch (.topo can say which are); nothing left out"
    )
    assert read_text(tmp_path, "a.txt", "GPU0 GPU1\n").understood == ""


def test_link_matrices(tmp_path: Path) -> None:
    """links[to][from], alone or in an object, or as text; one way where it is not the same both ways."""
    assert machine("dgx1-msccl.json") == family_network("dgx1")
    arcs = read_text(tmp_path, "a.json", "[[0, 0, 1], [2, 0, 0], [0, 3, 0]]")
    assert arcs.directed
    assert dict(arcs.bandwidth_of) == {(0, 1): 2, (1, 2): 3, (2, 0): 1}
    square = read_text(tmp_path, "a.txt", "0 1 0 1\n1 0 1 0\n0 1 0 1\n1 0 1 0\n")
    assert square == family_network("cycle:4")
    assert square.understood.startswith("msccl link matrix")
    limits = {"msccl_type": "topology", "links": [[0, 1], [1, 0]], "switches": [[[0], [1], 1, "s"]]}
    assert "left out: 1 limits on groups" in read_text(tmp_path, "a.json", json.dumps(limits)).understood


def smi(line: int, old: str, new: str) -> str:
    lines = (MACHINES / "dgx1-smi.txt").read_text().split("\n")
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    return "\n".join(lines)


def xml(old: str, new: str) -> str:
    text = (MACHINES / "4p1h.xml").read_text()
    assert old in text
    return text.replace(old, new, 1)


BAD = (
    ("a.txt", smi(2, "NV2", "NVx"), "line 2, column GPU1: 'NVx' is no connection of GPU0"),
    ("a.txt", smi(2, "NV2", "NV3"), "line 3, column GPU0: it should be NV3, as in the row of GPU0"),
    (
        "a.txt",
        smi(3, "\tPIX\tSYS\t0-19,40-59\t\t0", ""),
        "line 3: GPU1 has 8 cells, and there are 10 columns",
    ),
    (
        "a.txt",
        "\n".join(smi(2, "GPU0", "GPU0").split("\n")[:5]),
        "ends without the row of GPU4; is it cut off?",
    ),
    ("a.txt", smi(3, "GPU1", "GPU0"), "line 3: the row GPU0 is given twice"),
    ("a.txt", "GPU0 GPU1\nGPU0 X OK\nGPU1 OK X\n", "line 2: this is `nvidia-smi topo -p2p`"),
    ("a.xml", xml("</system>", ""), "it is no XML, or is cut off: no element found, within the <system>"),
    ("a.xml", "<algo/>", "line 1: a topology of NCCL begins with <system>, not <algo>"),
    ("a.xml", "<system/>", "line 1: there is no <gpu> in it"),
    ("a.xml", "<system><gpu rank='0'/></system>", "every <gpu> is within a <pci> of a <cpu>"),
    ("a.xml", xml('count="1"', 'count="one"'), "count of <xgmi> is a whole number from 1 on, not 'one'"),
    ("a.xml", xml('count="1"', 'count="3"'), "3 links from accelerator 0 to 1, and 1 from 1 to 0"),
    ("a.xml", xml('target="0000:28', 'target="0000:99'), "no accelerator has the bus id '0000:99:00.0'"),
    ("a.json", "[[0, 1], [1]]", "row 1 of the links has 1 numbers, and there are 2 rows"),
    ("a.json", "[[1, 1], [1, 0]]", "row 0, column 0: 1 is a link of a node to itself"),
    ("a.json", '[[0, "x"], [1, 0]]', "row 0, column 1: a bandwidth is a positive whole number"),
    ("a.json", '{"msccl_type": "topology"}', 'has "links", a list of rows'),
)


@pytest.mark.parametrize(("name", "text", "words"), BAD)
def test_spoilt_files_are_refused_with_their_place(tmp_path: Path, name: str, text: str, words: str) -> None:
    """One line, with the line or the cell."""
    assert words in refusal(tmp_path, name, text)


def test_commands_say_what_they_understood(cli: Cli) -> None:
    """On standard error, unless little is asked for; `networks` shows and translates a network."""
    shutil.copy(MACHINES / "dgx1-smi.txt", "m.txt")
    line = "solve synchronous allgather m.txt --steps 2 --chunks 2 --rounds 3"
    assert cli(line).err.startswith("m.txt: nvidia-smi topo -m: 8 compute nodes, 16 links")
    assert cli(line + " --quiet").err == cli(line + " --json").err == ""
    shown = cli("networks m.txt -o m.topo")
    assert shown.out.split("\n")[:3] == [
        "m.txt: nvidia-smi topo -m: 8 compute nodes, 16 links, bandwidths 1 to 2; --pcie gen4x16 adds PCI and"
        " network cards; bandwidth 1 for an NVLink, whose speed it does not say; left out: 12 pairs"
        " joined by SYS only, 2 network cards, affinities",
        "assumed: bandwidth 1 for an NVLink, whose speed it does not say",
        "left out: 12 pairs joined by SYS only",
    ]
    assert read_network("m.topo") == family_network("dgx1")
    assert cli("networks path:2").out.startswith("path:2: network: 2 compute nodes, 1 link, bandwidth 1")
    assert "the format is only read" in refused(cli("networks m.txt -o m.xml"))
    assert "--output needs a network" in refused(cli("networks -o m.topo"))
