"""The battery finds nothing, has ten forgeries for every kind of evidence, and would find a fault."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from schedsolve.certify import lower_side
from schedsolve.modelkit.evidence import EvidenceKind, fields
from schedsolve.models import models, read_problem
from schedsolve.models.matching.claims import lower_bounds
from schedsolve.models.pipelined.claims.existence import flows_claim
from tests.evidence.catalogue import Entry, entries
from tests.forgeries import battery, kinds, verdicts
from tests.forgeries.alterations import altered
from tests.forgeries.battery import findings, forgeries

LEAST = 10


@pytest.mark.parametrize("title", battery.titles())
def test_no_forgery_gets_through(title: str) -> None:
    """Of any kind of evidence of a record, or kind of file, and each of them has ten at least."""
    assert list(findings([title])) == []
    counts = Counter(one.form.partition(",")[0] for one in battery.battery(title) if one.name != "as it is")
    known = {entry.kind for entry in entries() if entry.title == title}
    assert min(counts[kind] for kind in known or counts) >= LEAST, counts


def found(title: str) -> str:
    """What the battery of a record finds first."""
    battery.battery.cache_clear()
    said = next(findings([title]), "")
    battery.battery.cache_clear()
    return said


def test_a_bound_that_is_too_high_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim that says one round more than is true."""
    kinds = models()["telephone"].evidence
    wrong = replace(kinds["odd-order"], lower=lambda problem, _: lower_bounds.odd_order(problem) or 9)
    higher = {**kinds, "odd-order": wrong}
    monkeypatch.setattr(
        verdicts, "model_of", lambda problem: replace(models()[problem.model], evidence=higher)
    )
    assert "odd-order: another problem: proves 9" in found("telephone")


def test_half_a_horizon_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A true bound is above it, and would prove that there is no schedule."""
    model = models()["synchronous"]
    half = replace(model, horizon=lambda problem: (model.horizon(problem) or 0) // 2)
    monkeypatch.setattr(lower_side, "model_of", lambda _: half)
    wrong = [one for one in battery.battery("synchronous") if "infeasible by" in one.name and one.finding]
    assert {"broadcast", "reduce", "allreduce"} <= {_problem(one).task for one in wrong}
    assert any(_problem(one).network.switches for one in wrong)


def _problem(forgery: Any) -> Any:
    return read_problem(forgery.gets_through.args[0]["problem"])


def test_trees_out_of_order_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flows show that trees exist for a reduction, which need not keep the order of the nodes."""

    def careless(problem: Any, evidence: Any) -> Any:
        free = {name: value for name, value in problem.parameters.items() if name != "ordered"}
        return flows_claim(replace(problem, parameters=free), evidence)

    careless_model = replace(
        models()["pipelined"], evidence={"flows": EvidenceKind(fields(), existence=careless)}
    )
    monkeypatch.setattr(kinds, "model_of", lambda _: careless_model)
    found = [one.finding for one in battery.battery("pipelined") if one.form == "flows" and one.finding]
    assert found
    assert "a schedule of 1/2 exists, the least is 1" in found[0]


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
