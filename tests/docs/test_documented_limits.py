"""The limits that the documentation states for files are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from schedsolve.runtime.limits.budget import BUDGET

DOCS = Path(__file__).parents[2] / "docs"
STATED = {
    **{"nodes": BUDGET.nodes, "edges": BUDGET.edges, "rounds": BUDGET.rounds, "calls": BUDGET.calls},
    **{"MB": BUDGET.bytes / 10**6, "JSON values": BUDGET.values, "lines": BUDGET.lemmas},
    **{"symmetries": BUDGET.symmetries, "minutes of CPU": BUDGET.seconds / 60},
}


@pytest.mark.parametrize(
    ("file", "first", "named"),
    [
        ("certificates.md", "Input limits", set(STATED)),
        ("files.md", "A file may have up to", {"nodes", "edges", "rounds", "MB", "JSON values"}),
        ("files.md", "refuses a gossip of more than", {"calls"}),
    ],
)
def test_limits_are_those_of_the_code(file: str, first: str, named: set[str]) -> None:
    """All of them in the page on certificates."""
    text = " ".join((DOCS / file).read_text(encoding="utf-8").split()).replace(" two ", " 2 ")
    part = text[text.index(first) :]
    found = re.findall(rf"\b([0-9][0-9,]*) ({'|'.join(STATED)})", part[: part.index("lifts")])
    stated = {what: float(number.replace(",", "")) for number, what in found}
    assert stated == {what: most for what, most in STATED.items() if what in named}
