"""NCCL's and RCCL's topologies with PCI, processors and network cards: bandwidths computed by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from schedsolve.network.files.nccl_bandwidths import between_processors, of_direct_link, of_pci
from schedsolve.network.graph import Network
from tests.command_line import Cli
from tests.network.file_reading import read_text, refusal

INTEL = 'arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143"'
AMD = 'arch="x86_64" vendor="AuthenticAMD" familyid="143" modelid="49"'


def device(bus: str, inside: str, speed: str = "16.0 GT/s PCIe", width: int = 16) -> str:
    return f'<pci busid="{bus}" class="0x0" link_speed="{speed}" link_width="{width}">{inside}</pci>'


def gpu(rank: int, inside: str = "", more: str = "") -> str:
    return f'<gpu dev="{rank}" rank="{rank}" {more}>{inside}</gpu>'


def system(*processors: tuple[str, str]) -> str:
    cpus = (
        f'<cpu numaid="{v}" {attributes}>{inside}</cpu>' for v, (attributes, inside) in enumerate(processors)
    )
    return f"<system>{''.join(cpus)}</system>"


def links(network: Network) -> dict[str, object]:
    """The bandwidths by the labels of the ends."""
    return {
        f"{network.labels[u]} {network.labels[v]}": bandwidth
        for (u, v), bandwidth in zip(network.edges, network.bandwidths, strict=True)
    }


def test_pci_alone(tmp_path: Path) -> None:
    """Two accelerators below a bridge, one at the other processor: 16 GT/s, 16 lanes are 24 GB/s."""
    bridge = device("B", device("a0", gpu(0)) + device("a1", gpu(1), width=8))
    far = device("a2", gpu(2), "32.0 GT/s PCIe")
    network = read_text(tmp_path, "a.xml", system((AMD, bridge), (AMD, far)))
    assert links(network) == {
        "0 b": 24, "1 b": 12, "2 cpu1": 48, "cpu0 b": 24, "cpu0 cpu1": 16,
    }  # fmt: skip
    assert (network.is_connected, len(network.compute_nodes)) == (True, 3)
    assert network.understood == (
        "NCCL topology: 3 compute nodes, 3 switches, 5 links, bandwidths 12 to 48; in GB/s, as NCCL takes"
        " them; 2 processors, every two of which are linked; nothing left out"
    )


def test_ports_and_xgmi(tmp_path: Path) -> None:
    """A card with two ports of 400 and 200 Gb/s, a port at a processor, xGMI of MI300: 48 a link."""
    ports = '<nic><net name="m0" speed="400000" port="1"/><net name="m0" speed="200000" port="2"/></nic>'
    bonded = '<nic><net name="eth0" dev="2" speed="-1"/></nic>'

    def one(rank: int, other: str) -> str:
        link = f'<xgmi target="{other}" count="2" tclass="0x120000"/>'
        return device(f"a{rank}", gpu(rank, link, 'gcn="gfx942"'))

    network = read_text(
        tmp_path, "a.xml", system((INTEL, one(0, "A1") + device("c", ports)), (INTEL, one(1, "A0") + bonded))
    )
    assert links(network) == {
        "0 1": 96, "0 cpu0": 24, "1 cpu1": 24, "cpu0 c": 24, "c m0": 50, "c m0/2": 25, "cpu0 cpu1": 22,
        "cpu1 eth0": Fraction(5, 4),
    }  # fmt: skip
    assert "1 ports of unknown speed as 10 Gb/s" in network.understood


def test_nvswitches_and_processors_by_nvlink(tmp_path: Path) -> None:
    """All NVSwitches are one; NVLink of compute capability 9.0 has 20.6; some go to the processor."""

    def one(rank: int) -> str:
        link = '<nvlink target="{}" count="{}" tclass="{}"/>'.format
        there = link("s", 10, "0x068000") + link("t", 8, "0x068000") + link("p", 1, "0x068001")
        return device(f"a{rank}", gpu(rank, there, 'sm="90"'), "8 GT/s")

    network = read_text(tmp_path, "a.xml", system(('arch="ppc64"', one(0)), ('arch="ppc64"', one(1))))
    nvlink = Fraction(206, 10)
    assert links(network) == {
        "0 nvswitch": 18 * nvlink, "1 nvswitch": 18 * nvlink, "0 cpu0": 12 + nvlink, "1 cpu1": 12 + nvlink,
        "cpu0 cpu1": 32,
    }  # fmt: skip


def test_a_port_called_as_the_switch(tmp_path: Path) -> None:
    """A port whose name is that of the NVSwitch stays apart from it."""
    inside = device("a", gpu(0, '<nvlink target="s" count="1" tclass="0x068000"/>', 'sm="80"'))
    port = '<nic><net name="nvswitch" speed="8000"/></nic>'
    network = read_text(tmp_path, "a.xml", system((AMD, inside + port)))
    assert links(network) == {"0 cpu0": 24, "cpu0 nvswitch": 1, "0 nvswitch/2": 20}


def test_what_a_file_does_not_say(tmp_path: Path) -> None:
    """Bridges that share a bus id are several; what is unknown is named, and so is what is not read."""
    text = system(
        ("", device("b", device("a0", gpu(0)), "?")), ("", device("b", device("a1", gpu(1)), width=0))
    )
    network = read_text(tmp_path, "a.xml", text.replace("</cpu>", "<nic><coll/></nic></cpu>"))
    assert links(network) == {
        "0 b": 24, "1 b/2": 24, "cpu0 b": 12, "cpu1 b/2": 24, "cpu0 cpu1": 5000,
    }  # fmt: skip
    assert {(note.subject, note.count) for note in network.assumptions} == {
        ("bandwidth", 1), ("pci-links", 1), ("processors", 2), ("elements", 2),
    }  # fmt: skip
    for words in ("1 PCI links of unknown speed", "2 processors of unknown make", "left out: 2 <coll>"):
        assert words in network.understood


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (system((AMD, device("a", gpu(0)) + device("a", gpu(1)))), "two accelerators have the same bus id"),
        (system((AMD, device("a", gpu(0) + gpu(1)))), "a device has 2 <gpu>"),
        (system((AMD + ' host_hash="1"', device("a", gpu(0))), (AMD, "")), "of several hosts"),
        (system((AMD, device("a", gpu(0), width=99))), "link_width of <pci>"),
        (system((AMD, device("a", gpu(0)) + '<nic><net speed="x"/></nic>')), "speed of <net>"),
    ],
)
def test_refused(tmp_path: Path, text: str, words: str) -> None:
    """What would be misread is refused."""
    assert words in refusal(tmp_path, "a.xml", text)


def test_numbers_of_nccl() -> None:
    """By generation, as its tables have them."""
    lanes = [of_pci(f"{speed} GT/s", 1)[0] * 80 for speed in ("2.5", "5", "8", "16.0", "32", "64.0")]
    assert lanes == [15, 30, 60, 120, 240, 480]
    nvlink = [of_direct_link("nvlink", {"sm": sm})[0] for sm in ("60", "70", "80", "86", "89", "90", "100")]
    assert nvlink == [18, 20, 20, 12, 20, Fraction("20.6"), Fraction("40.1")]
    xgmi = [of_direct_link("xgmi", {"gcn": gcn})[0] for gcn in ("906", "908", "910", "gfx90a:x", "gfx942")]
    assert xgmi == [24, 24, 36, 36, 48]
    intel = {"arch": "x86_64", "vendor": "GenuineIntel", "familyid": "6"}
    models = [between_processors({**intel, "modelid": str(m)})[0] for m in (79, 85, 143, 207)]
    assert models == [6, 10, 22, 40]


def test_solved_and_checked(cli: Cli) -> None:
    """Over PCI alone: an allgather of three, its certificate verified."""
    below = device("B", device("a0", gpu(0)) + device("a1", gpu(1)))
    Path("m.xml").write_text(system((AMD, below), (AMD, device("a2", gpu(2)))))
    assert "optimal" in cli("solve pipelined allgather m.xml -o r.json").out
    assert cli("check --strict r.json").status == 0
