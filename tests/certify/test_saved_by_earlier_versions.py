"""Results that earlier versions saved are still verified, every claim of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from schedsolve.certify.check import check_file
from schedsolve.certify.saved_files import read_file, read_result
from schedsolve.result import result_to_json

FILES = sorted((Path(__file__).parents[1] / "data" / "saved-by-0.1.0").glob("*.json.gz"))


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
