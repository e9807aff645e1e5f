"""Movements in a better order and in smaller parts: the same data, and less time."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import pytest

from schedsolve import build_problem, solve
from schedsolve.machines.movement.finer_movement import finer, in_parts, in_sending_order, least_seconds
from schedsolve.machines.movement.movement import Movement, MovementStep, Transfer
from schedsolve.machines.movement.saved_schedule import movement_of
from schedsolve.machines.mscclpp.check import check_plan
from schedsolve.machines.mscclpp.reader import read_plan
from schedsolve.machines.mscclpp.writer import PlanOptions, plan_text
from schedsolve.machines.timing import Costs, timing
from schedsolve.network.named.families import family_network

COSTS = Costs(Fraction(0), Fraction(1), 1)


def test_senders_that_would_meet_at_a_port() -> None:
    """Four ranks behind a switch that all send to 0 first, then to 1, ...: in another order no port waits."""
    transfers = tuple(
        Transfer(u, v, (u * 4 + v,), between=(4,)) for v in range(4) for u in range(4) if u != v
    )
    met = Movement("alltoall", family_network("leaf-spine:1,4,1"), 1, (MovementStep(3, transfers),))
    better = in_sending_order(met)
    assert sorted(better.steps[0].transfers) == sorted(transfers)
    assert timing(met, COSTS).seconds > 3
    assert timing(better, COSTS).seconds == 3


def test_messages_that_leave_over_the_same_links() -> None:
    """Ten thousand of one pair keep their order, and one of another pair need not wait for them."""
    network = family_network("leaf-spine:1,3,1")
    long = tuple(Transfer(0, 1, (number,), between=(3,)) for number in range(10_000))
    other = Transfer(2, 0, (10_000,), between=(3,))
    made = Movement("allgather", network, 10_001, (MovementStep(10_001, (*long, other)),))
    ordered = in_sending_order(made).steps[0].transfers
    assert [one for one in ordered if one.sender == 0] == list(long)
    assert ordered.index(other) == 1


@pytest.mark.parametrize("task", ["allgather", "allreduce", "alltoall"])
def test_parts_carry_out_the_same(task: str) -> None:
    """Chunks in parts: the replay of a plan finds the result right, and it is no slower."""
    result = solve(build_problem("synchronous", task, "cycle:4", {"steps": 4, "chunks": 1}))
    whole = movement_of(result.placed, result.indexed)
    for times in (1, 3):
        parts = in_parts(whole, times)
        assert parts.chunks == times * whole.chunks
        assert not check_plan(read_plan(json.loads(plan_text(parts, PlanOptions()))), None).failed
    best = finer(whole, Fraction(0), 1000)
    assert timing(best, COSTS).seconds <= timing(whole, COSTS).seconds
    assert finer(whole, Fraction(0), 1) == whole


def test_a_path_is_filled() -> None:
    """A chunk over two links in two steps takes 2; in sixteen parts 17/16, and with much latency 2 again."""
    steps = (MovementStep(1, (Transfer(0, 1, (0,)),)), MovementStep(1, (Transfer(1, 2, (0,)),)))
    path = Movement("broadcast", family_network("path:3"), 1, steps, 0)
    assert timing(path, COSTS).seconds == 2
    assert timing(finer(path, Fraction(0), 1000), COSTS).seconds == Fraction(17, 16)
    assert finer(path, Fraction(100), 1000) == path


def test_no_parts_are_faster_than_the_least() -> None:
    """Random movements, over two links too, with and without latency; a path and a fan of two reach it."""
    lots = random.Random(1)
    network = family_network("leaf-spine:1,4,1")
    for latency in (Fraction(0), Fraction(1, 3), Fraction(2)):
        for _ in range(40):
            steps = []
            for _ in range(lots.randint(1, 4)):
                pairs = [lots.sample(range(4), 2) for _ in range(lots.randint(1, 5))]
                sent = [tuple(lots.sample(range(3), lots.randint(1, 3))) for _ in pairs]
                both = zip(pairs, sent, strict=True)
                steps.append(MovementStep(3, tuple(Transfer(u, v, c, between=(4,)) for (u, v), c in both)))
            whole = Movement("alltoall", network, 3, tuple(steps))
            made = timing(finer(whole, latency, 1000), Costs(latency, Fraction(1), 1)).seconds
            assert least_seconds(whole, latency, Fraction(1)) <= made
    two = (MovementStep(1, (Transfer(0, 1, (0,)), Transfer(0, 1, (1,)))),)
    steps = [*two, MovementStep(1, (Transfer(1, 2, (0,)),))]
    path = Movement("broadcast", family_network("path:3"), 2, tuple(steps), 0)
    assert least_seconds(path, Fraction(1), Fraction(1)) == 2
    assert least_seconds(path, Fraction(0), Fraction(6)) == 6
    assert least_seconds(path, Fraction(9), Fraction(1)) == 18
