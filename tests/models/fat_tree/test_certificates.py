"""Saved fat-tree results: what `check` confirms, and that it refuses what was changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from schedsolve.certify.check import check_data
from schedsolve.commands.cli import main
from schedsolve.modelkit.result import result_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import model_of
from schedsolve.models.fat_tree.claims.lower_bounds import LOWER_BOUNDS
from schedsolve.runtime.errors import ClaimError
from schedsolve.solving.solve import solve
from tests.models.fat_tree.problems import posed
from tests.needs import needs


def saved(task: str, n: int, **options: Any) -> Any:
    """A solved problem as the JSON data of its file, with its certificate."""
    result = solve(posed(task, n, **options), Options(time_limit=60, certify=True))
    return json.loads(json.dumps(result_to_json(result)))


@pytest.mark.parametrize(
    ("task", "n", "options", "value"),
    [
        ("broadcast", 2, {}, 2),
        ("broadcast", 16, {"capacity": "linear"}, 12),
        ("broadcast", 16, {"capacity": "linear", "timing": "rounds", "source": 9}, 20),
        ("broadcast", 32, {"capacity": "log"}, 16),
        ("broadcast", 32, {"timing": "rounds"}, 30),
        ("broadcast", 8, {"capacity_table": [1, 2, 3, 3]}, 8),
        ("product", 8, {"capacity": "sqrt"}, 8),
        ("prefix", 4, {}, 6),
        ("prefix", 4, {"timing": "rounds", "capacity": "linear"}, 8),
    ],
)
def test_both_sides_are_checked(task: str, n: int, options: dict[str, Any], value: int) -> None:
    """The schedule is replayed, and the lower bound proven again."""
    data = saved(task, n, **options)
    assert data["value"] == data["lower_bound"] == value
    report = check_data(data)
    assert not report.failed
    assert f"ok       schedule: replayed, time {value}" in report.lines[1]
    assert any(f"lower bound {value}:" in line for line in report.lines)
    assert not any(line.startswith("not sure") for line in report.lines)


def changed(data: Any, **changes: Any) -> list[str]:
    """What a check says of a file with some of its keys changed; it must fail."""
    report = check_data({**data, **changes})
    assert report.failed
    return report.lines


def test_a_changed_schedule() -> None:
    """A schedule with one message more on a channel, one message less, or a faster claim."""
    data = saved("broadcast", 8)
    messages = data["schedule"]["messages"]
    last = max(messages, key=lambda m: m["start"])
    assert (
        "has not reached" in changed(data, schedule={"messages": [m for m in messages if m is not last]})[1]
    )
    crossing = next(m for m in messages if m["from"] < 4 <= m["to"] or m["to"] < 4 <= m["from"])
    others = {0, 1, 2, 3} - {crossing["from"]} if crossing["from"] < 4 else {4, 5, 6, 7} - {crossing["from"]}
    extra = {"from": min(others), "to": crossing["to"] ^ 1, "start": crossing["start"]}
    line = changed(data, schedule={"messages": [*messages, extra]})[1]
    assert "carries 2 messages, its capacity is 1" in line
    assert "the channel up from the subtree of processors" in line
    assert f"step {crossing['start'] + 3}:" in line or f"step {crossing['start'] + 2}:" in line
    assert any("claims a value of 7" in line for line in changed(data, value=7))


def test_a_changed_certificate() -> None:
    """A proof for another time, another formula or another problem, or a bound that is too high."""
    data = saved("broadcast", 16, capacity="linear")
    lower = data["certificate"]["lower"]
    refutation = next(
        bound for bound in lower if bound["evidence"]["kind"] == "refutation" and bound["value"] == 12
    )

    def with_evidence(**evidence: Any) -> list[str]:
        bound = {**refutation, "evidence": {**refutation["evidence"], **evidence}}
        return changed(data, certificate={**data["certificate"], "lower": [bound]})

    assert any(
        "does not follow" in line or "without a contradiction" in line for line in with_evidence(rounds=12)
    )
    assert any("there is no formula" in line for line in with_evidence(formula="runs"))
    assert any("says how many rounds it refutes" in line for line in with_evidence(rounds="eleven"))
    assert any("says which time" in line for line in with_evidence(rounds=10**9))
    assert any("hash" in line for line in with_evidence(sha256="0" * 64))
    other = {**data["problem"], "parameters": {**data["problem"]["parameters"], "capacity": "const"}}
    assert any("another problem" in line for line in changed(data, problem=other))
    assert any(
        "its evidence proves" in line
        for line in changed(data, certificate={**data["certificate"], "lower": [{**lower[0], "value": 13}]})
    )


def test_theorems_say_where_they_hold() -> None:
    """A bound for rounds proves nothing by the clock."""
    for bound in LOWER_BOUNDS:
        applies = [
            bound.compute(posed("broadcast", 16, timing=timing)) is not None for timing in ("clock", "rounds")
        ]
        assert applies == ([True, False] if bound.name == "empty-subtrees" else [False, True])
    with pytest.raises(ClaimError, match="premises"):
        model_of(posed("broadcast", 16)).claims["round-growth"](posed("broadcast", 16), {})


@needs("drawing")
def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Solve, check, construct, compare, bounds and analyse, as a user calls them."""
    file = str(tmp_path / "result.json")
    solve_it = [
        "solve",
        "fat-tree",
        "broadcast",
        "fat-tree:16",
        "--capacity",
        "linear",
        "--timing",
        "rounds",
        "--output",
        file,
    ]
    assert main(solve_it) == 0
    assert "optimal: time 20, proven on both sides" in capsys.readouterr().out
    assert main(["check", file]) == 0
    assert "time 20, every rule kept" in capsys.readouterr().out
    assert main(["analyse", file]) == 0
    assert "load of the channels" in capsys.readouterr().out
    assert main(["construct", "fat-tree", "prefix", "fat-tree:4", "--output", file]) == 0
    assert "time 0: " in capsys.readouterr().out
    assert main(["check", file]) == 0
    assert main(["compare", "fat-tree", "broadcast", "fat-tree:4", "fat-tree:8", "--timing", "rounds"]) == 0
    assert "algorithm-1" in capsys.readouterr().out
    assert main(["bounds", "fat-tree", "broadcast", "fat-tree:64", "--timing", "rounds"]) == 0
    assert "by how many of them must be higher than h" in capsys.readouterr().out


def test_the_height_is_in_the_other_theorems() -> None:
    """2 log N, as half of the processors are joined to the source at the root only; files of 0.2.0 hold it as
    `distance`.
    """
    for height in range(1, 15):
        for timing, name in (("clock", "empty-subtrees"), ("rounds", "round-heights")):
            for capacity in ("const", "log", "sqrt"):
                problem = posed("broadcast", 1 << height, timing=timing, capacity=capacity)
                assert model_of(problem).claims[name](problem, {}) >= 2 * height, (height, capacity)
