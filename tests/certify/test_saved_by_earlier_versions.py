"""Results that earlier versions saved are still verified, every claim of them, or refused in a line that says
which version reads them.
"""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import pytest

from schedsolve.certify.check import check_data, check_file
from schedsolve.certify.saved_files import read_file
from schedsolve.certify.saved_result import read_result, read_saved_result
from schedsolve.modelkit.result import result_to_json
from tests.needs import needs

DATA = Path(__file__).parents[1] / "data"
FILES = sorted((DATA / "saved-by-0.1.0").glob("*.json.gz"))
RETIRED = {"cubic-growth": "cubic-growth", "prices": "prices", "prices-period": "prices"} | {
    kind: kind
    for kind in ("doubling", "exhaustive", "path-collisions", "path-conflicts", "complete-tree-gossip",
                 "knowledge-growth", "load-factor", "steps")
} | {"height": "distance", "by-rule": "by rule"}  # fmt: skip
"""Results of version 0.2.0 that rest on a kind of evidence that is no longer read, with the kind."""


def test_they_are_of_all_models() -> None:
    """The six models of version 0.1.0, infeasible and least periods among them."""
    problems = [read_file(str(file)) for file in FILES]
    assert {data["problem"]["model"] for data in problems} == {
        "telegraph", "telephone", "line", "linear-cost", "fat-tree", "routing",
    }  # fmt: skip
    assert {data["status"] for data in problems} == {"optimal", "infeasible"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.partition(".")[0])
def test_they_are_verified(file: Path) -> None:
    """Everything that the file claims, and it is read and written as it stands, but for who made a bound."""
    report = check_file(str(file))
    assert report.complete, report.lines
    data = read_file(str(file))
    again = result_to_json(read_result(data), links=False)
    for name in (
        "problem",
        "status",
        "objective",
        "value",
        "lower_bound",
        "schedule",
        "node",
        "schedules",
        "period",
    ):
        assert again.get(name) == data.get(name), name


@pytest.mark.parametrize("name", RETIRED)
def test_retired_evidence_proves_nothing(name: str) -> None:
    """The bound that rests on it fails, and the line names the last version that reads it."""
    report = check_file(str(DATA / f"saved-by-0.2.0/{name}.json"))
    [line] = [line for line in report.lines if "version" in line]
    assert line.startswith("FAILED   lower bound ")
    assert f"'{RETIRED[name]}' is read up to version 0.2.0" in line
    assert not report.kinds


def test_evidence_by_its_former_name() -> None:
    """It is read as what it is called now."""
    data = read_file(str(DATA / "evidence/linear-cost/timed-program.json"))
    assert check_data(data).complete
    [bound] = [b for b in data["certificate"]["lower"] if b["evidence"]["kind"] == "timed program"]
    bound["evidence"]["kind"] = "timed programme"
    report = check_data(data)
    assert report.complete, report.lines
    assert "timed program" in report.kinds


@needs("export")
def test_retired_evidence_beside_better() -> None:
    """What it proved follows from the other bounds, so that the result is verified as before, and exported;
    the same bound on the wrong side, without a value, or above what is proven, fails.
    """
    from schedsolve.export.refutations import refutations

    data = read_file(str(DATA / "saved-by-0.2.0/gossip-hypercube-3.json"))
    report = check_data(data)
    assert report.complete, report.lines
    [note] = [line for line in report.lines if "version 0.2.0" in line and "cubic" in line]
    assert note.startswith("note     lower bound 3: it follows from 6; evidence of the kind 'cubic-growth'")
    assert "cubic-growth" not in report.kinds
    assert len(list(refutations(read_saved_result(data)))) == 1
    [bound] = [b for b in data["certificate"]["lower"] if b["evidence"]["kind"] == "cubic-growth"]
    for change in ({"side": "upper"}, {"value": None}, {"value": 7}):
        changed = deepcopy(data)
        changed["certificate"]["lower"] = [
            {**b, **change} if b == bound else b for b in changed["certificate"]["lower"]
        ]
        assert check_data(changed).failed
