"""The campaigns of collectives: a few cases, and that they would find what is wrong."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from schedsolve.modelkit.result import result_to_json
from schedsolve.modelkit.search import Options
from schedsolve.solving.solve import solve
from tests.soak import collectives, relations_collectives
from tests.soak.collectives import Question, broken_claim, posed, saved_question, truth, with_options
from tests.soak.falsehoods import falsehood
from tests.soak.relations_collectives import Maker, try_collective_relation

STAR = Question(
    "synchronous", "broadcast", 5, frozenset({4}), tuple((v, 4, Fraction(1)) for v in range(4)), False, 0,
    {"steps": 1, "chunks": 1},
)  # fmt: skip


def test_a_wrong_result_is_found() -> None:
    """A star behind a switch takes three rounds: each claim that says otherwise is found."""
    assert truth(STAR) == 3
    result = solve(posed(STAR), Options(certify=True))
    assert not broken_claim(STAR, result, Fraction(3))
    for least in (Fraction(2), Fraction(4), None):
        assert broken_claim(STAR, result, least)
    for rounds, wrong in ((2, 2), (3, 4)):
        decided = with_options(STAR, rounds=rounds)
        answer = solve(posed(decided), Options(certify=True))
        assert not broken_claim(decided, answer, Fraction(3))
        assert broken_claim(decided, answer, Fraction(wrong))


def test_the_oracle_judges_saved_results() -> None:
    """A saved result is read apart from the package, and its claims are compared with the oracle's word."""
    data = result_to_json(solve(posed(STAR), Options(certify=True)))
    assert saved_question(data["problem"]) == STAR._replace(links=tuple(sorted(STAR.links)))
    assert falsehood(data) == (None, "brute force")
    assert falsehood({**data, "lower_bound": 4})[0] == "a lower bound 4, where 3 suffices"
    assert falsehood({**data, "status": "infeasible"})[0] == "infeasible, though 3 suffices"
    asked = result_to_json(solve(posed(with_options(STAR, rounds=2)), Options(certify=True)))
    assert falsehood({**asked, "status": "feasible"})[0] == "feasible, though at least 3 is needed"


@pytest.mark.parametrize("maker", relations_collectives.RELATIONS, ids=lambda maker: maker.__name__)
def test_a_broken_relation_is_found(monkeypatch: pytest.MonkeyPatch, maker: Maker) -> None:
    """The value that has to be at most the other is a thousand times as large."""
    monkeypatch.setattr(relations_collectives, "RELATIONS", (maker,))
    intervals = iter([(Fraction(1000), Fraction(1000)), (Fraction(1), Fraction(1))])
    monkeypatch.setattr(relations_collectives, "interval", lambda *_: next(intervals))
    assert try_collective_relation(Random(1))[0] == "disagreement"


def test_a_few_relations() -> None:
    """Relations between small questions hold."""
    for number in range(12):
        outcome, finding = try_collective_relation(Random(number), (collectives.SMALL,))
        assert not finding, outcome
