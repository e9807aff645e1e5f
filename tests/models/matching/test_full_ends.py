"""The premise that all nodes but one at most take part in the first round of a one-way gossip and in the
last: against all rounds of small networks, and where it is refused.
"""

from __future__ import annotations

import random
from itertools import combinations, permutations, product
from typing import Any

import pytest

from schedsolve.models.matching.bounds.prices_outer import outer_call_prices
from schedsolve.models.matching.claims.ends import _short_ends_are_excluded, ends_are_full
from schedsolve.models.matching.claims.fewest_calls import PREMISE, fewest_calls_refuted
from schedsolve.models.matching.claims.knowledge_sizes import may_come
from schedsolve.models.matching.claims.prices_outer import excluded_outer_calls
from schedsolve.models.matching.formulation.sat import _fewest_calls_allowed
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError
from studies.prices_outer import Question, computed_prices
from tests.models.matching.problems import posed
from tests.reference.outer_calls_brute_force import Ends, outer_calls

Pair = tuple[int, int]


def _pairs(network: Network, items: int, destinations: int, rounds: int) -> set[Pair]:
    """All pairs of numbers of outer calls that occur with any so many items and destinations; of those that
    the automorphisms of the tiny network make of one another one is looked at.
    """
    n, seen, found = network.node_count, set[tuple[Ends, Ends]](), set[Pair]()
    images = [
        p for p in permutations(range(n)) if all((p[u], p[v]) in network.arc_set for u, v in network.arcs)
    ]
    for both in product(combinations(range(n), items), combinations(range(n), destinations)):
        if both not in seen:
            found |= outer_calls(n, tuple(network.arcs), *both, rounds)
            for image in images:
                origins, ends = (tuple(sorted(image[v] for v in nodes)) for nodes in both)
                seen.add((origins, ends))
    return found


@pytest.mark.parametrize(
    ("n", "rounds"), [(2, 4), (3, 4), (3, 5), (4, 4), (4, 5), (5, 4), (5, 5), (6, 4), (6, 5)]
)
def test_the_premise_against_all_rounds(n: int, rounds: int) -> None:
    """In complete networks: it is claimed if and only if no p + 1 items come to p destinations. One more of
    both never come here; that does not prove it.
    """
    network, p = Network.from_spec(f"complete:{n}"), (n + 1) // 2
    assert ends_are_full(n, rounds) == (not _pairs(network, p + 1, p, rounds))
    assert ends_are_full(n, rounds) == (not _pairs(network, p, p + 1, rounds))


def test_a_gossip_with_a_short_end() -> None:
    """Two nodes and three rounds, the first of them idle: of two items one destination knows both, though two
    destinations never do. The premise is not for them.
    """
    assert not may_come(2, 2, 4, 3)
    assert may_come(2, 1, 2, 3)
    assert not ends_are_full(2, 3)


@pytest.mark.parametrize(("n", "rounds", "most"), [(4, 4, 4), (4, 5, 4), (6, 4, 4)])
def test_items_and_destinations_by_counting(n: int, rounds: int, most: int) -> None:
    """So many items come to so many destinations in complete networks if and only if Theorem 7 allows it."""
    network = Network.from_spec(f"complete:{n}")
    for items in range(1, most + 1):
        for destinations in range(1, items + 1):
            comes = bool(_pairs(network, items, destinations, rounds))
            assert may_come(items, destinations, n, rounds) == comes, (items, destinations)
            assert may_come(destinations, items, n, rounds) == comes, (items, destinations)


@pytest.mark.parametrize(
    ("spec", "degree", "left"),
    [
        ("path:6", 2, {(1, 1)}),
        ("cycle:6", 2, {(1, 1)}),
        ("circulant:6,1,3", 3, {(0, 0), (1, 1)}),
        ("circulant:6,2,3", 3, {(0, 0), (1, 1)}),
        ("complete:6", 5, {(0, 0), (1, 1)}),
    ],
)
def test_excluded_outer_calls_of_any_half(spec: str, degree: int, left: set[Pair]) -> None:
    """Five rounds: whatever three nodes do not call in the first and whatever three are not called in the
    last, they have no pair that prices exclude. The first and the last round are not looked at.
    """
    network, numbers = Network.from_spec(spec), [(c, d) for c in (0, 1) for d in (0, 1)]
    entries = [computed_prices(Question(degree, 5, 6), *pair) for pair in numbers]
    problem = posed("telegraph", "gossip", network)
    excluded = excluded_outer_calls(problem, 5, [entry for entry in entries if entry is not None])
    assert excluded == {*numbers} - left
    assert _pairs(network, 3, 3, 5) <= left


def _by_leaving_one_out(p: int, excluded: set[Pair]) -> bool:
    """Whether p + 1 nodes cannot be silent at an end, by all sets of p of them."""
    for k in range((p + 1) // 2 + 1):
        calls = [{2 * i, 2 * i + 1} for i in range(k)]
        counts = {sum(call <= {*half} for call in calls) for half in combinations(range(p + 1), p)}
        for c in range(p // 2 + 1):
            if not any((c, d) in excluded for d in counts):
                return False
    return True


def test_one_node_left_out() -> None:
    """Excluded pairs drawn at random, p even or odd: full ends follow just if all halves say so."""
    rng, answers = random.Random(3), list[bool]()
    for p in (1, 2, 3, 4, 5, 6, 7, 8) * 40:
        numbers = range((p + 1) // 2 + 1)
        pairs = {(c, d) for c in numbers for d in numbers}
        some = set(rng.sample(sorted(pairs), min(len(pairs), rng.randint(0, 3))))
        excluded = pairs - some - {(d, c) for c, d in some}
        answers.append(_short_ends_are_excluded(p, excluded))
        assert answers[-1] == _by_leaving_one_out(p, excluded)
    assert 60 < sum(answers) < 260


def test_one_end_is_not_enough() -> None:
    """Pairs excluded for one order of c and c' only say nothing."""
    assert _short_ends_are_excluded(4, {(c, d) for c in range(3) for d in range(3)})
    assert not _short_ends_are_excluded(4, {(c, d) for c in range(3) for d in range(2)})
    assert not _short_ends_are_excluded(4, {(c, d) for c in range(2) for d in range(3)})


def test_where_the_premise_is_claimed() -> None:
    """By counting, or by all but (2, 2) and (3, 3) excluded; not for 15 or 16 nodes and 7 rounds without."""
    pairs = {(c, d) for c in range(5) for d in range(5)}
    left = pairs - {(2, 2), (3, 3)}
    known = {(3, 3), (4, 4), (6, 5), (5, 5), (10, 6), (9, 6), (28, 8), (27, 8), (48, 9), (80, 10)}
    unknown = {(2, 3), (4, 5), (6, 6), (8, 6), (7, 6), (10, 7), (14, 7), (15, 7), (16, 7), (28, 9)}
    assert {case for case in known | unknown if ends_are_full(*case)} == known
    assert ends_are_full(16, 7, left)
    assert not ends_are_full(15, 7, left)
    assert ends_are_full(16, 7, left - {(1, 1)})
    for missing in ((2, 3), (0, 0), (3, 4)):
        assert not ends_are_full(16, 7, left - {missing, missing[::-1]})


def _refused(spec: str, rounds: int, entries: Any) -> None:
    evidence = {"rounds": rounds, "symmetries": [], "outer_calls": entries}
    with pytest.raises(ClaimError, match=f"{PREMISE}: nodes may be idle"):
        fewest_calls_refuted(posed("telegraph", "gossip", spec), evidence)


def test_where_the_premise_is_refused() -> None:
    """With 15 nodes, or 16 of a greater degree, or prices that leave more pairs; and `solve` follows."""
    for spec in ("cycle:15", "circulant:16,1,2,8"):
        problem = posed("telegraph", "gossip", spec)
        assert outer_call_prices(problem, 7) == []
        assert _fewest_calls_allowed(problem, 7) is None
        _refused(spec, 7, [])
    prices = outer_call_prices(posed("telegraph", "gossip", "hypercube:4"), 7)
    _refused("hypercube:4", 7, [])
    _refused(
        "hypercube:4", 7, [entry for entry in prices if {entry["second"], entry["last_but_one"]} != {2, 3}]
    )


def test_where_solve_asks_for_it() -> None:
    """Hypercube:4 in seven rounds, by prices; the Petersen graph in six, by counting."""
    for spec, rounds in (("hypercube:4", 7), ("petersen", 6)):
        problem = posed("telegraph", "gossip", spec)
        allowed = _fewest_calls_allowed(problem, rounds)
        assert allowed is not None
        assert (
            fewest_calls_refuted(
                problem, {"rounds": rounds, "symmetries": [], "outer_calls": list(allowed.prices)}
            )[0]
            == rounds + 1
        )
    assert _fewest_calls_allowed(posed("telephone", "gossip", "petersen"), 6) is None
    assert _fewest_calls_allowed(posed("telegraph", "broadcast", "petersen"), 6) is None
    assert _fewest_calls_allowed(posed("telegraph", "gossip", "cycle:3"), 2) is None
