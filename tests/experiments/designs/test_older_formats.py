"""Designs in the three formats that were written before there was one are verified as they were."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from schedsolve.certify.check import check_data
from schedsolve.certify.saved_files import read_file
from schedsolve.experiments.designs.levels import DESIGN_FORMAT
from schedsolve.runtime.errors import InputError
from tests.command_line import Cli

FILES = sorted((Path(__file__).parents[2] / "data/saved-by-0.3-dev").glob("design*.json.gz"))
OLD = {"schedsolve-design/1", "schedsolve-designs-by-degree/1", "schedsolve-fastest-design/1"}
each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.partition(".")[0])


def designs(data: Any) -> Iterator[Any]:
    """The designs in a file: itself, or those of its rows."""
    for row in data.get("rows", [{"design": data}]):
        yield from (row[name] for name in ("design", "circulants") if name in row)


def objective(data: Any) -> str:
    """What was least in a design of an older format."""
    if data["format"] == "schedsolve-fastest-design/1":
        return "time"
    limit: str = next(name for name in data["asked"] if name != "edges")
    return limit if data["asked"]["edges"] == "any" else "links"


def test_they_are_of_all_formats_and_objectives() -> None:
    every = [read_file(str(file)) for file in FILES]
    assert {data["format"] for data in every} == OLD
    assert {objective(one) for data in every for one in designs(data)} == {"links", "rounds", "steps", "time"}


@each_file
def test_they_are_verified(file: Path, cli: Cli) -> None:
    """Everything that the file claims, as if it were of the present format."""
    assert cli(f"check --strict {file}").status == 0
    data = read_file(str(file))
    report = check_data(data)
    for one in designs(data):
        one["objective"] = objective(one)
        one["format"] = DESIGN_FORMAT
    data["format"] = DESIGN_FORMAT
    assert check_data(data).to_json() == report.to_json()


@each_file
def test_what_they_rest_on_is_compared(file: Path) -> None:
    """Another digest fails; of a time that counting proves, another bound is not confirmed."""
    data = read_file(str(file))
    for one in designs(data):
        evidence = one["evidence"]
        for level in [evidence] if "digest" in evidence else evidence["levels"]:
            level["digest"] = "0" * 64 if int(level["digest"], 16) else "1" * 64
        for name in {"least_time", "least_rounds", "least_steps"} & set(one):
            one[name] = "1000" if name == "least_time" else one[name] + 1
    assert not check_data(json.loads(json.dumps(data))).complete


def test_the_present_format_says_what_is_least() -> None:
    data = {**read_file(str(FILES[0])), "format": DESIGN_FORMAT}
    for said in ({}, {"objective": "rounds"}):
        with pytest.raises(InputError, match="objective"):
            check_data({**data, **said})
