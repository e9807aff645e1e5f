"""Designs by SAT agree with the generation of all networks, on both sides of the fewest links."""

from __future__ import annotations

from typing import Any

import pytest

from schedsolve import design
from schedsolve.experiments.designs.rounds_formula import design_search
from schedsolve.experiments.designs.wanted import wanted
from schedsolve.models import build_problem, replay
from schedsolve.network.classes.network_class import NetworkClass, rows_of

CASES: list[tuple[str, str, int, dict[str, Any], str | None]] = [
    *(("telephone", "gossip", n, {}, None) for n in range(2, 8)),
    *(("telegraph", "gossip", n, {}, None) for n in range(2, 6)),
    *(("telephone", "broadcast", n, {}, "max") for n in range(2, 9)),
    ("telephone", "broadcast", 6, {}, "min"),
    ("telephone", "gossip", 6, {"max_degree": 2}, None),
    ("telephone", "gossip", 8, {"regular": 3}, None),
]


@pytest.mark.parametrize(("model", "task", "n", "kind", "source"), CASES)
def test_both_sides_agree_with_generation(
    model: str, task: str, n: int, kind: dict[str, Any], source: str | None
) -> None:
    """With the fewest links there is a network, which the decision confirms; with one less there is none."""
    found = design(model, task, n, source=source, **kind)
    rounds, edges = found.sides.reached, found.sides.edges
    assert rounds is not None
    assert edges is not None
    question = wanted(model, task, NetworkClass(n, **kind), source=source).question(rounds)
    search = design_search(model, question, edges)
    assert search is not None
    assert search.advance(60) is True
    problem, schedule = search.found()
    assert len(problem.network.edges) <= edges
    assert question.holds_for(rows_of(problem.network))
    if task == "gossip":
        posed = build_problem(model, task, problem.network, rounds=rounds)
        assert replay(posed, schedule).violation is None
    fewer = design_search(model, question, edges - 1)
    assert fewer is not None
    assert fewer.advance(60) is False


def test_classes_without_a_formula() -> None:
    question = wanted("telephone", "gossip", NetworkClass(6, bipartite=True)).question(3)
    assert design_search("telephone", question, 6) is None
