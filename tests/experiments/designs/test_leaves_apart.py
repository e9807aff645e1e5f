"""Levels whose networks are built from those without a leaf: the same answers as when all are decided, the
rule by which that is enough, and what `check` makes of it.
"""

from __future__ import annotations

import json

import networkx as nx
import pytest

from schedsolve import design
from schedsolve.certify.check import check_data
from schedsolve.experiments.designs.by_model.matching import leaves_apart
from schedsolve.experiments.designs.levels import Level, Question, decided, joined
from schedsolve.experiments.designs.wanted import wanted
from schedsolve.network.classes.network_class import NetworkClass, network_from_text, network_of
from tests.reference.brute_force import connected_graphs, gossip_rounds


def _question(nodes: int, rounds: int, **properties: bool) -> Question:
    return wanted("telephone", "gossip", NetworkClass(nodes, **properties)).question(rounds)


def _apart(graph: nx.Graph) -> bool:
    """Whether no two leaves have one neighbour, and that has two more links."""
    near = [next(iter(graph[v])) for v in graph if graph.degree(v) == 1]
    return len(set(near)) == len(near) and all(graph.degree(v) >= 3 for v in near)


def _gossip_networks(nodes: int, rounds: int) -> list[nx.Graph]:
    """Return the networks with up to ten links in which a gossip takes so few rounds, by brute force for up
    to five nodes.
    """
    if nodes < 6:
        return [graph for graph in _graphs(nodes) if gossip_rounds(graph, True) <= rounds]
    question = _question(nodes, rounds)
    levels = [decided(question, edges) for edges in range(nodes - 1, 11)]
    return [network_of(rows).to_networkx() for level in levels for rows in level.found]


def _graphs(nodes: int) -> list[nx.Graph]:
    return [graph for graph in connected_graphs(nodes) if len(graph) == nodes]


@pytest.mark.parametrize(
    ("nodes", "rounds", "says", "so"),
    [
        (4, 2, True, True),
        (5, 3, True, True),
        (5, 4, False, True),
        (6, 3, True, True),
        (6, 4, False, True),
        (7, 4, True, True),
        (7, 5, False, False),
    ],
)
def test_where_leaves_are_apart(nodes: int, rounds: int, says: bool, so: bool) -> None:
    """Wherever the rule says so they are; with seven nodes and five rounds they need not be."""
    assert leaves_apart("gossip", nodes, rounds) == says
    networks = _gossip_networks(nodes, rounds)
    assert all(map(_apart, networks)) == so
    assert any(1 in dict(graph.degree).values() for graph in networks) == (rounds > 3)


def test_what_the_rule_leaves_open() -> None:
    """A broadcast, one round, and directed or limited classes."""
    assert not leaves_apart("broadcast", 13, 5)
    assert not leaves_apart("gossip", 13, 1)
    assert _question(13, 5).leaves_apart
    assert not _question(13, 4).leaves_apart
    assert not _question(13, 5, bipartite=True).leaves_apart


def test_without_a_leaf_the_others_gossip() -> None:
    """As fast, two-way or one-way."""
    for graph in _graphs(5):
        for leaf in [v for v in graph if graph.degree(v) == 1]:
            rest = nx.convert_node_labels_to_integers(graph.subgraph(set(graph) - {leaf}))
            for two_way in (True, False):
                assert gossip_rounds(rest, two_way) <= gossip_rounds(graph, two_way)


@pytest.mark.parametrize("edges", range(6, 11))
def test_the_same_networks_answer(edges: int) -> None:
    """As when all are decided one by one; in parts too."""
    question = _question(7, 4)
    every, few = decided(question, edges), decided(question, edges, leaves_apart=True)
    assert set(few.found) == set(every.found)
    assert len(few.found) == len(every.found)
    parts = [decided(question, edges, residue=r, modulus=3, leaves_apart=True) for r in range(3)]
    assert (joined(parts).graphs, joined(parts).digest) == (few.graphs, few.digest)


def test_a_file_with_such_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """`check` builds the networks again; not for a class of which the rule says nothing."""
    monkeypatch.setattr("schedsolve.experiments.designs.search.FEWEST_NODES", 7)
    monkeypatch.setattr("schedsolve.experiments.designs.search.DesignSearch._by_search", lambda *_: None)
    monkeypatch.setattr("schedsolve.experiments.designs.search.DesignSearch._known", lambda *_: [])
    data = json.loads(json.dumps(design("telephone", "gossip", 7).to_json()))
    assert (data["status"], data["edges"]) == ("optimal", 7)
    assert len(network_from_text(data["network"]).edges) == 7
    (level,) = data["evidence"]["levels"]
    assert level == Level(4, 6, 1, 0, "0" * 64, leaves_apart=True).to_json()
    report = check_data(data)
    assert report.complete
    assert any("with leaves apart" in line for line in report.lines)
    for change in ({"leaves_apart": False}, {"digest": "1" * 64}, {"graphs": 1}, {"edges": 7}):
        changed = {**data, "evidence": {**data["evidence"], "levels": [{**level, **change}]}}
        assert check_data(changed).failed, change
    planar = {**data, "class": {"planar": True}}
    assert any("nothing says that leaves are apart" in line for line in check_data(planar).lines)
