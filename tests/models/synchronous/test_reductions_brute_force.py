"""Reductions in steps against all schedules of the smallest networks."""

from __future__ import annotations

import json
from itertools import combinations

import pytest

from schedsolve import Network, Options, build_problem, formulation, replay, solve
from schedsolve.backends.pulp import solve_program
from schedsolve.certify.check import check_data
from schedsolve.modelkit.result import Status, result_to_json
from tests.reference.reduction_search import least_rounds

TRIANGLE, PATH = ((0, 1), (1, 2), (0, 2)), ((0, 1), (1, 2))
SMALL = {
    "path:3": Network(3, PATH),
    "triangle": Network(3, TRIANGLE),
    "directed triangle": Network(3, ((0, 1), (1, 2), (2, 0)), True),
    "one way and both": Network(3, ((0, 1), (1, 0), (1, 2), (2, 0)), True),
}
FOUR = {
    "path:4": ((0, 1), (1, 2), (2, 3)),
    "star:4": ((0, 1), (0, 2), (0, 3)),
    "cycle:4": ((0, 1), (1, 2), (2, 3), (0, 3)),
    "paw": ((0, 1), (1, 2), (0, 2), (2, 3)),
}


def agree(
    task: str, network: Network, chunks: int, steps: int, *, root: int = 0, ordered: bool = False
) -> None:
    """The solver decides the least number of rounds, and one less, as brute force does."""
    expected = least_rounds(task, network.node_count, list(network.arcs), chunks, steps, root, ordered)
    parameters: dict[str, object] = {"chunks": chunks, "steps": steps}
    parameters |= {"ordered": True} if ordered else {}
    parameters |= {"root": root} if task == "reduce" else {}
    tried = [steps + 2] if expected is None else [expected, expected - 1]
    for rounds in (r for r in tried if r >= steps):
        problem = build_problem("synchronous", task, network, {**parameters, "rounds": rounds})
        result = solve(problem, Options(certify=True, time_limit=60))
        feasible = expected is not None and rounds >= expected
        status = Status.FEASIBLE if feasible else Status.INFEASIBLE
        assert result.status is status, (network.edges, task, chunks, steps, rounds, ordered)
        report = check_data(json.loads(json.dumps(result_to_json(result))))
        assert report.complete, report.text


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("task", ["reduce", "reduce-scatter", "allreduce"])
def test_programs_of_three_nodes(task: str, ordered: bool, name: str) -> None:
    """The integer program's least number of rounds, by CBC, is that of all schedules."""
    for steps, chunks in ((1, 1), (2, 1), (1, 2)):
        network = SMALL[name]
        expected = least_rounds(task, 3, list(network.arcs), chunks, steps, 0, ordered)
        parameters: dict[str, object] = {"chunks": chunks, "steps": steps}
        parameters |= {"ordered": True} if ordered else {}
        parameters |= {"root": 0} if task == "reduce" else {}
        made = formulation(build_problem("synchronous", task, network, parameters), 4, minimise=True).integer
        answer = solve_program(made.program, 60)
        assert answer.status == ("infeasible" if expected is None else "optimal")
        if expected is not None:
            seen = replay(*made.decode(answer.values.__getitem__))
            assert (seen.violation, seen.value * chunks) == (None, expected)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("task", ["reduce", "reduce-scatter", "allreduce"])
def test_three_nodes(task: str, name: str) -> None:
    """One and two chunks in one and two steps, in any order of the operands and in that of the nodes."""
    for steps in (1, 2):
        for chunks in (1, 2) if task != "reduce-scatter" else (1,):
            agree(task, SMALL[name], chunks, steps)
            agree(task, SMALL[name], chunks, steps, ordered=True)


def strongly_connected(edges: tuple[tuple[int, int], ...], nodes: int) -> bool:
    """Whether every node reaches every other."""
    network = Network(nodes, edges, True)
    return all(None not in network.distances_from([v]) for v in range(nodes))


@pytest.mark.slow
def test_all_networks_of_three_nodes() -> None:
    """All strongly connected digraphs, up to three steps."""
    arcs = [(u, v) for u in range(3) for v in range(3) if u != v]
    for count in range(3, 7):
        for edges in combinations(arcs, count):
            if strongly_connected(edges, 3):
                for steps in (1, 2, 3):
                    for chunks in (1, 2):
                        for ordered in (False, True):
                            for task in ("reduce", "allreduce"):
                                agree(task, Network(3, edges, True), chunks, steps, ordered=ordered)
                    agree("reduce-scatter", Network(3, edges, True), 1, steps)


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUR)
def test_four_nodes(name: str) -> None:
    """Networks of four nodes, up to three steps."""
    for steps in (1, 2, 3):
        for chunks in (1, 2):
            agree("allreduce", Network(4, FOUR[name]), chunks, steps)
            for root in (0, 2):
                agree("reduce", Network(4, FOUR[name]), chunks, steps, root=root)
        agree("allreduce", Network(4, FOUR[name]), 1, steps, ordered=True)


@pytest.mark.slow
def test_four_nodes_that_are_all_neighbours() -> None:
    """Two steps where there are many links."""
    diamond = ((0, 1), (1, 2), (2, 3), (0, 3), (0, 2))
    for edges in (diamond, (*diamond, (1, 3))):
        for steps in (1, 2):
            for chunks in (1, 2):
                agree("allreduce", Network(4, edges), chunks, steps)
