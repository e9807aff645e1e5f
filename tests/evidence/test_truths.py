"""The values of the truths are the least: solved again and certified, and by brute force for some."""

from __future__ import annotations

import json

import networkx
import pytest

from schedsolve.modelkit.search import Options
from schedsolve.models import models, read_problem
from schedsolve.result import Status, value_from_json
from schedsolve.solving.solve import solve
from tests.evidence.truths import FILE, problems, truths
from tests.reference import brute_force

WRITTEN = json.loads(FILE.read_text(encoding="utf-8"))


def test_they_are_the_problems_of_the_list() -> None:
    """All of them, in order."""
    assert [read_problem(data["problem"]) for data in WRITTEN] == list(problems())
    assert set(truths()) == set(models())


@pytest.mark.parametrize(
    "part", [*range(8), *(pytest.param(p, marks=pytest.mark.slow) for p in range(8, 40))]
)
def test_solved_again(part: int) -> None:
    """The value, proven."""
    for data in WRITTEN[part::40]:
        result = solve(read_problem(data["problem"]), Options(certify=True, time_limit=30))
        assert result.status is (Status.INFEASIBLE if data["value"] is None else Status.OPTIMAL)
        assert result.value == value_from_json(data["value"])


def test_gossips_by_brute_force() -> None:
    """Of the smallest networks, both modes."""
    for model in ("telegraph", "telephone"):
        for problem, value in truths()[model]:
            network = problem.network
            if problem.task == "gossip" and network.node_count <= 4 and not network.directed:
                graph = networkx.Graph(list(network.edges))
                assert value == brute_force.gossip_rounds(graph, model == "telephone")
