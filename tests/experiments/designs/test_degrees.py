"""The fewest steps and the least time by degree: published numbers, brute force, files and the command."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from schedsolve import degree_frontier, design
from schedsolve.certify.check import check_data
from schedsolve.network.classes.regular_generation import connected_regular_graphs
from schedsolve.runtime.errors import InputError
from tests.command_line import Cli, json_of, refused
from tests.reference import brute_force
from tests.reference.brute_force import atlas


@pytest.mark.parametrize(("n", "degree", "within", "count"), [(10, 3, 2, 1), (15, 4, 2, 1), (16, 4, 2, 0)])
def test_regular_graphs_of_small_diameter(n: int, degree: int, within: int, count: int) -> None:
    """Elspas (1964): at most 15 nodes have degree 4 and diameter 2."""
    assert sum(1 for _ in connected_regular_graphs(n, degree, within=within)) == count


@pytest.mark.parametrize(("n", "degree"), [(8, 3), (9, 4), (10, 3)])
def test_no_graph_of_small_diameter_is_left_out(n: int, degree: int) -> None:
    every = [form.rows for form in connected_regular_graphs(n, degree)]
    for within in (2, 3):
        near = {form.rows for form in connected_regular_graphs(n, degree, within=within)}
        graphs = {
            rows: nx.Graph((u, v) for u in range(n) for v in range(n) if rows[u] >> v & 1) for rows in every
        }
        assert near == {rows for rows, graph in graphs.items() if nx.diameter(graph) <= within}


@pytest.mark.parametrize(
    ("n", "degree", "steps", "time"),
    [(16, 4, 3, "15/4"), (10, 3, 2, "3"), (16, 5, 2, "3"), (12, 4, 2, "11/4"), (6, 2, 3, "5/2")],
)
def test_fewest_steps_then_least_time(n: int, degree: int, steps: int, time: str) -> None:
    """The time is what enters a node with so many links."""
    data = json.loads(json.dumps(design("synchronous", "allgather", n, max_degree=degree).to_json()))
    assert (data["status"], data["steps"], data["asked"]["edges"]) == ("optimal", steps, "any")
    assert str(data["result"]["value"]) == str(data["least_time"]) == time
    assert check_data(data).complete


def changed(change: Callable[[Any], object]) -> Any:
    data = json.loads(json.dumps(design("synchronous", "allgather", 8, regular=3).to_json()))
    change(data)
    return check_data(data)


def test_a_time_that_is_not_proven_is_not_believed() -> None:
    assert changed(lambda data: None).complete
    assert not changed(lambda data: data.update(least_time="8/3")).complete
    assert not changed(lambda data: data.update(least_time=2)).complete
    with pytest.raises(InputError, match="least_time"):
        changed(lambda data: data.pop("least_time"))


def test_the_fewest_steps_of_all_small_graphs() -> None:
    for degree in (2, 3, 4):
        graphs = (g for g in atlas() if len(g) == 7 and nx.is_connected(g))
        least = min(nx.diameter(g) for g in graphs if max(d for _, d in g.degree()) <= degree)
        assert design("synchronous", "allgather", 7, max_degree=degree).sides.limit == least


def test_a_range_of_degrees() -> None:
    """With known networks to compare with; the file is checked whole."""
    found = degree_frontier("synchronous", "allgather", 8, range(2, 4), time_limit=20)
    assert found.header == ["degree", "steps", "time", "network", "circulants", "for comparison"]
    assert [row.cells[:3] for row in found.rows] == [["2", "4", "7/2"], ["3", "2", "7/3"]]
    assert found.rows[1].cells[4] == "2 steps, 7/3"
    assert "hypercube:3 3 steps, 7/3" in found.rows[1].cells[5]
    data = json.loads(json.dumps(found.to_json()))
    assert check_data(data).complete
    kept = copy.deepcopy(data)
    data["rows"][0]["degree"] = 3
    assert check_data(data).failed
    for other in (kept["rows"][0]["circulants"], kept["rows"][1]["design"]):
        data = copy.deepcopy(kept)
        data["rows"][1]["circulants"] = other
        assert check_data(data).failed
    data = copy.deepcopy(kept)
    data["rows"][1]["circulants"]["least_steps"] = 3
    assert not check_data(data).complete
    data["rows"][1]["circulants"] = None
    with pytest.raises(InputError, match="has a design, not"):
        check_data(data)
    data["rows"][0]["design"]["format"] = "another"
    with pytest.raises(InputError, match="has a design, not"):
        check_data(data)


def test_times_by_degree() -> None:
    """An allreduce of the pipelined model: what the sends take at least."""
    found = degree_frontier("pipelined", "allreduce", 8, range(2, 5), of_every_node=True, time_limit=20)
    assert [row.cells[:2] for row in found.rows] == [["2", "7/8"], ["3", "7/12"], ["4", "7/16"]]
    assert check_data(json.loads(json.dumps(found.to_json()))).complete


LEAST_DEGREE = {2: 1, 3: 2, 4: 2, 5: 2, 6: 2, 7: 3}


@pytest.mark.parametrize("n", LEAST_DEGREE)
def test_the_least_degree_of_fast_gossips(n: int) -> None:
    """Against a search that tries everything, in graphs with up to five nodes; the file is checked whole."""
    found = degree_frontier("telephone", "gossip", n, "least")
    assert found.least_degree == LEAST_DEGREE[n]
    assert not found.open
    assert check_data(json.loads(json.dumps(found.to_json()))).complete
    if n <= 5:
        graphs = [g for g in atlas() if len(g) == n and nx.is_connected(g)]
        degrees = [(brute_force.gossip_rounds(g, True), max(d for _, d in g.degree())) for g in graphs]
        assert min(degrees)[1] == LEAST_DEGREE[n]


def by_degree(n: int, rows: dict[int, dict[str, Any]], **changes: Any) -> Any:
    """The report on a file with the designs of some degrees, of gossips if not said otherwise."""
    designs = {
        degree: design(
            **{"model": "telephone", "task": "gossip", "edges": "any", **row}, nodes=n, max_degree=degree
        )
        for degree, row in rows.items()
    }
    data = {
        "format": "schedsolve-designs-by-degree/1",
        "rows": [{"degree": d, "design": one.to_json(), "compared": []} for d, one in designs.items()],
        "least_degree": 3,
    }
    return check_data(json.loads(json.dumps({**data, **changes})))


def test_a_least_degree_that_is_not_proven_is_not_believed() -> None:
    """Another degree, number of rounds, task, or model in one row; few links only; or a row left out."""
    four: dict[str, Any] = {"rounds": 4}
    assert by_degree(7, {2: four, 3: four}).complete
    for rows in (
        {3: four},
        {2: four},
        {2: {"rounds": 4, "edges": 6}, 3: four},
        {2: {"rounds": 3}, 3: four},
        {2: four, 3: {"rounds": 5}},
        {2: {**four, "model": "telegraph"}, 3: four},
        {2: {**four, "bipartite": True}, 3: four},
    ):
        report = by_degree(7, rows)
        assert not report.failed
        assert [claim for claim in report.unverified if "least degree" in claim]
    assert not by_degree(7, {2: four, 3: four}, least_degree=2).complete
    assert not by_degree(7, {3: four, 4: four}, least_degree=4).complete
    assert by_degree(10, {2: four, 3: four}).complete
    assert not by_degree(10, {2: {**four, "task": "broadcast"}, 3: four}).complete
    two_ports: dict[str, Any] = {"model": "line", "rounds": 2, "ports": 2}
    assert by_degree(6, {2: two_ports, 3: two_ports}).complete
    assert not by_degree(6, {2: {**two_ports, "ports": 1}, 3: two_ports}).complete
    later = {"rounds": 5, "task": "broadcast"}
    assert not by_degree(11, {2: later, 3: later}).complete
    with pytest.raises(InputError, match="least_degree"):
        by_degree(7, {2: four, 3: four}, least_degree=0)


def test_rounds_by_degree() -> None:
    """The fewest rounds of broadcasts and gossips with any number of links, by brute force."""
    graphs = [g for g in atlas() if len(g) == 5 and nx.is_connected(g)]
    found = degree_frontier("telephone", "gossip", 5, range(2, 5))
    assert found.header == ["degree", "rounds", "network", "circulants", "for comparison"]
    for row in found.rows:
        few = [g for g in graphs if max(d for _, d in g.degree()) <= row.degree]
        assert row.cells[1] == str(min(brute_force.gossip_rounds(g, True) for g in few))
    assert [row.cells[3] for row in found.rows] == ["4 rounds", "4 rounds", "4 rounds"]
    assert "torus:5" in found.rows[0].cells[4]
    only = degree_frontier("telephone", "gossip", 5, range(2, 3), circulant=True)
    assert only.rows[0].circulants is None
    assert check_data(json.loads(json.dumps(found.to_json()))).complete


def test_ports_and_sources_by_degree() -> None:
    """A gossip of the line model with two ports, and a broadcast from the best source."""
    found = degree_frontier("line", "gossip", 6, range(2, 4), ports=2)
    assert [row.cells[1] for row in found.rows] == ["3", "2"]
    assert found.rows[0].rivals[0].problem.parameters["ports"] == 2
    assert check_data(json.loads(json.dumps(found.to_json()))).complete
    least = degree_frontier("line", "gossip", 6, "least", ports=2)
    assert least.least_degree == 3
    assert check_data(json.loads(json.dumps(least.to_json()))).complete
    # A tree in which one source informs 8 nodes in 3 rounds has a node of degree 3.
    assert degree_frontier("telephone", "broadcast", 8, "least", source="one").least_degree == 3
    with pytest.raises(InputError, match="ports means nothing"):
        degree_frontier("pipelined", "allgather", 6, range(2, 3), ports=2)


def test_the_command(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "by-degree.json"
    seen = cli(f"design synchronous allgather --nodes 6 --max-degree 2..3 -o {file}")
    assert seen.status == 0
    assert seen.out.split()[:5] == ["degree", "steps", "time", "network", "circulants"]
    assert cli(f"check --strict {file}").status == 0
    least = cli("design telephone gossip --nodes 6 --max-degree least")
    assert least.out.startswith("optimal: degree 2, proven")
    assert (
        json_of(cli("design pipelined allreduce --nodes 6 --regular 2..3 --json"))["rows"][1]["degree"] == 3
    )
    for wrong, why in (
        ("synchronous allgather --nodes 6 --max-degree 3..2", "A..B"),
        ("synchronous allgather --nodes 6 --max-degree x", "a degree, or a range"),
        ("synchronous allgather --nodes 6 --max-degree 2..3 --steps 2", "least steps"),
        ("synchronous allgather --nodes 6 --max-degree 2..3 --workers 2", "does not go with a range"),
        ("synchronous allgather --nodes 6 --max-degree 2..3 -o x.edges", "ends in .json"),
        ("telephone gossip --nodes 6 --max-degree 2..3 --rounds 3", "least rounds"),
        ("synchronous allgather --nodes 6 --max-degree least", "count rounds"),
        ("telephone gossip --nodes 6 --max-degree most", "a degree, or a range"),
        ("telephone broadcast --nodes 6 --directed", "both ways"),
        ("telephone gossip --nodes 40 --cayley", "at most 31 nodes"),
    ):
        assert why in refused(cli(f"design {wrong}"))
