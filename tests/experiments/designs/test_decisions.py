"""The decisions that designs rest on: diameters for allgathers, least degrees, and what an optimum needs."""

from __future__ import annotations

import json
from itertools import permutations, product

import networkx
import pytest

from schedsolve import design
from schedsolve.certify.check import check_data
from schedsolve.experiments.designs.by_model.matching import least_degree as least_degree_of_calls
from schedsolve.experiments.designs.by_model.synchronous import DESIGNS as BY_NAME
from schedsolve.experiments.designs.by_model.synchronous import least_degree
from schedsolve.experiments.designs.levels import Question
from schedsolve.network.classes.network_class import NetworkClass, rows_of
from schedsolve.network.graph import Network

DESIGNS = BY_NAME["synchronous"]


@pytest.mark.parametrize("directed", [False, True])
def test_allgathers_take_the_diameter(directed: bool) -> None:
    """Of all networks of four nodes, arcs or edges: S steps are enough just from the diameter on."""
    pairs = [(u, v) for u in range(4) for v in range(4) if u != v and (directed or u < v)]
    for chosen in product((False, True), repeat=len(pairs)):
        links = [pair for pair, taken in zip(pairs, chosen, strict=True) if taken]
        graph = networkx.DiGraph() if directed else networkx.Graph()
        graph.add_nodes_from(range(4))
        graph.add_edges_from(links)
        connected = networkx.is_strongly_connected(graph) if directed else networkx.is_connected(graph)
        far = networkx.diameter(graph) if connected else 99
        rows = rows_of(Network(4, tuple(links), directed))
        for steps in range(5):
            assert DESIGNS.suffices("allgather", rows, directed, steps, "max") == (steps >= far)


def digraphs(n: int) -> list[networkx.DiGraph]:
    pairs = list(permutations(range(n), 2))
    chosen = product((False, True), repeat=len(pairs))
    links = [[pair for pair, taken in zip(pairs, one, strict=True) if taken] for one in chosen]
    graphs = [networkx.DiGraph(arcs) for arcs in links if len(arcs) >= n]
    return [g for g in graphs if len(g) == n and networkx.is_strongly_connected(g)]


def test_allgathers_with_arcs_by_brute_force() -> None:
    """The least steps by degree, and the degrees that distances allow, of all digraphs with four nodes."""
    least: dict[int, int] = {}
    for graph in digraphs(4):
        degrees = [d for _, d in (*graph.out_degree(), *graph.in_degree())]
        largest, steps = max(degrees), networkx.diameter(graph)
        members = NetworkClass(4, directed=True, max_degree=largest)
        assert Question(DESIGNS, "allgather", "max", members, steps).least_degree <= min(degrees)
        least[largest] = min(least.get(largest, 9), steps)
    for degree in least:
        found = design("synchronous", "allgather", 4, directed=True, max_degree=degree)
        assert found.sides.reached == found.sides.limit == min(least[d] for d in least if d <= degree)
        assert check_data(json.loads(json.dumps(found.to_json()))).complete


@pytest.mark.parametrize(
    ("n", "degree", "steps", "time"), [(5, 2, 2, "2"), (8, 2, 3, "7/2"), (12, 2, 3, None), (9, 3, 2, None)]
)
def test_networks_with_arcs(n: int, degree: int, steps: int, time: str | None) -> None:
    """As few steps as the bound of Moore allows, in generalised Kautz networks and circulants."""
    found = design("synchronous", "allgather", n, directed=True, max_degree=degree, time_limit=20)
    assert found.sides.reached == found.sides.limit == steps
    data = json.loads(json.dumps(found.to_json()))
    assert time is None or str(data["result"]["value"]) == time
    assert check_data(data).complete


def test_least_degrees() -> None:
    """Of one step, of none and of more; of too few rounds for all, and of one source."""
    assert [least_degree("allgather", 7, steps, "max") for steps in (0, 1, 2, 6)] == [7, 6, 1, 1]
    for rounds in range(6):
        for nodes in range(2, 40):
            enough = [
                d for d in range(rounds + 1) if 1 + sum(2 ** (rounds - i - 1) for i in range(d)) >= nodes
            ]
            assert least_degree_of_calls("gossip", nodes, rounds, "max") == min(enough, default=nodes)
    assert least_degree_of_calls("broadcast", 10, 4, "min") == 0
    assert least_degree_of_calls("broadcast", 10, 4, "max") == 2


def test_one_source_may_have_neighbors_of_any_degree() -> None:
    """A broadcast from the best source of a tree, with a leaf in every network: n - 1 links do."""
    found = design("telephone", "broadcast", 6, source="min").to_json()
    assert (found["edges"], found["rounds"], found["status"]) == (5, 3, "optimal")
    assert check_data(json.loads(json.dumps(found))).complete


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"lower_bound": 5}, "its links are more than the bound"),
        ({"asked": {"rounds": 4, "edges": "least"}}, "rounds were given, and others are reached"),
        ({"asked": {"rounds": 3, "edges": 5}, "status": "feasible"}, "more links than asked for"),
        ({"asked": {"rounds": 2, "edges": "least"}, "status": "feasible"}, "more rounds than asked for"),
    ],
)
def test_what_a_status_needs(change: dict[str, object], why: str) -> None:
    data = json.loads(json.dumps(design("telephone", "gossip", 6).to_json()))
    assert check_data(data).complete
    report = check_data({**data, **change})
    assert [claim for claim in report.unverified if claim.startswith("status")], why


@pytest.mark.parametrize("degree", [None, 3])
def test_the_largest_level_is_enough(degree: int | None) -> None:
    """A link more does not hurt, so that one level excludes those with fewer links, none with more; it may
    lead out of a class with limited degrees, of which every level is needed.
    """
    data = json.loads(json.dumps(design("telephone", "gossip", 8, max_degree=degree).to_json()))
    levels = data["evidence"]["levels"]
    assert [level["edges"] for level in levels] == [7, 8, 9, 10, 11]
    for level in levels:
        alone = {**data, "evidence": {**data["evidence"], "levels": [level]}}
        assert check_data(alone).complete == (level["edges"] == 11 and degree is None)
