"""Theorem 6 of docs/theorems.md: prices for the rounds of a one-way gossip between the first and the last;
that `check` recomputes what they prove, and refuses what was changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import Any

import networkx
import pytest

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import result_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem, model_of
from schedsolve.models.matching.bounds.prices_between import price_between_bound, shipped_prices
from schedsolve.models.matching.claims.market import Market
from schedsolve.models.matching.claims.prices_between import most_earned, prices_between_claim
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError
from schedsolve.solving.solve import solve
from studies.prices_between import QUESTIONS, Question, computed_prices
from tests.command_line import Cli
from tests.reference.brute_force import atlas, gossip_rounds

NAMES = [f"degree {evidence['degree']}, {evidence['rounds']} rounds" for evidence in shipped_prices()]


def gossip(network: str | Network, model: str = "telegraph") -> Problem:
    """A gossip problem."""
    return build_problem(model, "gossip", Network.from_spec(network) if isinstance(network, str) else network)


@pytest.mark.parametrize(
    ("evidence", "nodes"),
    [
        pytest.param(evidence, nodes, marks=pytest.mark.slow if evidence["rounds"] > 7 else [])
        for evidence, nodes in zip(shipped_prices(), (15, 17, 19, 23, 27), strict=True)
    ],
    ids=NAMES,
)
def test_the_shipped_prices_prove_their_bounds(evidence: dict[str, Any], nodes: int) -> None:
    """For so many nodes and any more, and for no fewer."""
    assert (evidence["rounds"], 2 * evidence["wanted"] - 1) == (evidence["rounds"], nodes)
    for n in (nodes, nodes + 1, nodes + 40):
        assert prices_between_claim(gossip(f"cycle:{n}"), evidence) == evidence["rounds"] + 1
    with pytest.raises(ClaimError, match=f"for at least {nodes} nodes, and there are {nodes - 1}"):
        prices_between_claim(gossip(f"cycle:{nodes - 1}"), evidence)


def test_prices_computed_anew() -> None:
    """The linear program finds prices for the smallest of the shipped bounds; the larger ones are for `make
    prices`.
    """
    found = computed_prices(QUESTIONS[0])
    assert prices_between_claim(gossip("harary:3,16"), found) == 8


def test_no_gossip_is_faster() -> None:
    """Five nodes of degree at most three need five rounds by prices, and by brute force on all networks; that
    four do, prices do not prove.
    """
    evidence = computed_prices(Question(3, 4, 3))
    with pytest.raises(AssertionError, match="prove nothing"):
        computed_prices(Question(3, 4, 2))
    seen = 0
    for graph in atlas():
        small = graph.number_of_nodes() == 5 and max(d for _, d in graph.degree) <= 3
        if small and networkx.is_connected(graph):
            seen += 1
            network = Network.from_networkx(graph)
            assert prices_between_claim(gossip(network), evidence) == 5 <= gossip_rounds(graph, False)
    assert seen == 10


def test_what_nodes_earn_by_trying_everything() -> None:
    """Degree 2, three rounds between: the program against all that a node can do, edge by edge."""
    prices = {
        (t, tag, batch): 3 * t + 2 * tag + batch
        for t, tag, batch in product((1, 2, 3), (-1, 0, 1), range(1, 4))
    }
    market = Market(2, 3, 3, False, prices)
    offers = _offered(market)

    def best(t: int, known: int, edges: tuple[tuple[int, int], ...], needs: bool) -> int:
        if t > 3:
            return 0 if known >= 3 or not needs else -(10**18)
        found = [best(t + 1, known, edges, needs)]
        for e in (0, 1):
            (tag, batch), (other_tag, other) = edges[e], edges[1 - e]
            if batch:
                found.append(prices[t, tag, batch] + best(t + 1, known, ((1, 0), (other_tag, other)), needs))
            for sold in offers[t].get(-tag, ()):
                after = ((-1, batch), (other_tag, min(3, other + sold)))
                found.append(best(t + 1, min(3, known + sold), after, needs) - prices[t, -tag, sold])
        return max(found)

    for knows, needs in product((False, True), repeat=2):
        start = ((0, int(knows)),) * 2
        assert most_earned(market)[knows, needs] == best(1, int(knows), start, needs)


def _offered(market: Market) -> dict[int, dict[int, set[int]]]:
    """For every round and tag the batches that some node of degree 2 may have."""
    states = {(int(knows), ((0, int(knows)),) * 2) for knows in (False, True)}
    offers: dict[int, dict[int, set[int]]] = {}
    for t in range(1, market.rounds + 1):
        offers[t] = {}
        for _, edges in states:
            for tag, batch in edges:
                if batch:
                    offers[t].setdefault(tag, set()).add(batch)
        following = set(states)
        for known, edges in states:
            for e in (0, 1):
                (tag, batch), (other_tag, other) = edges[e], edges[1 - e]
                following.add((known, ((1, 0), (other_tag, other))))
                for sold in offers[t].get(-tag, ()):
                    bought = (-1, batch), (other_tag, min(3, other + sold))
                    following.add((min(3, known + sold), bought))
        states = following
    return offers


@pytest.mark.parametrize(
    ("network", "rounds", "kind"),
    [
        ("harary:3,16", 8, "prices-between"),
        ("ccc:3", 9, "prices-between"),
        ("torus:4x7", 9, "prices-between"),
        ("grid:4x5", 8, "knowledge-sizes"),
        ("hypercube:4", 7, "knowledge-sizes"),
        ("petersen", 6, "knowledge-sizes"),
    ],
)
def test_bounds_without_search(network: str, rounds: int, kind: str) -> None:
    """The cheap bounds alone."""
    problem = gossip(network)
    best = max(model_of(problem).bounds(problem), key=lambda bound: bound.value)
    assert (best.value, (best.evidence or {})["kind"]) == (rounds, kind)


def test_where_prices_say_nothing() -> None:
    """Two-way calls, other tasks, great degrees, few nodes."""
    assert price_between_bound(gossip("hypercube:5", "telephone")) is None
    assert price_between_bound(build_problem("telegraph", "broadcast", Network.from_spec("grid:5x5"))) is None
    assert price_between_bound(gossip("complete:40")) is None
    assert price_between_bound(gossip("path:1")) is None
    assert price_between_bound(gossip("complete:4")) is None


def test_with_a_period_the_bound_holds_all_the_more() -> None:
    """The systolic models have it, and its claim."""
    problem = build_problem("telegraph", "gossip", Network.from_spec("harary:3,16"), {"period": 50})
    best = max(
        (b for b in model_of(problem).bounds(problem) if b.side == "lower"), key=lambda bound: bound.value
    )
    assert (best.value, model_of(problem).claims["prices-between"](problem, best.evidence or {})) == (8, 8)


@pytest.fixture(scope="module")
def saved() -> dict[str, Any]:
    """A construction on a Harary graph, with the bounds of `solve` cut short."""
    data = result_to_json(solve(gossip("harary:3,16"), Options(time_limit=0.3)))
    found: dict[str, Any] = json.loads(json.dumps(data))
    return found


def _checked(cli: Cli, data: dict[str, Any]) -> tuple[int, str]:
    Path("h.json").write_text(json.dumps(data), encoding="utf-8")
    seen = cli("check h.json")
    return 1 if seen.status else 0, seen.out


def _priced(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any]
    [found] = [
        b["evidence"] for b in data["certificate"]["lower"] if b["evidence"]["kind"] == "prices-between"
    ]
    return found


def test_check_confirms_the_bound(cli: Cli, saved: dict[str, Any]) -> None:
    """From the prices in the file alone."""
    status, said = _checked(cli, saved)
    assert status == 0
    assert "ok       lower bound 8: recomputed from its evidence, prices-between" in said


def _halved(evidence: dict[str, Any]) -> None:
    for entry in evidence["prices"]:
        if entry[0] == 3:
            entry[3] //= 2


def _changed(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda evidence: evidence.update({name: value})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_halved, "the prices allow 7 rounds"),
        (lambda evidence: evidence["prices"].pop(), "there is no price in round 5 for tag"),
        (_changed("degree", 2), "the prices are for degree 2, and a node has degree 3"),
        (_changed("rounds", 6), "lower bound 8: its evidence proves 7"),
        (_changed("rounds", 8), "there is no price in round 6"),
        (_changed("rounds", 99), "prices are looked at up to"),
        (_changed("wanted", 9), "the prices are for at least 17 nodes, and there are 16"),
        (_changed("wanted", 7), "the prices allow 7 rounds"),
        (_changed("tags", "colour"), 'prices between say "degree"'),
        (_changed("prices", [["x"]]), "a price is given as"),
        (_changed("prices", [[1, 0, 1, 10**40]]), "prices are at most"),
    ],
)
def test_check_refuses_changed_prices(
    cli: Cli, saved: dict[str, Any], change: Callable[[dict[str, Any]], None], reason: str
) -> None:
    """Every change is refused by name."""
    data = deepcopy(saved)
    change(_priced(data))
    status, said = _checked(cli, data)
    assert status == 1
    assert reason in said


@pytest.mark.parametrize(
    ("degree", "calls", "least"),
    [(4, "1> 2< 3> 4< 1> 2> 1<", 18), (3, "1> 2< 3> 1< 2> 3< 1> 2> 1<", 26)],
)
def test_the_barrier(degree: int, calls: str, least: int) -> None:
    """On the infinite tree with properly coloured edges and classes A and B, in a round c> every A calls
    its B over colour c. All nodes of a class are alike; each learns what its caller has new for it.
    """
    known = {"A": 1, "B": 1}
    fresh = {side: dict.fromkeys(range(1, degree + 1), 1) for side in "AB"}
    for word in calls.split():
        colour = int(word[0])
        caller, called = "AB" if word[1] == ">" else "BA"
        batch, fresh[caller][colour] = fresh[caller][colour], 0
        known[called] += batch
        for other in fresh[called]:
            fresh[called][other] += batch if other != colour else 0
    assert min(known.values()) >= least
