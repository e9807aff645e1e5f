"""Automorphisms of networks, against networkx."""

from __future__ import annotations

from itertools import permutations

import networkx as nx

from schedsolve.network.automorphisms import AutomorphismSearch, automorphisms, is_automorphism
from schedsolve.network.graph import Network
from tests.reference.brute_force import (
    connected_graphs,
    strongly_connected_digraphs,
)


def test_all_automorphisms_of_small_networks() -> None:
    """What is found are automorphisms, and all but the identity, as many as networkx's matcher finds, with or
    without a fixed node.
    """
    for graph in [*connected_graphs(6), *strongly_connected_digraphs(3), *strongly_connected_digraphs(4)]:
        network, n = Network.from_networkx(graph), graph.number_of_nodes()
        matcher = (
            nx.algorithms.isomorphism.DiGraphMatcher
            if graph.is_directed()
            else nx.algorithms.isomorphism.GraphMatcher
        )
        expected = {
            tuple(image[v] for v in range(n)) for image in matcher(graph, graph).isomorphisms_iter()
        } - {tuple(range(n))}
        found = automorphisms(network, limit=720, steps=10**7)
        assert all(is_automorphism(network, image) for image in found)
        assert len(found) == len(expected)
        assert set(found) == expected
        assert set(automorphisms(network, fixing=((n - 1,),))) == {
            image for image in expected if image[n - 1] == n - 1
        }


def test_generators_of_larger_groups() -> None:
    """Of a group above the limit, the automorphisms given generate all of it."""
    for graph in connected_graphs(5):
        network = Network.from_networkx(graph)
        order = len(automorphisms(network, steps=10**7)) + 1
        if order >= 4:
            given_ones = automorphisms(network, limit=order - 2)
            group = [tuple(range(network.node_count))]
            reached = set(group)
            for image in group:
                for step in given_ones:
                    product = tuple(step[v] for v in image)
                    if product not in reached:
                        reached.add(product)
                        group.append(product)
            assert len(given_ones) < order - 1
            assert len(group) == order
    assert len(automorphisms(Network.from_spec("complete:8"))) == 7 * 8 // 2


def test_is_automorphism() -> None:
    """Just the two renumberings that keep a path's edges are accepted, and just the rotations of a directed
    cycle.
    """
    path = Network.from_spec("path:4")
    assert [p for p in permutations(range(4)) if is_automorphism(path, p)] == [(0, 1, 2, 3), (3, 2, 1, 0)]
    cycle = Network(3, ((0, 1), (1, 2), (2, 0)), directed=True)
    assert [p for p in permutations(range(3)) if is_automorphism(cycle, p)] == [
        (0, 1, 2),
        (1, 2, 0),
        (2, 0, 1),
    ]
    assert not is_automorphism(path, (0, 1, 2))
    assert not is_automorphism(path, (0, 0, 0, 0))


def test_colors_are_the_coarsest_with_equal_neighborhoods() -> None:
    """Against colors refined all at once, on all small graphs and with every node fixed."""
    for graph in [*connected_graphs(6), *strongly_connected_digraphs(4)]:
        network, n = Network.from_networkx(graph), graph.number_of_nodes()
        for fixed in range(n):
            seen: list[object] = [v == fixed for v in range(n)]
            for _ in range(n):
                seen = [
                    hash((seen[v], *sorted((hash(seen[w]), *kind) for w, kind in near.items())))
                    for v, near in enumerate(
                        {w: (network.has_arc(v, w), network.has_arc(w, v)) for w in range(n) if w != v}
                        for v in range(n)
                    )
                ]
            found = AutomorphismSearch(network, ((fixed,),), 1).colour
            assert len(set(found)) == len(set(seen)) == len(set(zip(found, seen, strict=True)))
