"""The linear cost model on the command line: the laboratory `explore f`, solve, construct, bounds, compare,
and what check rejects.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import Cli, Run

INSTANCES = Path(__file__).parents[3] / "instances"
Json = Any


def json_of(run: Run, status: int = 0) -> Json:
    """The one object on standard output."""
    assert (run.status, run.err) == (status, ""), run
    assert run.out.count("\n") == 1
    return json.loads(run.out)


def refused(run: Run) -> str:
    """The one line that bad input gets."""
    assert (run.status, run.out) == (2, ""), run
    assert run.err.startswith("schedsolve: "), run
    assert run.err.count("\n") == 1, run
    assert run.err.strip().isprintable(), run
    return run.err


def checked(cli: Cli, data: Json) -> Run:
    Path("file.json").write_text(json.dumps(data), encoding="utf-8")
    return cli("check file.json")


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
    data = json_of(cli("explore f --dimension 7 --extra-rounds 10 --search --time-limit 30 --json"))
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


BAD_PROBLEMS = [
    ("complete:8 --ports all", "--ports"),
    ("complete:8 --ports 0", "--ports"),
    ("complete:8 --ports 1.5", "--ports"),
    ("complete:8 --extra-rounds -1", "--extra-rounds"),
    ("complete:8 --extra-rounds 201", "--extra-rounds"),
    ("complete:8 --extra-rounds x", "--extra-rounds"),
    ("complete:8 --source min", "source"),
    ("complete:8 --source max", "source"),
    ("complete:8 --source 0,1", "source"),
    ("complete:8 --source 8", "8"),
    ("arcs.edges --directed", "undirected"),
    ("parts.edges", "disconnected"),
    ("complete:8 --rounds 3", "--rounds"),
]


@pytest.mark.parametrize(("line", "word"), BAD_PROBLEMS, ids=[line for line, _ in BAD_PROBLEMS])
def test_bad_problems(cli: Cli, line: str, word: str) -> None:
    """Problems that this model cannot pose."""
    Path("arcs.edges").write_text("0 1\n1 0\n1 2\n2 0\n", encoding="utf-8")
    Path("parts.edges").write_text("0 1\n2 3\n", encoding="utf-8")
    assert word in refused(cli(f"solve linear-cost broadcast {line}"))


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("complete:16 --extra-rounds 7", "11/8"),
        ("hypercube:4 --extra-rounds 7 --source 9", "11/8"),
        ("complete:16 --ports 3 --extra-rounds 1", "3/4"),
        ("complete:27 --ports 2 --extra-rounds 5 --weak-ports", "8/11"),
        ("complete:13", 4),
        ("complete:1 --extra-rounds 3", 0),
        ("complete:2 --extra-rounds 3", 1),
        ("complete:2 --ports 1", 1),
    ],
)
def test_solve_and_check(cli: Cli, line: str, value: int | str) -> None:
    """Known optima, with a certificate, as JSON and as a file that checks."""
    if "complete:13" in line:
        data = json_of(cli(f"solve linear-cost broadcast {line} --time-limit 5 --output r.json.gz --json"), 3)
        assert (data["status"], data["value"], Fraction(data["lower_bound"]) < 4) == ("bounded", 4, True)
    else:
        data = json_of(cli(f"solve linear-cost broadcast {line} --output r.json.gz --json"))
        assert (data["status"], data["value"], data["lower_bound"], data["objective"]) == (
            "optimal",
            value,
            value,
            "cost",
        )
    run = cli("check r.json.gz")
    assert (run.status, run.err) == (0, "")
    assert [word for word in ("rounds:", "ports:", "complete:") if word not in run.out] == []
    assert "FAILED" not in run.out


def test_a_network_without_the_links(cli: Cli) -> None:
    """On a path the extra rounds count from its own 4 rounds, the optimum is proven, and the file says how
    many rounds there are in all. With too few rounds there is no schedule.
    """
    data = json_of(cli("solve linear-cost broadcast path:5 --extra-rounds 2 --output r.json --json"))
    assert (data["value"], data["status"]) == (3, "optimal")
    assert data["total_rounds"] == data["problem"]["parameters"]["total_rounds"] == 6
    assert cli("check r.json").status == 0
    assert checked(cli, data | {"total_rounds": 7}).status == 1
    seen = cli("solve linear-cost broadcast path:9 --total-rounds 5")
    assert (seen.status, "infeasible" in seen.out) == (0, True)


def test_other_commands(cli: Cli) -> None:
    """Construct builds one or all, bounds names the lemmas, compare has a column for every algorithm."""
    line = "linear-cost broadcast complete:16 --extra-rounds 7"
    data = json_of(cli(f"construct {line} --json"))
    paper = {"greedy": 4, "recursive-exchange": "15/8", "pipelined-trees": "11/8", "unequal-costs": "7/5"}
    assert paper.items() <= data["algorithms"].items()
    run = cli(f"construct {line} --algorithm unequal-costs --output c.json")
    assert run.status == 0
    assert cli("check c.json").status == 0
    assert "unequal-costs" in refused(
        cli("construct linear-cost broadcast complete:15 --extra-rounds 7 --algorithm unequal-costs")
    )
    run = cli(f"bounds {line}")
    assert run.status == 0
    assert "lower bound 11/8" in run.out
    assert "upper bound 11/8" in run.out
    run = cli(f"compare {line}")
    assert run.status == 0
    assert all(name in run.out for name in data["algorithms"])


@pytest.mark.parametrize("name", ["unequal-costs-2-5-8", "unequal-costs-1-7-10"])
def test_the_saved_counterexamples_check(cli: Cli, name: str) -> None:
    """Exit status 0, and a line each on the number of rounds, the ports and completeness."""
    run = cli(f"check {shlex.quote(str(INSTANCES / name))}.json.gz")
    assert (run.status, run.err) == (0, "")
    for word in ("rounds: ", "ports: ", "complete: "):
        assert any(line.startswith(f"ok       {word}") for line in run.out.splitlines())


def changed(data: Json, path: str, value: Any) -> Json:
    """A copy with the entry at a path such as certificate.lower.0.value changed; a function is applied to
    what was there.
    """
    copy = deepcopy(data)
    *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    place = copy
    for part in way:
        place = place[part]
    place[last] = value(place[last]) if callable(value) else value
    return copy


MUTATIONS: list[tuple[str, Any]] = [
    ("value", "6/5"),
    ("value", "8/5"),
    ("lower_bound", "8/5"),
    ("lower_bound", 1),
    ("bounds.0.value", "8/5"),
    ("certificate.lower.0.value", "8/5"),
    ("certificate.lower.0.evidence", {"kind": "by rule", "rule": "Theorem 21"}),
    ("certificate.lower.0.evidence", {"kind": "aggregated", "multipliers": {}}),
    ("certificate.lower.0.evidence", {"kind": "aggregated", "multipliers": {"99999": "1"}}),
    ("certificate.lower.0.evidence", {"kind": "aggregated", "multipliers": {"0": "1/0"}}),
    ("certificate.lower.0.evidence", {"kind": "aggregated", "multipliers": [1]}),
    ("certificate.lower.0.evidence", {"kind": "unheard-of"}),
    ("certificate.problem_id", "0" * 64),
    ("schedule.packet_count", 4),
    ("schedule.packet_count", 6),
    ("schedule.packet_count", None),
    ("schedule.rounds.0.0.packets", [1]),
    ("schedule.rounds.0.0.packets", [5]),
    ("schedule.rounds.0.0.packets", []),
    ("schedule.rounds.0.0.packets", [0, 0]),
    ("schedule.rounds.1.0.to", 1),
    ("schedule.rounds.6", []),
    ("schedule.rounds", lambda rounds: rounds[1:]),
    ("schedule.rounds", lambda rounds: [*rounds, []]),
    ("schedule.rounds.0", lambda calls: calls * 2),
    ("problem.parameters", lambda given: {**given, "extra_rounds": 3, "total_rounds": 6}),
    ("problem.parameters", lambda given: {**given, "extra_rounds": 5, "total_rounds": 8}),
    ("problem.parameters", lambda given: {**given, "ports": 2, "extra_rounds": 5}),
    ("problem.parameters.source", 1),
    ("problem.parameters.weak_ports", True),
    ("problem.network", "hypercube:3"),
    ("problem.network", "cycle:8"),
    ("objective", "rounds"),
    ("status", "infeasible"),
    ("problem.network", "complete:0"),
]
MALFORMED: list[tuple[str, Any]] = [
    ("value", 1.375),
    ("schedule.packet_count", 0),
    ("schedule.packet_count", "8"),
    ("schedule.rounds.0.0.packets", [-1]),
    ("schedule.rounds.0.0.packets", 0),
    ("problem.parameters.ports", 0),
    ("problem.parameters.ports", "all"),
    *(("problem.parameters.extra_rounds", other) for other in (3, 5, -1, 1.5)),
    ("problem.parameters.ports", 2),
    ("problem.parameters.weak_ports", "yes"),
    ("problem.parameters.packets", 3),
    ("problem.links.nodes", []),
    ("status", "best"),
]


def test_mutated_results_are_rejected(cli: Cli) -> None:
    """Whatever is changed in a true result, the check fails; where the file is no longer one of ours, it is
    refused.
    """
    data = json_of(cli("solve linear-cost broadcast complete:8 --extra-rounds 4 --json"))
    assert checked(cli, data).status == 0
    for path, value in MUTATIONS:
        run = checked(cli, changed(data, path, value))
        assert (run.status, run.err, "FAILED" in run.out) == (1, "", True), (path, value, run)
    for path, value in MALFORMED:
        assert "file.json" in refused(checked(cli, changed(data, path, value)))


def test_mutated_multipliers_are_rejected(cli: Cli) -> None:
    """A dual solution with one multiplier changed, negated or left out proves less, or nothing."""
    data = json_of(cli("solve linear-cost broadcast complete:12 --extra-rounds 3 --time-limit 5 --json"), 3)
    assert checked(cli, data).status == 0
    number = next(
        i for i, bound in enumerate(data["certificate"]["lower"]) if bound["evidence"]["kind"] == "aggregated"
    )
    for row in list(data["certificate"]["lower"][number]["evidence"]["multipliers"])[::7]:
        for change in (
            lambda y: str(2 * Fraction(y)),
            lambda y: str(-Fraction(y)),
            lambda _: "0",
            lambda _: "-",
            lambda _: 0.5,
        ):
            run = checked(cli, with_multiplier(data, number, row, change))
            assert (run.status, "FAILED" in run.out) == (1, True), (row, run)


def with_multiplier(data: Json, number: int, row: str, change: Callable[[str], Any]) -> Json:
    """A copy with one multiplier of a bound changed."""
    copy = deepcopy(data)
    multipliers = copy["certificate"]["lower"][number]["evidence"]["multipliers"]
    multipliers[row] = change(multipliers[row])
    return copy


def test_a_users_own_schedule(cli: Cli) -> None:
    """A schedule file without a claim is replayed: complete, incomplete, and illegal."""
    problem = {
        "model": "linear-cost",
        "task": "broadcast",
        "network": "path:3",
        "parameters": {"source": 0, "extra_rounds": 1},
    }
    first = [{"from": 0, "to": 1, "packets": [0, 1]}]
    for rounds, status, words in (
        ([first, [{"from": 1, "to": 2, "packets": [0, 1]}]], 0, "cost 2"),
        ([first, [{"from": 1, "to": 2, "packets": [1]}]], 1, "after round 2 node 2 misses packet 0"),
        ([first, [{"from": 2, "to": 1, "packets": [1]}]], 1, "does not own yet"),
        ([[{"between": [0, 1]}]], 1, "should be one-way"),
    ):
        data = {
            "format": "schedsolve-schedule/1",
            "problem": problem,
            "schedule": {"packet_count": 2, "rounds": rounds},
        }
        run = checked(cli, data)
        assert (run.status, words in run.out, run.err) == (status, True, ""), run
