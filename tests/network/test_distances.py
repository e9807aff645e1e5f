"""Distances, neighbours and completeness of small networks, against networkx."""

from __future__ import annotations

from itertools import combinations, permutations

import networkx as nx
import pytest

from schedsolve.network.graph import Network


@pytest.mark.parametrize("directed", [False, True])
def test_small_networks(directed: bool) -> None:
    """Every network with at most 4 nodes, of at most 6 arcs when directed, and the complete ones to 6."""
    pairs = permutations if directed else combinations
    for n in range(1, 7):
        links = list(pairs(range(n), 2))
        sizes = range(min(len(links), 6) + 1) if n <= 4 else []
        for edges in (e for size in {*sizes, len(links)} for e in combinations(links, size)):
            network = Network(n, edges, directed=directed)
            graph = nx.DiGraph() if directed else nx.Graph()
            graph.add_nodes_from(range(n))
            graph.add_edges_from(edges)
            known = dict(nx.all_pairs_shortest_path_length(graph))
            assert network.is_complete == (len(edges) == len(links))
            assert network.successors == tuple(tuple(sorted(graph.adj[v])) for v in range(n))
            assert network.distances_from([0]) == [known[0].get(v) for v in range(n)]
            assert network.distances_from([]) == [None] * n
            farthest = tuple(max(known[v].values()) if len(known[v]) == n else None for v in range(n))
            assert network.eccentricities == farthest


@pytest.mark.parametrize("network", ["cycle:5", "complete:6", "path:1", "grid:2x3"])
def test_has_arc_is_membership_in_the_set_of_arcs(network: str) -> None:
    """Numbers outside the nodes have no arcs; an arc of a directed network goes one way."""
    undirected = Network.from_spec(network)
    for one in (undirected, Network(undirected.node_count, undirected.edges, directed=True)):
        nodes = range(-2, one.node_count + 2)
        assert {(u, v) for u in nodes for v in nodes if one.has_arc(u, v)} == one.arc_set
