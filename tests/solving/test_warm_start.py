"""A schedule to start from: it is replayed, it is an upper bound, and it may come from anywhere."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from schedsolve import Schedule, build_problem, save_result, solve
from schedsolve.runtime.errors import InputError

GRID = nx.grid_2d_graph(2, 3)
TREE = [[((0, 0), (0, 1))], [((0, 1), (0, 2)), ((0, 0), (1, 0))], [((0, 1), (1, 1)), ((0, 2), (1, 2))]]


def test_a_schedule_of_the_user_is_an_upper_bound() -> None:
    """Without time for anything else it is the result."""
    problem = build_problem("telegraph", "broadcast", GRID, source=(0, 0))
    start = Schedule.one_way(TREE, problem.network)
    result = solve(problem, warm_start=start, time_limit=1e-9)
    bound = next(b for b in result.bounds if b.side == "upper")
    assert (bound.value, bound.reason) == (3, "the schedule to start from")
    assert result.schedule == start
    assert result.lower_bound is not None
    assert result.lower_bound <= 3


def test_results_files_and_indices(tmp_path: Path) -> None:
    problem = build_problem("telegraph", "broadcast", GRID, source=(0, 0))
    result = solve(problem)
    save_result(result, tmp_path / "result.json")
    starts: list[Any] = [result, result.schedule, result.indexed, tmp_path / "result.json"]
    for start in starts:
        assert solve(problem, warm_start=start).bounds[0].reason == "the schedule to start from"


def test_the_best_source_is_found_by_the_replay() -> None:
    problem = build_problem("telegraph", "broadcast", GRID, source="min")
    result = solve(problem, warm_start=Schedule.one_way(TREE, problem.network), time_limit=1e-9)
    assert (result.value, result.node) == (3, (0, 0))


def test_what_is_no_schedule_of_the_problem_is_refused() -> None:
    problem = build_problem("telephone", "gossip", "path:3")
    refused: list[tuple[Any, str]] = [
        (Schedule.two_way([[(0, 1), (1, 2)]]), "does not solve the problem: round 1"),
        (Schedule.two_way([[(0, 1)]]), "does not know"),
        (Schedule.two_way([[(0, 7)]]), "not one of the network"),
        ([[(0, 1)]], r"Schedule\.two_way"),
        (solve(build_problem("line", "gossip", "path:3")), "does not solve|means nothing"),
        ("nowhere.json", "nowhere"),
    ]
    for start, message in refused:
        with pytest.raises(InputError, match=message):
            solve(problem, warm_start=start)
    for options in ({"source": "max"}, {"period": "min"}):
        with pytest.raises(InputError, match="starts from a schedule"):
            solve(build_problem("telephone", "broadcast", "path:3", options), warm_start=refused[0][0])


class Kept(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def test_a_solve_says_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    problem = build_problem("telephone", "gossip", "cycle:6")
    logger, kept = logging.getLogger("schedsolve"), Kept()
    level = logger.level
    logger.setLevel(logging.DEBUG)
    logger.addHandler(kept)
    try:
        solve(problem)
    finally:
        logger.removeHandler(kept)
        logger.setLevel(level)
    assert kept.messages[0] == f"solving {problem!r}"
    assert any("lower bound 3" in message for message in kept.messages)
    assert kept.messages[-1].startswith("solved: <Result telephone gossip")
    assert capsys.readouterr() == ("", "")
    solve(problem, progress=True)
    assert "bounds" in capsys.readouterr().err
