"""Broadcasts mended by moving trees about."""

from __future__ import annotations

import random

import pytest

from schedsolve.modelkit.schedule import Schedule
from schedsolve.models import build_problem, get_model
from schedsolve.models.matching.search.loose_trees import NONE, LooseTrees
from schedsolve.network.graph import Network


@pytest.mark.parametrize(
    ("spec", "sources", "rounds"),
    [("hypercube:4", [3], 4), ("debruijn:5", [0], 7), ("grid:4x4", [0, 15], 5), ("kautz:2,3", [0], 6)],
)
def test_a_broadcast_is_found_from_nothing(spec: str, sources: list[int], rounds: int) -> None:
    """With all nodes loose at first, in as many rounds as needed or one more; it is legal."""
    network = Network.from_spec(spec)
    trees = LooseTrees(network, sources, [], rounds, random.Random(0))
    assert len(trees.loose) == network.node_count - len(sources)
    trees.anneal(2_000_000, 0.3)
    assert not trees.loose
    source = ",".join(str(network.labels[s]) for s in sources)
    problem = build_problem("telegraph", "broadcast", network, {"source": source})
    replay = get_model("telegraph").replay(problem, Schedule.one_way(trees.rounds()))
    assert replay.violation is None


def test_who_is_loose_is_kept_up_to_date() -> None:
    """In too few rounds somebody is always loose; the others are called later than their senders, by whom
    nobody else is called in that round.
    """
    network = Network.from_spec("debruijn:5")
    trees = LooseTrees(network, [0], [[(0, 1)]], 4, random.Random(1))
    assert len(trees.loose) == 30
    for _ in range(20):
        trees.anneal(50, 0.5)
        assert trees.loose
        slots = {(u, t): v for (u, t), v in _slots(trees).items() if v != NONE}
        fast = [v for v in range(32) if v != 0 and trees.sender[v] != NONE]
        assert slots == {(trees.sender[v], trees.time[v]): v for v in fast}
        assert all(trees.time[trees.sender[v]] < trees.time[v] <= 4 for v in fast)
        assert sorted(trees.loose) == [v for v in range(32) if v != 0 and v not in fast]
        assert all(v in network.successors[trees.sender[v]] for v in fast)


def _slots(trees: LooseTrees) -> dict[tuple[int, int], int]:
    return {(u, t): int(v) for u, row in enumerate(trees.called) for t, v in enumerate(row)}
