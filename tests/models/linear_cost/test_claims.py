"""Claims of the linear cost model, each condition by hand or by going through all cases."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx
import pytest

from schedsolve.errors import ClaimError
from schedsolve.models import build_problem, model_of, models
from schedsolve.models.linear_cost.claims import CLAIMS
from schedsolve.models.linear_cost.claims.call_graph_tree import (
    Prefix,
    Setting,
    cuts_bound,
    maximal_choices,
)
from schedsolve.models.linear_cost.claims.staircase import certain_rounds
from schedsolve.models.linear_cost.claims.table import table
from schedsolve.models.linear_cost.rules import replay, shape_of
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from tests.reference.brute_force import broadcast_rounds


def posed(network: str, **parameters: Any) -> Problem:
    """A broadcast."""
    return build_problem("linear-cost", "broadcast", Network.from_spec(network), parameters)


@pytest.mark.parametrize("text", ["path:5", "star:5", "tree:2,2", "tree:3,1", "random-tree:7,3"])
def test_certain_rounds_in_trees(text: str) -> None:
    """What is certain in a tree is what a broadcast takes, by brute force, from every node."""
    network = Network.from_spec(text)
    graph = networkx.Graph(list(network.edges))
    for v in range(network.node_count):
        assert certain_rounds(network, v, 1) == broadcast_rounds(graph, True, [v])
    assert certain_rounds(Network.from_spec("star:7"), 0, 3) == 2
    assert certain_rounds(Network.from_spec("star:8"), 0, 3) == 3


def test_cuts_before_any_call_graph_is_known() -> None:
    """At the root of the tree every call graph counts: two nodes on the near side can both call across."""
    setting = Setting.of(posed("complete:4", total_rounds=2))
    root = Prefix((), 1, ())
    assert cuts_bound(setting, root, [((0, 3, 3, 3), Fraction(1))]) == 1
    assert cuts_bound(setting, root, [((0, 0, 3, 3), Fraction(1))]) == Fraction(1, 2)
    assert cuts_bound(setting, root, [((0, 0, 3, 3), Fraction(1, 2))]) == Fraction(1, 2)


def test_cuts() -> None:
    """The source crosses over at time 0, somebody never, and nobody before."""
    setting = Setting.of(posed("complete:3", total_rounds=2))
    assert setting.is_cut((0, 1, 3))
    for wrong in ((1, 1, 3), (0, 1, 2), (0, -1, 3), (0, 3), (0, 4, 3)):
        assert not setting.is_cut(wrong)


@pytest.mark.parametrize("capacity", [1, 2])
@pytest.mark.parametrize("links", [[(0, 1), (1, 2), (2, 3)], [(0, 1), (0, 2), (0, 3), (1, 2)], [(0, 1)], []])
def test_maximal_choices(links: list[tuple[int, int]], capacity: int) -> None:
    """All sets that leave no node more than it can, and into which no item more would fit."""

    def fits(items: tuple[int, ...]) -> bool:
        ends = [v for i in items for v in links[i]]
        return all(ends.count(v) <= capacity for v in ends)

    numbers = range(len(links))
    sets = [s for size in range(len(links) + 1) for s in combinations(numbers, size) if fits(s)]
    largest = [s for s in sets if not any(fits((*s, i)) for i in numbers if i not in s)]
    assert sorted(maximal_choices(links, capacity, 100)) == sorted(largest)


def test_a_rule_proves_its_best_bound() -> None:
    """Of the values that a rule gives the largest; the table's is the largest of all; other rules prove
    nothing.
    """
    for nodes in (4, 5, 8, 16):
        problem = posed(f"complete:{nodes}", extra_rounds=2)
        shape = shape_of(problem)
        by_rule: dict[str, list[Fraction]] = {}
        for derived in table(shape.ports, shape.nodes).all_f(shape.extra_rounds):
            by_rule.setdefault(derived.rule, []).append(derived.value)
        for rule, values in by_rule.items():
            assert CLAIMS["by rule"](problem, {"kind": "by rule", "rule": rule}) == max(values)
        assert CLAIMS["derived"](problem, {}) == max(max(values) for values in by_rule.values())
        with pytest.raises(ClaimError, match="there is no rule"):
            CLAIMS["by rule"](problem, {"kind": "by rule", "rule": "none"})


def test_phases_are_looked_at() -> None:
    """Proposition 20 decides f_4(2) and its like, and agrees with the closed form where that is known."""
    rules = {derived.rule for derived in table(1, 16).all_f(2)}
    assert any("Proposition 20" in rule for rule in rules)
    for dimension in (1, 2, 3):
        for extra in range(1, dimension + 1):
            found = table(1, 2**dimension)
            by_phases = max((d.value for d in found.three_phases(extra)), default=Fraction(0))
            best = found.f(extra)
            assert best is not None
            assert 0 < by_phases <= best.value


@pytest.mark.parametrize("kind", ["aggregated", "steady state", "timed programme"])
def test_programs_of_one_and_two_nodes(kind: str) -> None:
    """With two nodes there is a programme, of which no multipliers prove nothing; with one there is none."""
    evidence = {"kind": kind, "multipliers": {}, "cuts": []}
    assert CLAIMS[kind](posed("complete:2", extra_rounds=1), evidence) == 0
    with pytest.raises(ClaimError, match="with one node"):
        CLAIMS[kind](posed("complete:1", extra_rounds=1), evidence)


def test_best_rounds_by_the_rest() -> None:
    """Beyond the last row the time grows by what every round costs, or by what the rest proves."""
    problem = posed("complete:2", alpha="1", tau="5")
    claim = models()["linear-cost --alpha"].claims["best rounds"]
    assert claim(problem, {"rows": [], "rest": None}) == 1 + 5
    assert claim(problem, {"rows": [{"kind": "staircase"}], "rest": None}) == min(1 + 5, 2 + 5)
    path, rows = posed("path:3", alpha="1/100", tau="10"), [{"kind": "derived"}] * 30
    multipliers = {"2": "-1", "3": "1", "4": "1"}
    steady = {"kind": "steady state", "cuts": [[0, 1, 1], [0, 0, 1]], "multipliers": multipliers}
    assert claim(path, {"rows": rows, "rest": steady}) == Fraction(2, 100) + 2 * 10
    assert claim(path, {"rows": rows, "rest": None}) < Fraction(2, 100) + 2 * 10
    with pytest.raises(ClaimError, match="there is no evidence"):
        claim(path, {"rows": rows, "rest": {"kind": "derived"}})


def test_the_round_of_a_violation() -> None:
    """Is counted from 1."""
    problem = posed("path:3", extra_rounds=1)
    call = {"from": 0, "to": 2, "packets": [0]}
    schedule = model_of(problem).form.read({"packet_count": 1, "rounds": [[call]]}, problem.network)
    seen = replay(problem, schedule)
    assert isinstance(seen.violation, str)
    assert seen.violation.startswith("round 1: ")
