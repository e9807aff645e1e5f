"""Theorem 8 of docs/theorems.md: prices for the second and the last but one round of a one-way gossip; that
what they exclude is found nowhere, and what was changed is refused.
"""

from __future__ import annotations

from copy import deepcopy
from itertools import product
from typing import Any

import pytest

from schedsolve.backends.sat import decide
from schedsolve.modelkit.problem import Problem
from schedsolve.models.matching.bounds.prices_outer import outer_call_prices, shipped_prices
from schedsolve.models.matching.claims.fewest_calls import fewest_calls_formula
from schedsolve.models.matching.claims.market import Market
from schedsolve.models.matching.claims.prices_outer import earned_by_roles, excluded_outer_calls
from schedsolve.models.matching.formulation.sat import decode
from schedsolve.models.matching.rules import replay
from schedsolve.runtime.errors import ClaimError
from studies.prices_outer import QUESTIONS, Question, computed_prices
from tests.models.matching.problems import posed

Json = dict[str, Any]
Pair = tuple[int, int]
Edges = tuple[tuple[int, int], tuple[int, int]]
Rounds = list[list[tuple[int, int]]]
ALLOWED = (
    {(2, 2)},
    {(2, 2), (3, 3)},
    {(2, 2), (2, 3), (3, 2), (3, 3)},
    set(product(range(2, 6), repeat=2)) - {(2, 5), (5, 2)},
)
"""What the shipped prices leave: degree 3 with 10 nodes, degree 4 with 16, degree 3 with 14 and with 20."""


def _all_pairs(n: int) -> set[Pair]:
    numbers = range(n // 4 + 1)
    return {(c, d) for c in numbers for d in numbers}


@pytest.mark.parametrize(
    ("shipped", "allowed"),
    list(zip(shipped_prices(), ALLOWED, strict=True)),
    ids=["10 nodes", "16 nodes", "14 nodes", "20 nodes"],
)
def test_what_the_shipped_prices_exclude(shipped: Json, allowed: set[Pair]) -> None:
    """All pairs but a few, of the degree and any smaller one."""
    degree, n, rounds = shipped["degree"], shipped["nodes"], shipped["rounds"]
    for spec in (f"harary:{degree},{n}", f"cycle:{n}"):
        excluded = excluded_outer_calls(posed("telegraph", "gossip", spec), rounds, shipped["outer_calls"])
        assert excluded == _all_pairs(n) - allowed


def test_prices_computed_anew() -> None:
    """The linear program finds the smaller of the shipped prices, and none for what is left."""
    problem = posed("telegraph", "gossip", "petersen")
    for pair in _all_pairs(10):
        entry = computed_prices(QUESTIONS[0], *pair)
        assert (entry is None) == (pair == (2, 2))
        assert entry is None or pair in excluded_outer_calls(problem, 6, [entry])


def _with_just(problem: Problem, rounds: int, pair: Pair) -> Rounds | None:
    """A gossip with full ends and just this c and c', by excluding all others; no prices, no lex-leader."""
    formula = fewest_calls_formula(problem, rounds, [], _all_pairs(problem.network.node_count) - {pair})
    answer, true = decide(formula.cnf, 600.0)
    assert answer is not None
    if not answer:
        return None
    assert replay(*decode(problem, formula, true)).violation is None
    return formula.calls(true)


@pytest.mark.parametrize(
    ("spec", "degree", "found"),
    [
        ("circulant:6,1,3", 3, {(0, 0), (1, 1)}),
        ("circulant:6,2,3", 3, {(1, 1)}),
        ("circulant:6,1,2", 4, {(1, 1)}),
        ("complete:6", 5, {(0, 0), (1, 1)}),
    ],
)
def test_no_gossip_has_what_is_excluded(spec: str, degree: int, found: set[Pair]) -> None:
    """Six nodes, five rounds: pairs by search, and by prices, which exclude (0, 1), and so (1, 0)."""
    problem = posed("telegraph", "gossip", spec)
    assert {pair for pair in _all_pairs(6) if _with_just(problem, 5, pair) is not None} == found
    entries = [computed_prices(Question(degree, 5, 6), *pair) for pair in sorted(_all_pairs(6))]
    excluded = excluded_outer_calls(problem, 5, [entry for entry in entries if entry is not None])
    assert excluded == {(0, 1), (1, 0)}


def test_just_so_many_calls_are_counted() -> None:
    """In schedules with a given c and c': the calls of the second round between receivers of the first, and
    those of the last but one between nodes that are not called in the last.
    """
    problem = posed("telegraph", "gossip", "complete:6")
    for pair in ((0, 0), (1, 1)):
        rounds = _with_just(problem, 5, pair)
        assert rounds is not None
        senders, receivers = {u for u, _ in rounds[0]}, {v for _, v in rounds[-1]}
        second = sum(not {u, v} & senders for u, v in rounds[1])
        assert (second, sum(not {u, v} & receivers for u, v in rounds[-2])) == pair


def test_what_nodes_earn_by_trying_everything() -> None:
    """Degree 2, two rounds between: the program against all that a node can do, edge by edge."""
    prices = {
        (t, tag, batch): 3 * t + 2 * tag + batch
        for t, tag, batch in product((1, 2, 3), (-1, 0, 1), range(1, 4))
    }
    market = Market(2, 3, 3, False, prices | {(0, 0, 1): 2})
    begun = [
        [(0, 0, ((0, 0), (1, 0)))],
        [(0, 1, ((0, 1), (-1, 1)))],
        [(0, 1, ((0, 1), (0, 1))), (2, 1, ((0, 1), (1, 0)))],
        [(0, 0, ((0, 0), (0, 0))), (-2, 1, ((0, 1), (-1, 0)))],
    ]
    offered: list[set[tuple[int, int]]] = []
    reached = {(known, edges) for states in begun for _, known, edges in states}
    for _ in range(3):
        offered.append({(tag, batch) for _, edges in reached for tag, batch in edges if batch})
        reached |= {after for state in reached for _, _, after in _deals(state, offered[-1])}

    def best(t: int, state: tuple[int, Edges], role: int) -> int:
        if t == 3:
            return _last(state, offered[2], role, prices)
        found = [best(t + 1, state, role)]
        for sign, (tag, batch), after in _deals(state, offered[t - 1]):
            found.append(sign * prices[t, tag, batch] + best(t + 1, after, role))
        return max(found)

    earned = earned_by_roles(market)
    for states, most in zip(begun, earned, strict=True):
        for role in range(4):
            tried = max(paid + best(1, (known, edges), role) for paid, known, edges in states)
            assert tried == most[role] or max(tried, most[role]) < -(10**9)


def _deals(
    state: tuple[int, Edges], offered: set[tuple[int, int]]
) -> list[tuple[int, tuple[int, int], tuple[int, Edges]]]:
    """What a node of degree 2 may sell and buy, and what it is after."""
    (known, edges), found = state, []
    for e in (0, 1):
        (tag, batch), (other_tag, other) = edges[e], edges[1 - e]
        if batch:
            found.append((1, (tag, batch), (known, ((1, 0), (other_tag, other)))))
        for caller, sold in offered:
            if caller == -tag:
                after = ((-1, batch), (other_tag, min(3, other + sold)))
                found.append((-1, (caller, sold), (min(3, known + sold), after)))
    return found


def _last(
    state: tuple[int, Edges],
    offered: set[tuple[int, int]],
    role: int,
    prices: dict[tuple[int, int, int], int],
) -> int:
    """The most in the last round but one: the first and the third role have to know three items."""
    (known, _), never = state, -(10**18)
    found = [0 if known >= 3 or role in (1, 3) else never]
    for sign, (tag, batch), (after, _) in _deals(state, offered):
        if (role == 3 and sign == 1) or (role == 2 and sign == -1 and after >= 3):
            found.append(sign * prices[3, tag, batch])
    return max(found)


def _changed(**changes: Any) -> Json:
    return deepcopy(dict(outer_call_prices(posed("telegraph", "gossip", "petersen"), 6)[0])) | changes


def test_what_is_refused() -> None:
    """Other numbers, networks, rounds and pairs; prices that are lowered, missing, or of no use."""
    petersen = posed("telegraph", "gossip", "petersen")
    good = _changed()
    assert excluded_outer_calls(petersen, 6, [good]) == {(0, 0)}
    cheap = [[*key, price // 2] for *key, price in good["prices"]]
    for changed, says in (
        (_changed(second=2, last_but_one=2), "no price|earns more|allow"),
        (_changed(second=3), "a quarter"),
        (_changed(second=-1), "outer calls say"),
        (_changed(second=True), "outer calls say"),
        (_changed(degree=2), "no price|degree 3"),
        (_changed(degree=13), "up to 12"),
        (_changed(prices=cheap), "earns more"),
        (_changed(prices=good["prices"][1:]), "no price"),
        (_changed(prices=[[0, 0, 1, 10**12]]), "at most"),
        (_changed(prices="cheap"), "a price is given as"),
        (_changed(roles_second=[x - 1 for x in good["roles_second"]]), "earns more"),
        (_changed(roles_second=[x + 10**6 for x in good["roles_second"]]), "allow 0 calls"),
        (_changed(roles_second=good["roles_second"][1:]), "each of the roles"),
        (_changed(roles_last_but_one=[0.5] * 4), "each of the roles"),
        (["prices"], "is an object"),
    ):
        with pytest.raises(ClaimError, match=says):
            excluded_outer_calls(petersen, 6, [changed])
    for spec, rounds, says in (
        ("complete:10", 6, "degree 9"),
        ("petersen", 4, "for 5 to 12"),
        ("petersen", 7, "no price|earns more|allow"),
        ("cycle:11", 6, "even"),
    ):
        with pytest.raises(ClaimError, match=says):
            excluded_outer_calls(posed("telegraph", "gossip", spec), rounds, [good])
    for entries in ({"second": 0}, [good] * 101):
        with pytest.raises(ClaimError, match="a list of at most"):
            excluded_outer_calls(petersen, 6, entries)


def test_where_no_prices_are_shipped() -> None:
    """Greater degrees, other numbers of nodes or rounds."""
    for spec, rounds in (("complete:10", 6), ("petersen", 7), ("harary:3,12", 6), ("circulant:16,1,2,8", 7)):
        assert outer_call_prices(posed("telegraph", "gossip", spec), rounds) == []
    assert len(outer_call_prices(posed("telegraph", "gossip", "cycle:16"), 7)) == 13
