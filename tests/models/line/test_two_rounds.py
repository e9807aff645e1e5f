"""Two rounds of a gossip by calls along paths, refuted by prices (Theorem 9): against brute force on tiny
networks, what it settles, and what a forged file says.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.modelkit.evidence import lower_claims
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.search import Options, Question
from schedsolve.models import build_problem, model_of
from schedsolve.models.line.bounds import two_round_bounds
from schedsolve.models.line.claims import EVIDENCE
from schedsolve.models.line.claims.lower_bounds import two_round_capacity
from schedsolve.models.line.claims.two_rounds import Prices, TwoRounds, node_classes, two_rounds
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError
from schedsolve.solving.solve import solve
from tests.reference.brute_force import connected_graphs
from tests.reference.line_brute_force import gossip_rounds

CLAIMS = lower_claims(EVIDENCE)


def posed(network: Network | str, ports: int | str = "all") -> Problem:
    """A gossip of the line model."""
    asked = Network.from_spec(network) if isinstance(network, str) else network
    return build_problem("line", "gossip", asked, {"ports": str(ports)})


def evidence(problem: Problem) -> dict[str, Any] | None:
    """What is found to refute two rounds, by counting or by prices."""
    counted = (bound for bound in model_of(problem).bounds(problem) if bound.value == 3)
    for found in (*counted, *two_round_bounds(Question(problem, 2))):
        kept = {} if found is None else dict(found.evidence or {})
        if kept.get("kind") in ("crowded-rounds", "two-rounds"):
            assert CLAIMS[kept["kind"]](problem, kept) == 3
            return kept
    return None


@pytest.mark.parametrize("ports", ["all", 2, 3])
def test_against_brute_force(ports: int | str) -> None:
    """Where two rounds suffice no prices refute them; and somewhere they are refuted."""
    refuted = 0
    for graph in connected_graphs()[1::2]:
        problem = posed(Network.from_networkx(graph), ports)
        found = evidence(problem)
        if found is not None:
            refuted += 1
            assert gossip_rounds(graph, None if ports == "all" else int(ports)) > 2
    assert refuted


@pytest.mark.parametrize(
    "network", ["hypercube:4", "knodel:4,16", "random-regular:3,12,1", "random-regular:4,16,1"]
)
def test_gossips_that_take_three_rounds(network: str) -> None:
    """Their upper sides are found at once, their lower ones were open."""
    result = solve(posed(network), Options(certify=True))
    assert (result.value, result.lower_bound) == (3, 3)


@pytest.mark.parametrize(
    ("network", "prices"),
    [
        ("torus:5x5", False),
        ("hypercube:5", False),
        ("random-regular:10,102,1", False),
        ("grid:2x4", True),
        ("grid:3x4", True),
        ("circulant:15,1,2", True),
    ],
)
def test_gossips_that_take_three_rounds_at_least(network: str, prices: bool) -> None:
    """Two rounds are refuted, as nothing can pass through nodes or by prices."""
    found = evidence(posed(network))
    assert found is not None
    assert ("pairs" in found) == prices


@pytest.mark.parametrize("network", ["petersen", "circulant:13,1,5", "complete:9", "cycle:5"])
def test_gossips_in_two_rounds(network: str) -> None:
    """They are left alone."""
    assert evidence(posed(network)) is None


@pytest.mark.parametrize(
    "network", [f"random-regular:3,10,{seed}" for seed in range(6)] + ["petersen", "cycle:4", "cycle:5"]
)
def test_from_degree_squared_nodes_on(network: str) -> None:
    """Two rounds are refuted if and only if some nodes are more than two steps apart."""
    problem = posed(network)
    assert (evidence(problem) is not None) == (TwoRounds.of(problem).distances.max() > 2)


def test_the_hypercube_by_hand() -> None:
    """A node that makes 3 or 4 calls leaves none of its edges to others, so a call is worth nothing but the
    pairs at distance 1 and 2: not the 16 at distance 4.
    """
    seen, prices = TwoRounds.of(posed("hypercube:4")), Prices(1, (0, 0, 0, 0, 1))
    assert (seen.least, seen.ends(0, 3), seen.ends(0, 4), seen.worth(prices)) == (3, 3, 4, 16)
    assert {seen.richest(w, prices)[0] for w in range(16)} == {0}


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6), st.sampled_from(["all", "1", "2"]))
def test_the_richest_stars(seed: int, n: int, ports: str) -> None:
    """They are those of all pairs of stars that are worth most."""
    rng = random.Random(seed)
    graph = nx.connected_watts_strogatz_graph(n, min(n, rng.choice((2, 3, 4))), 0.5, seed=seed)
    seen = TwoRounds.of(posed(Network.from_networkx(graph), ports))
    if not seen.possible:
        return
    distances = seen.distances.tolist()
    farthest = max(map(max, distances))
    prices = Prices(rng.randint(0, 3), tuple(rng.randint(0, 3) for _ in range(farthest + 1)))

    def worth(w: int, first: tuple[int, ...], second: tuple[int, ...]) -> int:
        spare = sum(seen.ends(w, len(star)) - sum(distances[w][v] for v in star) for star in (first, second))
        known = sum(prices.pairs[distances[u][v]] for u in (w, *first) for v in (w, *second))
        return int(prices.edge * spare + known)

    for w in range(n):
        others = [v for v in range(n) if v != w]
        stars = [s for k in range(seen.least, seen.most[w] + 1) for s in combinations(others, k)]
        value, best = seen.richest(w, prices)
        assert (
            value
            == max(worth(w, *pair) for pair in product(stars, repeat=2))
            == worth(w, best.first, best.second)
        )


def test_node_classes() -> None:
    """A rotation makes all nodes of a cycle alike, a reflection pairs them; nothing else is an image."""
    cycle = Network.from_spec("cycle:6")
    assert node_classes(cycle, [[1, 2, 3, 4, 5, 0]]) == {0: 6}
    assert node_classes(cycle, [[0, 5, 4, 3, 2, 1]]) == {0: 1, 1: 2, 2: 2, 3: 1}
    assert node_classes(cycle, []) == dict.fromkeys(range(6), 1)
    with pytest.raises(ClaimError, match="no automorphism"):
        node_classes(cycle, [[1, 0, 2, 3, 4, 5]])


@pytest.mark.parametrize(
    ("network", "change", "says"),
    [
        ("circulant:15,1,2", {"edge": 0}, "may suffice"),
        ("circulant:15,1,2", {"pairs": [0, 500, 500, 1, 1]}, "may suffice"),
        ("circulant:15,1,2", {"pairs": [0, 0, 0, 0, 0]}, "may suffice"),
        ("circulant:15,1,2", {"pairs": [0, 68, 68, 250]}, "whole numbers"),
        ("circulant:15,1,2", {"pairs": [0, 68, 68, 250, -1]}, "whole numbers"),
        ("circulant:15,1,2", {"pairs": [0, 68, 68, 250.0, 250]}, "whole numbers"),
        ("circulant:15,1,2", {"edge": 10**10}, "whole numbers"),
        ("circulant:15,1,2", {"edge": True}, "whole numbers"),
        ("circulant:15,1,2", {"pairs": None}, "whole numbers"),
        ("circulant:15,1,2", {"symmetries": [[1, 0, *range(2, 15)]]}, "no automorphism"),
        ("circulant:15,1,2", {"symmetries": "all"}, "lists of node numbers"),
        ("complete:40", {}, "too many stars"),
        ("star:20000", {}, "too many stars"),
    ],
)
def test_forged_evidence(network: str, change: dict[str, Any], says: str) -> None:
    """Prices that prove nothing, or are none, and symmetries that are none, are refused."""
    true = {"edge": 364, "pairs": [0, 68, 68, 250, 250], "symmetries": [[*range(1, 15), 0]]}
    assert two_rounds(posed("circulant:15,1,2"), true) == 3
    forged = {**true, **({} if "circulant" in network else {"symmetries": []}), **change}
    with pytest.raises(ClaimError, match=says):
        two_rounds(posed(network), forged)


def test_for_gossips_of_undirected_networks_only() -> None:
    """A broadcast has no such bound, nor has a directed network, whose arcs carry two calls where an edge
    carries one.
    """
    problem = build_problem("line", "broadcast", Network.from_spec("hypercube:4"), {})
    assert list(two_round_bounds(Question(problem, 2))) == []
    path = posed("path:3")
    arcs = Network(3, ((0, 1), (1, 0), (1, 2), (2, 1)), directed=True)
    for wrong in (problem, replace(path, network=arcs)):
        with pytest.raises(ClaimError, match="for gossips in undirected networks"):
            model_of(problem).claims["two-rounds"](wrong, {"edge": 0, "pairs": [0, 0, 0]})
        assert two_round_capacity(wrong) is None


def test_two_rounds_that_counting_excludes() -> None:
    """On path:6 some node would have to make more calls than it can: no prices are needed, or looked at."""
    assert two_rounds(posed("path:6"), {}) == 3
    assert two_rounds(posed("path:6"), {"edge": -1}) == 3


def test_ports_limit_the_calls() -> None:
    """A node makes at most as many as it has ports and edges."""
    assert TwoRounds.of(posed("star:5", 2)).most == (2, 1, 1, 1, 1)
    assert TwoRounds.of(posed("star:5")).most == (4, 1, 1, 1, 1)
    assert TwoRounds.of(posed("path:1")).least == 0


@pytest.mark.parametrize(("limit", "most"), [("MOST_NODES", 8), ("MOST_STARS", 100)])
def test_too_many_stars_are_refused(limit: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before any is enumerated."""
    seen = TwoRounds.of(posed("grid:3x3"))
    assert seen.affords(range(9))
    monkeypatch.setitem(TwoRounds.affords.__globals__, limit, most)
    assert not seen.affords(range(9))
