"""Machines in `.topo` files: compute nodes, switches, and links with bandwidths, as JSON."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from reprlib import repr as _shown
from typing import Any

from schedsolve.network.assumptions import assumed, distinct, left_out
from schedsolve.network.bandwidths import bandwidth_from_data, bandwidth_to_data
from schedsolve.network.files.node_link import checked_label
from schedsolve.network.files.understood import machine_of
from schedsolve.network.graph import Label, Network
from schedsolve.runtime.errors import InputError, counted

TOPOLOGY_FORMAT = "schedsolve-topology/1"
KEYS = {"format", "name", "compute", "switches", "directed", "links"}


def network_to_topology(network: Network) -> dict[str, Any]:
    """Return the network as the JSON object of a .topo file.

    The object is {"format", "name", "compute": [labels], "switches": [labels], "directed",
    "links": [[u, v, bandwidth], ...]}.
    """
    labels = network.labels
    return {
        "format": TOPOLOGY_FORMAT,
        "name": network.name,
        "compute": [labels[v] for v in network.compute_nodes],
        "switches": [labels[v] for v in sorted(network.switches)],
        "directed": network.directed,
        "links": [
            [labels[u], labels[v], bandwidth_to_data(network.bandwidth_of[u, v])] for u, v in network.edges
        ],
    }


def network_from_topology(data: object) -> Network:
    """Return the network that the JSON object of a .topo file describes; parallel links add up.

    Raises
    ------
    InputError
        If the structure is different, a label is neither an integer nor printable text, a node is given
        twice, an end of a link is not a node, a link is a loop, or a bandwidth is not valid.
    """
    if not isinstance(data, dict) or data.get("format") != TOPOLOGY_FORMAT:
        raise InputError(f'a topology is an object with "format": "{TOPOLOGY_FORMAT}"')
    compute, switches, links = (data.get(name, []) for name in ("compute", "switches", "links"))
    directed = data.get("directed", False)
    if not all(isinstance(part, list) for part in (compute, switches, links)):
        raise InputError('"compute", "switches" and "links" must be lists')
    if not isinstance(directed, bool):
        raise InputError('"directed" must be true or false')
    nodes: dict[Label, None] = {}
    for label in chain(compute, switches):
        if _label(label) in nodes:
            raise InputError(f"node {_shown(label)} is given twice")
        nodes[label] = None
    read = [_link(item, nodes) for item in links]
    notes = [left_out("fields", _shown(key)) for key in data if key not in KEYS]
    count = sum(len(item) == 2 for item in links) % (len(links) or 1)
    notes.append(assumed("bandwidth", f"{counted(count, 'link')} without a bandwidth as 1", count))
    network = machine_of(compute, read, switches, directed=directed)
    return replace(network, name=str(data.get("name", "")), assumptions=distinct(notes))


def _link(item: object, nodes: dict[Label, None]) -> tuple[Label, Label, Any]:
    if not isinstance(item, list) or len(item) not in (2, 3):
        raise InputError(f"a link is [u, v, bandwidth], not {_shown(item)}")
    u, v = _label(item[0]), _label(item[1])
    for end in (u, v):
        if end not in nodes:
            raise InputError(f"a link names {_shown(end)}, which is not among the nodes")
    return u, v, bandwidth_from_data(item[2]) if len(item) == 3 else 1


def _label(value: object) -> Label:
    return checked_label(value, f"{_shown(value)} is no label: a label is an integer or text")
