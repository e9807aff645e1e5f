"""What a newcomer in Python gets wrong: one line says what would be right, and there is no traceback."""

# What a type checker would refuse is what is tried here.
# mypy: disable-error-code="arg-type,call-arg,list-item"

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import schedsolve
from schedsolve import (
    Call,
    InputError,
    Network,
    Schedule,
    analyse,
    analyze,
    bounds,
    build_problem,
    check,
    compare,
    construct,
    design,
    fastest_network,
    formulation,
    frontier,
    networks_of,
    plan,
    replay,
    results_frame,
    save_result,
    solve,
    times,
    write_program,
)
from schedsolve.drawing import result_figure, schedule_figure

GRID: Any = nx.grid_2d_graph(2, 2)
PROBLEM: Any = build_problem("telephone", "broadcast", GRID, source=(0, 0))
GOSSIP: Any = build_problem("telephone", "gossip", "path:4")
RESULT: Any = solve(PROBLEM)
INFEASIBLE: Any = solve(build_problem("telephone", "gossip", "path:4", rounds=1))
OPEN: Any = build_problem("telephone", "broadcast", GRID, source="min")
TREES: Any = build_problem("pipelined", "allgather", "path:4")
ANY: Any = 5
"""For whatever a type checker would refuse."""


@pytest.mark.parametrize(
    ("tried", "said"),
    [
        (lambda: solve(PROBLEM, ANY), "options are an Options, or keywords such as time_limit=60; not 5"),
        (lambda: solve(PROBLEM, timelimit=3), "no option timelimit; .*; did you mean time_limit?"),
        (lambda: compare([GOSSIP], timelimit=3), "no option timelimit"),
        (lambda: solve(PROBLEM, time_limit=-1), "time_limit is a number of seconds"),
        (lambda: solve(PROBLEM, progress=ANY), "progress takes True, False or a function, not 5"),
        (lambda: solve(PROBLEM, backend=ANY), "a backend is a name such as 'cpsat', not 5"),
        (lambda: solve(PROBLEM, forbid=ANY), r"forbid takes a list of calls \(round, \(u, v\)\); not 5"),
        (lambda: construct(GRID), r"a problem is what build_problem\(model, task, network\) returns; not <"),
        (lambda: bounds(RESULT), "a problem is what build_problem"),
        (lambda: formulation(GRID), "a problem is what build_problem"),
        (lambda: formulation(GOSSIP, rounds="a"), "rounds takes a number such as 7, or a fraction; not 'a'"),
        (lambda: frontier("telegraph", "gossip", GRID, "period", ANY), "a frontier takes several values"),
        (lambda: replay(PROBLEM, INFEASIBLE), "a schedule is what a result has"),
        (lambda: replay(PROBLEM, [[(0, 1)]]), r"Schedule.two_way .* make of pairs of nodes; not \[\["),
        (lambda: replay(OPEN, RESULT), r"the source is left open \(min\); result.placed is the problem"),
        (lambda: replay(GOSSIP, Schedule.two_way([[("a", "b")]])), "a call names 'a', which is no number"),
        (lambda: replay(GOSSIP, Schedule.two_way([[(0, -1)]])), "a call names -1, which is no number"),
        (lambda: replay(TREES, RESULT.schedule), "schedules of another kind, PipelinedSchedule"),
        (lambda: replay(GOSSIP, solve(TREES)), "schedules of another kind, Schedule; not <Result pipelined"),
        (lambda: Schedule.two_way([[((0, 0),)]]), r"a call is a pair of nodes, \(u, v\)"),
        (lambda: Schedule.one_way([(0, 1)]), r"a round a list of calls; not 0"),
        (lambda: check(ANY), r"what is checked is a result, .*; not 5; replay\(problem, schedule\)"),
        (lambda: save_result(RESULT.schedule, "x.json"), r"a result is what solve\(problem\) returns; not <"),
        (lambda: result_figure(ANY), r"a result is what solve\(problem\) returns; not 5"),
        (lambda: schedule_figure(PROBLEM, ANY), "a schedule is what a result has"),
        (lambda: write_program(GOSSIP, "x.py"), "a result is what solve"),
        (lambda: times(RESULT, alpha="x", size=1), "alpha takes seconds from 0 on, such as 5e-6, not 'x'"),
        (lambda: times(RESULT, beta=float("nan"), size=1), "beta takes seconds from 0 on"),
        (lambda: times(RESULT, size=0), "a size is bytes from 1 on, such as 64MB; not 0"),
        (lambda: plan("allreduce", "dgx1", [1000, "x"]), "a size is bytes from 1 on, such as 64MB; not 'x'"),
        (lambda: plan("allreduce", "dgx1", []), "a plan is for one size or several"),
        (lambda: GOSSIP.sources, "a gossip has no source"),
        (lambda: build_problem("telephone", "broadcast", GRID, source=(9, 9)), r"'\(9, 9\)' is not a node"),
        (lambda: build_problem("pipelined", "broadcast", GRID, source=(7, 1)), r"'\(7, 1\)' is not a node"),
        (lambda: design("telephone", "gossip", ANY + 0.5), "nodes takes a number from 2 to 62, not 5.5"),
        (lambda: fastest_network("pipelined", "allgather", nodes=4, degree=2), "no property degree"),
        (lambda: Network(GRID), "nodes are counted; Network.of takes a graph, edges or a text; not <net"),
        (lambda: Network.from_spec(ANY), "the text of a network is such as cycle:9; not 5"),
        (lambda: list(networks_of(["trees:4"])), "the text of networks is such as trees:8"),
    ],
)  # fmt: skip
def test_one_clear_line(tried: Callable[[], object], said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        tried()
    assert "\n" not in str(caught.value)


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    """As they come out of data frames."""
    one, three = np.int64(1), np.int64(3)
    assert build_problem("telephone", "gossip", "path:4", rounds=three).parameters == {"rounds": 3}
    assert (
        solve(build_problem("telephone", "broadcast", "path:4", source=three), seed=one, workers=one).value
        == 3
    )
    assert solve(GOSSIP, forbid=[(one, (0, 1))]).value == 4
    rows = frontier("telegraph", "gossip", "path:5", "period", np.arange(4, 6))
    assert [type(row["period"]) for row in rows.to_json()["rows"]] == [int, int]
    assert formulation(GOSSIP, rounds=three).request.value == 3


def test_several_sources_as_a_set() -> None:
    problem = build_problem("telephone", "broadcast", GRID, source={(0, 0), (1, 1)})
    assert {problem.network.nodes[v] for v in problem.sources} == {(0, 0), (1, 1)}


@pytest.mark.parametrize(
    ("model", "options"), [("synchronous", {"steps": 2, "chunks": 1}), ("pipelined", {}), ("line", {})]
)
def test_sources_of_every_model_are_the_users_nodes(model: str, options: dict[str, Any]) -> None:
    for nodes in ([(0, 0), (0, 1), (1, 1)], [frozenset({1}), frozenset(), frozenset({2})], [1.5, "x", b"y"]):
        problem = build_problem(model, "broadcast", nx.path_graph(nodes), options, source=nodes[1])
        assert problem.network.nodes[problem.network.node(problem.parameters["source"])] == nodes[1]


@pytest.mark.parametrize(
    ("model", "task"), [("telephone", "gossip"), ("synchronous", "allgather"), ("pipelined", "allgather")]
)
def test_the_data_of_a_schedule_name_the_nodes(model: str, task: str) -> None:
    """Whether it is on the users' nodes or on their numbers, also where a node is another's number."""
    graph = nx.path_graph([2, 0, 1])
    options = {"steps": 2} if model == "synchronous" else {}
    result = solve(build_problem(model, task, graph, options))
    labels = result.problem.network.labels
    assert result.schedule.to_json(labels) == result.indexed.to_json(labels)
    assert result.schedule.lines(labels) == result.indexed.lines(labels)
    assert solve(result.problem, warm_start=result.schedule).value == result.value


def test_nodes_of_more_than_64_bits_in_tables() -> None:
    frame = solve(build_problem("telephone", "gossip", nx.Graph([(10**30, 2)]))).schedule.to_frame()
    assert set(frame.loc[0, ["sender", "receiver"]]) == {2, 10**30}


def test_a_plan() -> None:
    """Sizes with units, the schedule behind each, a table; nodes are the users'."""
    found = plan("broadcast", GRID, ["1KB", 10**6], node=(1, 1), alpha="1e-6", beta="1e-9", time_limit=0.5)
    assert [row.size for row in found.rows] == [1000, 10**6]
    assert list(found.to_frame()["size"]) == [1000, 10**6]
    for row in found.rows:
        assert check(row.best.result).failures == 0
        assert row.best.result.problem.sources == (3,)
    assert found.costs.alpha == Fraction(1, 10**6)
    assert repr(found) == "<Plan pipelined broadcast on Cr (4 nodes), source (1, 1): 1KB, 1MB>"
    assert str(found).splitlines()[0].startswith("size")


def test_every_display_is_one_short_line() -> None:
    analysis = analyze(RESULT)
    shown: list[object] = [check(RESULT), analysis, times(RESULT, size=1), solve(OPEN), RESULT.schedules]
    assert all(len(repr(each)) < 160 and "\n" not in repr(each) for each in shown)
    assert str(analysis) == str(analyse(RESULT))


def test_names_that_are_guessed(tmp_path: Path) -> None:
    """The package draws without another import; stores are files of any kind; columns between commas."""
    assert schedsolve.drawing.result_figure is result_figure
    assert isinstance(RESULT.schedule.rounds[0][0], Call)
    assert issubclass(schedsolve.UnsettledError, InputError)
    assert not issubclass(schedsolve.WorkError, InputError)
    compare([GOSSIP], store=tmp_path / "store.db")
    assert results_frame(tmp_path / "store.db", columns="network,value").loc[0, "value"] == 3
