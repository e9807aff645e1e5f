"""Lower bounds for prefixes by what crosses the root: their values, that they stay below optima, and that
changed proofs are refused.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from schedsolve.certify.check import check_data
from schedsolve.modelkit.result import Bound, result_to_json
from schedsolve.modelkit.search import GivenUpError, Options, Question
from schedsolve.models.fat_tree.bounds import lineage_bounds
from schedsolve.models.fat_tree.claims import refutation_formula
from schedsolve.models.fat_tree.claims.crossings import crossings, round_crossings
from schedsolve.models.fat_tree.rules.tree import SHAPES
from schedsolve.models.fat_tree.search.halves import halves_search
from schedsolve.runtime.errors import ClaimError
from schedsolve.solving.solve import solve
from tests.models.fat_tree.problems import posed


def crossing_bound(n: int, **options: Any) -> Bound | None:
    """The bound by crossings, its evidence as a file holds it; None when another one is as good."""
    problem = posed("prefix", n, **options)
    for bound in lineage_bounds(Question(problem, 0)):
        if bound and (bound.evidence or {}).get("kind") == "crossings":
            assert crossings(problem, json.loads(json.dumps(bound.evidence))) == bound.value
            return bound
    return None


@pytest.mark.parametrize(("n", "value"), [(4, 6), (8, 11), (16, 16), (32, 22), (64, 30)])
def test_its_values_with_narrow_channels(n: int, value: int) -> None:
    """With one message a step across the root it is the optimum of 4 and of 8 processors."""
    bound = crossing_bound(n)
    assert bound is not None
    assert bound.value == value


@pytest.mark.parametrize("shape", SHAPES)
def test_no_optimum_is_below(shape: str) -> None:
    """Of 4 processors, by the clock and in rounds."""
    for timing in ("clock", "rounds"):
        problem = posed("prefix", 4, capacity=shape, timing=timing)
        best = solve(problem, Options()).value
        assert isinstance(best, int)
        bound = crossing_bound(4, capacity=shape) if timing == "clock" else None
        assert (round_crossings(problem) or (bound.value if bound else 0)) <= best


def test_in_rounds() -> None:
    """One message, sent when all is together, would take 2 m^2; two rounds across the root save some of
    it.
    """
    values = [round_crossings(posed("prefix", 1 << m, timing="rounds")) for m in range(1, 7)]
    assert values == [2, 8, 16, 28, 44, 64]
    wide = [round_crossings(posed("prefix", 16, timing="rounds", capacity=w)) for w in ("sqrt", "linear")]
    assert wide == [24, 16]
    for problem in (
        posed("prefix", 8),
        posed("product", 8, timing="rounds"),
        posed("prefix", 2048, timing="rounds"),
    ):
        assert round_crossings(problem) is None


def test_changed_proofs_are_refused() -> None:
    """Of another task or timing, too few, too many, or weaker ones."""
    bound = crossing_bound(8)
    assert bound is not None
    evidence = dict(bound.evidence or {})
    proofs = evidence["proofs"]
    for problem in (posed("product", 8), posed("prefix", 8, timing="rounds"), posed("prefix", 16)):
        with pytest.raises(ClaimError):
            crossings(problem, evidence)
    for changed in (None, [], proofs[:-1], [*proofs, proofs[-1]], [None, *proofs[1:]]):
        with pytest.raises(ClaimError):
            crossings(posed("prefix", 8), {"proofs": changed})
    weaker = [{**proof, "multipliers": []} for proof in proofs]
    with pytest.raises(ClaimError):
        crossings(posed("prefix", 8), {"proofs": weaker})


@pytest.mark.parametrize(
    ("n", "shape", "time"),
    [(2, "const", 2), (4, "const", 6), (4, "linear", 5), (8, "const", 11), (8, "linear", 9)],
)
def test_the_halves_alone_need_as_long(n: int, shape: str, time: int) -> None:
    """In the optimum there is a model, which says nothing; in less time there is none."""
    problem = posed("prefix", n, capacity=shape)
    search = halves_search(Question(problem, time))
    assert search is not None
    with pytest.raises(GivenUpError):
        search.advance(60)
    less = halves_search(Question(problem, time - 1))
    assert less is None if n == 2 else less is not None and less.advance(60) is False


def test_a_refutation_by_halves_is_checked() -> None:
    """What the solver proves, the checker replays; of other tasks, and of times with ways back, it says
    nothing.
    """
    problem = posed("prefix", 8, capacity="linear")
    search = halves_search(Question(problem, 8, certify=True))
    assert search is not None
    assert search.advance(60) is False
    bound = Bound("lower", 9, "refuted", search.evidence(), by="search")
    result = replace(solve(problem, Options(time_limit=0)), bounds=(bound,), lower_bound=9)
    report = check_data(json.loads(json.dumps(result_to_json(result))))
    assert any("lower bound 9: refutation of time 8 replayed" in line for line in report.lines)
    for other, time in ((posed("product", 8), 8), (posed("prefix", 8, timing="rounds"), 8), (problem, 18)):
        with pytest.raises(ClaimError):
            refutation_formula(other, {"rounds": time, "formula": "halves"})
        assert halves_search(Question(other, time)) is None


@pytest.mark.slow
def test_sixteen_processors() -> None:
    """Both sides are found and proven."""
    result = solve(posed("prefix", 16), Options(time_limit=600, certify=True))
    assert result.value == result.lower_bound == 17
    assert not check_data(json.loads(json.dumps(result_to_json(result)))).failed
