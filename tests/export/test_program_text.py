"""Programs are put together from what their functions use, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from schedsolve.export.bundles import program_text
from schedsolve.export.bundles.program_text import Part, literal, part, program
from schedsolve.kernel.counting import degree_bound, odd_order_bound
from schedsolve.kernel.distances import distance_bound


def test_it_holds_what_is_used() -> None:
    """Distances use the network, and counting does not use distances."""
    imports, text = program([distance_bound])
    assert "def distances(" in text
    assert "def turned_round(" in text
    assert "from fractions import Fraction" in imports
    imports, text = program([odd_order_bound])
    assert "def distances(" not in text
    assert "def degree_bound(" not in text
    assert "import argparse" not in imports


def test_a_name_means_one_thing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two parts that define the same name cannot be put together."""
    parts = {name: part(name) for name in ("counting", "tasks", "network", "wrong")}
    parts["tasks"] = Part(
        "",
        {**parts["tasks"].definitions, "require": "def require(): ..."},
        {**parts["tasks"].uses, "require": frozenset(), "targets_of": frozenset({"require"})},
        {},
        {},
    )
    monkeypatch.setattr(program_text, "part", lambda name: parts[name])
    with pytest.raises(ValueError, match="twice"):
        program([degree_bound, distance_bound.__globals__["require"]])


@pytest.mark.parametrize("value", [
    {"a": 1, "b": [1, 2, 3], "c": {"d": "e" * 70, "f": "g h " * 40}, "i": None},
    {"many": list(range(300)), "text": 'a "b" \\ \n \'\'\'', "x": True},
    {},
])  # fmt: skip
def test_literals(value: Any) -> None:
    """They mean the value, in lines that are not too long."""
    text = literal(value)
    assert eval(text) == value
    assert max(map(len, text.splitlines())) <= 100
