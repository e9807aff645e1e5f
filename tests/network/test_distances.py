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
