"""The examples in the docstrings of the public interface run, and give what they say."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize(
    "name",
    [
        "schedsolve",
        "schedsolve.network.graph",
        "schedsolve.schedule",
        "schedsolve.modelkit.analysis",
        "schedsolve.result",
    ],
)
def test_examples(name: str) -> None:
    """Every example of a module."""
    failed, tried = doctest.testmod(import_module(name))
    assert (failed, tried > 0) == (0, True)
