"""What a solve returns that was interrupted or had no time."""

from __future__ import annotations

import networkx as nx
import pytest

from schedsolve.modelkit.search import Options, Progress
from schedsolve.models import build_problem
from schedsolve.network.graph import Network
from schedsolve.result import Status
from schedsolve.solving.solve import solve
from tests.models.matching.cases import accepts
from tests.reference.brute_force import (
    broadcast_rounds,
)


@pytest.mark.parametrize("reports", range(1, 9))
@pytest.mark.parametrize(
    "line", ["telegraph gossip petersen", "telephone broadcast grid:3x3", "telegraph accumulation ccc:3"]
)
def test_interrupted_solve_returns_what_it_has(line: str, reports: int) -> None:
    """Interrupted anywhere, solve returns true bounds, and a schedule that replays if it has one."""
    left = iter(range(reports))
    upper = []

    def stop(progress: Progress) -> None:
        upper.append(progress.upper)
        if next(left, None) is None:
            raise KeyboardInterrupt

    model, task, network = line.split()
    options = {"gossip": {}, "broadcast": {"source": "max"}, "accumulation": {"root": "min"}}[task]
    problem = build_problem(model, task, Network.from_spec(network), options)
    result = solve(problem, Options(progress=stop, time_limit=20))
    grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(3, 3), ordering="sorted")
    known = {"petersen": 7, "ccc:3": 6}.get(network) or max(broadcast_rounds(grid, True, [v]) for v in grid)
    assert isinstance(result.lower_bound, int)
    assert result.lower_bound <= known
    if result.schedule is None:
        assert (result.status, result.value, set(upper)) == (Status.BOUNDED, None, {None})
    else:
        assert isinstance(result.value, int)
        assert result.value >= known
        assert result.status is (Status.OPTIMAL if result.value == result.lower_bound else Status.BOUNDED)
        placed = problem if result.node is None else problem.at_node(result.node)
        assert accepts(placed, result.schedule.rounds)


@pytest.mark.parametrize("source", [0, "min", "max"])
def test_no_time_at_all(source: int | str) -> None:
    """With next to no time the result says that nothing is known, rather than something wrong."""
    problem = build_problem("telephone", "broadcast", Network.from_spec("torus:4x4"), {"source": source})
    result = solve(problem, Options(time_limit=1e-9))
    assert (result.status, result.value, result.schedule) == (Status.BOUNDED, None, None)
    assert isinstance(result.lower_bound, int)
    assert result.lower_bound <= 4
