"""Frontiers as charts: the best row for every size, other files beside it, and what is refused."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from schedsolve.commands.cli import main
from schedsolve.solving.frontier_files import read_curve
from tests.command_line import Cli


def run(*words: str) -> int:
    return main([str(word) for word in words])


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The frontier of a ring's allgather, its trees in steps, and its pipelined optimum."""
    folder = tmp_path_factory.mktemp("frontier")
    names = {name: str(folder / f"{name}.json") for name in ("front", "trees", "limit", "other")}
    task = ("allgather", "cycle:4")
    assert run("frontier", "synchronous", *task, "--steps", "2..3", "--output", names["front"]) == 0
    assert run("steps", *task, "--chunks", "1,4", "-o", names["trees"]) == 0
    assert run("solve", "pipelined", *task, "--quiet", "--output", names["limit"]) == 0
    assert run("solve", "pipelined", "alltoall", "cycle:4", "--quiet", "--output", names["other"]) == 0
    return names


def test_rows_have_chunks_steps_and_rounds(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """A row is (C, S, R) as well as a value."""
    curve = read_curve(files["front"])
    assert [(p.at, p.value, p.counts) for p in curve.points] == [
        (2, Fraction(3, 2), "(2, 2, 3)"),
        (3, Fraction(3, 2), "(2, 3, 3)"),
    ]
    assert read_curve(files["limit"]).limit == Fraction(3, 2)
    assert run("frontier", "synchronous", "allgather", "cycle:4", "--steps", "2..2") == 0
    assert "(2, 2, 3)" in capsys.readouterr().out


def test_the_best_point_for_every_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two steps and value 3 against four steps and value 1: they cost the same at size 1 for alpha = beta."""
    rows = [{"steps": s, "chunks": 1, "rounds": v, "value": v} for s, v in ((2, 3), (4, 1))]
    data = {"format": "schedsolve-frontier/1", "model": "synchronous", "task": "allgather"}
    file = tmp_path / "front.json"
    file.write_text(json.dumps({**data, "network": "x", "parameter": "steps", "rows": rows}))
    curve = read_curve(str(file))
    for size, steps in ((Fraction(9, 10), 2), (1, 2), (Fraction(11, 10), 4)):
        best = curve.best(Fraction(1), Fraction(1), Fraction(size))
        assert best is not None
        assert best.at == steps
    picture = tmp_path / "front.svg"
    costs = ("--alpha", "1", "--beta", "1", "--size", "1/2,2")
    assert run("draw", str(file), "-o", str(picture), *costs) == 0
    table = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [(line[0], line[1], line[-1]) for line in table[1:]] == [("0.5", "2", "3.5"), ("2", "4", "6")]
    assert "best at 4 steps" in picture.read_text()


def test_both_models_in_one_chart(files: dict[str, str], tmp_path: Path) -> None:
    """The frontier, schedules cut from trees and the pipelined optimum."""
    picture = tmp_path / "both.svg"
    assert run("draw", files["front"], files["trees"], files["limit"], "-o", str(picture)) == 0
    words = picture.read_text()
    for text in ("synchronous, by steps", "synchronous, by chunks", "pipelined: 3/2, whatever the steps"):
        assert text in words


@pytest.mark.parametrize(
    ("order", "options", "words"),
    [
        (("front",), ("--alpha", "1"), "costs need --alpha, --beta and --size together"),
        (("front",), ("--alpha", "0", "--beta", "1", "--size", "1"), "--alpha takes a number above 0"),
        (("front",), ("--alpha", "1", "--beta", "1", "--size", "1e999"), "--size takes a number above 0"),
        (("front",), ("--view", "loads"), "one chart"),
        (("front", "other"), (), "one picture is for one task and network"),
        (("limit", "front"), (), "the first is a frontier"),
        (("limit",), ("--alpha", "1"), "only a frontier is drawn with --alpha"),
    ],
)
def test_bad_requests(
    files: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    order: Any,
    options: Any,
    words: str,
) -> None:
    """One line each, and nothing is written."""
    picture = tmp_path / "none.svg"
    assert run("draw", *(files[name] for name in order), "-o", str(picture), *options) == 2
    assert words in capsys.readouterr().err
    assert not picture.exists()


def test_rows_without_a_schedule_are_no_open_bounds(cli: Cli) -> None:
    """A period for which there is no schedule stands as a cross, not as a lower bound that is not met."""
    assert cli("frontier telegraph gossip path:6 --period 2..6 -o f.json").status == 0
    assert cli("draw f.json -o f.svg").status == 0
    words = "".join(ElementTree.parse("f.svg").getroot().itertext())
    assert "infeasible" in words
    assert "lower bound" not in words
