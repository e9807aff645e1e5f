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
        data = json_of(
            cli(f"solve linear-cost broadcast {line} --time-limit 0.5 --output r.json.gz --json"), 3
        )
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
