"""Users' nodes go in and come back: sources, calls, roots, all schedules."""

from __future__ import annotations

import networkx as nx
import pytest

from schedsolve import (
    analyse,
    build_problem,
    construct,
    formulation,
    frontier,
    load_result,
    replay,
    save_result,
    solve,
)
from schedsolve.backends.sat import find_model
from schedsolve.drawing import schedule_figure
from schedsolve.modelkit.schedule import Schedule
from schedsolve.runtime.errors import InputError

GRID = nx.grid_2d_graph(2, 3)


def test_calls_speak_the_users_nodes() -> None:
    """Round by round and by name; the indices are there on request."""
    problem = build_problem("telegraph", "broadcast", GRID, source=(0, 1))
    result = solve(problem)
    informed = {(0, 1)}
    for calls in result.schedule:
        for call in calls:
            assert call.sender in informed
            assert GRID.has_edge(call.sender, call.receiver)
        informed |= {call.receiver for call in calls}
    assert informed == set(GRID)
    assert len(result.schedule) == result.value
    assert result.schedule.rounds[0][0].sender == (0, 1)
    assert result.schedule.indexed.rounds[0][0].sender == problem.network.nodes.index((0, 1))


def test_nodes_that_are_numbers_in_another_order() -> None:
    """Labels 1..n would pass for indices where they are mixed up."""
    graph = nx.relabel_nodes(nx.path_graph(4), {0: 1, 1: 2, 2: 3, 3: 4})
    result = solve(build_problem("telephone", "broadcast", graph, source=4))
    assert [{call.sender, call.receiver} for (call,) in result.schedule] == [{3, 4}, {2, 3}, {1, 2}]
    assert [{call.sender, call.receiver} for (call,) in result.indexed] == [{2, 3}, {1, 2}, {0, 1}]


def test_whatever_takes_a_schedule_takes_it_with_labels(tmp_path_factory: pytest.TempPathFactory) -> None:
    problem = build_problem("telephone", "gossip", GRID)
    result = solve(problem)
    assert replay(problem, result.schedule) == replay(problem, result.indexed)
    assert replay(problem, result.schedule.reversed()).violation is None
    assert replay(problem, result.schedule.without_empty_end()).value == result.value
    assert str(analyse(problem, result.schedule)) == str(analyse(result))
    assert schedule_figure(problem, result.schedule).get_suptitle()
    file = tmp_path_factory.mktemp("results") / "result.json"
    save_result(result, file)
    assert load_result(file).schedule.indexed == result.indexed
    assert str(result).count("(0, 1)") > 0
    image = [*range(1, 6), 0]
    assert result.schedule.moved(image) == result.indexed.moved(image)


def test_the_best_and_the_worst_node() -> None:
    best = solve(build_problem("telephone", "broadcast", GRID, source="min"))
    assert best.node in GRID
    worst = solve(build_problem("telephone", "broadcast", GRID, source="max"))
    assert set(worst.schedules) == set(GRID)
    assert all(any(node in call[:2] for call in s.rounds[0]) for node, s in worst.schedules.items())
    with pytest.raises(KeyError):
        _ = worst.schedules["nobody"]


def test_what_algorithms_build() -> None:
    problem = build_problem("telegraph", "broadcast", GRID, source="min")
    for built in construct(problem):
        assert built.node in GRID
        assert all(GRID.has_edge(call.sender, call.receiver) for calls in built.schedule for call in calls)
        assert replay(problem.at_node(built.node_index or 0), built.schedule).value == built.value


def test_several_sources_and_targets() -> None:
    corners = [(0, 0), (1, 2)]
    problem = build_problem("telephone", "multicast", GRID, source=corners, targets=[(0, 2)])
    assert [problem.network.nodes[v] for v in problem.sources] == corners
    assert solve(problem).value == 1
    with pytest.raises(InputError, match=r"takes labels of nodes, as 3 or 1,5; not \[\(9, 9\)\]"):
        build_problem("telephone", "broadcast", GRID, source=[(9, 9)])


def test_machines_of_tuples() -> None:
    """Steps, trees and flows name the users' nodes as well."""
    graph = nx.cycle_graph(["a", ("b",), "c", "d"])
    for model, options in (("synchronous", {"steps": 2, "chunks": 1}), ("pipelined", {})):
        result = solve(build_problem(model, "allgather", graph, options))
        assert replay(result.problem, result.schedule).value == result.value
        assert result.schedule.indexed is result.indexed
    assert {tree.root for tree in result.schedule.trees} <= set(graph)


def test_a_frontier_of_a_graph() -> None:
    rows = frontier("telegraph", "gossip", nx.path_graph(5), "period", range(4, 6))
    assert [row.result.value is None for row in rows] == [False, False]


def test_formulations_speak_them_too() -> None:
    """A constraint on a node that is a tuple is met, and solutions are schedules on the users' nodes."""
    problem = build_problem("telephone", "broadcast", nx.grid_2d_graph(2, 2), source=(0, 0))
    asked = formulation(problem, rounds=2)
    names = {x for x, (t, call) in asked.calls.items() if t == 1 and call[:2] == ((0, 0), (0, 1))}
    assert names == {"call_0_1_t1", "call_1_0_t1"}
    assert {asked.integer.calls[name][1][:2] for name in names} == {(0, 1)}
    model = find_model(asked.cnf.cnf, 10)
    assert model is not None
    posed, schedule = asked.schedule_of_model(model)
    assert {type(node) for calls in schedule for call in calls for node in call[:2]} == {tuple}
    assert (replay(posed, schedule).violation, schedule.indexed.call_count) == (None, 3)
    assert solve(problem, warm_start=schedule).value == 2


def test_plain_numbers_stay_as_they_are() -> None:
    schedule = Schedule.two_way([[(0, 1)]])
    assert schedule.labeled(range(2)) is schedule
    assert schedule.labeled((0, 1)).indexed is schedule
