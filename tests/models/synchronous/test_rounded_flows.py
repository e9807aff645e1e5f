"""Flows of the linear program rounded to whole chunks: legal schedules near its value."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from schedsolve import Network, build_problem, solve
from schedsolve.models.synchronous.bounds.flow_program import unshared_flow
from schedsolve.models.synchronous.bounds.translations import translation_subgroups
from schedsolve.models.synchronous.formulation.rounded_flows import rounded_flows
from schedsolve.models.synchronous.formulation.search import Search
from schedsolve.models.synchronous.rules import replay


@pytest.mark.parametrize(
    ("task", "spec", "options"),
    [
        ("alltoall", "petersen", {"steps": 3}),
        ("alltoall", "torus:3x4-without-5", {"steps": 4}),
        ("alltoall", "leaf-spine:3,2,1", {"steps": 2}),
        ("scatter", "random-regular:3,10", {"steps": 5, "source": 0}),
        ("gather", "grid:3x3", {"steps": 5, "root": 4}),
        ("alltoallv", "path:3", {"steps": 3, "sizes": "0,1,2;1,0,0;3,0,0"}),
        ("alltoall", "cycle:7", {"steps": 4, "chunks": 3}),
    ],
)
def test_rounded_flows_are_legal_and_near_the_bound(task: str, spec: str, options: dict[str, object]) -> None:
    problem = build_problem("synchronous", task, Network.from_spec(spec), options)
    identity = tuple(range(problem.network.node_count))
    for group in translation_subgroups(problem.network) if task == "alltoall" else [[identity]]:
        found = unshared_flow(problem, group, 60)
        assert found is not None
        assert found.bound is not None
        values = []
        for schedule in rounded_flows(problem, found, group):
            report = replay(problem, schedule)
            assert report.violation is None
            values.append(Fraction(report.value))
        assert min(values) >= found.bound.value
        if "chunks" not in options:
            assert min(values) <= found.bound.value * Fraction(21, 20)


def test_an_irregular_alltoall_ends_near_its_bound() -> None:
    """With one chunk a pair, shortest ways take 15 rounds."""
    problem = build_problem("synchronous", "alltoall", Network.from_spec("random-regular:3,12,1"), steps=5)
    data = solve(problem, time_limit=20).to_json()
    assert Fraction(data["value"]) <= Fraction(data["lower_bound"]) * Fraction(11, 10)


def test_a_flow_that_lacks_a_pair_offers_nothing() -> None:
    """The amounts towards node 3 are lost; what is left would be fewer rounds than any schedule takes."""
    problem = build_problem("synchronous", "scatter", Network.from_spec("path:4"), steps=3, source=0)
    group = [tuple(range(4))]
    found = unshared_flow(problem, group, 60)
    assert found is not None
    lost = [
        0.0 if i >= 0 and found.flow.routes[i].receiver == 3 else amount
        for amount, (_, i, _, _) in zip(found.amounts, found.flow.arcs, strict=True)
    ]
    flawed = replace(found, amounts=lost)
    assert all(replay(problem, schedule).violation for schedule in rounded_flows(problem, flawed, group))
    search = Search(problem, lambda: 0.5, certify=False)
    search.unshared = flawed
    assert not any(search._round_flows_of_program())
