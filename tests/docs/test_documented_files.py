"""Every schedule file that README and docs show is legal and complete, and what they say of networks in files
holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from schedsolve.certify.check import check_data
from schedsolve.certify.saved_files import SCHEDULE_FORMAT
from schedsolve.modelkit.problem import problem_to_json
from schedsolve.models import build_problem, models
from schedsolve.network.graph import Network
from schedsolve.solving.problem_list import read_problem_list

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def fenced(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page in a language."""
    return re.findall(
        rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )


def schedules() -> Iterator[tuple[str, Any]]:
    """Every schedule file that a page shows, with a name for it."""
    for page in PAGES:
        for number, block in enumerate(fenced(page, "json"), 1):
            data = json.loads(block)
            if data.get("format") == SCHEDULE_FORMAT:
                yield f"{page.relative_to(ROOT).as_posix()}-{number}", data


@pytest.mark.parametrize("data", [pytest.param(data, id=name) for name, data in schedules()])
def test_a_schedule_that_is_shown_passes_the_check(data: dict[str, Any]) -> None:
    """No line says FAILED."""
    report = check_data(data)
    assert not report.failed, report.lines
    assert not any(line.startswith("FAILED") for line in report.lines)


def test_every_model_has_an_example() -> None:
    """docs/files.md shows a schedule of every model, one with a period, and both forms of a fat-tree's."""
    shown = [data for name, data in schedules() if name.startswith("docs/files.md")]
    assert {data["problem"]["model"] for data in shown} == {model.name for model in models().values()}
    assert any("period" in data["schedule"] for data in shown)
    assert {"messages", "rounds"} <= {
        key for data in shown if data["problem"]["model"] == "fat-tree" for key in data["schedule"]
    }


def test_a_network_in_a_problem_is_read_as_documented(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path in a problem starts at the folder in which the command runs; a saved problem holds the network
    itself.
    """
    (tmp_path / "mine.edges").write_text("a b\nb c\n", encoding="utf-8")
    data = {
        "format": SCHEDULE_FORMAT,
        "problem": {"model": "telephone", "task": "broadcast", "network": "mine.edges"},
        "schedule": {"rounds": [[{"between": ["a", "b"]}], [{"between": ["b", "c"]}]]},
    }
    monkeypatch.chdir(tmp_path)
    assert not check_data(data).failed
    saved = problem_to_json(build_problem("telephone", "broadcast", Network.from_spec("mine.edges")))
    assert [node["id"] for node in saved["network"]["nodes"]] == ["a", "b", "c"]


def test_the_documented_list_of_problems_is_read(tmp_path: Path) -> None:
    """The TOML block of docs/files.md is a list of two problems."""
    (block,) = fenced(ROOT / "docs" / "files.md", "toml")
    file = tmp_path / "list.toml"
    file.write_text(block, encoding="utf-8")
    found = read_problem_list(str(file))
    assert [group.time_limit for group in found.groups] == [20]
    assert [problem.period for group in found.groups for problem in group.problems] == [4, 4]
