"""What is missing at the end, in words; and theorems as bounds."""

from __future__ import annotations

import pytest

from schedsolve import Network, build_problem
from schedsolve.modelkit.knowledge import missing_knowledge
from schedsolve.modelkit.result import Bound
from schedsolve.modelkit.task import Demand, broadcast_demand, gossip_demand, multicast_demand
from schedsolve.modelkit.theorem_bounds import LowerBound, theorem_bounds
from schedsolve.runtime.errors import ClaimError

LABELS = tuple("abcdefgh")


@pytest.mark.parametrize(
    ("demand", "held", "words"),
    [
        (broadcast_demand(3, [0]), [1, 1, 1], None),
        (broadcast_demand(3, [0]), [1, 0, 1], "the message has not reached node b"),
        (broadcast_demand(8, [0]), [1, *[0] * 6, 1], "the message has not reached nodes b, c, d, e, f, g"),
        (
            broadcast_demand(8, [0]),
            [1, *[0] * 7],
            "the message has not reached nodes b, c, d, e, f, g and 1 more",
        ),
        (broadcast_demand(2, [0]), [1, 0], "the message has not reached node b"),
        (multicast_demand(3, [0], [2]), [1, 0, 1], None),
        (multicast_demand(3, [0], [2]), [1, 1, 0], "the message has not reached node c"),
        (gossip_demand(3), [7, 7, 7], None),
        (gossip_demand(3), [7, 5, 7], "node b does not know the item of node b"),
        (gossip_demand(3), [6, 7, 7], "node a does not know the item of node a"),
        (
            gossip_demand(3),
            [3, 7, 0],
            "node a does not know the item of node c; 1 more node misses something",
        ),
        (
            gossip_demand(4),
            [15, 2, 0, 0],
            "node b does not know the item of nodes a, c, d; 2 more nodes miss something",
        ),
        (gossip_demand(1), [0], "node a does not know the item of node a"),
        (Demand(2, (1, 2), (2, 0)), [1, 0], "node a does not know the item of node b"),
    ],
)
def test_what_is_missing(demand: Demand, held: list[int], words: str | None) -> None:
    """Who still misses what; nobody whose goal is reached, whatever else he does not know."""
    found = missing_knowledge(LABELS[: len(held)], [(demand, held)], 4)
    assert found == (None if words is None else f"after the last round (4): {words}")


def test_theorems() -> None:
    """A bound for each that says something and is listed; the claim of each says the same."""
    problem = build_problem("telephone", "gossip", Network.from_spec("path:3"), {})
    seven = LowerBound("seven", "as is known", lambda _: 7, exact=True)
    silent = LowerBound("silent", "of other networks", lambda _: None)
    old = LowerBound("old", "of earlier versions", lambda _: 2, listed=False)
    plain = LowerBound("plain", "by counting", lambda problem: problem.network.node_count)
    assert list(theorem_bounds([seven, silent, old, plain])(problem)) == [
        Bound("lower", 7, "as is known, exact", {"kind": "seven"}),
        Bound("lower", 3, "by counting", {"kind": "plain"}),
    ]
    assert [one.claim(problem, {}) for one in (seven, old, plain)] == [7, 2, 3]
    with pytest.raises(ClaimError, match="the premises of 'silent' do not hold"):
        silent.claim(problem, {})
