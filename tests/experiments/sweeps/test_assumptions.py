"""Stores of results on networks of which a reader assumed something."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest

from schedsolve import solve_many
from schedsolve.models import build_problem
from schedsolve.network.assumptions import KEY
from schedsolve.network.graph import Network
from tests.command_line import Cli
from tests.network.test_assumptions import BOTH

READ = build_problem("telephone", "gossip", replace(Network.from_spec("path:4"), assumptions=BOTH))
NAMED = build_problem("telephone", "gossip", "cycle:6")


@pytest.mark.usefixtures("here")
def test_a_store_counts_them(cli: Cli) -> None:
    """In a column that is usual where a row has any and that the check compares; an older store gets it."""
    solve_many([NAMED], workers=1, store="r.db")
    with sqlite3.connect("r.db") as store:
        store.execute(f"alter table results drop column {KEY}")
    assert cli(f"results r.db --columns n,{KEY}").out.split() == ["n", KEY, "6"]
    assert KEY not in cli("results r.db").out
    for file in ("r.db", None):
        found = solve_many([READ, NAMED], workers=1, store=file)
        assert [result.problem.network.assumptions for result in found] == [BOTH, ()]
    assert cli("results r.db").out.splitlines()[0].endswith(KEY)
    assert "2 verified, 0 failed" in cli("results r.db --check --workers 1").out
    with sqlite3.connect("r.db") as store:
        store.execute(f"update results set {KEY} = 1 where {KEY} = 2")
    assert f"the row says {KEY} 1, the result 2" in cli("results r.db --check --workers 1").out
