"""The values of the model's first networks, proven on both sides, and brute force over all schedules."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from schedsolve import Network, Options, build_problem, solve
from schedsolve.certify.check import check_data
from schedsolve.modelkit.result import Result, Status, result_to_json
from tests.reference.machines_ways import machine
from tests.reference.synchronous_oracle import least_rounds


def certified(task: str, spec: str, **options: Any) -> Result:
    """The result, after a check that verifies everything that it claims."""
    problem = build_problem("synchronous", task, Network.from_spec(spec), options)
    result = solve(problem, Options(certify=True, time_limit=60))
    report = check_data(json.loads(json.dumps(result_to_json(result))))
    assert not report.failed, report.lines
    assert not [line for line in report.lines if line.startswith("not sure")]
    return result


@pytest.mark.parametrize(
    ("task", "spec", "steps", "value"),
    [
        ("allgather", "dgx1", 2, "3/2"),
        ("allgather", "dgx1", 3, "7/6"),
        ("broadcast", "dgx1", 2, "1"),
        ("broadcast", "dgx1", 3, "9/22"),
        ("broadcast", "dgx1", 6, "6/25"),
        ("broadcast", "dgx1", 7, "7/31"),
        ("gather", "dgx1", 2, "7/6"),
        ("scatter", "dgx1", 2, "7/6"),
        ("alltoall", "dgx1", 2, "8/3"),
        ("broadcast", "hypercube:3", 3, "1"),
        ("broadcast", "hypercube:3", 4, "2/3"),
        ("allgather", "hypercube:3", 3, "7/3"),
        ("allgather", "cycle:8", 4, "7/2"),
        ("allgather", "petersen", 2, "3"),
        ("allgather", "torus:3x3", 2, "2"),
        ("allgather", "kautz:2,2", 3, "7"),
        ("allgather", "leaf-spine:2,2,1", 1, "4"),
        ("alltoall", "leaf-spine:2,4,2", 1, "8"),
        ("allgather", "path:2", 1, "1"),
        ("broadcast", "path:3", 2, "2"),
    ],
)
def test_least_rounds_per_chunk(task: str, spec: str, steps: int, value: str) -> None:
    """The least rounds per chunk over all numbers of chunks, attained and proven."""
    result = certified(task, spec, steps=steps)
    assert result.status is Status.OPTIMAL
    assert result.value == Fraction(value)


@pytest.mark.parametrize(
    ("task", "spec", "chunks", "steps", "rounds", "status"),
    [
        ("allgather", "dgx1", 2, 2, 3, "feasible"),
        ("allgather", "dgx1", 6, 3, 7, "feasible"),
        ("allgather", "dgx1", 3, 2, 4, "infeasible"),
        ("allgather", "dgx1", 4, 2, 5, "infeasible"),
        ("allgather", "dgx1", 4, 1, 9, "infeasible"),
        ("broadcast", "hypercube:3", 7, 4, 5, "infeasible"),
        ("broadcast", "hypercube:3", 7, 4, 6, "feasible"),
        ("alltoall", "dgx1", 3, 2, 8, "feasible"),
        ("allgather", "hypercube:4", 4, 4, 15, "feasible"),
        ("allgather", "torus:8x8", 4, 8, 63, "feasible"),
    ],
)
def test_decisions(task: str, spec: str, chunks: int, steps: int, rounds: int, status: str) -> None:
    """(C, S, R) is decided, with a schedule or a certificate."""
    assert certified(task, spec, chunks=chunks, steps=steps, rounds=rounds).status == status


@cache
def small_networks(most: int) -> list[tuple[int, bool, tuple[tuple[int, int], ...]]]:
    """Connected graphs and strongly connected digraphs, one of every isomorphism class."""
    found: list[tuple[int, bool, tuple[tuple[int, int], ...]]] = []
    for n in range(2, most + 1):
        for directed in (False, True):
            pairs = [(u, v) for u in range(n) for v in range(n) if u < v or (directed and u != v)]
            known: list[nx.Graph] = []
            for count in range(n - 1, len(pairs) + 1):
                for edges in combinations(pairs, count):
                    graph = (nx.DiGraph if directed else nx.Graph)(edges)
                    connected = nx.is_strongly_connected if directed else nx.is_connected
                    fresh = len(graph) == n and connected(graph)
                    if fresh and not any(
                        nx.faster_could_be_isomorphic(graph, g) and nx.is_isomorphic(graph, g) for g in known
                    ):
                        known.append(graph)
                        found.append((n, directed, edges))
    return found


def agree(task: str, network: Network, chunks: int, steps: int, rounds: int) -> None:
    """The oracle and the solver say the same."""
    links = [(u, v, Fraction(bandwidth)) for (u, v), bandwidth in network.bandwidth_of.items()]
    of = machine(network.node_count, (), links, directed=True)
    node = 0 if task in ("broadcast", "gather", "scatter") else None
    least = least_rounds(task, of, chunks, steps, node)
    expected = least is not None and least <= rounds
    problem = build_problem(
        "synchronous", task, network, {"chunks": chunks, "steps": steps, "rounds": rounds}
    )
    result = solve(problem, Options(certify=True, time_limit=60))
    assert (result.status is Status.FEASIBLE) == expected, (network.edges, task, chunks, steps, rounds)
    assert (result.status is Status.INFEASIBLE) == (not expected)
    assert not check_data(json.loads(json.dumps(result_to_json(result)))).failed


TASKS = ("allgather", "broadcast", "gather", "scatter", "alltoall")


@pytest.mark.parametrize("task", TASKS)
def test_brute_force_on_three_nodes(task: str) -> None:
    """Every network of at most three nodes, one chunk, and all steps and rounds up to (2, 3)."""
    for n, directed, edges in small_networks(3):
        for steps, rounds in ((1, 1), (1, 2), (2, 2), (2, 3)):
            agree(task, Network(n, edges, directed), 1, steps, rounds)


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_brute_force_on_four_nodes(task: str) -> None:
    """Every network of at most four nodes, C <= 2, S <= 3, R <= 4."""
    for n, directed, edges in small_networks(4):
        for chunks in (1, 2):
            for steps in (1, 2, 3):
                for rounds in range(steps, 5):
                    agree(task, Network(n, edges, directed), chunks, steps, rounds)


def test_what_counting_proves_needs_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the chunks given, a schedule that meets the counting bound is found before programs are solved,
    which take a hundred times as long.
    """

    def unwanted(*_: object) -> None:
        raise AssertionError("a program was solved")

    monkeypatch.setattr("schedsolve.models.synchronous.formulation.search.cut_program", unwanted)
    nsfnet = str(Path(__file__).parents[3] / "instances/nsfnet.edges")
    for network, steps, value in ((nsfnet, 4, 7), ("torus:3x4", 4, 4)):
        result = certified("allgather", network, steps=steps, chunks=1)
        assert (result.status, result.value) == (Status.OPTIMAL, value)
