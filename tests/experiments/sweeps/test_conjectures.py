"""Conjectures: a relation that is there is found, what is proposed is true and tight, exactly."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from schedsolve.experiments.sweeps.conjectures import conjectures
from schedsolve.experiments.sweeps.hypotheses import (
    HypothesisTable,
    Question,
    hypothesis_table,
    verdict_on,
)
from schedsolve.experiments.sweeps.results import COLUMNS
from schedsolve.experiments.sweeps.table_file import open_source
from schedsolve.network.classes.invariants import invariants
from schedsolve.network.classes.sets import networks_of
from schedsolve.runtime.errors import InputError


def table(target: str, spec: str = "graphs:3..5") -> HypothesisTable:
    """Rows on the graphs with a value that is a formula of the invariants; open where it is None."""
    rows = []
    for number, network in enumerate(networks_of(spec)):
        found = invariants(network)
        value = eval(target, {"Fraction": Fraction}, dict(found))
        status = "bounded" if value is None else "optimal"
        row = {**dict.fromkeys(COLUMNS), **found, "network": network.name, "value": value, "status": status}
        rows.append([*row.values(), value if number else None])
    return HypothesisTable((*COLUMNS, "task"), {"task": Question("telephone", "gossip", "")}, rows, {})


def texts(target: str) -> dict[str, int]:
    return {found.text: len(found.tight) for found in conjectures(table(target), "value")}


def test_a_linear_relation_is_found_from_both_sides() -> None:
    """And is tight everywhere, with fractions too, so that nothing else is proposed."""
    assert texts("2*n - diameter + 1") == dict.fromkeys(["value == 2*n - diameter + 1"], 29)
    assert texts("Fraction(n, 3) + 2") == {"value == 1/3*n + 2": 29}


@pytest.mark.parametrize("target", ["max(radius, leaves)", "m * n", "None if tree else m // 2"])
def test_proposals_hold_and_are_tight(target: str) -> None:
    """Tested as claims, and with equality where they say; open rows are left out."""
    rows = table(target)
    found = conjectures(rows, "value")
    assert {c.side for c in found if c.premise is None} == {"<=", ">="}
    for proposed in found:
        assert not verdict_on(rows, proposed.text).fails
        equal = f"{proposed.premise or True} and {proposed.target} == {proposed.bound}"
        assert verdict_on(rows, equal).holds == len(proposed.tight) > 0


def test_refused() -> None:
    """What has no optimum, and too few rows."""
    with pytest.raises(InputError, match="a conjecture is about value"):
        conjectures(table("n"), "n")
    with pytest.raises(InputError, match="there are 2 rows"):
        conjectures(table("n if n < 4 else None"), "value")


ATLAS = Path(__file__).parents[3] / "instances" / "atlas" / "atlas.csv"


@pytest.fixture(scope="module")
def atlas() -> HypothesisTable:
    with open_source(str(ATLAS)) as store:
        return hypothesis_table(store)


def test_theorems_of_the_atlas(atlas: HypothesisTable) -> None:
    """Gossip on trees, the diameter, and complete networks by parity (Knoedel; Tijdeman)."""
    found = {(c.premise, c.inequality) for c in conjectures(atlas, "telephone_gossip")}
    complete = "2*m == n*(n - 1) and n % 2 =="
    assert {
        ("tree", "telephone_gossip == 2*telephone_broadcast_min - 1"),
        (None, "telephone_gossip >= diameter"),
        (f"{complete} 0", "telephone_gossip == ceil(log2(n))"),
        (f"{complete} 1", "telephone_gossip == ceil(log2(n)) + 1"),
    } <= found


def test_premises_restrict_the_rows() -> None:
    """A value that is a formula on trees only; what all networks have is not said again of trees."""
    rows = table("3*n - 2 if tree else m*n")
    found = conjectures(rows, "value")
    assert ("tree", "value == 3*n - 2") in {(c.premise, c.inequality) for c in found}
    assert not any(verdict_on(rows, c.text).fails for c in found)
    assert {c.premise for c in conjectures(table("2*n + 1"), "value")} == {None}
