"""Generators of large groups: automorphisms, few, with the orbits of the whole group."""

from __future__ import annotations

import pytest

from schedsolve.models.pipelined.rules.orbits import orbits
from schedsolve.network.automorphism_generators import automorphism_generators
from schedsolve.network.automorphisms import automorphisms, is_automorphism
from schedsolve.network.graph import Network


@pytest.mark.parametrize(
    ("spec", "nodes", "arcs"),
    [
        ("petersen", 1, 1), ("hypercube:6", 1, 1), ("torus:8x8x8", 1, 1), ("complete:20", 1, 1),
        ("a100:8", 3, 4), ("leaf-spine:5,4,2", 3, 4), ("path:9", 5, 8), ("ccc:3", 1, 2), ("complete:1", 1, 0),
    ],
)  # fmt: skip
def test_orbits(spec: str, nodes: int, arcs: int) -> None:
    """The numbers of orbits of nodes and of arcs; switches and bandwidths are kept."""
    network = Network.from_spec(spec)
    generators = automorphism_generators(network)
    assert all(is_automorphism(network, image) for image in generators)
    of = orbits(network, generators)
    assert (len(of.node_count), len(of.link_count)) == (nodes, arcs)
    assert sum(of.node_count.values()) == network.node_count
    assert sum(of.link_count.values()) == len(network.arcs)


@pytest.mark.parametrize(
    "spec", ["dgx1", "kautz:2,2", "genkautz:3,20", "mi250:1", "dragonfly:2,1", "grid:4x4"]
)
def test_the_orbits_are_those_of_all_automorphisms(spec: str) -> None:
    """Where all of them can be listed."""
    network = Network.from_spec(spec)
    every = orbits(network, automorphisms(network))
    assert orbits(network, automorphism_generators(network)).node == every.node


def test_fixed_nodes_stay() -> None:
    """With one corner of a cube fixed, three orbits besides it, by distance."""
    network = Network.from_spec("hypercube:3")
    generators = automorphism_generators(network, fixing=(0,))
    assert all(image[0] == 0 for image in generators)
    assert sorted(orbits(network, generators).node_count.values()) == [1, 1, 3, 3]


def test_no_steps_no_automorphisms() -> None:
    """What is not found is left out."""
    assert automorphism_generators(Network.from_spec("torus:4x4"), steps=3) == ()
