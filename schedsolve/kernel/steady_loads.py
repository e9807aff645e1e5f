"""The loads of links in the steady state, of all trees or flows together."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from .calls import is_automorphism
from .network import Network
from .wrong import require


def orbit_firsts(network: Network, images: Any) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Return the first of every node's, and every arc's, orbit under the generated group."""
    for image in images:
        require(is_automorphism(network, image), "a symmetry is no automorphism of the network")
    nodes: dict[Any, Any] = {}
    for v in range(network.n):
        pending = [] if v in nodes else [v]
        for u in pending:
            if u not in nodes:
                nodes[u] = v
                pending += [image[u] for image in images]
    arcs: dict[Any, Any] = {}
    for arc in network.arcs:
        waiting = [] if arc in arcs else [arc]
        for u, v in waiting:
            if (u, v) not in arcs:
                arcs[u, v] = arc
                waiting += [(image[u], image[v]) for image in images]
    return nodes, arcs


def require_carried(network: Network, loads: Any, images: Any, time: Fraction) -> None:
    """Raise WrongError unless links can carry their loads in the time.

    `loads` are by node and link. `images` are automorphisms: what is given for a node is applied by
    every element of the group that they generate, by all equally often, so that it stands for the
    node's orbit, and a link carries the mean of the loads of its orbit.
    """
    nodes, arcs = orbit_firsts(network, images)
    nodes_of, arcs_of = Counter(nodes.values()), Counter(arcs.values())
    total: Counter[Any] = Counter()
    for (node, link), load in loads.items():
        total[arcs[link]] += nodes_of[nodes[node]] * load
    for link, load in total.items():
        most = network.bandwidth[link] * time * arcs_of[link]
        require(load <= most, f"the link {link} is loaded with {load}, more than {most}")
