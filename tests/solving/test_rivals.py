"""Rivals: algorithms that `construct` and `compare` run beside others, and that a solve does without."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from schedsolve import Network, build_problem, construct
from schedsolve.commands.cli import main
from schedsolve.modelkit.search import Options
from schedsolve.models import model_of
from schedsolve.solving.clock import Clock
from schedsolve.solving.solve_loop import SolveLoop
from tests.docs.formulation_matrix import Row, rows

ROWS = [row for row in rows() if row.packets is None and not row.problem.parameters.get("ordered")]
"""A tiny problem of every task of every model."""


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_task_has_two_algorithms(row: Row) -> None:
    """So that there is something to compare: each is replayed."""
    problem = row.problem
    if row.problem.model == "synchronous":
        problem = problem.with_parameters(steps=4)
    assert len(construct(problem, seconds=0.1)) > 1


@pytest.mark.parametrize(
    ("model", "task", "network", "options", "values"),
    [
        ("pipelined", "allgather", "dgx1", {}, {"ring-copies": Fraction(7, 6), "chains": 6}),
        ("pipelined", "reduce-scatter", "dgx1", {}, {"ring-copies": Fraction(7, 6), "chains": 6}),
        ("pipelined", "broadcast", "torus:4x4", {}, {"ring-copies": Fraction(1, 2), "chains": 1}),
        ("pipelined", "reduce", "kautz:2,2", {}, {"ring-copies": 1, "chains": 1}),
        ("pipelined", "allgather", "tree:2,3", {}, {"chains": 14}),
        ("synchronous", "allgather", "leaf-spine:2,3,3", {"steps": 4}, {"shortest-ways": 8, "flooding": 8}),
        ("synchronous", "reduce-scatter", "dgx1", {"steps": 4}, {"shortest-ways": 4, "flooding": 6}),
        ("synchronous", "allreduce", "path:3", {"steps": 4, "chunks": 1}, {"flooding-at-centre": 4}),
        ("line", "gossip", "tree:2,3", {}, {"tree-gossip": 5, "one-port-gossip": 7}),
        ("line", "accumulation", "kautz:2,2", {"ports": 1}, {"flooding": 5}),
        ("telegraph", "gossip", "kautz:2,2", {"period": 6}, {"theorem-2.6": 16}),
        ("telegraph", "gossip", "kautz:3,2", {}, {"accumulate-then-broadcast": 12}),
    ],
)
def test_values(
    model: str, task: str, network: str, options: dict[str, Any], values: dict[str, Fraction | int]
) -> None:
    """Of textbook algorithms; a unit goes round in equal parts, and sums come the same way."""
    problem = build_problem(model, task, Network.from_spec(network), options)
    found = {built.algorithm.name: built.value for built in construct(problem, seconds=0.01)}
    assert found.items() >= values.items()


def test_a_solve_does_without() -> None:
    """It has the construction that is no rival."""
    prices = {"alpha": "1/10", "tau": "1"}
    problem = build_problem("linear-cost", "broadcast", Network.from_spec("grid:3x3"), prices)
    found = {built.algorithm.name: built.value for built in construct(problem)}
    assert found == {
        "fastest-broadcast": Fraction(22, 5),
        "tree-pipeline": Fraction(21, 5),
        "chain-pipeline": Fraction(34, 7),
    }
    options = Options()
    portfolio = SolveLoop(model_of(problem), problem, options, Clock(options)).portfolio
    assert [algorithm.name for algorithm in portfolio.algorithms(thorough=False)] == ["fastest-broadcast"]


def test_the_list_tells_rivals(capsys: pytest.CaptureFixture[str]) -> None:
    """Those that a solve uses have nothing behind their tasks."""
    assert main(["list", "algorithms", "line"]) == 0
    told = capsys.readouterr().out
    assert "  one-port-gossip (gossip; not used by solve): " in told
    assert "  tree-gossip (gossip): " in told
