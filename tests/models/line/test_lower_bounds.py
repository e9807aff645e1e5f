"""Every lower bound by itself: its value where its premises hold, and nothing where they do not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from schedsolve.models import build_problem
from schedsolve.models.line.claims.lower_bounds import LOWER_BOUNDS
from schedsolve.network.graph import Network

PAW = Network(4, ((0, 1), (0, 2), (1, 2), (2, 3)))
"""A triangle with a leaf."""
RING = Network(5, ((0, 1), (1, 2), (2, 3), (3, 4), (4, 0)), directed=True)
OUT = Network(4, ((0, 1), (1, 2), (1, 3)), directed=True)
BOTH = Network(3, ((0, 1), (1, 0), (1, 2), (2, 1)), directed=True)
Values = dict[str, int]


def _values(degree: int, **others: int) -> Values:
    """The values by name, of which the first is always given."""
    return {"degree-growth": degree} | {name.replace("_", "-"): v for name, v in others.items()}


GOSSIPS: list[tuple[str | Network, int | str, Values]] = [
    ("path:1", "all", _values(0, tree_gossip=0)),
    ("path:2", 1, _values(1, tree_gossip=1)),
    ("path:3", "all", _values(2, tree_gossip=2)),
    ("path:3", 1, _values(2, odd_order=3, tree_gossip=2)),
    ("path:3", 2, _values(2, tree_gossip=2)),
    ("path:5", 1, _values(3, odd_order=4, crowded_rounds=3, tree_gossip=3)),
    ("star:6", "all", _values(2, tree_gossip=2)),
    ("star:6", 2, _values(3, crowded_rounds=3, tree_gossip=2)),
    ("cycle:5", "all", _values(2)),
    ("cycle:6", 2, _values(2, crowded_rounds=3)),
    ("complete:5", "all", _values(1)),
    ("complete:5", 1, _values(3, odd_order=4, crowded_rounds=3)),
    (PAW, "all", _values(2)),
    ("hypercube:4", "all", _values(2, crowded_rounds=3)),
    ("hypercube:4", 1, _values(4, crowded_rounds=3)),
]
MESSAGES: list[tuple[str, str | Network, dict[str, Any], Values]] = [
    ("broadcast", "path:5", {"source": 0}, _values(2, tree_message=2)),
    ("broadcast", "path:5", {"source": "min"}, _values(2, tree_message=2)),
    ("broadcast", "path:5", {"source": [0, 4]}, _values(2)),
    ("broadcast", "path:5", {"source": 0, "ports": "1"}, _values(3, tree_message=2)),
    ("broadcast", "path:1", {"source": 0, "ports": "1"}, _values(0, tree_message=0)),
    ("broadcast", "cycle:5", {"source": 0, "ports": "1"}, _values(3)),
    ("broadcast", "star:6", {"source": 1, "ports": "2"}, _values(3, tree_message=2)),
    ("broadcast", "star:6", {"source": "max"}, _values(2, tree_message=2)),
    ("broadcast", "star:6", {"source": "min"}, _values(1, tree_message=1)),
    ("broadcast", RING, {"source": 0}, _values(3)),
    ("broadcast", OUT, {"source": 0}, _values(2, tree_message=2)),
    ("broadcast", BOTH, {"source": 0}, _values(2)),
    ("broadcast", BOTH, {"source": "min"}, _values(1)),
    ("multicast", "path:5", {"source": 2, "targets": [3, 4]}, _values(1, tree_message=2)),
    ("accumulation", "star:6", {"root": 1}, _values(2, tree_message=2)),
    ("accumulation", BOTH, {"root": 0}, _values(2)),
]


@pytest.mark.parametrize(
    ("task", "network", "options", "values"),
    [("gossip", network, {"ports": str(ports)}, values) for network, ports, values in GOSSIPS] + MESSAGES,
)
def test_bounds_of_small_problems(
    task: str, network: str | Network, options: dict[str, Any], values: Values
) -> None:
    """Each has its value, and the others say nothing."""
    asked = Network.from_spec(network) if isinstance(network, str) else network
    problem = build_problem("line", task, asked, options)
    assert {b.name: v for b in LOWER_BOUNDS if (v := b.compute(problem)) is not None} == values


def test_a_message_that_cannot_spread() -> None:
    """Where no call leaves the informed nodes nothing is said of how long it takes."""
    problem = build_problem("line", "broadcast", OUT, {"source": 0})
    assert LOWER_BOUNDS[0].compute(problem.at_node(3)) is None


def test_two_rounds_of_arcs() -> None:
    """In a directed network nothing is known of what passes through nodes."""
    problem = build_problem("line", "gossip", Network.from_spec("path:5"), {})
    said = {b.name for b in LOWER_BOUNDS if b.compute(problem) is not None}
    arcs = Network(5, problem.network.arcs, directed=True)
    directed = {b.name for b in LOWER_BOUNDS if b.compute(replace(problem, network=arcs)) is not None}
    assert said - directed == {"crowded-rounds", "tree-gossip"}


def test_degrees_say_what_knowledge_does() -> None:
    """That a node learns from at most as many others in a round as it has edges and ports, which files of
    0.2.0 hold as `knowledge-growth`.
    """
    degrees = next(bound for bound in LOWER_BOUNDS if bound.name == "degree-growth")
    for name in ("path:7", "star:9", "grid:3x4", "complete:9", "random-tree:20,1", "random-regular:3,40,2"):
        for ports in ("all", 1, 2, 3):
            problem = build_problem("line", "gossip", name, {"ports": ports})
            most = max(len(near) for near in problem.network.successors)
            factor = 1 + (most if ports == "all" else min(most, int(ports)))
            learnt = next(t for t in range(40) if factor**t >= problem.network.node_count)
            assert (degrees.compute(problem) or 0) >= learnt, (name, ports)
