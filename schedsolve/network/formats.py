"""The formats of network files: one entry each, from which help, errors and docs are made."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from schedsolve.errors import InputError
from schedsolve.limits.budget import naming
from schedsolve.network.bandwidths import ATTRIBUTE
from schedsolve.network.column_formats import (
    SLURM,
    compose_matrix_market,
    compose_metis,
    metis_lines,
    parse_matrix_market,
    parse_metis,
    parse_slurm,
)
from schedsolve.network.csv_edges import compose_csv, parse_csv
from schedsolve.network.graph import Network
from schedsolve.network.graph_formats import (
    compose_adjacency,
    compose_digraph6,
    compose_gexf,
    compose_gml,
    compose_graph6,
    compose_graphml,
    compose_sparse6,
    parse_adjacency,
    parse_digraph6,
    parse_gexf,
    parse_gml,
    parse_graph6,
    parse_graphml,
    parse_sparse6,
)
from schedsolve.network.hwloc_topology import network_from_hwloc
from schedsolve.network.infiniband import HEAD as INFINIBAND_HEAD
from schedsolve.network.infiniband import network_from_ibnetdiscover
from schedsolve.network.line_formats import (
    compose_broadcast_instance,
    compose_dimacs,
    compose_edge_list,
    parse_broadcast_instance,
    parse_dimacs,
    parse_edge_list,
    text_of,
)
from schedsolve.network.link_matrix import (
    is_link_matrix,
    is_matrix_text,
    network_from_link_matrix,
    network_from_matrix_text,
)
from schedsolve.network.nccl_topology import network_from_nccl_topology
from schedsolve.network.node_link import network_from_json, network_to_json
from schedsolve.network.nvidia_topology import is_nvidia_topology, network_from_nvidia_topology
from schedsolve.network.pajek import compose_pajek, parse_pajek
from schedsolve.network.reading import Reading, missing_attribute
from schedsolve.network.rocm_topology import HEAD as ROCM_HEAD
from schedsolve.network.rocm_topology import network_from_rocm_topology
from schedsolve.network.simulator_files import (
    ASTRA,
    is_ns3,
    is_taccl,
    parse_astra_sim,
    parse_ns3,
    parse_taccl,
)
from schedsolve.network.sndlib import HEAD as SNDLIB_HEAD
from schedsolve.network.sndlib import parse_sndlib, parse_sndlib_xml
from schedsolve.network.topology_file import TOPOLOGY_FORMAT, network_from_topology, network_to_topology
from schedsolve.network.understood import understood
from schedsolve.number_reader import parse_json


@dataclass(frozen=True)
class Format:
    """A file format.

    Attributes
    ----------
    name
        As people call it.
    endings
        Of files in this format; none for one that is told by its content only.
    parse
        Maps the bytes of a file, and how to read it, to the network; its errors do not name the file.
    compose
        Maps a network to the bytes of a file; None for a format that is only read. A ValueError says that
        the format cannot express the network.
    numbered_from
        The number of the first node in a format without labels, bandwidths and switches.
    arcs
        Whether such a format has arcs: True, False, or None for either.
    weights
        Whether such a format has bandwidths all the same.
    attributes
        Whether edges have attributes with names, one of which may be asked for as the bandwidth.
    pcie
        Whether it has links over PCI without their bandwidths.
    """

    name: str
    endings: tuple[str, ...]
    parse: Callable[[bytes, Reading], Network]
    compose: Callable[[Network], bytes] | None = None
    numbered_from: int | None = None
    arcs: bool | None = False
    weights: bool = False
    attributes: bool = False
    pcie: bool = False


def _json_object(data: bytes) -> object:
    text = text_of(data)
    with naming("it cannot be read as JSON"):
        return parse_json(text)


def _parse_json(data: bytes, reading: Reading) -> Network:
    found = _json_object(data)
    if isinstance(found, dict) and is_taccl(found):
        return parse_taccl(found)
    if is_link_matrix(found):
        return network_from_link_matrix(found)
    if isinstance(found, dict):
        _refuse_other_tools(found)
    if isinstance(found, dict) and found.get("format") == TOPOLOGY_FORMAT:
        return understood(network_from_topology(found), "topology")
    return network_from_json(found, reading)


def _refuse_other_tools(found: dict[str, object]) -> None:
    """Refuse JSON of other tools that has no links, by its name and with the way out.

    Raises
    ------
    InputError
        If it is one.
    """
    for keys, name, way_out in UNREAD_JSON:
        if keys <= found.keys():
            raise InputError(f"this looks like {name}, which is not read; {way_out}")


def _parse_topology(data: bytes, reading: Reading) -> Network:
    return understood(network_from_topology(_json_object(data)), "topology")


def _parse_edges(data: bytes, reading: Reading) -> Network:
    network = parse_edge_list(data, reading.directed, reading.bandwidth)
    return understood(network, "edge list") if network.bandwidths and not network.understood else network


def _without_attributes(parse: Callable[[bytes], Network]) -> Callable[[bytes, Reading], Network]:
    """Return the parser of a format whose edges have no attributes with names."""
    return lambda data, _: parse(data)


def _compose_topology(network: Network) -> bytes:
    return (json.dumps(network_to_topology(network)) + "\n").encode()


def _compose_json(network: Network) -> bytes:
    return (json.dumps(network_to_json(network), indent=1) + "\n").encode()


EDGES = Format("edge list", (".edges", ".edgelist", ".txt"), _parse_edges, compose_edge_list, attributes=True)
NVIDIA = Format(
    "nvidia-smi topo -m",
    (),
    lambda data, reading: network_from_nvidia_topology(text_of(data), reading.pcie),
    pcie=True,
)
ROCM = Format(
    "rocm-smi --showtopo",
    (),
    lambda data, reading: network_from_rocm_topology(text_of(data), reading.pcie),
    pcie=True,
)
INFINIBAND = Format(
    "ibnetdiscover", (), _without_attributes(lambda data: network_from_ibnetdiscover(text_of(data)))
)
HWLOC = Format("hwloc (lstopo --of xml)", (), _without_attributes(network_from_hwloc))
SNDLIB = Format("SNDlib, native format", (), parse_sndlib, attributes=True)
SNDLIB_XML = Format("SNDlib, XML", (), parse_sndlib_xml, attributes=True)
ASTRA_SIM = Format("ASTRA-sim, analytical", (".yml", ".yaml"), _without_attributes(parse_astra_sim))
NS3_TOPOLOGY = Format("ASTRA-sim, ns-3", (), _without_attributes(parse_ns3))
MATRIX = Format("link matrix", (), _without_attributes(lambda data: network_from_matrix_text(text_of(data))))
DIMACS = Format("DIMACS", (".dimacs", ".col", ".gr"), _without_attributes(parse_dimacs), compose_dimacs, 1)
GRAPH6 = Format("graph6", (".g6",), parse_graph6, compose_graph6, 0)
SPARSE6 = Format("sparse6", (".s6",), parse_sparse6, compose_sparse6, 0)
DIGRAPH6 = Format("digraph6", (".d6",), parse_digraph6, compose_digraph6, 0, arcs=None)
GRAPHML = Format("GraphML", (".graphml",), parse_graphml, compose_graphml, attributes=True)
GML = Format("GML", (".gml",), parse_gml, compose_gml, attributes=True)
GEXF = Format("GEXF", (".gexf",), parse_gexf, compose_gexf, attributes=True)
PAJEK = Format("Pajek", (".net", ".paj"), parse_pajek, compose_pajek, attributes=True)
ADJACENCY = Format("adjacency list", (".adjlist",), parse_adjacency, compose_adjacency)
CSV = Format("CSV edge list", (".csv",), parse_csv, compose_csv, attributes=True)
TSV = Format("TSV edge list", (".tsv",), parse_csv, lambda net: compose_csv(net, "\t"), attributes=True)
MATRIX_MARKET = Format(
    "Matrix Market", (".mtx",), parse_matrix_market, compose_matrix_market, 1, arcs=None, weights=True
)
METIS = Format("METIS", (".graph", ".metis"), parse_metis, compose_metis, 1, attributes=True)
JSON = Format("node-link JSON", (".json",), _parse_json, _compose_json, attributes=True)
TOPOLOGY = Format("topology", (".topo",), _parse_topology, _compose_topology)
NCCL = Format("NCCL topology", (".xml",), _without_attributes(network_from_nccl_topology))
INSTANCE = Format(
    "minimum broadcast time",
    (".mbt", ".in"),
    _without_attributes(parse_broadcast_instance),
    compose_broadcast_instance,
    1,
)
SLURM_TOPOLOGY = Format("SLURM topology.conf", (".conf",), parse_slurm, attributes=True)
FORMATS = (
    EDGES, CSV, TSV, TOPOLOGY, JSON, GRAPHML, GML, GEXF, PAJEK, ADJACENCY, DIMACS, METIS, MATRIX_MARKET,
    GRAPH6, SPARSE6, DIGRAPH6, INSTANCE, NCCL, HWLOC, SLURM_TOPOLOGY, NVIDIA, ROCM, INFINIBAND,
    SNDLIB, SNDLIB_XML, ASTRA_SIM, NS3_TOPOLOGY, MATRIX,
)  # fmt: skip
ENDINGS = {ending: form for form in FORMATS for ending in form.endings}
ROOTS = {"graphml": GRAPHML, "gexf": GEXF, "system": NCCL, "topology": HWLOC, "network": SNDLIB_XML}
"""The formats in XML, by the name of the outermost element."""
HEADS = (
    (re.compile(r"\s*%%MatrixMarket", re.IGNORECASE), MATRIX_MARKET),
    (re.compile(r">>graph6<<"), GRAPH6),
    (re.compile(r">>sparse6<<"), SPARSE6),
    (re.compile(r">>digraph6<<"), DIGRAPH6),
    (re.compile(r"\s*\*(?:vertices|network)\b", re.IGNORECASE), PAJEK),
    (re.compile(r"(?:\s*(?:#.*|creator\b.*|comment\b.*|version\b.*)\n)*\s*graph\s*\[", re.IGNORECASE), GML),
    (re.compile(r"(?:c\b.*\n)*p\s+(?:edge|col)\b"), DIMACS),
    (SNDLIB_HEAD, SNDLIB),
    (ROCM_HEAD, ROCM),
    (INFINIBAND_HEAD, INFINIBAND),
    (ASTRA, ASTRA_SIM),
)
"""How files in a format begin."""
AS_EDGES = "give the links as an edge list, with bandwidths in a third column (.edges)"
UNREAD = (
    (
        re.compile(r"(?s)\s*(?:<\?xml[^>]*>\s*)?<graphs\b"),
        "NCCL's graph dump (NCCL_GRAPH_DUMP_FILE)",
        "it has the rings and trees that NCCL chose, and not the machine's links, which are in the file of"
        " NCCL_TOPO_DUMP_FILE",
    ),
    (re.compile(r"(?:\s*c\b.*\n)*\s*p\s+sp\b"), "a DIMACS file of shortest paths", AS_EDGES),
    (re.compile(r"(?:\s*c\b.*\n)*\s*p\s+(?:max|min|asn)\b"), "a DIMACS file of flows", AS_EDGES),
    (re.compile(r"(?:\s*c\b.*\n)*\s*p\s+(?:tw|td|ds|fvs|hs|vc|cep)\b"), "a graph of PACE", AS_EDGES),
    (re.compile(r"(?:\s*c\b.*\n)*\s*p\s+w?cnf\b"), "a DIMACS formula", "give a network"),
    (re.compile(r"(?:33D32945|0*33d32945)\b"), "a file of SteinLib (STP)", AS_EDGES),
    (re.compile(r"LEDA\.GRAPH\b"), "a graph of LEDA", AS_EDGES),
    (re.compile(r"(?:[A-Z_]+\s*:.*\n)*TYPE\s*:\s*(?:TSP|ATSP|CVRP|HCP)\b"), "a file of TSPLIB", AS_EDGES),
    (
        re.compile(r"(?s)\s*(?:(?://|#)[^\n]*\n\s*)*(?:strict\s+)?(?:di)?graph\b[^\[{\n]*\{"),
        "Graphviz (DOT)",
        "write it as GML, with gv2gml, or as an edge list (.edges)",
    ),
    (
        re.compile(r"(?s)\s*(?:#[^\n]*\n)*Nodes\s+[0-9]+\s+Tiers\s"),
        "a topology of htsim",
        f"it has the sizes of a fat-tree's tiers and no links; {AS_EDGES}",
    ),
)
"""What is recognized and not read, and the way out."""
UNREAD_JSON = (
    (
        {"TopologyParams"},
        "an input of TE-CCL",
        "it names a kind of topology and no links; name the machine instead: mi250:1 for AMD, dgx1 for DGX1,"
        " NDv2, dgx2 for DGX2, grid:AxB for Mesh",
    ),
    (
        {"topologies-per-dim"},
        "a network of an older ASTRA-sim",
        "give that of its analytical backend (.yml), with topology, npus_count and bandwidth",
    ),
    ({"logical-dims"}, "logical dimensions of ASTRA-sim", "the links are in the topology of ns-3 beside it"),
    ({"7-Flows"}, "a schedule of TE-CCL", "give a network"),
    ({"elements"}, "a graph of Cytoscape", "write it as GraphML (.graphml)"),
    ({"nodes", "adjacency"}, "networkx's adjacency data", "write networkx.node_link_data instead"),
    ({"children"}, "a tree of networkx or D3", "write networkx.node_link_data instead"),
)
"""Keys of JSON that is recognized and not read, and the way out."""
ROOT = re.compile(r"(?s)\s*(?:<\?xml[^>]*>|<!--.*?-->|<!DOCTYPE[^>]*>|\s)*<(?:\w+:)?(\w+)")
"""The outermost element of a file in XML."""
FREE = frozenset({EDGES, METIS, SLURM_TOPOLOGY})
"""Formats whose files are any lines of words, so that their ending says little."""


def format_of(text: str, form: Format) -> Format:
    """Return the format of a text, told by its content, else by its ending.

    Raises
    ------
    InputError
        If the content is of a kind that is not read.
    """
    start = text[:20_000]
    for head, name, way_out in UNREAD:
        if head.match(start):
            raise InputError(f"this looks like {name}, which is not read; {way_out}")
    found = next((found for head, found in HEADS if head.match(start)), None)
    root = ROOT.match(text)
    if found is None and root:
        found = ROOTS.get(root[1].lower())
    if found is None and text.lstrip()[:1] in ("{", "[") and form not in (TOPOLOGY, JSON):
        found = JSON if _is_json(text) else None
    return found or (_of_lines(text, form) if form in FREE else form)


def _of_lines(text: str, form: Format) -> Format:
    """Return the format of lines of words."""
    if SLURM.search(text):
        return SLURM_TOPOLOGY
    if is_nvidia_topology(text):
        return NVIDIA
    if is_ns3(text):
        return NS3_TOPOLOGY
    if form is EDGES and is_matrix_text(text):
        return MATRIX
    return METIS if form is not METIS and metis_lines(text) else form


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def parsed(form: Format, data: bytes, reading: Reading) -> Network:
    """Return the network of a file in a format.

    Raises
    ------
    InputError
        If it is malformed, or has no attribute of the name that was asked for as bandwidth.
    """
    if reading.bandwidth != ATTRIBUTE and not form.attributes:
        raise missing_attribute(reading.bandwidth, ())
    if reading.pcie and not form.pcie:
        raise InputError(f"--pcie is for files that say what PCI joins and not how fast, not for {form.name}")
    return form.parse(data, reading)
