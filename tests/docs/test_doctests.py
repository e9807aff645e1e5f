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
        "schedsolve.schedule",
        "schedsolve.modelkit.analysis",
        "schedsolve.result",
        "schedsolve.export.formulation",
        "schedsolve.formulas.integer_program",
        "schedsolve.formulas.dimacs",
    ],
)
def test_examples(name: str) -> None:
    """Every example of a module."""
    failed, tried = doctest.testmod(import_module(name))
    assert (failed, tried > 0) == (0, True)


def test_the_session_of_the_formulations_page() -> None:
    """What docs/formulations.md shows in Python prints what it says."""
    page = Path(__file__).parents[2] / "docs" / "formulations.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert (failed, tried > 0) == (0, True)
