"""`explore growth`: recurrences, replayed algorithms, bounds and optima, a row for each size."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import schedsolve
from schedsolve.models.fat_tree.command import explored
from schedsolve.models.fat_tree.rules.tree import SHAPES
from tests.command_line import Cli, json_of, refused


@pytest.mark.parametrize("shape", SHAPES)
def test_times_lie_where_they_belong(shape: str) -> None:
    """What is proven is at most what any algorithm takes, and nothing shrinks with the processors; the
    recurrence (3) is an upper bound of Algorithm 1, and (4) of the pipelined broadcast.
    """
    rows = explored(capacity=shape, processors=[4, 8, 16])
    for row in rows:
        assert row.rounds.lower <= row.rounds.upper == min(row.times["algorithm-1"], row.times["height-beam"])
        assert row.clock.lower <= row.clock.upper == min(row.times["pipelined"], row.times["groups"])
        assert row.times["algorithm-1"] <= row.recurrences[3]
        assert row.times["pipelined"] <= row.recurrences[4]
        assert row.recurrences[2] <= min(row.recurrences[3], row.recurrences[4])
    for small, large in pairwise(rows):
        assert small.clock.upper < large.clock.upper
        assert small.rounds.upper < large.rounds.upper


def test_optima_are_those_of_solve(cli: Cli) -> None:
    """Where both sides meet, the value is the optimum."""
    rows = json_of(cli("explore growth --capacity log --processors 2..16 --json"))["rows"]
    assert [row["processors"] for row in rows] == [2, 4, 8, 16]
    for row in rows[1:3]:
        for timing in ("rounds", "clock"):
            problem = schedsolve.build_problem(
                "fat-tree", "broadcast", f"fat-tree:{row['processors']}", capacity="log", timing=timing
            )
            assert row[timing]["exact"] == schedsolve.solve(problem).value


def test_a_table_and_a_picture(cli: Cli) -> None:
    run = cli("explore growth --capacity const --processors 4..8 --plot growth.svg")
    assert run.status == 0
    assert [line.split()[0] for line in run.out.splitlines()[1:4]] == ["N", "4", "8"]
    assert "<svg" in Path("growth.svg").read_text(encoding="utf-8")


def test_bad_input_gets_one_line(cli: Cli) -> None:
    assert "--capacity is one of const" in refused(cli("explore growth --capacity nix --processors 8"))
    for text in ("9", "x", "16..8", "1", "70000"):
        line = f"explore growth --capacity log --processors {text}"
        assert "powers of two from 2 to 65536" in refused(cli(line))
    assert ".svg or .png" in refused(cli("explore growth --capacity log --processors 8 --plot x.txt"))
