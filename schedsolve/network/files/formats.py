"""The formats of network files, from which help, errors and docs are made, and which of them a file has."""

from __future__ import annotations

import json
import re

from schedsolve.network.bandwidths import ATTRIBUTE
from schedsolve.network.files.column_formats import MATRIX_MARKET, METIS, SLURM, SLURM_LINE, metis_lines
from schedsolve.network.files.csv_edges import CSV, TSV
from schedsolve.network.files.graph_formats import (
    ADJACENCY,
    DIGRAPH6,
    GEXF,
    GML,
    GRAPH6,
    GRAPHML,
    SPARSE6,
)
from schedsolve.network.files.hwloc_topology import HWLOC
from schedsolve.network.files.infiniband import INFINIBAND
from schedsolve.network.files.line_formats import DIMACS, EDGES, INSTANCE, text_of
from schedsolve.network.files.link_matrix import (
    MATRIX,
    is_link_matrix,
    is_matrix_text,
    network_from_link_matrix,
)
from schedsolve.network.files.nccl_topology import NCCL
from schedsolve.network.files.node_link import network_from_json, network_to_json
from schedsolve.network.files.nvidia_topology import NVIDIA, is_nvidia_topology
from schedsolve.network.files.pajek import PAJEK
from schedsolve.network.files.reading import Format, Reading, missing_attribute
from schedsolve.network.files.rocm_topology import ROCM
from schedsolve.network.files.simulator_files import (
    ASTRA_SIM,
    NS3_TOPOLOGY,
    is_ns3,
    is_taccl,
    parse_taccl,
)
from schedsolve.network.files.sndlib import SNDLIB, SNDLIB_XML
from schedsolve.network.files.topology_file import (
    TOPOLOGY_FORMAT,
    network_from_topology,
    network_to_topology,
)
from schedsolve.network.files.understood import understood
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.number_reader import parse_json
from schedsolve.runtime.limits.budget import naming


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
        return _topology(found)
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


def _topology(found: object) -> Network:
    network = network_from_topology(found)
    return understood(network, "topology", network.assumptions)


def _compose_topology(network: Network) -> bytes:
    return (json.dumps(network_to_topology(network)) + "\n").encode()


def _compose_json(network: Network) -> bytes:
    return (json.dumps(network_to_json(network), indent=1) + "\n").encode()


JSON = Format("node-link JSON", (".json",), _parse_json, _compose_json, attributes=True)
TOPOLOGY = Format("topology", (".topo",), lambda data, _: _topology(_json_object(data)), _compose_topology)
FORMATS = (
    EDGES, CSV, TSV, TOPOLOGY, JSON, GRAPHML, GML, GEXF, PAJEK, ADJACENCY, DIMACS, METIS, MATRIX_MARKET,
    GRAPH6, SPARSE6, DIGRAPH6, INSTANCE, NCCL, HWLOC, SLURM, NVIDIA, ROCM, INFINIBAND,
    SNDLIB, SNDLIB_XML, ASTRA_SIM, NS3_TOPOLOGY, MATRIX,
)  # fmt: skip
ENDINGS = {ending: form for form in FORMATS for ending in form.endings}
ROOTS = {form.root: form for form in FORMATS if form.root}
"""The formats in XML, by the name of the outermost element."""
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
FREE = frozenset({EDGES, METIS, SLURM})
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
    found = next((form for form in FORMATS if form.head and form.head.match(start)), None)
    root = ROOT.match(text)
    if found is None and root:
        found = ROOTS.get(root[1].lower())
    if found is None and text.lstrip()[:1] in ("{", "[") and form not in (TOPOLOGY, JSON):
        found = JSON if _is_json(text) else None
    return found or (_of_lines(text, form) if form in FREE else form)


def _of_lines(text: str, form: Format) -> Format:
    """Return the format of lines of words."""
    if SLURM_LINE.search(text):
        return SLURM
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
