"""Designs among planar and among vertex-transitive networks: the classes against counts of the literature and
against other ways to tell, values, and what `check` says of networks outside of a class.
"""

from __future__ import annotations

import json
from itertools import combinations, permutations
from typing import Any

import networkx as nx
import pytest

from schedsolve import design
from schedsolve.certify.check import check_data
from schedsolve.experiments.designs.by_model.matching import DESIGNS as MATCHING_DESIGNS
from schedsolve.experiments.designs.levels import Question
from schedsolve.experiments.designs.rounds_formula import design_search
from schedsolve.network.classes.network_class import NetworkClass, graph_text, is_planar, rows_of
from schedsolve.network.graph import Network
from tests.command_line import Cli, refused
from tests.reference.brute_force import atlas

PLANAR = {2: 1, 3: 2, 4: 6, 5: 20, 6: 99}
"""Connected planar graphs, OEIS A003094."""
TRANSITIVE = {2: 1, 3: 1, 4: 2, 5: 2, 6: 5, 7: 3, 8: 10}
"""Connected vertex-transitive graphs, OEIS A006800."""


def members(kind: NetworkClass) -> list[tuple[int, ...]]:
    return [rows for edges in kind.edge_counts() for rows in kind.members(edges)]


@pytest.mark.parametrize("n", PLANAR)
def test_the_number_of_planar_networks(n: int) -> None:
    assert len(members(NetworkClass(n, planar=True))) == PLANAR[n]


@pytest.mark.parametrize("n", TRANSITIVE)
def test_the_number_of_vertex_transitive_networks(n: int) -> None:
    found = members(NetworkClass(n, vertex_transitive=True))
    assert len({graph_text(rows) for rows in found}) == len(found) == TRANSITIVE[n]


def test_planar_networks_of_the_atlas() -> None:
    """Wagner: a graph with at most six nodes is not planar if it comes to K5 or K3,3 by contractions and by
    leaving out links; minors of a graph with one link contracted, or of one with a link less.
    """
    for graph in (g for g in atlas() if 5 <= len(g) <= 6 and nx.is_connected(g)):
        network = Network(len(graph), tuple(graph.edges()))
        assert is_planar(rows_of(network)) == (not has_forbidden_minor(graph))


def has_forbidden_minor(graph: nx.Graph) -> bool:
    """Whether K5 or K3,3 is a minor of a graph with at most six nodes: among the links of some five, or of
    some six, of which three are on one side.
    """
    links = [frozenset(e) for e in graph.edges()]
    contracted = [(set(graph), {*links})]
    for u, v in graph.edges():
        rest = {frozenset(u if x == v else x for x in link) for link in links} - {frozenset({u})}
        contracted.append((set(graph) - {v}, rest))
    return any(
        {frozenset(pair) for pair in combinations(five, 2)} <= edges
        for nodes, edges in contracted
        for five in combinations(nodes, 5)
    ) or any(
        {frozenset((u, v)) for u in side for v in nodes - {*side}} <= edges
        for nodes, edges in contracted
        for side in combinations(nodes, 3)
        if len(nodes) == 6
    )


def test_vertex_transitive_networks_by_all_permutations() -> None:
    """Every connected graph with five nodes, and those with six that are regular."""
    for graph in (g for g in atlas() if 5 <= len(g) <= 6 and nx.is_connected(g)):
        network = Network(len(graph), tuple(graph.edges()))
        member = NetworkClass(len(graph), vertex_transitive=True).why_not(network) is None
        images = set()
        if len({d for _, d in graph.degree()}) == 1:
            links = {frozenset(e) for e in graph.edges()}
            images = {
                p[0]
                for p in permutations(range(len(graph)))
                if all(frozenset((p[u], p[v])) in links for u, v in graph.edges())
            }
        assert member == (len(images) == len(graph))


@pytest.mark.parametrize(
    ("asked", "options", "value"),
    [
        (("telephone", "gossip", 8), {"planar": True}, (3, 12)),
        (("telephone", "gossip", 6), {"planar": True, "bipartite": True}, (3, 6)),
        (("telephone", "gossip", 10), {"vertex_transitive": True}, (4, 15)),
        (("telephone", "gossip", 7), {"vertex_transitive": True, "regular": 2}, (5, 7)),
        (("telephone", "gossip", 2), {"vertex_transitive": True, "planar": True}, (1, 1)),
        (("telegraph", "gossip", 4), {"planar": True, "directed": True}, (4, 4)),
        (("synchronous", "allgather", 10), {"vertex_transitive": True, "max_degree": 3}, (2, 15)),
    ],
)
def test_values_and_their_files(
    asked: tuple[str, str, int], options: dict[str, Any], value: tuple[int, int]
) -> None:
    """The Petersen graph is vertex-transitive; the cube is planar."""
    found = design(*asked, **options)
    assert (found.status.value, found.sides.reached, found.sides.edges) == ("optimal", *value)
    assert check_data(json.loads(json.dumps(found.to_json()))).complete


def test_no_network_outside_of_the_class_passes() -> None:
    """K3,3 has nine links and is not planar; a path is not vertex-transitive."""
    edges = tuple((u, v) for u in range(3) for v in range(3, 6))
    assert "planar" in str(NetworkClass(6, planar=True).why_not(Network(6, edges)))
    assert "transitive" in str(NetworkClass(3, vertex_transitive=True).why_not(Network(3, ((0, 1), (1, 2)))))
    for name in ("planar", "vertex_transitive"):
        data = json.loads(json.dumps(design("telephone", "gossip", 6).to_json()))
        data["class"][name] = True
        if name == "planar":
            assert check_data(data).complete, "all levels with at most five links are planar"
        else:
            assert not check_data(data).complete
    kind = NetworkClass(5, planar=True)
    data = json.loads(json.dumps(design("telephone", "gossip", 5, planar=True, rounds=4, edges=5).to_json()))
    assert kind.why_not(Network.from_spec("complete:5")) == "it is not planar"
    data["network"] = "D~{"
    assert not check_data(data).complete


def test_the_search_leaves_the_classes_alone() -> None:
    """It knows degrees only; what it found elsewhere would stop it."""
    for kind in (NetworkClass(12, planar=True), NetworkClass(12, vertex_transitive=True)):
        question = Question(MATCHING_DESIGNS["telephone"], "gossip", "max", kind, 4)
        assert design_search("telephone", question, 18) is None


def test_arcs_have_no_vertex_transitive_class(cli: Cli) -> None:
    line = "design telegraph gossip --nodes 4 --directed --vertex-transitive"
    assert "undirected" in refused(cli(line))
