"""Gossip by the matchings of an edge colouring in turn."""

from __future__ import annotations

import random

import pytest

from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import Effort
from schedsolve.models import build_problem
from schedsolve.models.matching.constructions.gossip_search import search_gossip
from schedsolve.models.matching.constructions.matchings_in_turn import in_turn, matchings
from schedsolve.models.matching.rules import replay
from schedsolve.network.graph import Network


@pytest.mark.parametrize("spec", ["path:1", "cycle:7", "star:5", "petersen", "complete:9", "torus:4x5"])
def test_an_edge_is_in_at_most_one_matching_and_few_are_left_out(spec: str) -> None:
    network = Network.from_spec(spec)
    for seed in range(5):
        classes = matchings(network, random.Random(seed))
        for calls in classes:
            ends = [v for call in calls for v in call]
            assert len(set(ends)) == len(ends)
        edges = sorted(call for calls in classes for call in calls)
        assert len(set(edges)) == len(edges)
        assert set(edges) <= set(network.edges)
        assert len(edges) >= 0.85 * len(network.edges)


def test_bipartite_networks_are_coloured_with_as_many_colours_as_the_degree() -> None:
    network = Network.from_spec("hypercube:4")
    classes = matchings(network, random.Random(0))
    assert sorted(call for calls in classes for call in calls) == sorted(network.edges)


def test_a_cycle_takes_half_of_its_nodes() -> None:
    network = Network.from_spec("cycle:10")
    classes = matchings(network, random.Random(1))
    assert len(in_turn(network, classes, 5)) == 5
    assert in_turn(network, classes, 4) == []
    assert in_turn(network, [], 4) == []


@pytest.mark.parametrize(("spec", "rounds"), [("random-regular:3,100", 12), ("random-regular:4,200", 12)])
def test_what_the_search_builds_at_once_is_a_gossip(spec: str, rounds: int) -> None:
    """Greedy rounds alone take 14 in both networks."""
    problem = build_problem("telephone", "gossip", spec)
    found = search_gossip(problem.network, Effort(0, 0.0), two_way=True)
    replayed = replay(problem, Schedule.two_way(found))
    assert replayed.violation is None
    assert replayed.value is not None
    assert replayed.value <= rounds
