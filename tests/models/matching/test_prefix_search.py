"""The search that completes greedy first rounds of a broadcast by SAT."""

from __future__ import annotations

import pytest

from schedsolve.modelkit.search import Question
from schedsolve.models import build_problem, get_model
from schedsolve.models.matching.formulation import prefix_search
from schedsolve.network.graph import Network


@pytest.mark.parametrize(
    ("model", "task", "network", "options", "rounds"),
    [
        ("telephone", "broadcast", "debruijn:5", {"source": 1}, 7),
        ("telegraph", "accumulation", "ccc:3", {"root": 3}, 6),
        ("telegraph", "broadcast", "grid:4x4", {"source": "0,15"}, 4),
        ("telephone", "multicast", "hypercube:4", {"source": 0, "targets": "3,12,15"}, 4),
    ],
)
def test_it_finds_schedules(
    model: str, task: str, network: str, options: dict[str, object], rounds: int
) -> None:
    """What it finds is a legal and complete schedule with the number of rounds asked for, or fewer."""
    search = prefix_search(Question(build_problem(model, task, Network.from_spec(network), options), rounds))
    assert search is not None
    while search.advance(1.0) is None:
        pass
    problem, schedule = search.found()
    seen = get_model(model).replay(problem, schedule)
    assert seen.violation is None
    assert seen.value <= rounds
    search.close()


def test_it_never_refutes() -> None:
    """Too few rounds are not refuted by it, just not decided."""
    search = prefix_search(
        Question(build_problem("telephone", "broadcast", Network.from_spec("ccc:3"), {"source": 0}), 5)
    )
    assert search is not None
    assert search.advance(0.3) is None
    assert search.evidence() is None
    search.close()


def test_where_it_does_not_apply() -> None:
    """It is for broadcasts from given sources, with rounds to leave to SAT."""
    network = Network.from_spec("cycle:9")
    assert prefix_search(Question(build_problem("telephone", "gossip", network), 6)) is None
    assert (
        prefix_search(Question(build_problem("telephone", "broadcast", network, {"source": "min"}), 6))
        is None
    )
    assert prefix_search(Question(build_problem("telephone", "broadcast", network), 3)) is None
