"""Claims of the linear cost model, each condition by hand or by going through all cases."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx
import pytest

from schedsolve.modelkit.evidence import lower_claims
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Status
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem, model_of, models
from schedsolve.models.linear_cost.claims import EVIDENCE
from schedsolve.models.linear_cost.claims.call_graph_tree import (
    Prefix,
    Setting,
    cuts_bound,
    maximal_choices,
)
from schedsolve.models.linear_cost.claims.dual_evidence import multipliers_of
from schedsolve.models.linear_cost.claims.small_program import least_sum
from schedsolve.models.linear_cost.claims.staircase import certain_rounds
from schedsolve.models.linear_cost.claims.table import Derived, Table, table
from schedsolve.models.linear_cost.rules import replay, shape_of
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError
from schedsolve.solving.solve import solve
from tests.reference.brute_force import broadcast_rounds

CLAIMS = lower_claims(EVIDENCE)


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
    assert cuts_bound(setting, root, [((0, 3, 0, 3), Fraction(1))]) == Fraction(1, 2)
    assert cuts_bound(setting, root, [((0, 3, 3, 0), Fraction(1))]) == Fraction(1, 2)


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


def test_the_table_proves_its_best_bound() -> None:
    """The largest of all that its rules give."""
    for nodes in (4, 5, 8, 16):
        problem = posed(f"complete:{nodes}", extra_rounds=2)
        shape = shape_of(problem)
        values = [derived.value for derived in table(shape.ports, shape.nodes).all_f(shape.extra_rounds)]
        assert CLAIMS["derived"](problem, {}) == max(values)


def test_too_few_rounds_are_no_problem_of_the_table() -> None:
    """It says nothing of fewer rounds than it takes to inform everybody."""
    problem = posed("complete:8", total_rounds=2)
    with pytest.raises(ClaimError, match="no rule says anything"):
        CLAIMS["derived"](problem, {})


def test_least_sums() -> None:
    """Of variables that meet rows, by hand."""
    half, third = Fraction(1, 2), Fraction(1, 3)
    assert least_sum([((Fraction(2),), Fraction(1))]) == half
    assert (
        least_sum([((Fraction(1), Fraction(0)), half), ((Fraction(0), Fraction(1)), third)]) == half + third
    )
    assert (
        least_sum([((Fraction(3), Fraction(1)), Fraction(1)), ((Fraction(1), Fraction(3)), Fraction(1))])
        == half
    )
    # All three rows are tight: 1/5 of each.
    rows = [(tuple(Fraction(3 if i == j else 1) for j in range(3)), Fraction(1)) for i in range(3)]
    assert least_sum(rows) == Fraction(3, 5)


def test_rows_are_numbered_one_way() -> None:
    """A row has one name, and a multiplier is a number."""
    assert multipliers_of({"multipliers": {"1": "1/2", "0": "-3"}}) == {1: Fraction(1, 2), 0: -3}
    for wrong in ({"01": "1"}, {"x": "1"}, {"1": "x"}, {"-1": "1"}, {"1": None}, [1], None):
        with pytest.raises(ClaimError):
            multipliers_of({"multipliers": wrong})


def test_packets_that_are_not() -> None:
    """A message in one packet has no second one."""
    problem = posed("path:2", extra_rounds=1)
    for packets, legal in (([0], True), ([1], False), ([0, 1], False)):
        call = {"from": 0, "to": 1, "packets": packets}
        data = {"packet_count": 1, "rounds": [[call]]}
        schedule = model_of(problem).form.read(data, problem.network)
        assert (replay(problem, schedule).violation is None) == legal


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


@pytest.mark.parametrize("kind", ["aggregated", "steady state", "timed program"])
def test_programs_of_one_and_two_nodes(kind: str) -> None:
    """With two nodes there is a program, of which no multipliers prove nothing; with one there is none."""
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


def test_best_rounds_without_those_that_are_too_few() -> None:
    """Two rounds do not reach all nodes, and so bound nothing: three rounds of cost 1 each are best."""
    network = Network.from_networkx(networkx.Graph([(0, 2), (1, 2), (1, 3), (2, 3)]))
    problem = build_problem("linear-cost", "broadcast", network, {"alpha": "1", "tau": "1"})
    result = solve(problem, Options(time_limit=30, certify=True))
    assert (result.status, result.value) == (Status.OPTIMAL, 6)
    (evidence,) = [b.evidence for b in result.bounds if b.side == "lower" and b.value == 6]
    assert evidence is not None
    assert evidence["kind"] == "best rounds"
    claim = models()["linear-cost --alpha"].claims["best rounds"]
    assert claim(problem, evidence) == 6
    assert claim(problem, {**evidence, "rows": [{"kind": "staircase"}, *evidence["rows"][1:]]}) < 6


def test_the_round_of_a_violation() -> None:
    """Is counted from 1."""
    problem = posed("path:3", extra_rounds=1)
    call = {"from": 0, "to": 2, "packets": [0]}
    schedule = model_of(problem).form.read({"packet_count": 1, "rounds": [[call]]}, problem.network)
    seen = replay(problem, schedule)
    assert isinstance(seen.violation, str)
    assert seen.violation.startswith("round 1: ")


class EveryCut(Table):
    """The table with the two inequalities for every s, none left out."""

    def before_and_after(self, r: int) -> Iterator[Derived]:
        for s in range(1, r + 2):
            sent, received = self.f(r - s), self.g(s - self.dimension)
            k, none = Fraction(self.ports), Fraction(0)
            first = (k, none) if sent is None else (k * sent.value, Fraction(1))
            last = (none, k) if received is None else (Fraction(1), k * received.value)
            rights = [Fraction(1) if known is None else known.value for known in (sent, received)]
            rows = list(zip((first, last), rights, strict=True))
            yield Derived(least_sum(rows), "before and after a round (Lemmas 26 and 27)")


@pytest.mark.parametrize(("ports", "nodes"), [(1, 2), (1, 5), (1, 8), (2, 9), (2, 10), (3, 16)])
def test_few_cuts_are_enough(ports: int, nodes: int) -> None:
    """Where a rule proves no more than 1/k its inequalities are left out, and no bound of any rule is
    another.
    """
    few, every = Table(ports, nodes), EveryCut(ports, nodes)
    for r in range(15):
        assert few.all_f(r) == every.all_f(r)


def test_many_rounds() -> None:
    """The table and the staircase take as long for each round; the aggregated program is for few rounds."""
    problem = build_problem("linear-cost", "broadcast", "complete:5", source=0, total_rounds=800)
    assert CLAIMS["derived"](problem, {}) == Fraction(400, 399)
    assert CLAIMS["staircase"](problem, {}) == Fraction(400, 399)
    with pytest.raises(ClaimError, match="up to 40 rounds"):
        CLAIMS["aggregated"](problem, {"multipliers": {}})
