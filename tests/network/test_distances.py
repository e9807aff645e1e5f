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


@pytest.mark.parametrize(
    ("edges", "directed", "farthest"),
    [
        ([(0, 3), (3, 1), (1, 4), (4, 2), (2, 0)], False, (2,) * 5),
        ([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)], False, (None,) * 6),
        ([(v, (v + 1) % 6) for v in range(6)], True, (5,) * 6),
        ([(v, (v + i) % 7) for v in range(7) for i in (1, 2)], True, (3,) * 7),
        ([(v, (v + i) % 6) for v in range(6) for i in (1, 5)], True, (3,) * 6),
    ],
)
def test_cycles_and_what_looks_like_one(
    edges: list[tuple[int, int]], directed: bool, farthest: tuple[int | None, ...]
) -> None:
    """A cycle in another order; two cycles; arcs one way round; two arcs from every node; arcs both ways."""
    network = Network(len(farthest), tuple(edges), directed=directed)
    assert network.eccentricities == farthest
