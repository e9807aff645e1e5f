"""Results, schedules, frontiers and comparisons as data frames, graphs, JSON, HTML and SVG; short reprs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import pytest

from schedsolve import Network, build_problem, check, compare, frontier, replay, solve
from schedsolve.modelkit.result import Result
from schedsolve.modelkit.schedule import Schedule
from schedsolve.runtime.errors import InputError

pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def result() -> Result:
    return solve(build_problem("telegraph", "broadcast", nx.grid_2d_graph(2, 2), source=(0, 0)), certify=True)


def test_a_schedule_as_a_frame(result: Result) -> None:
    frame = result.schedule.to_frame()
    assert list(frame) == ["round", "sender", "receiver", "two_way"]
    assert list(frame["round"]) == [1, 2, 2]
    assert frame["sender"][0] == (0, 0)
    informed = {(0, 0), *frame["receiver"]}
    assert informed == set(result.problem.network.nodes)
    assert list(frame.groupby("round").size()) == [1, 2]


def test_payloads_are_columns() -> None:
    packets = solve(build_problem("linear-cost", "broadcast", "complete:4", extra_rounds=1))
    assert set(packets.schedule.to_frame()["packets"].map(type)) == {tuple}
    paths = solve(build_problem("line", "broadcast", "path:5"))
    for path, sender in zip(*(paths.schedule.to_frame()[c] for c in ("path", "sender")), strict=True):
        assert path[0] == sender


def test_steps_trees_and_flows_as_frames() -> None:
    steps = solve(build_problem("synchronous", "allgather", "cycle:4", steps=2, chunks=1)).schedule
    assert set(steps.to_frame()["step"]) == {1, 2}
    trees = solve(build_problem("pipelined", "broadcast", "cycle:4")).schedule
    assert sum(dict(zip(trees.to_frame()["tree"], trees.to_frame()["weight"], strict=True)).values()) == 1
    flows = solve(build_problem("pipelined", "alltoall", "cycle:4")).schedule
    assert "amount" in flows.to_frame()
    assert set(flows.to_networkx()) == set(range(4))


def test_polars_has_texts_for_nodes(result: Result) -> None:
    pytest.importorskip("polars")
    frame = result.schedule.to_frame("polars")
    assert frame["round"].to_list() == [1, 2, 2]
    assert frame["sender"][0] == "(0, 0)"
    with pytest.raises(InputError, match="pandas or polars, not of 'arrow'"):
        result.schedule.to_frame("arrow")


def test_a_schedule_as_a_graph(result: Result) -> None:
    graph = result.schedule.to_networkx()
    assert graph.is_directed()
    assert set(graph) == set(result.problem.network.nodes)
    assert sorted(number for _, _, number in graph.edges(data="round")) == [1, 2, 2]
    two_way = Schedule.two_way([[(0, 1)], [(0, 1)]]).to_networkx()
    assert not two_way.is_directed()
    assert two_way.number_of_edges(0, 1) == 2
    assert Schedule().to_networkx().number_of_nodes() == 0


def test_a_result_as_json(result: Result) -> None:
    data = result.to_json()
    assert (data["value"], data["format"]) == (2, "schedsolve-result/1")
    assert check(data).complete


def test_a_frontier_has_exact_values() -> None:
    rows = frontier("synchronous", "allgather", "cycle:4", "steps", range(2, 4))
    frame = rows.to_frame()
    assert list(frame["steps"]) == [2, 3]
    assert list(frame["value"]) == [row.result.value for row in rows] == [Fraction(3, 2), Fraction(3, 2)]
    assert rows.to_json()["parameter"] == "steps"
    assert "<td>optimal</td>" in rows._repr_html_()
    picture = rows._repr_svg_()
    assert picture is not None
    ElementTree.fromstring(picture)


def test_a_comparison_as_a_frame() -> None:
    rows = compare([build_problem("telephone", "broadcast", f"cycle:{n}") for n in (4, 5)])
    frame = rows.to_frame()
    assert list(frame["network"]) == ["cycle:4", "cycle:5"]
    assert list(frame["value"]) == [2, 3]
    assert "\n" in str(rows)


def test_reprs_are_one_short_line(result: Result) -> None:
    problem, schedule = result.problem, result.schedule
    assert repr(problem.network) == "<Network Cr: 4 nodes, 4 edges>"
    assert repr(problem) == "<Problem telegraph broadcast on Cr (4 nodes), source (0, 0)>"
    assert repr(schedule) == "<Schedule: 2 rounds, 3 calls>"
    assert repr(result) == f"<Result {repr(problem)[9:-1]}: optimal, 2 rounds>"
    rows = frontier("telegraph", "gossip", "path:4", "period", range(3, 5))
    shown: list[Any] = [rows, rows[0], compare([problem]), *result.bounds, replay(problem, schedule)]
    assert all("\n" not in repr(one) and len(repr(one)) < 200 for one in shown)
    assert repr(rows) == "<Frontier telegraph gossip path:4: period 3 to 4, 0 of 2 open>"
    evil = Network(2, ((0, 1),), name="a\nb<script>")
    assert repr(evil) == "<Network a\\nb<script>: 2 nodes, 1 edges>"
    assert "<script>" not in evil._repr_html_()


def test_a_notebook_shows_them(result: Result) -> None:
    for one in (result.problem.network, result.problem, result):
        svg = one._repr_svg_()
        assert svg is not None
        assert ElementTree.fromstring(svg).tag.endswith("svg")
        assert "svg" in one._repr_html_()
    assert result.schedule._repr_html_().count("<tr>") == 4
    assert Network.from_spec("path:1000")._repr_svg_() is None
