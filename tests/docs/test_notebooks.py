"""The notebooks as they are committed: stripped, with minimal metadata, from a question to the plot that
answers it, on the public interface; `make notebooks` runs them.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import schedsolve
from schedsolve import drawing as draw
from schedsolve.models import verb_summaries

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
PACKAGES = {"numpy", "networkx", "matplotlib", "IPython"} | sys.stdlib_module_names
PUBLIC = {
    "schedsolve": {*schedsolve.__all__, *verb_summaries()},
    "schedsolve.draw": set(draw.__all__),
}
"""What a notebook imports: other packages, and the public names of this one."""
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
        "07-design",
        "08-programs",
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


def code_cells(file: Path) -> list[str]:
    """The cells of code, without the lines that only a notebook understands."""
    cells = ["".join(cell["source"]) for cell in read(file)["cells"] if cell["cell_type"] == "code"]
    return [re.sub("(?m)^%.*$", "", cell) for cell in cells]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_imports_public_names_only(file: Path) -> None:
    """From schedsolve what `__all__` and the verbs of models name; nothing from its rooms."""
    found = [node for cell in code_cells(file) for node in ast.walk(ast.parse(cell))]
    assert (
        not {alias.name.split(".")[0] for n in found if isinstance(n, ast.Import) for alias in n.names}
        - PACKAGES
    )
    taken = [node for node in found if isinstance(node, ast.ImportFrom)]
    assert "schedsolve" in {node.module for node in taken}
    for node in taken:
        module = node.module or ""
        if module.split(".")[0] == "schedsolve":
            assert {alias.name for alias in node.names} <= PUBLIC.get(module, set()), module
        else:
            assert module.split(".")[0] in PACKAGES


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_ends_with_the_plot_that_answers_its_question(file: Path) -> None:
    """Under the heading "The answer"."""
    cells = read(file)["cells"]
    last = max(i for i, cell in enumerate(cells) if cell["cell_type"] == "code")
    assert re.search("(?m)^## The answer$", "".join(cells[last - 1]["source"]))
    assert "".join(cells[last]["source"]).endswith("plt.show()")


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_what_a_notebook_prints_is_expected(file: Path) -> None:
    """Values stand in the output, not in assertions; `notebooks/run.py` holds it against these lines."""
    assert not any("assert " in cell for cell in code_cells(file))
    expected = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))
    assert sum(bool(re.search(r"\d|True|optimal", line)) for line in expected[file.stem]) >= 8


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_has_a_cell_to_change(file: Path) -> None:
    """Under the heading "Change this", before the answer."""
    cells = read(file)["cells"]
    headings = [re.findall("(?m)^## (.+)$", "".join(cell["source"])) for cell in cells]
    (at,) = (i for i, found in enumerate(headings) if "Change this" in found)
    assert cells[at + 1]["cell_type"] == "code"
    assert ["The answer"] in headings[at:]


@pytest.mark.parametrize(
    ("printed", "missing"),
    [
        ("five nodes: 3\n  six nodes: 4 \n", ""),
        ("five nodes: 3\nsix nodes: 5\n", "six nodes: 4"),
        ("six nodes: 4\nfive nodes: 3\n", "six nodes: 4"),
        ("five nodes: 13\nsix nodes: 4\n", "five nodes: 3"),
        ("", "five nodes: 3"),
    ],
)
def test_another_value_is_unexpected(printed: str, missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole line, in its place among the others."""
    nbformat = pytest.importorskip("nbformat")
    monkeypatch.syspath_prepend(str(FOLDER))
    from run import unexpected  # type: ignore[import-not-found]

    output = nbformat.v4.new_output("stream", text=printed)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", outputs=[output])])
    complaint = unexpected(notebook, ["five nodes: 3", "six nodes: 4"])
    assert complaint.endswith(missing)
    assert bool(complaint) == bool(missing)


def test_formulas_become_mathml_and_code_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a line and on lines of their own; dollar signs in code are none of a formula's."""
    pytest.importorskip("latex2mathml")
    monkeypatch.syspath_prepend(str(FOLDER))
    from html_page import with_formulas  # type: ignore[import-not-found]

    text = with_formulas("for $r \\ge T$ and\n\n$$x = 1$$\n\n`a $b$ c`")
    assert text.count("<math") == 2
    assert text.count('display="block"') == 1
    assert text.endswith("`a $b$ c`")
