"""Optimal gossip with a period in complete trees of every height: lists of types, refutations, schemes,
the command `explore periods` and its check.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import networkx
import pytest

from schedsolve.modelkit.problem import Problem
from schedsolve.models import build_problem, model_of
from schedsolve.models.systolic.bounds.tree_periods import heights_of, matching, tree_period_bound
from schedsolve.models.systolic.claims.tree_periods import refuted_height
from schedsolve.models.systolic.claims.tree_types import verify_types
from schedsolve.models.systolic.constructions.tree_types import theorem_2, types_for
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError
from schedsolve.solving.constructions import construct
from schedsolve.solving.solve import solve
from tests.command_line import Cli, refused
from tests.models.systolic.heights import FIRST_FAILURES

CASES = [(*key, p, height) for key, rows in FIRST_FAILURES.items() for p, height in rows.items()]


def gossip(arity: int, height: int, two_way: bool, period: int) -> Problem:
    """Gossip in a complete tree with a period."""
    network = Network.from_spec(f"tree:{arity},{height}")
    return build_problem("telephone" if two_way else "telegraph", "gossip", network, {"period": period})


def optimum(arity: int, height: int, two_way: bool) -> int:
    """The optimum without a period."""
    return 2 * arity * height - (1 if two_way else 0)


@pytest.mark.parametrize(("arity", "two_way", "period", "fails"), CASES)
def test_for_which_heights_a_period_serves(arity: int, two_way: bool, period: int, fails: int | None) -> None:
    """Strict and relaxed tables meet at the first height that fails, and the claims, written apart, agree."""
    found = heights_of(arity, two_way, period)
    assert (found.works, found.fails) == (None if fails is None else fails - 1, fails)
    if fails is None:
        assert found.types is not None
        verify_types(found.types)
    else:
        assert refuted_height(arity, two_way, period, found.slack, found.most, 99) == fails
        assert refuted_height(arity, two_way, period, found.slack, found.most, fails - 1) is None


@pytest.mark.parametrize("two_way", [True, False])
@pytest.mark.parametrize(("arity", "height"), [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2)])
def test_sat_says_the_same(arity: int, height: int, two_way: bool) -> None:
    """On small trees the product's search, which knows no types, is optimal exactly where the heights say
    so.
    """
    for period in range(arity, optimum(arity, height, two_way)):
        found = heights_of(arity, two_way, period)
        serves = found.works is None or height <= found.works
        problem = gossip(arity, height, two_way, period).with_parameters(
            rounds=optimum(arity, height, two_way)
        )
        assert (solve(problem).status == "feasible") == serves, period


@pytest.mark.parametrize("arity", range(4, 13))
def test_theorem_2_for_every_arity(arity: int) -> None:
    """The types of the proof are a legal list; there are k + 6 of them; a period one less is refuted."""
    types = theorem_2(arity)
    verify_types(types)
    assert (types.period, len(types.kinds)) == (arity + 2, arity + 6)
    assert refuted_height(arity, True, arity + 1, 1, 2 * arity, 2) == 2


@pytest.mark.parametrize(
    ("arity", "two_way", "period", "heights"),
    [
        (4, True, 6, (1, 2, 3, 4)),
        (5, True, 7, (1, 2, 3)),
        (8, True, 10, (1, 2)),
        (2, True, 8, (1, 2, 3, 4, 5, 6, 8)),
        (3, True, 8, (1, 2, 3, 5)),
        (2, False, 18, (1, 2, 3, 5, 8)),
        (3, False, 16, (1, 2, 3, 5)),
        (4, False, 20, (1, 2, 3)),
    ],
)
def test_schemes_are_replayed(arity: int, two_way: bool, period: int, heights: tuple[int, ...]) -> None:
    """The types make an optimal schedule at every height, and the referee confirms it."""
    for height in heights:
        problem = gossip(arity, height, two_way, period)
        (built,) = construct(problem, "tree-types")
        assert built.value == optimum(arity, height, two_way)


def test_solve_needs_no_search(cli: Cli) -> None:
    """Arity 4, height 4, period 6: 31 rounds."""
    seen = cli("solve telephone gossip tree:4,4 --period 6 --quiet")
    assert seen.out.startswith("optimal: 31 rounds")
    assert solve(gossip(4, 3, True, 6)).value == 23


def test_short_periods_have_a_theorem() -> None:
    """k + 1 slots never do for a height of 2 or more; the bound is met with k = 2."""
    problem = gossip(2, 3, True, 3)
    bounds = {b.evidence["kind"]: b.value for b in model_of(problem).bounds(problem) if b.evidence}
    assert bounds["short-tree-period"] == 12
    assert solve(problem).value == 12
    assert "short-tree-period" not in [
        (b.evidence or {}).get("kind") for b in model_of(problem).bounds(gossip(2, 1, True, 3))
    ]


def test_refutations_are_bounds() -> None:
    """Of a problem's own height; where the height is served there is none."""
    bound = tree_period_bound(gossip(2, 5, True, 7))
    assert bound is not None
    assert bound.value == 20
    claims = model_of(gossip(2, 5, True, 7)).claims
    assert claims["tree-period"](gossip(2, 5, True, 7), bound.evidence or {}) == 20
    assert tree_period_bound(gossip(2, 4, True, 5)) is None
    assert tree_period_bound(gossip(2, 5, True, 8)) is None
    for problem in (gossip(2, 4, True, 5), gossip(2, 5, True, 8), gossip(2, 5, True, 19)):
        with pytest.raises(ClaimError, match="does not refute"):
            claims["tree-period"](problem, {"slack": 4, "most": 4})
    with pytest.raises(ClaimError, match="whole numbers"):
        claims["tree-period"](gossip(2, 5, True, 7), {})
    path = build_problem("telephone", "gossip", Network.from_spec("path:9"), {"period": 7})
    with pytest.raises(ClaimError, match="complete trees"):
        claims["tree-period"](path, {"slack": 4, "most": 4})


def test_explore_periods_tells_heights(cli: Cli) -> None:
    """The row for every period, and the least one for every height."""
    seen = cli("explore periods --arity 2 --two-way --period 3..8")
    assert (seen.status, seen.err) == (0, "")
    words = [line.split(maxsplit=1) for line in seen.out.splitlines()[2:8]]
    assert [word[0] for word in words] == ["3", "4", "5", "6", "7", "8"]
    for (_, said), fails in zip(words[:-1], (2, 2, 5, 4, 3), strict=True):
        assert f"works up to height {fails - 1}, fails from height {fails} on" in said
    assert "works at every height" in words[-1][1]
    assert seen.out.splitlines()[8] == "least of these periods: 3 for h = 1, 5 for h = 2..4, 8 for h >= 5"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("explore periods --arity 1 --period 3", "--arity"),
        ("explore periods --arity 2 --period 0..3", "--period"),
        ("explore periods --arity 2 --period 9..3", "--period"),
        ("explore periods --arity 2 --period x", "--period"),
        ("explore wherever", "wherever"),
        ("explore", "SUBJECT"),
    ],
)
def test_bad_input_is_told_in_one_line(cli: Cli, line: str, reason: str) -> None:
    """Exit status 2 and what would be right."""
    seen = cli(line)
    assert seen.status == 2
    assert reason in seen.err


@pytest.fixture
def saved(cli: Cli) -> dict[str, Any]:
    """What `explore periods` saves for periods 7 and 8."""
    assert cli("explore periods --arity 2 --two-way --period 7..8 --output p.json").status == 0
    data: dict[str, Any] = json.loads(Path("p.json").read_text(encoding="utf-8"))
    return data


def test_check_confirms_types_and_refutations(cli: Cli, saved: dict[str, Any]) -> None:
    """Each row that has a proof is confirmed."""
    assert [row["fails_from"] for row in saved["rows"]] == [3, None]
    seen = cli("check p.json")
    assert seen.status == 0
    assert "ok       period 7 fails from height 3 on" in seen.out
    assert "ok       period 8 works at every height, by 11 types" in seen.out


def _drop_a_type(data: dict[str, Any]) -> None:
    data["rows"][1]["types"].pop(3)


def _cheaper(data: dict[str, Any]) -> None:
    next(entry for entry in data["rows"][1]["types"] if entry["cost"])["cost"] = 0


def _other_slot(data: dict[str, Any]) -> None:
    children = data["rows"][1]["types"][0]["children"]
    children[0] = children[1]


def _one_child(data: dict[str, Any]) -> None:
    data["rows"][1]["types"][0]["children"].pop()


def _other_root(data: dict[str, Any]) -> None:
    data["rows"][1]["root"][0][1] += 8


def _earlier(data: dict[str, Any]) -> None:
    data["rows"][0]["fails_from"] = 2


def _coarse(data: dict[str, Any]) -> None:
    data["rows"][0]["refutation"] = {"slack": 1, "most": 0}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_drop_a_type, "which is not in the list"),
        (_cheaper, "has cost 0, but its child of type"),
        (_other_slot, "for two edges"),
        (_one_child, "has 1 children, not 2"),
        (_other_root, "is done too late"),
        (_earlier, "do not refute height 2"),
        (_coarse, "do not refute height 3"),
    ],
)
def test_check_refuses_what_was_changed(
    cli: Cli, saved: dict[str, Any], change: Callable[[dict[str, Any]], None], reason: str
) -> None:
    """Every change is refused by name."""
    change(saved)
    Path("p.json").write_text(json.dumps(saved), encoding="utf-8")
    seen = cli("check p.json")
    assert seen.status == 1
    assert reason in seen.out


def test_every_type_is_needed() -> None:
    """No list holds a type that could be left out."""
    for arity, two_way, period in ((2, True, 8), (4, True, 6), (3, False, 16)):
        types = types_for(arity, two_way, period)
        assert types is not None
        for kind in types.kinds:
            fewer = deepcopy(types)
            del fewer.kinds[kind]
            with pytest.raises(ClaimError, match="not in the list"):
                verify_types(fewer)


def test_matchings_are_large_enough() -> None:
    """Against networkx, on random graphs: as many edges as wanted, or as many as there can be."""
    random = Random(5)
    for _ in range(300):
        n, density = random.randrange(1, 12), random.random()
        edges = [(u, v) for u in range(n) for v in range(u) if random.random() < density]
        near = {v: {x for edge in edges if v in edge for x in edge if x != v} for v in range(n)}
        wanted = random.randrange(8)
        found = matching(near, wanted)
        assert len({x for edge in found for x in edge}) == 2 * len(found)
        assert all(v in near[u] for u, v in found)
        greatest = len(networkx.max_weight_matching(networkx.Graph(edges), maxcardinality=True))
        assert min(wanted, greatest) <= len(found) <= greatest


@pytest.mark.parametrize(
    "place", [(), ("rows", 0), ("rows", 1), ("rows", 0, "refutation"), ("rows", 1, "types", 2)], ids=str
)
def test_check_refuses_what_it_does_not_examine(
    cli: Cli, saved: dict[str, Any], place: tuple[str | int, ...]
) -> None:
    """An entry that it does not know, in any object; and a row's evidence for what the row does not claim."""
    inner: Any = saved
    for key in place:
        inner = inner[key]
    inner["optimal"] = True
    Path("p.json").write_text(json.dumps(saved), encoding="utf-8")
    assert "'optimal'" in refused(cli("check p.json"))
