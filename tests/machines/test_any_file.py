"""Whatever makes a claim is checked: a result, its data, its file, a schedule, an algorithm."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schedsolve import build_problem, check, solve
from schedsolve.certify.saved_files import placed
from schedsolve.models import read_problem
from schedsolve.runtime.errors import InputError
from tests.evidence.catalogue import Entry

ENTRY = Entry("telegraph", "tree-broadcast")
"""Its root is left open."""


def test_results_data_and_files(tmp_path: Path) -> None:
    """All three, by the same check."""
    result = solve(build_problem("telephone", "gossip", "cycle:6"), certify=True)
    assert check(result).complete
    assert check(ENTRY.data).complete
    assert check(str(ENTRY.path)).complete
    assert check(ENTRY.path).complete
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps({**ENTRY.data, "lower_bound": 3}))
    assert check(wrong).failed
    for claimed in (result, ENTRY.data, ENTRY.path):
        with pytest.raises(InputError, match="topology"):
            check(claimed, topology="path:3")
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InputError):
        check({**ENTRY.data, "runtime_seconds": deep})
    xml = tmp_path / "a.XML"
    xml.write_text("<algo")
    with pytest.raises(InputError):
        check(xml)


@pytest.mark.parametrize("node", [True, 1.0, None, [1]])
def test_a_node_is_named_by_its_label(node: object) -> None:
    """Not by what only equals it."""
    problem = read_problem(ENTRY.data["problem"])
    assert placed(problem, {"node": 1}).sources == (1,)
    with pytest.raises(InputError, match='"node" should say'):
        placed(problem, {"node": node})


def test_who_made_a_bound() -> None:
    """In the list and in the certificate one of the words that there are."""
    data = ENTRY.data
    for bounds in (data["bounds"], data["certificate"]["lower"]):
        kept, bounds[0]["by"] = bounds[0]["by"], "nobody"
        assert check(data).failed
        bounds[0]["by"] = kept
    assert check(data).complete
