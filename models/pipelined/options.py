"""Parameters of the pipelined model: the one compute node where a task starts or ends."""

from __future__ import annotations

from typing import Any

from schedsolve.modelkit.parameters import flag
from schedsolve.modelkit.record import Parameter
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError


def _compute_node(value: Any, network: Network) -> Any:
    """Return the label of one compute node."""
    node = network.node(value)
    if node in network.switches:
        raise InputError(f"node {network.labels[node]} is a switch; a task starts and ends at compute nodes")
    return network.labels[node]


def _first(network: Network) -> Any:
    named = [v for v in network.default_sources if v not in network.switches]
    return network.labels[next(iter((*named, *network.compute_nodes)), 0)]


SWITCHES_COPY = flag(
    "switches_copy",
    "pipelined: switches copy what they forward (multicast), and add up what they get",
)
SOURCE = Parameter(
    "source",
    "V",
    "the compute node that holds the data at the start (default: what the network's file names, else the"
    " first)",
    _compute_node,
    _first,
)
ROOT = Parameter(
    "root", "V", "the compute node that must get all data (default: the first)", _compute_node, _first
)
