"""The calls that somebody needs, against the definition; and long schedules in little memory."""

from __future__ import annotations

import random
import tracemalloc

import pytest

from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.task import Demand, gossip_demand
from schedsolve.modelkit.useful_calls import traced_calls


def first_bringers(demand: Demand, schedule: Schedule) -> set[tuple[int, int]]:
    """Return (round, number of the call) for each call that brings a needed item first, item by item."""
    n, needed = len(demand.goal), set()
    for item in range(demand.item_count):
        brought: dict[int, tuple[int, int, int]] = {}
        held = {v for v in range(n) if demand.start[v] >> item & 1}
        for t, calls in enumerate(schedule.rounds):
            before = set(held)
            for i, call in enumerate(calls):
                for u, v in [call[:2], call[1::-1]] if call.two_way else [call[:2]]:
                    if u in before and v not in held:
                        held.add(v)
                        brought[v] = t, i, u
        for v in range(n):
            at = v if demand.goal[v] >> item & 1 else None
            while at in brought:
                t, i, at = brought[at]
                needed.add((t, i))
    return needed


@pytest.mark.parametrize("seed", range(20))
def test_calls_are_kept_that_bring_a_needed_item_first(seed: int) -> None:
    """Rounds of random calls among six nodes, more of them than fit one stretch."""
    rng = random.Random(seed)
    rounds = []
    for _ in range(rng.randrange(12)):
        nodes = rng.sample(range(6), 6)
        rounds.append(sorted(zip(nodes[::2], nodes[1::2], strict=True))[: rng.randrange(4)])
    schedule = Schedule.two_way(rounds) if seed % 2 else Schedule.one_way(rounds)
    demand = gossip_demand(6)
    needed = first_bringers(demand, schedule)
    expected = [
        [c for i, c in enumerate(calls) if (t, i) in needed] for t, calls in enumerate(schedule.rounds)
    ]
    assert [list(calls) for calls in traced_calls([demand], schedule).rounds] == [sorted(c) for c in expected]


def test_a_round_that_is_one_object_stays_one() -> None:
    """Two matchings in turn are two rounds in memory, before and after the calls are traced."""
    matchings = [[(0, 1), (2, 3)], [(0, 3), (1, 2)]]
    schedule = Schedule.two_way([matchings[0], matchings[1], matchings[0]])
    assert schedule.rounds[0] is schedule.rounds[2]
    assert len(list(schedule.different_rounds)) == 2
    gossip = Schedule.two_way(matchings[t % 2] for t in range(2))
    assert traced_calls([gossip_demand(4)], gossip).rounds[0] is gossip.rounds[0]


def test_rounds_of_a_generator_are_told_apart() -> None:
    """A round that is gone when the next is made may have had its place in memory."""
    schedule = Schedule.one_way([(t, t + 1)] for t in range(50))
    assert [calls[0][:2] for calls in schedule.rounds] == [(t, t + 1) for t in range(50)]


def test_long_gossips_are_traced_in_little_memory() -> None:
    """In a cycle of 400 nodes: what all nodes hold after all rounds would take three megabytes and more."""
    n = 400
    matchings = [[(v, (v + 1) % n) for v in range(first, n, 2)] for first in (0, 1)]
    schedule = Schedule.two_way([matchings[t % 2] for t in range(n // 2)])
    tracemalloc.start()
    traced = traced_calls([gossip_demand(n)], schedule)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert traced.call_count == schedule.call_count
    assert peak < 2_400_000
