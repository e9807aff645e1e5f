"""Theorem 1 of docs/theorems.md: the closed form on one-way paths, its scheme, the referee on long ones."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.models import build_problem, replay
from schedsolve.models.matching.claims.lower_bounds import tree_gossip
from schedsolve.models.matching.rules import knowledge_by_round
from schedsolve.models.systolic.claims.path_theorem import least_path_rounds
from schedsolve.models.systolic.claims.paths import path_sweep
from schedsolve.models.systolic.constructions.paths import best_crossings
from schedsolve.models.systolic.rules import tree_crossings
from schedsolve.network.graph import Network
from schedsolve.solving.constructions import all_bounds, construct
from schedsolve.solving.solve import solve
from tests.command_line import Cli


def path_gossip(n: int, period: int) -> Problem:
    """One-way gossip on a path with a period."""
    return build_problem("telegraph", "gossip", Network.from_spec(f"path:{n}"), {"period": period})


def least_even(n: int, k: int) -> int:
    """The least even M with n <= N_k(M), which the theorem's proof gives before the closed form."""
    return next(m for m in range(2, 4 * n + 4, 2) if m - 2 * ((m - 1) // k) + ((m - 1) % k == 0) >= n)


@pytest.mark.parametrize("period", range(4, 25))
def test_the_closed_form_is_what_the_program_finds(period: int) -> None:
    """The program over the edges knows nothing of the theorem; up to 100 nodes, and short ones first."""
    sweep = path_sweep(period, False, True)
    for n in range(2, 61 if period > 12 else 101):
        assert sweep.least_rounds(n) == least_path_rounds(n, period), n


@pytest.mark.slow
@pytest.mark.parametrize("period", range(4, 25))
def test_the_closed_form_is_what_the_program_finds_up_to_500_nodes(period: int) -> None:
    """As above, on longer paths."""
    sweep = path_sweep(period, False, True)
    for n in range(2, 501):
        assert sweep.least_rounds(n) == least_path_rounds(n, period), n


def test_the_closed_form_inverts_the_count_of_nodes() -> None:
    """N_k(M) of the proof and the closed form agree."""
    for k in range(4, 41):
        for n in range(2, 301):
            assert least_path_rounds(n, k) == least_even(n, k), (n, k)


def test_short_paths_and_periods() -> None:
    """One and two nodes, and the periods that have too few slots for an inner node."""
    assert [least_path_rounds(1, k) for k in (1, 2, 50)] == [0, 0, 0]
    assert [least_path_rounds(2, k) for k in (1, 2, 3, 50)] == [None, 2, 2, 2]
    assert [least_path_rounds(3, k) for k in (1, 2, 3, 4, 5)] == [None, None, None, 4, 4]
    with pytest.raises(ValueError, match="3 nodes"):
        best_crossings(3, 3)


def test_the_crossings_are_legal_for_every_period() -> None:
    """Both items run one way, within the theorem's rounds, and an inner node's four slots differ."""
    for k in range(4, 60):
        for n in (2, 3, 4, 5, k - 1, k, k + 1, 2 * k + 1, 3 * k, 199, 200):
            if n < 2:
                continue
            crossings, rounds = best_crossings(n, k), least_path_rounds(n, k) or 0
            assert len(crossings) == n - 1
            assert {1, rounds} >= {crossings[0][0]}
            assert all(1 <= t <= rounds for pair in crossings for t in pair)
            assert all(there % k != back % k for there, back in crossings)
            for (t, s), (u, r) in pairwise(crossings):
                assert t < u, (n, k)
                assert s > r, (n, k)
                assert len({t % k, s % k, u % k, r % k}) == 4, (n, k)


@pytest.mark.parametrize(("n", "period"), [(2, 2), (2, 9), (3, 4), (50, 4), (97, 7), (200, 40), (120, 119)])
def test_the_scheme_is_replayed_item_by_item(n: int, period: int) -> None:
    """The referee and a list of all items agree that it is complete after the theorem's rounds."""
    problem = path_gossip(n, period)
    best = min(construct(problem, "path-crossings"), key=lambda c: c.value)
    assert best.value == least_path_rounds(n, period)
    *_, held = knowledge_by_round(problem.demand(), best.schedule)
    assert all(items == (1 << n) - 1 for items in held)


def test_a_path_beyond_the_program_is_solved_without_search(cli: Cli) -> None:
    """Period 40 on 200 nodes: both sides from the theorem, checked from the file."""
    assert solve(path_gossip(200, 40)).value == 210
    seen = cli("solve telegraph gossip path:200 --period 40 --output p.json --quiet")
    assert (seen.status, seen.err) == (0, "")
    seen = cli("check p.json")
    assert seen.status == 0
    assert "ok       schedule: replayed, 210 rounds" in seen.out
    assert "lower bound 210: recomputed from its evidence, path-theorem" in seen.out
    assert not [line for line in seen.out.splitlines()[1:-1] if not line.startswith("ok ")]


def test_a_path_of_5010_nodes_is_built_and_replayed() -> None:
    """Slots that repeat are one object, and nobody's items are listed."""
    problem = path_gossip(5_010, 40)
    (built,) = construct(problem, "path-crossings")
    assert built.value == least_path_rounds(5_010, 40) == 5_272
    too_short = Schedule(built.schedule.rounds[:-1], 40)
    assert replay(problem, too_short).violation == (
        "the calls of its period make a gossip that is complete only after round 5272"
    )


def test_both_sides_are_listed_by_bounds() -> None:
    """The theorem is a lower bound that is exact, and an upper bound."""
    bounds = all_bounds(path_gossip(300, 50), seconds=0.01)
    sides = {bound.side for bound in bounds if bound.value == least_path_rounds(300, 50)}
    assert sides == {"lower", "upper"}


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 9), st.booleans())
def test_crossings_in_trees_say_who_knows_what(seed: int, n: int, period: int, two_way: bool) -> None:
    """In random trees with random slots, the round in which an arc is crossed is that in which all items
    behind it are at its head.
    """
    random = Random(seed)
    edges = [(random.randrange(v), v) for v in range(1, n)]
    network = Network(n, tuple(edges))
    slots = []
    for _ in range(period):
        free, calls = set(range(n)), []
        for u, v in random.sample(network.arcs, len(network.arcs)):
            if {u, v} <= free and random.random() < 0.8:
                free -= {u, v}
                calls.append(Call(min(u, v), max(u, v), True) if two_way else Call(u, v))
        slots.append(tuple(calls))
    rounds = period * n
    crossed = tree_crossings(network, slots, period)
    behind = {
        (u, v): sum(1 << x for x in range(n) if u in (x, *_towards(network, x, v))) for u, v in network.arcs
    }
    first: dict[tuple[int, int], int] = {}
    schedule = Schedule(tuple(slots[t % period] for t in range(rounds)), period)
    problem = build_problem("telephone" if two_way else "telegraph", "gossip", network, {"period": period})
    for t, held in enumerate(knowledge_by_round(problem.demand(), schedule), 1):
        for (u, v), items in behind.items():
            if items & ~held[v] == 0:
                first.setdefault((u, v), t)
    assert {arc: t for arc, t in crossed.items() if t <= rounds} == first


def _towards(network: Network, start: int, end: int) -> list[int]:
    """The nodes after `start` on the way to `end` in a tree, `end` left out."""
    away = network.distances_from([end])
    way = [start]
    while way[-1] != end:
        way.append(min(network.successors[way[-1]], key=lambda w: away[w] or 0))
    return way[1:-1]


@pytest.mark.parametrize("period", range(4, 40))
def test_corollary_3_7(period: int) -> None:
    """The least number of rounds is k/(k-2) (n-2) + c with 0 <= c <= 3."""
    for n in range(2, 300):
        rounds = least_path_rounds(n, period)
        assert rounds is not None
        assert 0 <= rounds * (period - 2) - period * (n - 2) <= 3 * (period - 2), n


@pytest.mark.parametrize("period", range(4, 25))
def test_lemmas_3_5_and_3_6(period: int) -> None:
    """The paper's lower bounds hold, and say no more than the theorem; files of 0.2.0 hold them."""
    for nodes in range(3, 200):
        exact = least_path_rounds(nodes, period)
        assert exact is not None
        assert exact >= (nodes - 1) / (period // 2) + nodes - 2
        assert exact >= period * (nodes - 2) / (period - 2)


@pytest.mark.parametrize("mode", ["telegraph", "telephone"])
def test_proposition_4_1(mode: str) -> None:
    """Gossip in the complete k-ary tree of height h, k >= 2, takes 2kh rounds, two-way 2kh - 1."""
    for arity in range(2, 6):
        for height in range(1, 4):
            problem = build_problem(mode, "gossip", f"tree:{arity},{height}")
            assert tree_gossip(problem) == 2 * arity * height - (mode == "telephone"), (arity, height)
