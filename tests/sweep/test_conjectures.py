"""Conjectures: a relation that is there is found, what is proposed is true and tight, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest

from schedsolve.errors import InputError
from schedsolve.network.invariants import invariants
from schedsolve.network.sets import networks_of
from schedsolve.sweep.conjectures import conjectures
from schedsolve.sweep.hypotheses import HypothesisTable, Question, verdict_on
from schedsolve.sweep.results import COLUMNS


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
    assert texts("2*n - diameter + 1") == dict.fromkeys(
        ["value <= 2*n - diameter + 1", "value >= 2*n - diameter + 1"], 29
    )
    assert texts("Fraction(n, 3) + 2") == dict.fromkeys(["value <= 1/3*n + 2", "value >= 1/3*n + 2"], 29)


@pytest.mark.parametrize("target", ["max(radius, leaves)", "m * n", "None if tree else m // 2"])
def test_proposals_hold_and_are_tight(target: str) -> None:
    """Tested as claims, and with equality where they say; open rows are left out."""
    rows = table(target)
    found = conjectures(rows, "value")
    assert {c.text.split()[1] for c in found} == {"<=", ">="}
    for proposed in found:
        assert not verdict_on(rows, proposed.text).fails
        equal = proposed.text.replace("<=", "==").replace(">=", "==")
        assert verdict_on(rows, equal).holds == len(proposed.tight) > 0


def test_refused() -> None:
    """What has no optimum, and too few rows."""
    with pytest.raises(InputError, match="a conjecture is about value"):
        conjectures(table("n"), "n")
    with pytest.raises(InputError, match="there are 2 rows"):
        conjectures(table("n if n < 4 else None"), "value")
