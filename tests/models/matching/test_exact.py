"""The matching models against brute force on all tiny networks, and against closed forms and known values on
larger ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import combinations
from typing import Any

import networkx as nx
import pytest

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Status
from schedsolve.modelkit.search import GivenUpError, Options, Question
from schedsolve.models import get_model
from schedsolve.models.matching.formulation.sat import sat_search
from schedsolve.models.matching.formulation.symmetric import symmetric_search
from schedsolve.network.graph import Network
from schedsolve.solving.solve import solve
from tests.models.decisions import Start, cpsat_search, wrong_decisions
from tests.models.matching.problems import MODES, posed, problems_of, solved
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

pytestmark = pytest.mark.usefixtures("little_time_for_heuristics")

Asked = tuple[Problem, int]

TASKS = ("broadcast", "multicast", "accumulation", "gossip")
BACKENDS: dict[str, Start] = {"sat": sat_search, "cpsat": cpsat_search}
STEPS = [5, pytest.param(1, marks=pytest.mark.slow)]
"""Of the networks with at most 5 nodes, every how many-th is tried."""


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
def questions(model: str, task: str, step: int) -> list[Asked]:
    """Problems and their values by brute force: every `step`-th of all connected graphs with at most 5 nodes,
    and for telegraph, up to 4 nodes, digraphs.

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
    for graph in graphs[::step]:
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


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("model", MODES)
def test_searches_decide_as_brute_force_does(model: str, task: str, backend: str, step: int) -> None:
    """On all tiny networks a search finds a schedule of least length and refutes one round less."""
    wrong = [
        described(problem, complaint)
        for problem, value in questions(model, task, step)
        if problem.choice != "max"
        for complaint in wrong_decisions(BACKENDS[backend], problem, value)
    ]
    assert wrong == []


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("model", MODES)
def test_solve_finds_what_brute_force_finds(model: str, task: str, step: int) -> None:
    """On all tiny networks value and lower bound are the optimum, and the schedules replay."""
    wrong = []
    for problem, value in questions(model, task, step):
        complaint = problems_of(problem, solve(problem), value)
        if complaint:
            wrong.append(described(problem, f"{complaint} instead of {value}"))
    assert wrong == []


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("backend", [None, "sat", "cpsat"])
@pytest.mark.parametrize("model", MODES)
def test_deciding_numbers_of_rounds(model: str, backend: str | None, step: int) -> None:
    """Asked for a number of rounds, solve says feasible at the optimum, by a schedule, and infeasible one
    round below, without one.
    """
    asked = [
        q
        for task in ("gossip", "broadcast")
        for q in questions(model, task, step)
        if q[0].network.node_count < 5
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


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("model", MODES)
def test_search_for_schedules_with_symmetries(model: str, step: int) -> None:
    """What it finds are schedules of least length; it finds none where there are none, and one on most
    networks.
    """
    found = set()
    for problem, value in questions(model, "gossip", step):
        for rounds in (value - 1, value) if value else (value,):
            search = symmetric_search(Question(problem, rounds))
            with suppress(GivenUpError):
                while search is not None and search.advance(1):
                    placed, schedule = search.found()
                    seen = get_model(model).replay(placed, schedule)
                    assert (seen.violation, seen.value, rounds) == (None, value, value), described(
                        problem, schedule
                    )
                    found.add(problem.network.edges)
                    break
            if search is not None:
                search.close()
    assert len(found) >= 20 // step


def test_searches_side_by_side() -> None:
    """Two searches in processes of their own find what one finds here."""
    problem = posed("telegraph", "gossip", "complete:4")
    assert problems_of(problem, solve(problem, Options(workers=2)), 4) == ""
