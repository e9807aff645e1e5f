"""Networks as networkx graphs, for what networkx knows of them."""

from __future__ import annotations

import networkx as nx

from schedsolve.network.graph import Network
from schedsolve.network.named.families import family_network


def graph(spec: str) -> nx.Graph:
    return family_network(spec).to_networkx()


def degrees(network: Network) -> set[int]:
    return {len(near) for near in network.successors}


def diameter(network: Network) -> int:
    return max(d for v in range(network.node_count) for d in network.distances_from([v]) if d is not None)
