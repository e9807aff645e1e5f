"""What tests of analyses share: gossips by calls one way, periodic ones, and the directions of calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.network.graph import Network

Pair = tuple[int, int]


Seeds = st.integers(0, 2**32)


def gossip(network: Network, **parameters: Any) -> Problem:
    return Problem("telegraph", "gossip", network, parameters)


def periodic(period_rounds: Sequence[Sequence[Pair]], rounds: int) -> Schedule:
    return Schedule.one_way(period_rounds[t % len(period_rounds)] for t in range(rounds))


def crossed_twice() -> tuple[Network, list[list[Pair]]]:
    """P_6 on the labels 1..6 with period 4: two multiples of the period are crossed at node 3, where there is
    no collision.
    """
    network = Network.from_labels(range(1, 7), [(v, v + 1) for v in range(1, 6)], name="six")
    return network, [[(0, 1), (3, 2), (4, 5)], [(1, 0), (2, 3), (5, 4)], [(1, 2), (3, 4)], [(2, 1), (4, 3)]]


def directions_of_calls(calls: Sequence[Call]) -> set[Pair]:
    return {(u, v) for u, v, *_ in calls} | {(v, u) for u, v, two_way, *_ in calls if two_way}
