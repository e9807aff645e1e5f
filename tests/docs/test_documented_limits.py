"""The limits that the documentation states for files are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from schedsolve.limits.budget import BUDGET

DOCS = Path(__file__).parents[2] / "docs"
STATED = {
    "nodes": BUDGET.nodes,
    "edges": BUDGET.edges,
    "rounds": BUDGET.rounds,
    "calls": BUDGET.calls,
    "MB": BUDGET.bytes / 10**6,
    "JSON values": BUDGET.values,
    "lines": BUDGET.lemmas,
    "symmetries": BUDGET.symmetries,
    "minutes of CPU": BUDGET.seconds / 60,
}
WORDS = {"two": 2.0}
LIMIT = re.compile(rf"\b([0-9][0-9,]*|{'|'.join(WORDS)}) ({'|'.join(STATED)})")


def stated(file: str, first: str, last: str) -> dict[str, float]:
    """The limits in a part of a file, by what they count."""
    text = " ".join((DOCS / file).read_text(encoding="utf-8").split())
    part = text[text.index(first) :]
    found = LIMIT.findall(part[: part.index(last)])
    return {what: WORDS.get(number) or float(number.replace(",", "")) for number, what in found}


@pytest.mark.parametrize(
    ("file", "first", "last", "left_out"),
    [
        ("certificates.md", "Input limits", "lifts them", set()),
        (
            "files.md",
            "A file may have up to",
            "lifts these limits",
            {"calls", "lines", "symmetries", "minutes of CPU"},
        ),
        ("files.md", "refuses a gossip of more than", "lifts", STATED.keys() - {"calls"}),
    ],
)
def test_limits_are_those_of_the_code(file: str, first: str, last: str, left_out: set[str]) -> None:
    """All of them in the page on certificates."""
    expected = {what: most for what, most in STATED.items() if what not in left_out}
    assert stated(file, first, last) == {what: float(most) for what, most in expected.items()}
