"""The formulas of gossip in trees, and the root of the recursion over types, against what they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from random import Random

import pytest

from schedsolve.backends.sat import decide
from schedsolve.models import build_problem
from schedsolve.models.matching.claims.formula import gossip_formula
from schedsolve.models.systolic.claims.formula import horizon, tree_gossip_formula
from schedsolve.models.systolic.claims.paths import sweep_of
from schedsolve.models.systolic.claims.tree_periods import RelaxedCosts
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError

SPIDER = Network(5, ((0, 1), (0, 2), (0, 3), (3, 4)))


@pytest.mark.parametrize("model", ["telegraph", "telephone"])
def test_the_formula_of_trees_is_that_of_gossip(model: str) -> None:
    """It has a model just where the formula over all items has one, which knows nothing of trees."""
    answers = []
    for network, period in product(
        (*map(Network.from_spec, ("path:2", "path:3", "path:4", "star:4")), SPIDER), (1, 2, 3, 4, 6)
    ):
        problem = build_problem(model, "gossip", network, {"period": period})
        for rounds in range(1, min(9, horizon(problem))):
            general = gossip_formula(network, problem.demand(), model == "telephone", rounds, period=period)
            tree = tree_gossip_formula(problem, rounds)
            found = [decide(f.cnf, 60.0)[0] for f in (general, tree)]
            assert found[0] == found[1], (network.edges, period, rounds)
            answers.append(found[0])
    assert min(answers.count(True), answers.count(False)) > 10


def _calls_of_the_root(costs: RelaxedCosts) -> Iterator[tuple[list[tuple[int, int]], int]]:
    """The rounds, up and down, of the root's children by Lemma A, and the last round."""
    k = costs.arity
    if costs.two_way:
        for down in permutations(range(k, 2 * k - 1)):
            yield [*zip(range(k - 1), down, strict=True), (k - 1, k - 1)], 2 * k - 2
        return
    for down in permutations(range(k, 2 * k)):
        yield list(zip(range(k), down, strict=True)), 2 * k - 1
    for down in permutations(range(k + 1, 2 * k)):
        yield [*zip(range(k - 1), down, strict=True), (k, k - 1)], 2 * k - 1


def _fits_by_trying(costs: RelaxedCosts) -> bool:
    p = costs.period
    for calls, last in _calls_of_the_root(costs):
        slots = [{up % p, down % p} for up, down in calls]
        apart = not any(one & other for i, one in enumerate(slots) for other in slots[:i])
        different = costs.two_way or all(len(pair) == 2 for pair in slots)
        if (
            apart
            and different
            and all(down + costs.numbers[up, (down - up) % p] <= last for up, down in calls)
        ):
            return True
    return False


@pytest.mark.parametrize("two_way", [True, False])
def test_the_root_by_trying_all_ways(two_way: bool) -> None:
    """Whether its children have rounds, for costs that are drawn at random."""
    random, answers = Random(6), []
    for arity, more in product((2, 3, 4), range(9)):
        for _ in range(10):
            costs = RelaxedCosts(arity, two_way, arity + more, arity + 1, 9)
            for kind in costs.numbers:
                costs.numbers[kind] = random.choice((0, 0, 0, 1, 2))
            if random.random() < 0.5:
                # One way fits by its costs, and hardly any other.
                calls, last = random.choice(list(_calls_of_the_root(costs)))
                costs.numbers |= dict.fromkeys(costs.numbers, 2 * arity)
                costs.numbers |= {(up, (down - up) % costs.period): last - down for up, down in calls}
            answers.append(costs.fits_root())
            assert answers[-1] == _fits_by_trying(costs)
    assert min(answers.count(True), answers.count(False)) > 8


@pytest.mark.parametrize(
    ("arity", "period", "slack", "most"),
    [(1, 3, 1, 1), (2, 1, 1, 1), (2, 3, 0, 1), (2, 3, 1, -1), (2, 3, 1, 1001), (2, 77, 1, 1)],
)
def test_what_is_no_table(arity: int, period: int, slack: int, most: int) -> None:
    """Each number by itself: 2 or more children, as many slots, a slack to cut at, costs, and few types."""
    RelaxedCosts(2, True, 3, 1, 0)
    RelaxedCosts(2, True, 76, 2, 1000)
    with pytest.raises(ClaimError, match="a table of types has"):
        RelaxedCosts(arity, True, period, slack, most)


@pytest.mark.parametrize(("limit", "most"), [("LONGEST_PERIOD", 3), ("LARGEST_SWEEP", 9 * 20)])
def test_paths_that_are_swept(limit: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = build_problem("telephone", "gossip", "path:20", {"period": 3})
    monkeypatch.setitem(sweep_of.__globals__, limit, most)
    assert sweep_of(problem) is not None
    monkeypatch.setitem(sweep_of.__globals__, limit, most - 1)
    assert sweep_of(problem) is None
