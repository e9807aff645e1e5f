"""Altered results: refused or failed in one line, whatever stands in the place of an entry."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from schedsolve.certify.report import CheckReport
from tests.command_line import Cli
from tests.soak import alterations
from tests.soak.alterations import VALUES, altered, finding, paths, verdict
from tests.soak.saved_results import saved

LINES = (
    "telephone gossip path:3",
    "telegraph gossip path:8 --period 4",
    "line gossip path:3 --ports 1",
    "linear-cost broadcast complete:8 --alpha 1 --tau 3",
    "pipelined alltoall cycle:5",
    "pipelined allreduce path:4",
    "synchronous allreduce cycle:4 --steps 2",
    "synchronous allreduce cycle:5 --steps 2",
    "synchronous broadcast path:4 --steps 3 --chunks 2 --rounds 5",
    "fat-tree prefix fat-tree:4",
    "routing deliver fat-tree:8 --pattern random:4",
)
"""Small results of every model."""
TOO_FEW_STEPS = "synchronous allreduce cycle:5 --steps 2"


@pytest.mark.parametrize("line", LINES)
def test_no_altered_result_passes(line: str) -> None:
    """Entries drawn at random, each by whatever does not belong there; the soak alters all."""
    assert verdict(saved(line))[0] == "accepted"
    random, places, seen = Random(line), list(paths(saved(line))), Counter[str]()
    for _ in range(30):
        out, wrong = finding(line, random.choice(places), random.choice(list(VALUES)))
        assert not wrong
        seen[out] += 1
    assert seen["failed"] + seen["refused"] > 15


def test_a_passed_alteration_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that passes everything, and one that stumbles, are noticed."""
    monkeypatch.setattr(alterations, "check_data", lambda _: CheckReport())
    path = ("certificate", "lower", 0, "evidence", "kind")
    assert finding(LINES[0], path, "a text")[1]
    assert finding(LINES[0], ("value",), "an object")[1]
    assert not finding(LINES[0], ("runtime_seconds",), "a text")[1]

    def stumbling(data: Any) -> CheckReport:
        raise KeyError(data["format"])

    monkeypatch.setattr(alterations, "check_data", stumbling)
    assert finding(LINES[0], path, "a text")[0] == "traceback"


@pytest.mark.parametrize("name", [name for name in VALUES if name != "infinite"])
def test_what_any_rounds_refutes(name: str) -> None:
    """Steps that are too few for any rounds refute just those of the horizon."""
    data = saved(TOO_FEW_STEPS)
    [at] = [i for i, b in enumerate(data["certificate"]["lower"]) if "any_rounds" in b["evidence"]]
    assert verdict(altered(data, ("certificate", "lower", at, "evidence", "rounds"), VALUES[name]))[0] in (
        "failed",
        "refused",
    )


@pytest.mark.parametrize("label", [True, 1.0])
@pytest.mark.parametrize("path", [("lengths", 0, 1), ("symmetries", 0, 0)])
def test_a_label_is_a_number_or_a_text(path: tuple[Any, ...], label: Any) -> None:
    """Neither a truth nor a float, though both are equal to a label."""
    data = saved("pipelined alltoall cycle:5")
    [at] = [i for i, b in enumerate(data["certificate"]["lower"]) if b["evidence"]["kind"] == "lengths"]
    place = ("certificate", "lower", at, "evidence", *path)
    assert alterations.entry(data, place) == 1
    assert verdict(altered(data, place, label))[0] == "failed"


def test_a_short_file_with_a_huge_number(cli: Cli, tmp_path: Any) -> None:
    """One line at once."""
    data = saved("pipelined alltoall cycle:5")
    for bound in data["certificate"]["lower"]:
        if bound["evidence"]["kind"] == "lengths":
            bound["evidence"]["lengths"][0][2] = "1e999999999"
    (tmp_path / "r.json").write_text(json.dumps(data))
    seen = cli(f"check {tmp_path / 'r.json'}")
    assert seen.status == 1
    assert [line for line in seen.out.splitlines() if "a length is of a link" in line]


def test_a_number_too_long_to_be_written() -> None:
    """Amounts whose sum has more digits than Python writes out fail, and are named by that."""
    data = saved("pipelined alltoall cycle:5")
    data["schedule"]["flows"] = [
        {**flow, "links": [[u, v, f"1/{10**980 + 2 * k + 1}"] for k in range(9) for u, v, _ in flow["links"]]}
        for flow in data["schedule"]["flows"]
    ]
    out, words = verdict(data)
    assert out == "failed"
    assert "gets a very long number more" in words
