"""Prices that bound one-way gossip of small degree: what they prove, that `check` computes it anew and
refuses what was changed, and the barrier that no argument from the degree passes.
"""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import networkx
import pytest

from schedsolve.errors import ClaimError
from schedsolve.models import build_problem
from schedsolve.models.matching.bounds.prices import QUESTIONS, computed_prices, shipped_prices
from schedsolve.models.matching.claims.prices import prices_claim
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from tests.command_line import Cli

NAMES = [f"degree {evidence['degree']}, {evidence['rounds']} rounds" for evidence in shipped_prices()]
AVERAGES = ["6", "26/3", "8033/630", "28193/1260", "10", "31/2"]


def gossip(network: str | Network, model: str = "telegraph") -> Problem:
    """A gossip problem."""
    return build_problem(model, "gossip", Network.from_spec(network) if isinstance(network, str) else network)


@pytest.mark.parametrize(
    ("evidence", "average"),
    [
        pytest.param(*shipped, marks=pytest.mark.slow if number in (3, 5) else [])
        for number, shipped in enumerate(zip(shipped_prices(), AVERAGES, strict=True))
    ],
    ids=NAMES,
)
def test_the_shipped_prices_prove_their_averages(evidence: dict[str, Any], average: str) -> None:
    """The claim's programme finds the gain that is shipped; on a path one node longer than the average it
    is a bound, on one that is not it is none.
    """
    assert 1 + Fraction(evidence["gain"], evidence["unit"]) == Fraction(average)
    length = int(Fraction(average)) + 1
    assert prices_claim(gossip(f"cycle:{length}"), evidence) == evidence["rounds"] + 1
    with pytest.raises(ClaimError, match="the prices allow"):
        prices_claim(gossip(f"cycle:{length - 1}"), evidence)


@pytest.mark.parametrize("number", [0, 1, 4])
def test_prices_computed_anew(number: int) -> None:
    """The linear programme gives the shipped gain again; the larger ones are for `make prices`."""
    assert computed_prices(QUESTIONS[number])["gain"] == shipped_prices()[number]["gain"]


@pytest.fixture(scope="module")
def saved() -> dict[str, Any]:
    """A construction on the hypercube of 16 nodes, with the shipped prices as the proof of its bound."""
    from schedsolve.modelkit.search import Options
    from schedsolve.result import result_to_json
    from schedsolve.solving.solve import solve

    data = result_to_json(solve(gossip("hypercube:4"), Options(time_limit=0.3)))
    found: dict[str, Any] = json.loads(json.dumps(data))
    [bound] = [bound for bound in found["certificate"]["lower"] if bound["value"] == 7]
    bound["evidence"] = {"kind": "prices", **shipped_prices()[5]}
    return found


def priced(data: dict[str, Any]) -> dict[str, Any]:
    """The evidence with the prices in a saved result."""
    kinds = [b["evidence"] for b in data["certificate"]["lower"] if b["evidence"]["kind"] == "prices"]
    found: dict[str, Any] = kinds[0]
    return found


def checked(cli: Cli, data: dict[str, Any]) -> tuple[int, str]:
    """What `check` says of a result."""
    Path("h.json").write_text(json.dumps(data), encoding="utf-8")
    seen = cli("check h.json")
    return 1 if seen.status else 0, seen.out


def test_check_confirms_the_bound(cli: Cli, saved: dict[str, Any]) -> None:
    """From the prices in the file alone."""
    status, said = checked(cli, saved)
    assert status == 0
    assert "ok       lower bound 7: computed anew from its evidence, prices" in said


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("lowered", "items, not 36540/2520 as is said"),
        ("dropped", "there is no price in round 3 for tag"),
        ("degree", "the prices are for degree 3, and a node has degree 4"),
        ("gain", "items, not 36539/2520 as is said"),
        ("text", "a price is given as"),
        ("tags", 'prices say "degree"'),
        ("sizes", '"sizes" of prices'),
        ("rounds", "prices are looked at up to"),
    ],
)
def test_check_refuses_changed_prices(cli: Cli, saved: dict[str, Any], name: str, reason: str) -> None:
    """Every change is refused by name."""
    data = deepcopy(saved)
    evidence = priced(data)
    third = next(entry for entry in evidence["prices"] if entry[0] == 3 and entry[3] > 0)
    if name == "lowered":
        third[3] -= 1
    elif name == "dropped":
        evidence["prices"].remove(third)
    else:
        changes = {"degree": 3, "gain": evidence["gain"] - 1, "tags": "colour", "sizes": [0], "rounds": 99}
        evidence.update({"prices": [["x"]]} if name == "text" else {name: changes[name]})
    status, said = checked(cli, data)
    assert status == 1
    assert reason in said


def test_every_positive_price_is_needed() -> None:
    """Of all best prices those shipped are such that none can be lower: each one lowered is refused."""
    evidence = shipped_prices()[4]
    problem = gossip("hypercube:4")
    for place, (*_, price) in enumerate(evidence["prices"]):
        if price > 0:
            lowered = deepcopy(evidence)
            lowered["prices"][place][3] -= max(1, price // 20)
            with pytest.raises(ClaimError, match="as is said"):
                prices_claim(problem, lowered)


@pytest.mark.parametrize("degree", [3, 4])
def test_nobody_knows_more_than_the_prices_allow(degree: int) -> None:
    """Random and greedy schedules in random regular graphs, item by item: the average stays below."""
    random = Random(degree)
    averages = {
        e["rounds"]: 1 + Fraction(e["gain"], e["unit"]) for e in shipped_prices() if e["degree"] == degree
    }
    for trial in range(60):
        graph = networkx.random_regular_graph(degree, 40, seed=trial)
        held = [1 << v for v in range(40)]
        arcs = [arc for u, v in graph.edges for arc in ((u, v), (v, u))]
        for t in range(1, 8):
            gains = {(u, v): (held[u] & ~held[v]).bit_count() for u, v in arcs}
            free = set(range(40))
            luck = random.choice([0, 1, 3])
            for u, v in sorted(arcs, key=lambda arc: -gains[arc] - luck * random.random()):
                if {u, v} <= free:
                    free -= {u, v}
                    held[v] |= held[u]
            known = Fraction(sum(items.bit_count() for items in held), 40)
            assert t not in averages or known <= averages[t]


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
