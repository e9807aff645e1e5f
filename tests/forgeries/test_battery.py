"""The battery finds nothing, has ten forgeries for every kind of evidence, and would find a fault."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from schedsolve.models import models
from schedsolve.models.matching.claims import lower_bounds
from tests.evidence.catalogue import Entry, entries
from tests.forgeries import battery, verdicts
from tests.forgeries.alterations import altered
from tests.forgeries.battery import findings, forgeries

LEAST = 10


@pytest.mark.parametrize("title", models())
def test_no_forgery_gets_through(title: str) -> None:
    """Of any kind of evidence of a record, and each of them has ten at least."""
    assert list(findings([title])) == []
    counts = Counter[str]()
    for entry in entries():
        if entry.title == title:
            counts[entry.kind] += sum(one.entry == entry for one in battery.battery(title)) - 1
    assert min(counts.values()) >= LEAST, counts


def found(title: str) -> str:
    """What the battery of a record finds first."""
    battery.battery.cache_clear()
    said = next(findings([title]), "")
    battery.battery.cache_clear()
    return said


def test_a_bound_that_is_too_high_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim that says one round more than is true."""
    claims = models()["telephone"].claims
    higher = {**claims, "odd-order": lambda problem, _: lower_bounds.odd_order(problem) or 9}
    monkeypatch.setattr(verdicts, "model_of", lambda problem: replace(models()[problem.model], claims=higher))
    assert "odd-order: another problem: proves 9" in found("telephone")


def test_a_check_that_accepts_everything_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A forged file."""
    monkeypatch.setattr(battery, "accepted", lambda _: True)
    assert found("routing").endswith("accepted")


def test_a_lenient_referee_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A schedule that is too fast."""
    kept = verdicts.replayed

    def lenient(problem: Any, schedule: Any) -> Any:
        return Fraction(0) if problem.model == "line" else kept(problem, schedule)

    monkeypatch.setattr(battery, "replayed", lenient)
    assert "a schedule of 0 is legal" in found("line")


def test_a_formula_without_a_model_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refutation of what suffices."""
    monkeypatch.setattr("tests.forgeries.refutations.refutable", lambda *_: 99)
    assert "refutes what takes" in found("routing")


def test_alterations_change_one_place_each() -> None:
    """A value, a list or an entry, all of them different from what was there."""
    data = {"rounds": 3, "weights": [1, 0], "price": "1/2", "proof": "x" * 50, "deep": {"on": True}}
    changed = list(altered(data, 10**6))
    assert all(one != data for one in changed)
    assert {k: v for k, v in changed[0].items() if data[k] != v} == {"rounds": 4}
    assert any(one["deep"] == {"on": False} for one in changed if one.get("deep"))
    assert len(list(altered(data, 7))) <= 7


def test_forgeries_are_made_for_every_entry() -> None:
    """None is left without."""
    assert all(next(forgeries(Entry(entry.title, entry.name)), None) for entry in entries())
