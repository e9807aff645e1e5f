"""The notebooks as they are committed: stripped, with minimal metadata, opening with a question; `make
notebooks` runs them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
MACHINE_PATH = re.compile(
    r"(?<![\w.])/(work|home|root|tmp|usr|Users|opt|mnt|var|private)/|\b[A-Z]:\\\\|file://"
)


def read(file: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return data


def test_there_is_a_tour_and_a_notebook_for_every_paper() -> None:
    assert [file.stem for file in NOTEBOOKS] == [
        "00-tour",
        "01-systolic",
        "02-linear-cost",
        "03-line",
        "04-fat-tree",
        "05-routing",
        "06-collectives",
    ]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_outputs_are_stripped_and_metadata_is_minimal(file: Path) -> None:
    notebook = read(file)
    assert notebook["metadata"] == METADATA
    for cell in notebook["cells"]:
        assert cell["metadata"] == {}
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None
        else:
            assert "attachments" not in cell


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_opens_with_a_title_and_its_question(file: Path) -> None:
    first = read(file)["cells"][0]
    title, question, *_ = "".join(first["source"]).split("\n\n")
    assert first["cell_type"] == "markdown"
    assert re.fullmatch("# .+", title)
    assert re.fullmatch(r"\*\*[^*]+\?\*\*", question)


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_ends_with_what_to_try_next(file: Path) -> None:
    last = read(file)["cells"][-1]
    assert last["cell_type"] == "markdown"
    assert re.search("(?m)^## What to try next$", "".join(last["source"]))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_has_no_machine_paths(file: Path) -> None:
    assert not MACHINE_PATH.search(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_the_readme_lists_the_notebook(file: Path) -> None:
    assert f"({file.name})" in (FOLDER / "README.md").read_text(encoding="utf-8")
