"""The program for a given number of packets against brute force, on small networks and for few rounds."""

from __future__ import annotations

import pytest

from tests.soak.differences import of_packets
from tests.soak.questions import Question
from tests.soak.truths import cost_of_packets

NETWORKS = {
    "one node": (1, ()),
    "path": (3, ((0, 1), (1, 2))),
    "triangle": (3, ((0, 1), (0, 2), (1, 2))),
    "star": (4, ((0, 1), (0, 2), (0, 3))),
    "cycle": (4, ((0, 1), (0, 3), (1, 2), (2, 3))),
}


@pytest.mark.parametrize("name", sorted(NETWORKS))
@pytest.mark.parametrize("ports", [{"ports": 1}, {"ports": 2}, {"ports": 1, "weak_ports": True}])
def test_the_least_cost_of_packets(name: str, ports: dict[str, int]) -> None:
    """The least cost suffices and nothing below it does; in too few rounds nothing, nor in none at all."""
    nodes, links = NETWORKS[name]
    for rounds in range(4):
        for packets in (1, 2):
            question = Question(
                "linear-cost", "broadcast", nodes, links, False, {**ports, "source": nodes - 1}
            )
            question = question.having(total_rounds=rounds)
            assert of_packets(question, question.problem(), packets) is None
            if rounds == 0:
                assert cost_of_packets(question, packets) == (0 if nodes == 1 else None)
