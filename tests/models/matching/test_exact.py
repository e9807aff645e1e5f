"""The matching models against brute force on all tiny networks, and against closed forms and known values on
larger ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cache
from itertools import combinations
from math import ceil, isqrt
from typing import Any

import networkx as nx
import pytest
from networkx.algorithms.broadcasting import tree_broadcast_center, tree_broadcast_time

from schedsolve.modelkit.search import Options, Question
from schedsolve.models import build_problem, get_model
from schedsolve.models.matching.formulation import cpsat_search, sat_search, time_symmetric_search
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from schedsolve.result import Result, Status
from schedsolve.solving.solve import solve
from tests.models.decisions import Start, wrong_decisions
from tests.reference.brute_force import (
    accumulation_rounds,
    arcs_of,
    broadcast_rounds,
    connected_graphs,
    gossip_rounds,
    least_rounds,
    multicast_rounds,
    orbit_representatives,
    strongly_connected_digraphs,
)

Asked = tuple[Problem, int]

MODES = ("telegraph", "telephone")
TASKS = ("broadcast", "multicast", "accumulation", "gossip")
BACKENDS: dict[str, Start] = {"sat": sat_search, "cpsat": cpsat_search}


@pytest.fixture(autouse=True)
def _little_time_for_heuristics(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searching heuristics get a moment only, so that tests are quick and more is left for the deciding
    searches.
    """
    monkeypatch.setattr("schedsolve.solving.pursuit.FIRST_EFFORT_SECONDS", 0.02)


def posed(model: str, task: str, network: Network | str, **options: Any) -> Problem:
    return build_problem(
        model, task, Network.from_spec(network) if isinstance(network, str) else network, options
    )


def solved(model: str, task: str, network: Network | str, **options: Any) -> int:
    """The optimum, which must be proven on both sides, by a schedule that the referee accepts."""
    problem = posed(model, task, network, **options)
    result = solve(problem)
    assert problems_of(problem, result) == ""
    assert isinstance(result.value, int)
    return result.value


def problems_of(problem: Problem, result: Result, value: int | None = None) -> str:
    """What is wrong with a result that should be optimal (with this value); empty when nothing is."""
    if (
        result.status is not Status.OPTIMAL
        or result.value != result.lower_bound
        or value not in (None, result.value)
    ):
        return f"{result.status}, value {result.value}, lower bound {result.lower_bound}"
    assert result.schedule is not None
    placed = problem if result.node is None else problem.at_node(result.node)
    seen = get_model(problem.model).replay(placed, result.schedule)
    if seen.violation or seen.value != result.value:
        return f"the schedule takes {seen.value} rounds, {seen.violation}"
    if problem.choice == "max":
        replays = [
            get_model(problem.model).replay(problem.at_node(v), s) for v, s in result.schedules.items()
        ]
        if len(replays) < problem.network.node_count or any(
            r.violation or r.value > seen.value for r in replays
        ):
            return "not every node has a schedule that is short enough"
    return ""


def described(problem: Problem, complaint: object) -> str:
    parameters = dict(problem.parameters)
    return (
        f"{problem.model} {problem.task} on {problem.network.node_count} nodes {problem.network.edges}"
        f" {parameters}: {complaint}"
    )


def target_sets(n: int) -> list[tuple[int, ...]]:
    """The last node, every second node, and the middle one of all pairs."""
    pairs = list(combinations(range(n), 2))
    return list(
        dict.fromkeys([(n - 1,), tuple(range(0, n, 2)), *pairs[len(pairs) // 2 : len(pairs) // 2 + 1]])
    )


@cache
def questions(model: str, task: str) -> list[Asked]:
    """Problems and their values by brute force: all connected graphs with at most 5 nodes, and for telegraph,
    up to 4 nodes, digraphs.

    Of the digraphs that are strongly connected all with at most 3 nodes and every third with 4 are taken. One
    source or root of every orbit, the best and the worst one; pairs of sources; a few sets of targets.
    """
    graphs: list[nx.Graph] = connected_graphs()
    if model == "telegraph":
        graphs += [
            *strongly_connected_digraphs(2),
            *strongly_connected_digraphs(3),
            *strongly_connected_digraphs(4)[::3],
        ]
    found: list[Asked] = []
    for graph in graphs:
        network = Network.from_networkx(graph)
        for options, value in _asked(graph, task, model == "telephone"):
            found.append((posed(model, task, network, **options), value))
    return found


def _asked(graph: nx.Graph, task: str, two_way: bool) -> Iterator[tuple[dict[str, Any], int]]:
    n = graph.number_of_nodes()
    pairs = [
        pair for pair in dict.fromkeys([(0, n - 1), (0, n // 2), (n // 2, n - 1)]) if len(set(pair)) == 2
    ]
    nodes = orbit_representatives(graph)
    if task == "gossip":
        yield {}, gossip_rounds(graph, two_way)
        return
    if task == "multicast":
        for sources in [*((v,) for v in nodes), *pairs[:1]]:
            sets = target_sets(n)
            for targets, value in zip(sets, multicast_rounds(graph, two_way, sources, sets), strict=True):
                yield {"source": list(sources), "targets": list(targets)}, value
        return
    if task == "accumulation":
        name, rounds = "root", accumulation_rounds(graph, two_way)
        values = {v: rounds[v] for v in nodes}
        assert sorted(set(rounds)) == sorted(set(values.values()))
    else:
        name, values = "source", {v: broadcast_rounds(graph, two_way, [v]) for v in nodes}
        for pair in pairs:
            yield {"source": list(pair)}, broadcast_rounds(graph, two_way, pair)
    for v, value in values.items():
        yield {name: v}, value
    yield {name: "min"}, min(values.values())
    yield {name: "max"}, max(values.values())


@pytest.mark.parametrize("two_way", [False, True])
def test_brute_force_shortcuts_change_nothing(two_way: bool) -> None:
    """On at most 4 nodes the oracle finds the same when it tries every round and keeps every state."""
    for graph in [*connected_graphs(4), *([] if two_way else strongly_connected_digraphs(3))]:
        n, arcs = graph.number_of_nodes(), arcs_of(graph)
        everything = (1 << n) - 1
        start = tuple(1 << v for v in range(n))
        goals = [tuple(everything if v == root else 0 for v in range(n)) for root in range(n)] + [
            (everything,) * n
        ]
        assert least_rounds(n, arcs, two_way, start, goals) == least_rounds(
            n, arcs, two_way, start, goals, shortcuts=False
        )


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("model", MODES)
def test_searches_decide_as_brute_force_does(model: str, task: str, backend: str) -> None:
    """On all tiny networks a search finds a schedule of least length and refutes one round less."""
    wrong = [
        described(problem, complaint)
        for problem, value in questions(model, task)
        if problem.choice != "max"
        for complaint in wrong_decisions(BACKENDS[backend], problem, value)
    ]
    assert wrong == []


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("model", MODES)
def test_solve_finds_what_brute_force_finds(model: str, task: str) -> None:
    """On all tiny networks value and lower bound are the optimum, and the schedules replay."""
    wrong = []
    for problem, value in questions(model, task):
        complaint = problems_of(problem, solve(problem), value)
        if complaint:
            wrong.append(described(problem, f"{complaint} instead of {value}"))
    assert wrong == []


@pytest.mark.parametrize("backend", [None, "sat", "cpsat"])
@pytest.mark.parametrize("model", MODES)
def test_deciding_numbers_of_rounds(model: str, backend: str | None) -> None:
    """Asked for a number of rounds, solve says feasible at the optimum, by a schedule, and infeasible one
    round below, without one.
    """
    asked = [
        q for task in ("gossip", "broadcast") for q in questions(model, task) if q[0].network.node_count < 5
    ]
    asked = [(problem, value) for problem, value in asked if not problem.network.directed]
    for problem, value in asked:
        result = solve(problem.with_parameters(rounds=value), Options(backend=backend))
        assert (result.status, result.value) == (Status.FEASIBLE, value), problem
        assert result.schedule is not None
        if value:
            result = solve(problem.with_parameters(rounds=value - 1), Options(backend=backend))
            assert result.status is Status.INFEASIBLE, problem
            assert (result.value, result.lower_bound, result.schedule, result.node) == (
                None,
                None,
                None,
                None,
            )


ONE_DIRECTION: dict[str, list[tuple[int, int]]] = {
    "a path of arcs": [(0, 1), (1, 2), (2, 3)],
    "an out-tree": [(0, 1), (0, 2), (1, 3), (1, 4), (1, 5), (2, 6)],
    "an acyclic network": [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 5), (4, 5)],
    "arcs and a cycle": [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3)],
}


@pytest.mark.parametrize("arcs", ONE_DIRECTION.values(), ids=ONE_DIRECTION)
def test_arcs_that_lead_away_from_the_source(arcs: list[tuple[int, int]]) -> None:
    """Where the source reaches all nodes but not they each other, a broadcast goes, and an accumulation with
    the arcs turned round.
    """
    graph = nx.DiGraph(arcs)
    n = graph.number_of_nodes()
    value = broadcast_rounds(graph, False, [0])
    network = Network(n, tuple(arcs), directed=True)
    for problem in (
        posed("telegraph", "broadcast", network),
        posed("telegraph", "accumulation", network.reversed()),
    ):
        assert problems_of(problem, solve(problem), value) == ""
        for start in BACKENDS.values():
            assert list(wrong_decisions(start, problem, value)) == []


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("model", MODES)
def test_parts_that_are_not_connected(model: str, backend: str) -> None:
    """A source in each part serves a broadcast, and a multicast may leave a part alone: both are decided on
    disconnected networks.
    """
    graph = nx.disjoint_union(nx.cycle_graph(3), nx.star_graph(2))
    network = Network.from_networkx(graph)
    for task, sources, targets in (
        ("broadcast", (0, 3), range(6)),
        ("multicast", (0,), (1, 2)),
        ("multicast", (4,), (3, 5)),
    ):
        options: dict[str, Any] = {"source": list(sources)} | (
            {"targets": list(targets)} if task == "multicast" else {}
        )
        value = multicast_rounds(graph, model == "telephone", sources, [targets])[0]
        assert list(wrong_decisions(BACKENDS[backend], posed(model, task, network, **options), value)) == []


def test_multicast_that_leaves_a_part_alone() -> None:
    """A multicast is solved although another part of the network is not connected to it, also when the bounds
    do not meet at once.
    """
    graph = nx.Graph([(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (3, 6)])
    graph.add_node(7)
    targets = [0, 1, 2, 4, 5, 6]
    value = multicast_rounds(graph, True, [3], [targets])[0]
    assert solved("telephone", "multicast", Network.from_networkx(graph), source=3, targets=targets) == value


@pytest.mark.parametrize("model", MODES)
def test_search_for_schedules_symmetric_in_time(model: str) -> None:
    """What it finds are schedules of least length; it finds none where there are none, and one on most of the
    31 networks.
    """
    found = set()
    for problem, value in questions(model, "gossip"):
        for rounds, kind in [
            (rounds, kind) for rounds in (value - 1, value) if rounds >= 0 for kind in range(4)
        ]:
            search = time_symmetric_search(Question(problem, rounds), kind)
            if search is not None and search.advance(60):
                placed, schedule = search.found()
                seen = get_model(model).replay(placed, schedule)
                assert (seen.violation, seen.value, rounds) == (None, value, value), described(
                    problem, schedule
                )
                found.add(problem.network.edges)
            if search is not None:
                search.close()
    assert len(found) >= 20


def test_searches_side_by_side() -> None:
    """Two searches in processes of their own find what one finds here."""
    problem = posed("telegraph", "gossip", "complete:4")
    assert problems_of(problem, solve(problem, Options(workers=2)), 4) == ""


FORMULAS: dict[tuple[str, str, str], tuple[Callable[[int], int], Collection[int]]] = {
    ("telegraph", "gossip", "path"): (lambda n: 2 * ceil(n / 2) if n > 1 else 0, range(1, 26)),
    ("telephone", "gossip", "path"): (lambda n: n - 1 if n % 2 == 0 else n if n > 1 else 0, range(1, 26)),
    ("telephone", "broadcast", "path"): (lambda n: n - 1, range(1, 26)),
    ("telegraph", "accumulation", "path"): (lambda n: n - 1, range(1, 26)),
    ("telegraph", "gossip", "cycle"): (lambda n: n // 2 + isqrt(2 * n - 1), range(4, 21, 2)),
    ("telephone", "gossip", "cycle"): (lambda n: n // 2 if n % 2 == 0 else (n + 3) // 2, range(3, 30)),
    ("telegraph", "broadcast", "cycle"): (lambda n: ceil(n / 2), range(3, 30)),
    ("telephone", "accumulation", "cycle"): (lambda n: ceil(n / 2), range(3, 30)),
    ("telegraph", "gossip", "complete"): (lambda n: [0, 2, 4, 4, 5, 5, 6][n - 1], range(1, 8)),
    ("telephone", "gossip", "complete"): (
        lambda n: (n - 1).bit_length() + (n % 2 if n > 1 else 0),
        range(1, 34),
    ),
    ("telegraph", "broadcast", "complete"): (lambda n: (n - 1).bit_length(), range(1, 34)),
    ("telegraph", "gossip", "hypercube"): (lambda d: 2 * d, range(4)),
    ("telephone", "gossip", "hypercube"): (lambda d: d, range(7)),
    ("telephone", "broadcast", "hypercube"): (lambda d: d, range(7)),
    ("telegraph", "accumulation", "hypercube"): (lambda d: d, range(7)),
    ("telegraph", "gossip", "star"): (lambda n: 2 * (n - 1), range(1, 14)),
    ("telephone", "gossip", "star"): (lambda n: max(0, 2 * (n - 1) - 1), range(1, 14)),
    ("telegraph", "broadcast", "star"): (lambda n: n - 1, range(1, 14)),
}


@pytest.mark.parametrize(("model", "task", "family"), FORMULAS, ids=map(" ".join, FORMULAS))
def test_closed_forms(model: str, task: str, family: str) -> None:
    """The optimum of paths, cycles, complete graphs, hypercubes and stars, over a range of sizes, is what the
    literature says.
    """
    formula, sizes = FORMULAS[model, task, family]
    assert [solved(model, task, f"{family}:{size}") for size in sizes] == [formula(size) for size in sizes]


@pytest.mark.parametrize(("model", "sizes"), [("telegraph", (4, 6, 8, 10)), ("telephone", range(3, 12))])
def test_search_confirms_the_theorem_on_cycles(model: str, sizes: Collection[int]) -> None:
    """The searches, which use no theorem, confirm the values of gossip in cycles."""
    formula = FORMULAS[model, "gossip", "cycle"][0]
    for n in sizes:
        assert list(wrong_decisions(sat_search, posed(model, "gossip", f"cycle:{n}"), formula(n))) == [], n


@pytest.mark.parametrize("model", MODES)
def test_search_confirms_the_theorem_on_trees(model: str) -> None:
    """The searches, which use no theorem, confirm r = 2 min b and r_2 = 2 min b - 1 on trees."""
    for n, seed in [(n, seed) for n in range(2, 9) for seed in range(4)]:
        problem = posed(model, "gossip", f"random-tree:{n},{seed}")
        least = 1 if n == 2 else tree_broadcast_center(problem.network.to_networkx())[0]
        assert list(wrong_decisions(sat_search, problem, 2 * least - (model == "telephone"))) == [], (n, seed)


@pytest.mark.parametrize("n", [3, 4, 7, 12, 20, 33, 47, 60])
@pytest.mark.parametrize("seed", [0, 1])
def test_trees_against_networkx(n: int, seed: int) -> None:
    """In random trees the broadcast times, their least and their greatest, the centres and the gossip times
    are those of networkx.
    """
    network = Network.from_spec(f"random-tree:{n},{seed}")
    tree = network.to_networkx()
    least, centre = tree_broadcast_center(tree)
    best = solve(posed("telephone", "broadcast", network, source="min"))
    assert (best.value, best.lower_bound) == (least, least)
    assert best.node in centre
    assert solved("telegraph", "accumulation", network, root="min") == least
    assert solved("telephone", "broadcast", network, source="max") == tree_broadcast_time(tree)
    for v in range(0, n, 3):
        assert solved("telegraph", "broadcast", network, source=v) == tree_broadcast_time(tree, v)
    assert solved("telegraph", "gossip", network) == 2 * least
    assert solved("telephone", "gossip", network) == 2 * least - 1


KNOWN = {
    "telephone gossip complete:9": 5,
    "telegraph gossip path:21": 22,
    "telephone gossip tree:2,4": 15,
    "telephone broadcast ccc:7": 16,
    "telephone broadcast petersen": 4,
}


@pytest.mark.parametrize("line", KNOWN)
def test_known_values(line: str) -> None:
    """Values known from the literature. (One-way gossip in the Petersen graph takes longest; it is solved
    through the command line.)
    """
    model, task, network = line.split()
    assert solved(model, task, network) == KNOWN[line]


def test_accumulation_is_broadcast_run_backwards() -> None:
    """On the cube-connected cycles of dimension 3 an accumulation at node 0 takes as long as a broadcast from
    it.
    """
    assert (
        solved("telegraph", "accumulation", "ccc:3", root=0)
        == solved("telegraph", "broadcast", "ccc:3", source=0)
        == 6
    )


@pytest.mark.parametrize("model", MODES)
def test_one_and_two_nodes(model: str) -> None:
    """A single node has nothing to do; two nodes need one call, and two for a gossip whose calls go one
    way.
    """
    asked: list[tuple[str, dict[str, Any]]] = [("broadcast", {"source": x}) for x in (0, "min", "max")]
    asked += [("accumulation", {"root": x}) for x in (0, "min", "max")]
    asked += [("multicast", {"source": 0, "targets": 0}), ("gossip", {})]
    for task, options in asked:
        assert solved(model, task, "path:1", **options) == 0
        expected = 0 if task == "multicast" else 2 if task == "gossip" and model == "telegraph" else 1
        assert solved(model, task, "path:2", **options) == expected
    assert solved(model, "multicast", "path:2", source=0, targets=1) == 1
    assert solved(model, "broadcast", "path:2", source=[0, 1]) == 0
