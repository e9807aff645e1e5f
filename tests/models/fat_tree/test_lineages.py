"""The bound by lineages: what it proves, that it stays below optima, and that changed proofs are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.modelkit.result import Bound
from schedsolve.modelkit.search import Options, Question
from schedsolve.models.fat_tree.bounds import lineage_bounds
from schedsolve.models.fat_tree.claims.lineages import Lineages, lineages
from schedsolve.models.fat_tree.rules.tree import FatTree
from schedsolve.runtime.errors import ClaimError
from schedsolve.solving.solve import solve
from tests.models.fat_tree.problems import posed


def best_bound(task: str, n: int, **options: Any) -> Bound:
    """The last bound, its evidence as a file holds it."""
    problem = posed(task, n, **options)
    *_, last = (bound for bound in lineage_bounds(Question(problem, 0)) if bound)
    assert lineages(problem, json.loads(json.dumps(last.evidence))) == last.value
    return last


@pytest.mark.parametrize(
    ("shape", "optima"),
    [
        ("const", (5, 8, 12, 17, 22)),
        ("log", (5, 8, 12, 16, 20)),
        ("sqrt", (5, 8, 12, 17, 21)),
        ("two-thirds", (5, 8, 12, 17, 21)),
        ("linear", (5, 8, 12, 16, 20)),
    ],
)
def test_they_are_the_optima_up_to_64_processors(shape: str, optima: tuple[int, ...]) -> None:
    """Without any search, by linear programs alone."""
    for height, optimum in enumerate(optima, start=2):
        assert best_bound("broadcast", 1 << height, capacity=shape).value == optimum


@settings(max_examples=6, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=4, max_size=4), st.sampled_from(["broadcast", "product"]))
def test_they_are_no_more_than_the_optimum(growth: list[int], task: str) -> None:
    """With capacities of all kinds, and for the product too."""
    table = [1]
    for extra in growth:
        table.append(min(2 * table[-1], table[-1] + extra))
    n = 8 if task == "product" else 16
    options = {"capacity_table": table[: n.bit_length()]}
    result = solve(posed(task, n, **options), Options(backend="sat"))
    assert result.value is not None
    assert best_bound(task, n, **options).value <= result.value


def test_more_bandwidth_never_makes_them_greater() -> None:
    """The bounds of the shapes are in the order of their capacities."""
    values = [best_bound("broadcast", 32, capacity=shape).value for shape in ("const", "sqrt", "linear")]
    assert values == sorted(values, reverse=True)


def test_what_one_message_brings_about() -> None:
    """Two processors need two steps; until a message to the next height can arrive, that height is the one
    below.
    """
    known = Lineages(FatTree(3, (1, 1, 1, 1)))
    assert known.growing == [1, 1]
    known.add(2)
    assert [known.at(1, x) for x in range(4)] == [1, 1, 2, 2]
    assert known.growing == [1, 1, 2, 2]


def test_changed_proofs_are_refused() -> None:
    """Another time, weaker multipliers, a proof missing or too many, rounds, or nonsense."""
    problem, evidence = posed("broadcast", 16), dict(best_bound("broadcast", 16).evidence or {})
    proofs = evidence["proofs"]
    nothing = [*proofs[:-1], {**proofs[-1], "multipliers": []}]
    positive = [{**proofs[0], "multipliers": [[0, 1]]}, *proofs[1:]]
    changes: dict[str, Any]
    for changes in (
        {"time": evidence["time"] + 1},
        {"time": 10**6},
        {"time": "11"},
        {"proofs": nothing},
        {"proofs": proofs[1:]},
        {"proofs": [*proofs[:-1], *proofs[-2:]]},
        {"proofs": []},
        {"proofs": None},
        {"proofs": [None, *proofs[1:]]},
        {"proofs": positive},
        {"proofs": [{**proofs[0], "scale": 0}, *proofs[1:]]},
        {"proofs": [{**proofs[0], "multipliers": [[10**9, -1]]}, *proofs[1:]]},
        {"proofs": [{**proofs[0], "multipliers": [[0.5, -1]]}, *proofs[1:]]},
    ):
        with pytest.raises(ClaimError):
            lineages(problem, {**evidence, **changes})
    with pytest.raises(ClaimError, match="by the clock"):
        lineages(posed("broadcast", 16, timing="rounds"), evidence)
    assert not list(lineage_bounds(Question(posed("broadcast", 16, timing="rounds"), 0)))
