"""What tools of vendors, simulators and libraries write: read with the links that their authors mean."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from schedsolve.network.files.xml_tree import read_xml
from schedsolve.network.graph import Network
from schedsolve.network.named.families import family_network
from schedsolve.runtime.errors import InputError
from tests.network.file_reading import read_text, refusal


def links(network: Network) -> dict[tuple[object, object], object]:
    """The bandwidth of every link, by labels, the smaller number first."""
    return {(network.labels[u], network.labels[v]): network.bandwidth_of[u, v] for u, v in network.edges}


def table(title: str, rows: list[str]) -> str:
    columns = "".join(f"GPU{v}         " for v in range(len(rows)))
    body = "\n".join(f"GPU{v}   {row}" for v, row in enumerate(rows))
    return f"=========== {title} ===========\n       {columns}\n{body}\n\n"


ROCM = (
    "======== ROCm System Management Interface ========\n"
    + table("Weight between two GPUs", ["0 15 30 40", "15 0 15 40", "30 15 0 40", "40 40 40 0"])
    + table("Hops between two GPUs", ["0 1 2 2", "1 0 1 2", "2 1 0 2", "2 2 2 0"])
    + table(
        "Link Type between two GPUs",
        ["0 XGMI XGMI PCIE", "XGMI 0 XGMI PCIE", "XGMI XGMI 0 PCIE", "PCIE PCIE PCIE 0"],
    )
    + "========= Numa Nodes ==========\n"
    + "".join(
        f"GPU[{v}]\t\t: (Topology) Numa Node: {v // 2}\nGPU[{v}]\t: (Topology) Numa Affinity: 0\n"
        for v in range(4)
    )
)


def test_rocm_smi(tmp_path: Path) -> None:
    """XGMI of one hop is a link; a GPU over PCIE only brings processors, by NUMA nodes, in GB/s."""
    network = read_text(tmp_path, "topo.txt", ROCM)
    found = links(network)
    assert found == {
        (0, 1): 24, (1, 2): 24, (0, "cpu0"): 24, (1, "cpu0"): 24, (2, "cpu1"): 24, (3, "cpu1"): 24,
        ("cpu0", "cpu1"): 16,
    }  # fmt: skip
    assert "1 pair joined by XGMI over several hops" in network.understood
    faster = read_text(tmp_path, "topo.txt", ROCM, pcie="gen5x16,40")
    assert links(faster)[3, "cpu1"] == 48
    assert links(faster)["cpu0", "cpu1"] == 40


def test_rocm_smi_of_a_full_mesh(tmp_path: Path) -> None:
    """Where XGMI joins all, it is all, with bandwidth 1."""
    rows = [" ".join("0" if u == v else "XGMI" for v in range(8)) for u in range(8)]
    network = read_text(tmp_path, "topo.txt", table("Link Type between two GPUs", rows))
    assert network == family_network("mi300x")
    assert "whose width it does not say" in network.understood


def test_rocm_smi_spoilt(tmp_path: Path) -> None:
    """Cut off, contradictory, or without the table."""
    assert "is it cut off?" in refusal(tmp_path, "t.txt", ROCM.replace("PCIE PCIE PCIE 0", "PCIE PCIE"))
    assert "in the row of GPU" in refusal(
        tmp_path, "t.txt", ROCM.replace("PCIE PCIE PCIE 0", "PCIE PCIE XGMI 0")
    )
    assert "Link Type" in refusal(tmp_path, "t.txt", table("Hops between two GPUs", ["0 1", "1 0"]))


IB = """vendid=0x2c9
devid=0xcf08
switchguid=0xaa(aa)
Switch\t36 "S-00000000000000aa"\t\t# "leaf" enhanced port 0 lid 1 lmc 0
[1]\t"H-00000000000000b1"[1](b1) \t\t# "node1 mlx5_0" lid 2 4xEDR
[2]\t"H-00000000000000b2"[1](b2) \t\t# "node2 mlx5_0" lid 3 4xHDR
[3]\t"H-00000000000000b2"[2](b2) \t\t# "node2 mlx5_0" lid 3 4xHDR
[4]\t"S-00000000000000ab"[1]\t\t# "spine" lid 4 4xFDR

Switch\t36 "S-00000000000000ab"\t\t# "spine" base port 0 lid 4 lmc 0
[1]\t"S-00000000000000aa"[4]\t\t# "leaf" lid 1 4xFDR
[2]\t"H-00000000000000b3"[1](b3) \t\t# "node3 mlx5_0" lid 5 4xQDR
[3]\t"H-00000000000000b4"[1](b4) \t\t# "node3 mlx5_1" lid 6

Ca\t1 "H-00000000000000b1"\t\t# "node1 mlx5_0"
[1](b1) \t"S-00000000000000aa"[1]\t\t# lid 2 lmc 0 "leaf" lid 1 4xEDR
"""


def test_ibnetdiscover(tmp_path: Path) -> None:
    """A cable counts once though both ends list it; two cables add up; adapters of a host have two names."""
    network = read_text(tmp_path, "fabric.txt", IB)
    assert links(network) == {
        ("node1", "leaf"): Fraction(25, 2), ("node2", "leaf"): 50, ("leaf", "spine"): Fraction(75, 11),
        ("node3.mlx5_0", "spine"): 4, ("node3.mlx5_1", "spine"): Fraction(5, 4),
    }  # fmt: skip
    assert [network.labels[v] for v in sorted(network.switches)] == ["leaf", "spine"]
    assert "1 link of unknown speed" in network.understood
    assert "not described" in refusal(tmp_path, "f.txt", IB.replace('Switch\t36 "S-00000000000000ab"', "#"))
    grouped = IB.replace('[4]\t"S', '[4][ext 7]\t"S').replace('[2]\t"H', '[2][ext 1]\t"H')
    assert links(read_text(tmp_path, "fabric.txt", grouped)) == links(network)


def test_a_cable_whose_ends_state_two_speeds(tmp_path: Path) -> None:
    text = IB.replace('"leaf" lid 1 4xFDR', '"leaf" lid 1 1xSDR')
    network = read_text(tmp_path, "fabric.txt", text)
    assert links(network)["leaf", "spine"] == Fraction(1, 4)
    assert "1 link whose ends state two speeds: the lower is taken" in network.understood


HWLOC = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
 <object type="Machine" os_index="0">
  <object type="Package" os_index="0"><object type="Core" os_index="0"/>
   <object type="Bridge" gp_index="1" bridge_type="0-1" depth="0" bridge_pci="0000:[00-05]">
    <object type="Bridge" gp_index="2" bridge_type="1-1" pci_busid="0000:01:00.0" pci_link_speed="31.5">
     <object type="PCIDev" gp_index="3" pci_busid="0000:02:00.0" pci_type="0302" pci_link_speed="15.75"/>
     <object type="PCIDev" pci_busid="0000:03:00.0" pci_type="0207 [15b3:101b]" pci_link_speed="31.5">
      <object type="OSDev" gp_index="5" name="ib0" osdev_type="2"/>
      <object type="OSDev" gp_index="6" name="mlx5_0" osdev_type="3"/>
     </object>
    </object>
    <object type="PCIDev" pci_busid="0000:04:00.0" pci_type="0106 [8086:1]" pci_link_speed="0.0"/>
   </object>
  </object>
  <object type="Package" os_index="1">
   <object type="Bridge" gp_index="8" bridge_type="0-1" depth="0" bridge_pci="0000:[80-85]">
    <object type="PCIDev" gp_index="9" pci_busid="0000:81:00.0" pci_type="0302 [10de:20b0]">
     <object type="OSDev" gp_index="10" name="cuda1" osdev_type="5"/>
    </object>
    <object type="PCIDev" pci_busid="0000:82:00.0" pci_type="0300 [1a03:2000]" pci_link_speed="0.0"/>
   </object>
  </object>
 </object>
 <distances2hetero nbobjs="2" kind="10" name="NVLinkBandwidth" indexing="gp">
  <indexes length="13">PCIDev:3 OSDev:10</indexes>
  <u64values length="30">1000000 50000 50000 1000000</u64values>
 </distances2hetero>
</topology>
"""


def test_hwloc(tmp_path: Path) -> None:
    """Bridges with accelerators or network cards below them, at the packages; NVLink from its matrix."""
    network = read_text(tmp_path, "topo.xml", HWLOC)
    assert links(network) == {
        (0, "0000:01:00.0"): Fraction(63, 4), ("0000:01:00.0", "mlx5_0"): Fraction(63, 2),
        ("0000:01:00.0", "package0"): Fraction(63, 2), (1, "package1"): 12, ("package0", "package1"): 16,
        (0, 1): 50,
    }  # fmt: skip
    assert len(network.compute_nodes) == 2
    assert "2 other PCI devices" in network.understood
    assert "1 PCI links of unknown speed as 12" in network.understood
    assert network.hardware is not None
    assert network.hardware.ports == ("mlx5_0",)
    assert "has no place here" in refusal(
        tmp_path, "t.xml", HWLOC.replace('SYSTEM "hwloc2.dtd"', '[<!ENTITY a "b">]')
    )


SNDLIB = """?SNDlib native format; type: network; version: 1.0
# network small
META (
  granularity = 5min
)
NODES (
  A ( 1.0 2.0 )
  B ( 2.0 3.5 )
  C ( 4.0 -1.0 )
)
LINKS (
  L1 ( A B ) 10.00 0.00 3.00 0.00 ( 40.00 1.00 )
  L2 ( B C ) 20.00 0.00 0.00 0.00 ( 40.00 1.00 160.00 3.00 )
)
DEMANDS (
  D1 ( A C ) 1 5.00 UNLIMITED
)
ADMISSIBLE_PATHS (
  D1 (
    P1 ( L1 L2 )
  )
)
"""
SNDLIB_XML = """<?xml version="1.0" encoding="ISO-8859-1"?>
<network xmlns="http://sndlib.zib.de/network" version="1.0"><networkStructure>
<nodes coordinatesType="geographical">
 <node id="A"><coordinates><x>1.0</x><y>2.0</y></coordinates></node>
 <node id="B"><coordinates><x>2.0</x><y>3.5</y></coordinates></node>
 <node id="C"><coordinates><x>4.0</x><y>-1.0</y></coordinates></node></nodes>
<links><link id="L1"><source>A</source><target>B</target>
  <preInstalledModule><capacity>10.00</capacity><cost>0.0</cost></preInstalledModule><routingCost>3.0</routingCost>
  <additionalModules><addModule><capacity>40.0</capacity><cost>1.0</cost></addModule></additionalModules></link>
 <link id="L2"><source>B</source><target>C</target>
  <preInstalledModule><capacity>20.00</capacity><cost>0.0</cost></preInstalledModule></link></links>
</networkStructure><demands><demand id="D1"><source>A</source><target>C</target></demand></demands></network>
"""


@pytest.mark.parametrize(("name", "text"), [("small.txt", SNDLIB), ("small.xml", SNDLIB_XML)])
def test_sndlib(tmp_path: Path, name: str, text: str) -> None:
    """Links with bandwidth 1, or with an attribute that is asked for; demands are named, places kept."""
    network = read_text(tmp_path, name, text)
    assert links(network) == {("A", "B"): 1, ("B", "C"): 1}
    assert network.positions == ((1.0, 2.0), (2.0, 3.5), (4.0, -1.0))
    assert "pre_installed_capacity" in network.understood
    assert "left out: 1 demand" in network.understood
    given = read_text(tmp_path, name, text, bandwidth="pre_installed_capacity")
    assert links(given) == {("A", "B"): 10, ("B", "C"): 20}


def test_sndlib_with_both_directions(tmp_path: Path) -> None:
    """Equal ones are one link; with other capacities they are arcs."""
    both = SNDLIB.replace("LINKS (\n", "LINKS (\n  M1 ( B A ) 10.00 0.00 3.00 0.00 ( 40.00 1.00 )\n"
                          "  M2 ( C B ) 20.00 0.00 0.00 0.00 ( 40.00 1.00 160.00 3.00 )\n")  # fmt: skip
    network = read_text(tmp_path, "n.txt", both, bandwidth="pre_installed_capacity")
    assert not network.directed
    assert sorted(map(int, network.bandwidths)) == [10, 20]
    network = read_text(
        tmp_path, "n.txt", both.replace("B A ) 10", "B A ) 15"), bandwidth="pre_installed_capacity"
    )
    assert network.directed
    assert links(network)["B", "A"] == 15
    assert "is the file cut off?" in refusal(tmp_path, "n.txt", SNDLIB[:300])
    assert "not among the nodes" in refusal(tmp_path, "n.txt", SNDLIB.replace("( B C )", "( B X )"))


def test_astra_sim(tmp_path: Path) -> None:
    """A product of a ring, a clique and switches; the first dimension counts fastest."""
    text = "# a comment\ntopology: [ Ring, FullyConnected, Switch ]  # kinds\nnpus_count: [ 4, 3, 2 ]\n"
    text += "bandwidth: [ 200.0, 100.5, 50.0 ]\nlatency: [ 50.0, 500.0, 2000.0 ]\n"
    network = read_text(tmp_path, "net.yml", text)
    found = links(network)
    assert found[0, 1] == found[20, 23] == 200
    assert found[0, 8] == found[0, 4] == found[19, 23] == Fraction(201, 2)
    assert found[0, "switch2.0"] == found[12, "switch2.0"] == found[23, "switch2.11"] == 50
    assert len(found) == 24 + 24 + 24
    assert "one latency for all, the largest: 2 us" in network.understood
    blocks = "topology:\n  - Ring\nnpus_count:\n  - 2\nbandwidth:\n  - 5\n"
    assert links(read_text(tmp_path, "net.txt", blocks)) == {(0, 1): 10}
    assert "not 'Mesh'" in refusal(tmp_path, "net.yml", blocks.replace("Ring", "Mesh"))
    assert "different lengths" in refusal(tmp_path, "net.yml", blocks.replace("  - 2\n", "  - 2\n  - 2\n"))


def test_astra_sim_for_ns3(tmp_path: Path) -> None:
    """Numbers of nodes, switches and links, the switches, a line for every link; in Gb/s."""
    text = "5 1 4\n4\n" + "".join(
        f"{v} 4 {rate} 0.0005ms 0\n" for v, rate in enumerate(("400Gbps", "1.6Tbps", "100Mbps", "25Gbps"))
    )
    network = read_text(tmp_path, "net.txt", text)
    assert links(network) == {(0, 4): 400, (1, 4): 1600, (2, 4): Fraction(1, 10), (3, 4): 25}
    assert network.switches == {4}
    assert "4 links are announced, but 3" in refusal(tmp_path, "n.txt", text.rsplit("3 4", 1)[0])


def test_taccl(tmp_path: Path) -> None:
    """A row of the matrices is a receiver; bandwidths are 1 / invbws."""
    data = {"name": "x", "gpus_per_node": 3, "alpha": 0.3, "betas": [[0] * 3] * 3}
    data |= {"links": [[0, 1, 0], [1, 0, 1], [0, 1, 0]], "invbws": [[0, 23, 0], [23, 0, 46], [0, 46, 0]]}
    network = read_text(tmp_path, "t.json", json.dumps(data))
    assert links(network) == {(0, 1): Fraction(1, 23), (1, 2): Fraction(1, 46)}
    assert "left out: alpha, betas" in network.understood
    data["invbws"][1][2] = 50  # type: ignore[index]
    network = read_text(tmp_path, "t.json", json.dumps(data))
    assert network.directed
    assert links(network)[2, 1] == Fraction(1, 50)
    data["links"] = [[0, 1]]
    assert "matrices of gpus_per_node rows" in refusal(tmp_path, "t.json", json.dumps(data))


def test_parallel_edges_of_gml(tmp_path: Path) -> None:
    """Files of the Topology Zoo have them without saying so."""
    text = 'graph [\n node [ id 0 label "a" ]\n node [ id 1 label "b" ]\n'
    text += "".join(f" edge [ source 0 target 1 LinkSpeedRaw {b} ]\n" for b in (10000000000.0, 5.0)) + "]\n"
    network = read_text(tmp_path, "zoo.gml", text, bandwidth="LinkSpeedRaw")
    assert links(network) == {("a", "b"): 10000000005}
    assert "1 parallel edges joined" in network.understood


def test_a_document_type_brings_no_entities() -> None:
    """It may be named where tools write one, and is never looked up."""
    assert read_xml(b"<!DOCTYPE a SYSTEM 'a.dtd'><a/>", doctype=True).name == "a"
    with pytest.raises(InputError, match="line 1: an ENTITY has no place here"):
        read_xml(b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", doctype=True)
    with pytest.raises(InputError, match="a DOCTYPE has no place here"):
        read_xml(b"<!DOCTYPE a SYSTEM 'a.dtd'><a/>")
