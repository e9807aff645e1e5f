"""Invariants: by their definitions on small graphs, and unchanged by a relabelling."""

from __future__ import annotations

import random
from itertools import combinations, permutations, product

import networkx
import pytest

from schedsolve.network.classes.invariants import INVARIANTS, invariants
from schedsolve.network.classes.sets import networks_of
from schedsolve.network.graph import Network


def _shortest_cycle(graph: networkx.Graph) -> int | None:
    """Return the length of a shortest cycle: an edge, and a shortest way around it."""
    found = []
    for u, v in graph.edges:
        rest = graph.copy()
        rest.remove_edge(u, v)
        if networkx.has_path(rest, u, v):
            found.append(1 + networkx.shortest_path_length(rest, u, v))
    return min(found, default=None)


@pytest.mark.parametrize("spec", ["graphs:1..6", "trees:8", "circulants:9", "petersen"])
def test_the_definitions_say_the_same(spec: str) -> None:
    """On connected graphs."""
    for network in networks_of(spec):
        graph, found = network.to_networkx(), invariants(network)
        assert list(found) == list(INVARIANTS)
        assert found == {
            **found,
            "n": len(graph),
            "m": graph.number_of_edges(),
            "min_degree": min(d for _, d in graph.degree),
            "max_degree": max(d for _, d in graph.degree),
            "leaves": sum(d == 1 for _, d in graph.degree),
            "connected": True,
            "directed": False,
            "diameter": networkx.diameter(graph),
            "radius": networkx.radius(graph),
            "centres": len(networkx.center(graph)),
            "girth": _shortest_cycle(graph),
            "triangles": sum(
                all(graph.has_edge(*pair) for pair in combinations(three, 2))
                for three in combinations(graph, 3)
            ),
            "cut_vertices": sum(
                not networkx.is_connected(graph.subgraph(set(graph) - {v})) for v in graph if len(graph) > 1
            ),
            "tree": networkx.is_tree(graph),
            "bipartite": any(
                all(sides[u] != sides[v] for u, v in graph.edges)
                for sides in product((0, 1), repeat=len(graph))
            ),
        }


def test_vertex_transitivity_by_all_permutations() -> None:
    """On all connected graphs with up to five nodes."""
    for network in networks_of("graphs:1..5"):
        edges = {frozenset(e) for e in network.edges}
        images = {
            image[0]
            for image in permutations(range(network.node_count))
            if all(frozenset((image[u], image[v])) in edges for u, v in network.edges)
        }
        assert invariants(network)["vertex_transitive"] == (len(images) == network.node_count)


def test_the_numbers_of_planar_graphs() -> None:
    """Connected ones with 1 to 7 nodes (OEIS A003094); of arcs the direction does not count."""
    planar = [sum(invariants(g)["planar"] is True for g in networks_of(f"graphs:{n}")) for n in range(1, 8)]
    assert planar == [1, 1, 2, 6, 20, 99, 646]
    arcs = tuple((u, v) for u in range(5) for v in range(5) if u != v)
    assert invariants(Network(5, arcs, directed=True))["planar"] is False


def test_more_than_graphs() -> None:
    """Arcs, two parts, degrees in words, and a regular graph that is not vertex-transitive."""
    assert invariants(Network.from_spec("star:5"))["degrees"] == "1*4 4"
    apart = invariants(Network(4, ((0, 1), (2, 3))))
    assert (apart["connected"], apart["diameter"], apart["radius"]) == (False, None, None)
    ring = invariants(Network(4, ((0, 1), (1, 2), (2, 3), (3, 0)), directed=True))
    assert (ring["directed"], ring["diameter"], ring["max_degree"], ring["girth"]) == (True, 3, 2, 4)
    frucht = Network.from_networkx(networkx.frucht_graph())
    assert invariants(frucht)["vertex_transitive"] is False
    assert invariants(Network.from_spec("torus:6x6"))["vertex_transitive"] is True


def test_a_relabelling_changes_nothing() -> None:
    """On random graphs."""
    chance = random.Random(5)
    for seed in range(20):
        graph = networkx.gnp_random_graph(9, 0.3, seed=seed)
        names = chance.sample(range(9), 9)
        one = invariants(Network.from_networkx(graph))
        assert one == invariants(Network.from_networkx(networkx.relabel_nodes(graph, dict(enumerate(names)))))
