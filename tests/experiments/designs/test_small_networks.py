"""Exhaustive decisions on small networks against a brute-force search and the referee."""

from __future__ import annotations

import random
from itertools import permutations

import networkx as nx
import pytest

from schedsolve.experiments.designs.small_networks import Broadcasts, gossip_rounds
from schedsolve.modelkit.schedule import Schedule
from schedsolve.models import build_problem, replay
from schedsolve.network.graph import Network
from tests.reference import brute_force
from tests.reference.brute_force import atlas

SMALL = [g for g in atlas() if 1 < len(g) <= 5 and nx.is_connected(g)]


def rows_of(graph: nx.Graph) -> tuple[int, ...]:
    return tuple(sum(1 << w for w in graph[v]) for v in sorted(graph))


def strong_digraphs(count: int) -> list[nx.DiGraph]:
    rng = random.Random(7)
    found: list[nx.DiGraph] = []
    while len(found) < count:
        graph = nx.DiGraph(arc for arc in permutations(range(4), 2) if rng.random() < 0.6)
        if len(graph) == 4 and nx.is_strongly_connected(graph):
            found.append(graph)
    return found


def confirm(graph: nx.Graph, model: str, rounds: object, **task: object) -> None:
    """The referee accepts the rounds."""
    network = Network(len(graph), tuple(graph.edges()), graph.is_directed())
    make = Schedule.two_way if model == "telephone" else Schedule.one_way
    name = "broadcast" if task else "gossip"
    assert replay(build_problem(model, name, network, **task), make(rounds)).violation is None  # type: ignore[arg-type, call-overload]


@pytest.mark.parametrize("two_way", [True, False])
def test_gossips_of_all_small_graphs(two_way: bool) -> None:
    """The least number of rounds, by a search that tries everything: one round less does not suffice."""
    for graph in SMALL if two_way else [g for g in SMALL if len(g) < 5 or g.number_of_edges() < 6]:
        least = brute_force.gossip_rounds(graph, two_way)
        rows = rows_of(graph)
        assert gossip_rounds(rows, least - 1, two_way=two_way) is None
        found = gossip_rounds(rows, least, two_way=two_way)
        assert found is not None
        confirm(graph, "telephone" if two_way else "telegraph", found)


def test_gossips_of_digraphs() -> None:
    for graph in strong_digraphs(12):
        least = brute_force.gossip_rounds(graph, False)
        assert gossip_rounds(rows_of(graph), least - 1, two_way=False, directed=True) is None
        found = gossip_rounds(rows_of(graph), least, two_way=False, directed=True)
        assert found is not None
        confirm(graph, "telegraph", found)


def test_what_cannot_be_done_at_all() -> None:
    """An arc without a way back, and no rounds."""
    assert gossip_rounds((2, 0), 9, two_way=False, directed=True) is None
    assert gossip_rounds((2, 1), 0, two_way=True) is None
    assert gossip_rounds((0,), 0, two_way=True) == []


def test_broadcasts_of_all_small_graphs() -> None:
    for graph in SMALL:
        for source in graph:
            least = brute_force.broadcast_rounds(graph, False, [source])
            assert Broadcasts(rows_of(graph)).rounds(1 << source, least - 1) is None
            found = Broadcasts(rows_of(graph)).rounds(1 << source, least)
            assert found is not None
            confirm(graph, "telegraph", found, source=source)


@pytest.mark.parametrize(("name", "least"), [("cubical_graph", 3), ("petersen_graph", 4)])
def test_closed_forms(name: str, least: int) -> None:
    """The cube gossips by its dimensions, the Petersen graph in ceil(log2 10) rounds."""
    graph = getattr(nx, name)()
    assert gossip_rounds(rows_of(graph), least, two_way=True) is not None
    assert gossip_rounds(rows_of(graph), least - 1, two_way=True) is None
