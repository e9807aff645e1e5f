"""Random trees and random regular graphs: what they are, how they are distributed, and that a seed names one
network for ever.
"""

from __future__ import annotations

from collections import Counter

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.network.named.families import family_network
from tests.network.graphs import degrees, graph


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.integers(1, 40), st.integers(0, 10**6))
def test_random_tree_is_a_tree(n: int, seed: int) -> None:
    """Every random tree is a tree, and the same one whenever its seed is given again."""
    network = family_network(f"random-tree:{n},{seed}")
    assert network.node_count == n
    assert network.is_tree
    assert network == family_network(f"random-tree:{n},{seed}")


def test_random_tree_is_uniform() -> None:
    """Over 3200 seeds the 16 labelled trees on four nodes each come about 200 times (six standard deviations
    are 82).
    """
    seen = Counter(family_network(f"random-tree:4,{seed}").edges for seed in range(3200))
    assert len(seen) == 16
    assert all(abs(count - 200) < 82 for count in seen.values())


@settings(derandomize=True, max_examples=80, deadline=None)
@given(st.data())
def test_random_regular_is_regular_and_connected(data: st.DataObject) -> None:
    """Every possible degree gives a connected network with that degree, reproducibly."""
    n = data.draw(st.integers(3, 24))
    k = data.draw(st.integers(2, n - 1).filter(lambda k: k * n % 2 == 0))
    spec = f"random-regular:{k},{n},{data.draw(st.integers(0, 1000))}"
    network = family_network(spec)
    assert degrees(network) == {k}
    assert network.is_connected
    assert network == family_network(spec)


def test_seeds() -> None:
    """The seed is 0 when left out; other seeds give other networks; the smallest regular networks exist."""
    assert family_network("random-tree:20") == family_network("random-tree:20,0")
    assert family_network("random-regular:3,20") == family_network("random-regular:3,20,0")
    assert len({family_network(f"random-regular:3,20,{seed}").edges for seed in range(20)}) == 20
    assert family_network("random-regular:0,1").edges == ()
    assert family_network("random-regular:1,2").edges == ((0, 1),)


def test_random_networks_stay_what_they_are() -> None:
    """Published results name random networks by their seeds, so a seed's network must never change."""
    assert family_network("random-tree:6,1").edges == ((0, 2), (0, 4), (1, 3), (1, 4), (2, 5))
    assert family_network("random-regular:2,6,1").edges == ((0, 4), (0, 5), (1, 2), (1, 4), (2, 3), (3, 5))
    absent_from_5_regular = {(0, 4), (0, 7), (1, 6), (1, 7), (2, 3), (2, 4), (3, 5), (5, 6)}
    assert set(nx.non_edges(graph("random-regular:5,8,1"))) == absent_from_5_regular
    cubic = ((0, 2), (0, 5), (0, 7), (1, 2), (1, 3), (1, 6), (2, 3), (3, 6), (4, 5), (4, 6), (4, 7), (5, 7))
    assert family_network("random-regular:3,8,1").edges == cubic


def test_small_world() -> None:
    """P = 0 is the ring; every other has N*K/2 edges, is connected and repeatable, and keeps about 1 - P of
    the ring's edges.
    """
    assert family_network("small-world:4,11,0").edges == family_network("circulant:11,1,2").edges
    assert family_network("small-world:4,5,1").is_complete
    assert family_network("small-world:0,1,1").edges == ()
    ring = set(family_network("circulant:200,1,2,3").edges)
    for text, kept in (("1/10", 0.9), ("0.5", 0.5), ("1", 0.0)):
        network = family_network(f"small-world:6,200,{text},3")
        assert len(network.edges) == 600
        assert network.is_connected
        assert abs(len(ring & set(network.edges)) / 600 - kept) < 0.06
    assert family_network("small-world:4,20,0.1") == family_network("small-world:4,20,1/10,0")
    assert len({family_network(f"small-world:4,20,0.3,{seed}").edges for seed in range(20)}) == 20
    fixed = ((0, 1), (0, 2), (0, 5), (0, 6), (1, 4), (1, 5), (2, 6), (2, 7))
    assert family_network("small-world:4,8,1/4,1").edges[:8] == fixed


def test_jellyfish() -> None:
    """Every switch has its hosts, and between the switches is the random regular graph of that seed."""
    network = family_network("jellyfish:10,5,2,7")
    assert network.compute_nodes == tuple(range(20))
    between = tuple((u - 20, v - 20) for u, v in network.edges if u >= 20)
    assert between == family_network("random-regular:3,10,7").edges
    assert [e for e in network.edges if e[0] < 20] == [(v, 20 + v // 2) for v in range(20)]
    assert family_network("jellyfish:1,3,3").edges == family_network("leaf-spine:1,3,1-without-4").edges
