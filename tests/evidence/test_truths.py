"""The values of the truths are the least: solved again and certified, and by brute force for some."""

from __future__ import annotations

import json

import networkx
import pytest

from schedsolve.modelkit.result import Status, value_from_json
from schedsolve.modelkit.search import Options
from schedsolve.models import models, read_problem
from schedsolve.solving.solve import solve
from tests.evidence.truths import BY_HAND, FILE, problems, truths
from tests.reference import brute_force
from tests.reference.machines_ways import machine
from tests.reference.pipelined_oracle import least_time
from tests.soak.saved_results import posed

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


def test_those_by_hand() -> None:
    """A sum on its way to the root may hold its neighbours in the order of the nodes only."""
    triangle = machine(3, [], [(0, 1, 1), (0, 2, 1), (1, 2, 1)], directed=False)
    assert [least_time("reduce", triangle, 1, ordered=ordered) for ordered in (False, True)] == [0.5, 1]
    assert set(BY_HAND) == {"pipelined reduce cycle:3 --root 1 --ordered"}
    assert (posed(*BY_HAND), *BY_HAND.values()) in truths()["pipelined"]


def test_gossips_by_brute_force() -> None:
    """Of the smallest networks, both modes."""
    for model in ("telegraph", "telephone"):
        for problem, value in truths()[model]:
            network = problem.network
            if problem.task == "gossip" and network.node_count <= 4 and not network.directed:
                graph = networkx.Graph(list(network.edges))
                assert value == brute_force.gossip_rounds(graph, model == "telephone")
