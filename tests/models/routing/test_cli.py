"""The command line of the routing model: solve, compare, simulate, and bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import Cli


def test_solve_patterns(cli: Cli) -> None:
    """The optimum of the patterns, as JSON."""
    for options, value in (
        ("--pattern bit-reversal", 1),
        ("--pattern transpose", 1),
        ("--pattern shift:3", 1),
        ("--pattern all-to-one", 15),
        ("--pattern all-to-one --messages 4", 4),
        ("--messages 0", 0),
    ):
        run = cli(f"solve routing deliver fat-tree:16 {options} --json")
        data = json.loads(run.out)
        assert (run.status, data["status"], data["value"], data["objective"]) == (
            0,
            "optimal",
            value,
            "rounds",
        )


def test_solve_a_file_and_check_it(cli: Cli) -> None:
    """The saved result holds the messages, so it checks when the file is gone."""
    Path("messages").write_text("# two from node 0\n0 5\n0, 6\n\n7 6 # to the same\n", encoding="utf-8")
    run = cli("solve routing deliver fat-tree:8 --messages messages --output out.json")
    assert run.status == 0
    assert "optimal: 2 rounds" in run.out
    Path("messages").unlink()
    check = cli("check out.json")
    assert check.status == 0, check
    data = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert data["problem"]["parameters"] == {"messages": [[0, 5], [0, 6], [7, 6]]}
    data["schedule"]["rounds"][0][0]["upstream_ports"] = [1]
    Path("out.json").write_text(json.dumps(data), encoding="utf-8")
    assert cli("check out.json").status == 1


def test_compare_shows_random_routing_beside_the_optimum(cli: Cli) -> None:
    """The column of random routing is above the optimum."""
    run = cli("compare routing deliver fat-tree:16 --pattern bit-reversal --seed 1 --json")
    (row,) = json.loads(run.out)["rows"]
    assert (row["value"], row["algorithms"]["benes"]) == (1, 1)
    assert row["algorithms"]["random-routing"] > 1


def test_the_random_pattern_has_seeds(cli: Cli) -> None:
    """random is random:0, and random:1 has other messages."""
    messages = [
        json.loads(cli(f"solve routing deliver fat-tree:16 --pattern {p} --json").out)["problem"][
            "parameters"
        ]["messages"]
        for p in ("random", "random:0", "random:1")
    ]
    assert messages[0] == messages[1] != messages[2]


def test_simulate_json(cli: Cli) -> None:
    """The keys that are promised, the same for the same seed."""
    line = "simulate routing --nodes 64 --messages 64 --pattern random --runs 300 --seed 5 --json"
    run = cli(line)
    data = json.loads(run.out)
    assert run.err == ""
    assert {"mean_rounds", "min_rounds", "max_rounds", "runs", "seed", "confidence_interval"} <= set(data)
    assert (data["runs"], data["seed"], data["collision_probability"]) == (300, 5, "118/3087")
    low, high = data["confidence_interval"]
    assert low < data["mean_rounds"] < high
    assert data["min_rounds"] <= data["mean_rounds"] <= data["max_rounds"]
    assert sum(data["runs_by_rounds"].values()) == 300
    assert cli(line).out == run.out


def test_simulate_as_text(cli: Cli) -> None:
    """A few lines; nothing on standard error when piped."""
    run = cli("simulate routing --nodes 16 --pattern all-to-one --messages 15 --runs 3")
    assert run.status == 0
    assert run.err == ""
    assert "mean 15.0000 delivery rounds" in run.out


@pytest.mark.parametrize(
    "options",
    [
        "--retry immediate --clock one-way",
        "--retry backoff --clock one-way",
        "--system model-1 --bins lemma",
        "--system model-2",
        "--winner first --losers release",
    ],
)
def test_simulate_options(cli: Cli, options: str) -> None:
    """What the paper leaves open can be chosen, and the output says how."""
    run = cli(f"simulate routing --nodes 32 --runs 20 {options} --json")
    data = json.loads(run.out)
    words = options.replace("--", "").split()
    assert run.status == 0
    assert all(data[name] == value for name, value in zip(words[::2], words[1::2], strict=True))


def test_backoff_is_said(cli: Cli) -> None:
    """The parameters that the paper leaves open stand in the output, the default slot in cycles."""
    command = "simulate routing --nodes 32 --runs 5 --retry backoff"
    assert json.loads(cli(f"{command} --json").out)["backoff"] == {"slot": 27, "limit": 10}
    assert (
        "slots of 3 cycles, doubled up to 2 times" in cli(f"{command} --backoff-slot 3 --backoff-limit 2").out
    )


def test_simulate_a_file(cli: Cli) -> None:
    """A file of messages in place of a pattern."""
    Path("messages").write_text("0 1\n2 1\n3 1\n", encoding="utf-8")
    data = json.loads(cli("simulate routing --nodes 4 --messages messages --runs 10 --json").out)
    assert (data["min_rounds"], data["max_rounds"], data["messages"], data["pattern"]) == (3, 3, 3, None)


@pytest.mark.parametrize(
    "line",
    [
        "simulate routing",
        "simulate line --nodes 8",
        "simulate routing --nodes 12",
        "simulate routing --nodes 0",
        "simulate routing --nodes -8",
        "simulate routing --nodes 8 --messages 9",
        "simulate routing --nodes 8 --messages -1",
        "simulate routing --nodes 8 --runs 0",
        "simulate routing --nodes 8 --runs -3",
        "simulate routing --nodes 8 --workers 0",
        "simulate routing --nodes 8 --seed x",
        "simulate routing --nodes 8 --pattern transpose",
        "simulate routing --nodes 8 --pattern nothing",
        "simulate routing --nodes 8 --pattern shift:8",
        "simulate routing --nodes 8 --pattern random:3",
        "simulate routing --nodes 8 --pattern all-to-one --messages 8",
        "simulate routing --nodes 8 --messages nowhere",
        "simulate routing --nodes 8 --messages broken",
        "simulate routing --nodes 8 --messages outside",
        "simulate routing --nodes 8 --messages binary",
        "simulate routing --nodes 8 --messages fine --pattern random",
        "simulate routing --nodes 8 --retry immediate --system model-1",
        "simulate routing --nodes 8 --retry immediate --winner first",
        "simulate routing --nodes 8 --retry immediate --backoff-slot 3",
        "simulate routing --nodes 8 --retry backoff --backoff-slot 0",
        "simulate routing --nodes 8 --retry backoff --system model-1",
        "simulate routing --nodes 8 --bins lemma",
        "simulate routing --nodes 8 --clock one-way",
        "simulate routing --nodes 2 --system model-1 --bins lemma",
        "solve routing deliver cycle:9",
        "solve routing deliver tree:2,3 --pattern random",
        "solve routing broadcast fat-tree:8",
        "solve routing deliver fat-tree:8 --source 0",
        "solve routing deliver fat-tree:8 --pattern transpose",
        "solve routing deliver fat-tree:8 --pattern nothing",
        "solve routing deliver fat-tree:8 --messages 9",
        "solve routing deliver fat-tree:8 --messages broken",
        "solve routing deliver fat-tree:8 --messages fine --pattern random",
    ],
)
def test_bad_input_is_one_line(cli: Cli, line: str) -> None:
    """Exit status 2, nothing on standard output, one line on standard error."""
    Path("broken").write_text("0 1\n2 x\n", encoding="utf-8")
    Path("outside").write_text("0 8\n", encoding="utf-8")
    Path("binary").write_bytes(b"\xff\x00\xfe")
    Path("fine").write_text("0 1\n", encoding="utf-8")
    run = cli(line)
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith("schedsolve: ")
    assert run.err.count("\n") == 1


def test_a_broken_file_names_its_line(cli: Cli) -> None:
    """So that it can be found."""
    Path("broken").write_text("0 1\n2 x\n", encoding="utf-8")
    assert "broken, line 2" in cli("solve routing deliver fat-tree:8 --messages broken").err
