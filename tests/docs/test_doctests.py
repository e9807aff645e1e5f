"""The examples in the docstrings of the public interface run, and give what they say."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    "name",
    [
        "schedsolve",
        "schedsolve.network.graph",
        "schedsolve.network.other_libraries",
        "schedsolve.modelkit.schedule",
        "schedsolve.drawing.analysis.analysis",
        "schedsolve.modelkit.result",
        "schedsolve.solving.solve",
        "schedsolve.solving.formulation_files",
        "schedsolve.modelkit.formulas.integer_program",
        "schedsolve.modelkit.formulas.dimacs",
    ],
)
def test_examples(name: str) -> None:
    """Every example of a module."""
    failed, tried = doctest.testmod(import_module(name))
    assert (failed, tried > 0) == (0, True)


# PuLP 3 brings CBC, and says that PuLP 4 will not.
@pytest.mark.filterwarnings("ignore:PULP_CBC_CMD is deprecated:DeprecationWarning")
@pytest.mark.parametrize("name", ["api", "formulations"])
def test_the_sessions_of_a_page(name: str) -> None:
    """What the page shows in Python prints what it says."""
    if name == "api":
        pytest.importorskip("pandas")
    page = Path(__file__).parents[2] / "docs" / f"{name}.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert (failed, tried > 0) == (0, True)
