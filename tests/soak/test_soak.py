"""A short soak with a fixed seed, and that it would find what is wrong."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from types import ModuleType

import networkx as nx
import pytest

from schedsolve.certify.report import CheckReport
from schedsolve.kernel import path_calls, verdict
from tests.soak import differences, formulas, mutants, one_store, programs, relations
from tests.soak.__main__ import CAMPAIGNS, run_case, soak
from tests.soak.questions import Question
from tests.soak.relations import Claimed, Relation
from tests.soak.truths import Truth


@pytest.mark.usefixtures("short_constructions")
@pytest.mark.parametrize(
    ("campaign", "cases"),
    [
        ("mutants", 28),
        ("forgeries", 300),
        ("transplants", 40),
        ("programs", 60),
        ("referees", 25),
        ("forged-bundles", 1200),
        ("brute-force", 40),
        ("relations", 40),
        ("broken-input", 40),
    ],
)
def test_a_short_soak_finds_nothing(campaign: str, cases: int) -> None:
    """Neither a mutant that passes, nor a wrong value, nor a relation that is broken, nor a traceback."""
    assert campaign in CAMPAIGNS
    for number in range(cases):
        outcome, finding = run_case(campaign, 0, number)
        assert not finding, f"make soak CASE={campaign}:0:{number}: {outcome}: {finding}"


def test_a_case_repeats() -> None:
    """The seed and the number of a case repeat it, but for when two processes come to a store."""
    for campaign in CAMPAIGNS.keys() - {"one-store"}:
        assert run_case(campaign, 5, 7) == run_case(campaign, 5, 7)


def test_a_lenient_check_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that accepts everything lets false mutants pass, and they are found."""
    monkeypatch.setattr(mutants, "check_data", lambda _: CheckReport())
    monkeypatch.setattr(mutants, "base_passes", lambda _: True)
    assert any(run_case("mutants", 0, number)[0] == "false" for number in range(28))


def test_a_lenient_check_of_programs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of plans and of traces."""
    for name in ("check_bytes", "check_traces"):
        with monkeypatch.context() as lenient:
            lenient.setattr(programs, name, lambda *_: CheckReport())
            assert any(run_case("programs", 0, number)[0] == "false" for number in range(40))


@pytest.mark.parametrize(("campaign", "part", "name"), [
    ("forged-bundles", verdict, "require_stated"), ("referees", path_calls, "require_form"),
])  # fmt: skip
def test_a_lenient_part_of_the_kernel_is_found(
    campaign: str, part: ModuleType, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that takes any claim, and one that takes any key."""
    monkeypatch.setattr(part, name, lambda *_: None)
    assert any(run_case(campaign, 0, number)[0] in ("false", "disagreement") for number in range(60))


@pytest.mark.parametrize("more", [-1, 1])
def test_a_wrong_value_is_found(monkeypatch: pytest.MonkeyPatch, more: int) -> None:
    """A brute force that is off by one disagrees, and so does one that finds no schedule."""
    question = Question("telephone", "gossip", 4, ((0, 1), (1, 2), (2, 3)), False, {})
    for least in (3 + more, None):
        monkeypatch.setattr(differences, "draw", lambda _, least=least: (question, Truth(least)))
        assert run_case("brute-force", 0, 0)[0] == "disagreement"


@pytest.mark.parametrize("relation", relations.RELATIONS, ids=lambda relation: relation.__name__)
def test_a_broken_relation_is_found(monkeypatch: pytest.MonkeyPatch, relation: Relation) -> None:
    """Every relation is between claims that are solved for: each far below the one before, it is broken."""
    counted = count()

    def rising(*_: object, **__: object) -> Claimed:
        value = Fraction(1000) ** (9 - next(counted))
        return Claimed(value, value)

    monkeypatch.setattr(relations, "claimed", rising)
    monkeypatch.setattr(relations, "RELATIONS", (relation,))
    assert run_case("relations", 0, 0)[0] == "disagreement"


def test_a_wrong_premise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Full ends are not proven for a star of four nodes in six rounds, which suffice; if they are claimed,
    the formula has no model.
    """
    monkeypatch.setattr(formulas, "_random_network", lambda *_: nx.star_graph(3))
    assert run_case("formulas", 0, 4) == ("agreed", "")
    monkeypatch.setattr(formulas, "ends_are_full", lambda *_: True)
    assert run_case("formulas", 0, 4)[0] == "disagreement"


@pytest.mark.slow
def test_a_lost_row_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes fill a store; rows that a look at it leaves out are missed."""
    assert run_case("one-store", 0, 1) == ("whole", "")
    monkeypatch.setattr(one_store, "CHECK", "results s.db --where n>4 --check --workers 1")
    assert run_case("one-store", 0, 1)[0] == "lost"


def test_the_summary(capsys: pytest.CaptureFixture[str]) -> None:
    """It says how many cases were tried and how many findings of each kind there are."""
    assert soak(0.5, 3) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("seed 3: ")
    assert "0 false acceptances, 0 disagreements, 0 tracebacks, 0 other findings" in last
