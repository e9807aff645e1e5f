"""`schedsolve explore f`: what is proven of f_T(r) for a range of r."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.command_line import Cli
from tests.models.linear_cost.test_cli import json_of, refused


def test_explore_prints_a_row_for_every_number_of_rounds(cli: Cli) -> None:
    """The keys are documented; f_4 is known for all r, and the conjecture says nothing below T."""
    data = json_of(cli("explore f --dimension 4 --extra-rounds 0..8 --json"))
    assert [row["extra_rounds"] for row in data["rows"]] == list(range(9))
    assert [row["upper_bound"] for row in data["rows"]] == [
        4,
        "5/2",
        2,
        "7/4",
        "8/5",
        "3/2",
        "10/7",
        "11/8",
        "4/3",
    ]
    for row in data["rows"]:
        assert {"extra_rounds", "lower_bound", "upper_bound", "conjectured", "verdict"} <= set(row)
        assert (row["lower_bound"], row["verdict"]) == (row["upper_bound"], "proven")
        assert row["conjectured"] == (row["upper_bound"] if row["extra_rounds"] >= 4 else None)


def test_explore_tells_refuted_and_open_rows(cli: Cli) -> None:
    """The smallest counterexample is refuted and leaves nothing open; a row whose sides differ is open, with
    exit status 3.
    """
    row = json_of(cli("explore f --ports 2 --dimension 5 --extra-rounds 8 --json"))["rows"][0]
    assert (row["upper_bound"], row["conjectured"], row["verdict"]) == ("19/25", "13/17", "refuted")
    assert Fraction(row["lower_bound"]) < Fraction(19, 25)
    rows = json_of(cli("explore f --ports 4 --dimension 3 --extra-rounds 1..3 --json"), 3)["rows"]
    assert [row["verdict"] for row in rows] == ["proven", "open", "proven"]
    assert all((row["verdict"] == "open") == (row["lower_bound"] != row["upper_bound"]) for row in rows)


def test_amounts_alone_cost_no_more(cli: Cli) -> None:
    """g_T(r) stands beside f_T(r) and is no more (Property 19): T and (T+1)/(k+1) for r = 0 and 1, where both
    are the same.
    """
    rows = json_of(cli("explore f --dimension 4 --extra-rounds 0..6 --json"))["rows"]
    assert [row["g_lower_bound"] for row in rows[:2]] == [4, "5/2"]
    assert all(0 < Fraction(row["g_lower_bound"]) <= Fraction(row["upper_bound"]) for row in rows)
    run = cli("bounds linear-cost broadcast complete:16 --extra-rounds 1")
    assert "lower bound 5/2: g_T(r) <= f_T(r), amounts alone" in run.out


def test_explore_as_text(cli: Cli) -> None:
    """A table, and what its columns mean."""
    run = cli("explore f --dimension 3 --extra-rounds 2..4")
    assert (run.status, run.err) == (0, "")
    lines = run.out.splitlines()
    assert lines[0] == "f_3(r) for 1 port, 8 nodes"
    assert lines[1].split()[:4] == ["r", "g_T(r)", ">=", "lower"]
    assert [line.split()[0] for line in lines[2:5]] == ["2", "3", "4"]
    assert "REFUTED" in cli("explore f --ports 2 --dimension 5 --extra-rounds 8").out.splitlines()[2]


def test_explore_finds_the_best_number_of_rounds(cli: Cli) -> None:
    """The time is alpha for every round and tau for every unit of every message's size; the least one is
    saved with --output.
    """
    line = "explore f --dimension 3 --extra-rounds 0..6 --alpha 1/2 --tau 2 --length 4"
    rows = json_of(cli(f"{line} --json --output best.json"))["rows"]
    for row in rows:
        assert Fraction(row["time"]) == Fraction(3 + row["extra_rounds"], 2) + 8 * Fraction(
            row["upper_bound"]
        )
    best = min(rows, key=lambda row: Fraction(row["time"]))
    saved = json.loads(Path("best.json").read_text(encoding="utf-8"))
    assert saved["problem"]["parameters"]["extra_rounds"] == best["extra_rounds"]
    assert f"with r = {best['extra_rounds']}" in cli(line).out.splitlines()[-1]
    assert cli("check best.json").status == 0
    assert [
        row["time"]
        for row in json_of(cli("explore f --dimension 2 --extra-rounds 0 --alpha 0 --tau 1.5 --json"))["rows"]
    ] == [3]


def test_explore_plots_and_saves(cli: Cli) -> None:
    """As SVG and PNG; the last row's protocol, or that of a refuted row with the program's multipliers, is
    saved and checks.
    """
    assert cli("explore f --dimension 3 --extra-rounds 0..5 --plot f.svg --output last.json").status == 0
    assert b"<svg" in Path("f.svg").read_bytes()
    assert cli("explore f --dimension 2 --extra-rounds 3 --plot f.png").status == 0
    assert Path("f.png").read_bytes().startswith(b"\x89PNG")
    assert json.loads(Path("last.json").read_text(encoding="utf-8"))["value"] == "4/3"
    assert cli("check last.json").status == 0
    assert cli("explore f --ports 2 --dimension 4 --extra-rounds 2 --output new.json.gz").status == 3
    run = cli("check new.json.gz")
    assert (run.status, "recomputed from its evidence, aggregated" in run.out) == (0, True)


def test_explore_searches(cli: Cli) -> None:
    """From scratch, below the conjectured value, within the time limit."""
    data = json_of(cli("explore f --dimension 7 --extra-rounds 10 --search --time-limit 200 --json"))
    assert data["rows"][0]["searched"] == "20/13"
    data = json_of(cli("explore f --dimension 3 --extra-rounds 4 --search --json"))
    assert data["rows"][0]["searched"] is None


BAD_EXPLORATIONS = [
    ("explore f --ports 0 --dimension 3 --extra-rounds 1", "--ports"),
    ("explore f --dimension 0 --extra-rounds 1", "--dimension"),
    ("explore f --dimension 99 --extra-rounds 1", "20000 nodes"),
    ("explore f --dimension 3 --extra-rounds x", "'x'"),
    ("explore f --dimension 3 --extra-rounds 5..3", "'5..3'"),
    ("explore f --dimension 3 --extra-rounds=-1", "'-1'"),
    ("explore f --dimension 3 --extra-rounds -1", "--extra-rounds"),
    ("explore f --dimension 3 --extra-rounds 101", "--extra-rounds"),
    ("explore f --dimension 3", "--extra-rounds"),
    ("explore f --extra-rounds 1", "--dimension"),
    ("explore f --dimension 3 --extra-rounds 1 --alpha 2", "--tau"),
    ("explore f --dimension 3 --extra-rounds 1 --length 2", "--alpha"),
    ("explore f --dimension 3 --extra-rounds 1 --alpha x --tau 1", "--alpha"),
    ("explore f --dimension 3 --extra-rounds 1 --alpha 1 --tau 1/0", "--tau"),
    ("explore f --dimension 3 --extra-rounds 1 --alpha 1 --tau -1", "--tau"),
    ("explore f --dimension 3 --extra-rounds 1 --plot f.txt", "--plot"),
    ("explore f --dimension 3 --extra-rounds 1 --plot nowhere/f.svg", "nowhere"),
    ("explore f --dimension 3 --extra-rounds 1 --output nowhere/f.json", "nowhere"),
    ("explore f --dimension 3 --extra-rounds 1 --time-limit 3", "--search"),
    ("explore f --dimension 3 --extra-rounds 1 --search --time-limit x", "--time-limit"),
    ("explore g --dimension 3 --extra-rounds 1", "'g'"),
    ("explore", "f"),
]


@pytest.mark.parametrize(("line", "word"), BAD_EXPLORATIONS, ids=[line for line, _ in BAD_EXPLORATIONS])
def test_bad_explorations(cli: Cli, line: str, word: str) -> None:
    """One line on standard error, exit status 2, and nothing written."""
    assert word in refused(cli(line))
    assert list(Path().iterdir()) == []
