"""Schedules without certain calls: against a brute force that forbids them itself, and refusals."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations

import networkx as nx
import pytest

from schedsolve import build_problem, load_result, replay, save_result, solve
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Status
from schedsolve.modelkit.schedule import Call
from schedsolve.runtime.errors import InputError
from tests.reference.brute_force import atlas

Link = tuple[int, int]
GRAPHS = [g for g in atlas() if 2 <= len(g) <= 4 and nx.is_connected(g)]


@cache
def matchings(links: tuple[Link, ...]) -> list[list[Link]]:
    """Every set of links of which no two share a node."""
    return [
        list(chosen)
        for size in range(len(links) + 1)
        for chosen in combinations(links, size)
        if len({v for link in chosen for v in link}) == 2 * size
    ]


def least_rounds(problem: Problem, forbidden: set[tuple[int, Link]]) -> int:
    """The optimum by a search of all states, round by round."""
    network, two_way = problem.network, problem.model == "telephone"
    n = network.node_count
    single = problem.task == "broadcast"
    states = {tuple(int(v in problem.sources) if single else 1 << v for v in range(n))}
    done = tuple([1 if single else (1 << n) - 1] * n)
    for t in range(1, 30):
        usable = tuple(
            (u, v)
            for u, v in (network.edges if two_way else network.arcs)
            if (t, (u, v)) not in forbidden and not (two_way and (t, (v, u)) in forbidden)
        )
        following = set()
        for state in states:
            for chosen in matchings(usable):
                held = list(state)
                for u, v in chosen:
                    held[v] |= state[u]
                    if two_way:
                        held[u] |= state[v]
                following.add(tuple(held))
        states = following
        if done in states:
            return t
    raise AssertionError("no schedule")


@pytest.mark.parametrize("model", ["telegraph", "telephone"])
@pytest.mark.parametrize("task", ["broadcast", "gossip"])
def test_as_the_brute_force_says(model: str, task: str) -> None:
    """Small graphs, with random calls of the first rounds forbidden, of none to nearly all."""
    draw = random.Random(f"{model} {task}")
    for graph in GRAPHS:
        problem = build_problem(model, task, graph)
        arcs = problem.network.arcs
        for share in (0.2, 0.5, 0.9):
            forbidden = {(t, arc) for t in range(1, 5) for arc in arcs if draw.random() < share}
            result = solve(problem, forbid=sorted(forbidden))
            assert result.status is Status.OPTIMAL
            assert result.value == least_rounds(problem, forbidden), (graph.edges, forbidden)
            assert replay(problem, result.schedule).violation is None
            for t, calls in enumerate(result.schedule, 1):
                for call in calls:
                    used = {(t, (call.sender, call.receiver))}
                    used |= {(t, (call.receiver, call.sender))} if call.two_way else set()
                    assert not used & forbidden


def test_decisions() -> None:
    """A number of rounds that suffices, and one that only without forbidden calls does."""
    first = [(1, (0, v)) for v in (1, 3)] + [(1, (2, 3)), (1, (1, 2))]
    for rounds, status in ((2, Status.INFEASIBLE), (3, Status.FEASIBLE)):
        problem = build_problem("telephone", "gossip", "cycle:4", rounds=rounds)
        assert solve(problem).status is Status.FEASIBLE
        assert solve(problem, forbid=first).status is status


def test_nodes_and_calls_of_the_user() -> None:
    """By tuples, by calls of a schedule, and with the best source."""
    grid = nx.grid_2d_graph(2, 3)
    problem = build_problem("telegraph", "broadcast", grid, source="min")
    free = solve(problem)
    calls = [(t, call) for t, made in enumerate(free.schedule, 1) for call in made]
    other = solve(problem, forbid=calls)
    assert other.value is not None
    assert free.value is not None
    assert other.value >= free.value
    assert not {(t, c) for t, made in enumerate(other.schedule, 1) for c in made} & set(calls)
    assert solve(problem, forbid=[(1, ((0, 0), (0, 1)))]).value == free.value
    two_way = Call((0, 0), (0, 1), True)
    assert solve(build_problem("telephone", "gossip", grid), forbid=[(1, two_way)]).forbidden


def test_nothing_says_more_than_is_proven(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No certificate, no file, no evidence; a file of a result without forbidden calls stays what it is."""
    problem = build_problem("telephone", "gossip", "cycle:4")
    result = solve(problem, forbid=[(1, (0, 1)), (1, (1, 2)), (1, (2, 3)), (1, (0, 3))])
    assert (result.value, result.certificate) == (3, ())
    assert all(bound.evidence is None for bound in result.bounds)
    assert "without 4 forbidden calls" in str(result)
    assert "4 calls forbidden" in repr(result)
    assert result._repr_html_()
    file = tmp_path_factory.mktemp("results") / "result.json"
    with pytest.raises(InputError, match="no checker knows of them"):
        save_result(result, file)
    with pytest.raises(InputError, match="no certificate"):
        solve(problem, forbid=[(1, (0, 1))], certify=True)
    save_result(solve(problem), file)
    assert load_result(file).forbidden == frozenset()


def test_a_time_limit_leaves_both_bounds() -> None:
    problem = build_problem("telegraph", "gossip", "grid:4x5")
    forbid = [(t, arc) for t in (1, 2) for arc in problem.network.arcs[:20]]
    result = solve(problem, forbid=forbid, time_limit=0.4)
    assert result.lower_bound is not None
    assert result.value is not None
    assert result.lower_bound <= result.value
    assert replay(problem, result.schedule).violation is None


def test_an_unreachable_node_stays_unreachable() -> None:
    problem = build_problem("telegraph", "broadcast", [(0, 1), (2, 1)], source=0)
    assert solve(problem).value == 2
    arcs = nx.DiGraph([(0, 1), (2, 1)])
    with pytest.raises(InputError):
        build_problem("telegraph", "gossip", arcs)


@pytest.mark.parametrize(
    ("model", "task", "options", "forbid", "message"),
    [
        ("telephone", "gossip", {}, [(0, (0, 1))], "rounds from 1"),
        ("telephone", "gossip", {}, [(1, 0)], "forbidden call is"),
        ("telephone", "gossip", {}, [(1, (0, 2))], "no link from 0 to 2"),
        ("telephone", "gossip", {}, [(1, (0, 9))], "not a node"),
        ("telephone", "accumulation", {}, [(1, (0, 1))], "cannot be forbidden"),
        ("telephone", "gossip", {"period": 4}, [(1, (0, 1))], "cannot be forbidden|without a period"),
        ("telephone", "broadcast", {"source": "max"}, [(1, (0, 1))], "given source"),
        ("line", "gossip", {}, [(1, (0, 1))], "cannot be forbidden"),
    ],
)
def test_refused(
    model: str, task: str, options: dict[str, object], forbid: list[tuple[int, tuple[int, int]]], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        solve(build_problem(model, task, "cycle:4", options), forbid=forbid)
