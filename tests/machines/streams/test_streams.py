"""Schedules cut into streams of chunks: near the optimum, complete, and rounded where they have to be."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

import pytest

from schedsolve import build_problem, solve
from schedsolve.machines.movement.movement import Cut, Movement
from schedsolve.machines.movement.saved_schedule import movement_of
from schedsolve.machines.streams import streams
from schedsolve.machines.streams.rounding import rounded
from schedsolve.machines.streams.steps import Route, routes_of
from schedsolve.machines.streams.streams import Streams, in_streams
from schedsolve.machines.timing import Costs, timing
from schedsolve.network.graph import Network
from tests.timeouts import work_until_time_is_up

FREE = Costs(Fraction(0), Fraction(1), 1)


def ends_right(movement: Movement) -> bool:
    """Whether every rank ends with what the collective gives it, when the steps are carried out."""
    layout = movement.layout
    nodes = movement.network.compute_nodes
    held: list[dict[int, frozenset[int]]] = [
        {chunk: frozenset({i}) for chunk in layout.inputs(i)} for i in range(layout.ranks)
    ]
    for step in movement.steps:
        before = [dict(each) for each in held]
        for t in step.transfers:
            u, v = nodes.index(t.sender), nodes.index(t.receiver)
            for chunk in t.chunks:
                got = before[u][chunk]
                assert not t.adds or not got & held[v][chunk]
                held[v][chunk] = got | held[v][chunk] if t.adds else got
    everybody = frozenset(range(layout.ranks))
    origin = {chunk: frozenset({i}) for i in range(layout.ranks) for chunk in layout.inputs(i)}
    return all(
        held[i].get(chunk) == (everybody if layout.adds else origin[chunk])
        for i in range(layout.ranks)
        for chunk in layout.outputs(i)
    )


@pytest.mark.parametrize(
    ("task", "network", "most"),
    [
        ("allgather", "dgx1", "1"),
        ("allreduce", "dgx1", "1"),
        ("alltoall", "dgx1", "1"),
        ("allreduce", "mi250:1", "1.05"),
        ("allreduce", "torus:3x3", "1.05"),
        ("allgather", "kautz:2,2", "1.05"),
        ("reduce-scatter", "dgx1", "1"),
        ("reduce-scatter", "leaf-spine:2,2,1", "1.05"),
        ("broadcast", "torus:3x3", "1.05"),
        ("scatter", "dgx1", "1.05"),
        ("gather", "kautz:2,2", "1.05"),
        ("reduce", "amd4", "1.05"),
    ],
)
def test_they_reach_the_optimum(task: str, network: str, most: str) -> None:
    """No chunk is late or lost, and with latency 0 the time is the proven one, or within 5 %."""
    result = solve(build_problem("pipelined", task, network))
    movement = movement_of(result.placed, result.schedule)
    assert ends_right(movement)
    assert result.value is not None
    assert 1 <= timing(movement, FREE).seconds / result.value <= Fraction(most)
    assert movement.chunks <= 2000


def test_latency_is_reckoned_with() -> None:
    """The order for a latency is better with it than the order for none."""
    result = solve(build_problem("pipelined", "allgather", "dgx1"))
    latency = Fraction(1, 10)
    costs = Costs(latency, Fraction(1), 1)
    plain, meant = (
        timing(movement_of(result.placed, result.schedule, 48, latency=given), costs).seconds
        for given in (Fraction(0), latency)
    )
    assert meant < plain


def test_weights_are_rounded_for_the_busiest_link() -> None:
    """Two ways of 1/3 and 2/3 in 4 chunks: by largest remainder 1 and 3, then exchanged where that helps."""
    network = Network(4, ((0, 1), (0, 2), (1, 3), (2, 3)), directed=True, bandwidths=(1, 2, 1, 2))
    thin = Route(Fraction(2, 5), ((1, (0, 1), False), (2, (1, 3), False)))
    wide = Route(Fraction(3, 5), ((1, (0, 2), False), (2, (2, 3), False)))
    made = rounded(network, {3: [thin, wide]}, 3)[3]
    assert [route.weight for route in made] == [Fraction(1, 3), Fraction(2, 3)]
    exact = rounded(network, {3: [thin, wide]}, 5)[3]
    assert [route.weight for route in exact] == [Fraction(2, 5), Fraction(3, 5)]


def test_denominators_beyond_the_most_chunks() -> None:
    """Bandwidths without a common denominator of use: rounded weights, and still near the optimum."""
    pairs = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
    network = Network(4, pairs, bandwidths=(1009, 1013, 1019, 1021, 1031, 1033))
    result = solve(build_problem("pipelined", "allgather", network))
    assert result.schedule is not None
    assert result.value is not None
    units = routes_of(result.placed, result.schedule)
    assert lcm(*(route.weight.denominator for routes in units.values() for route in routes)) == 3041
    movement = movement_of(result.placed, result.schedule)
    assert ends_right(movement)
    assert timing(movement, FREE).seconds <= result.value * Fraction(105, 100)
    load: dict[tuple[int, int], int] = defaultdict(int)
    for step in movement.steps:
        for transfer in step.transfers:
            for link in pairwise((transfer.sender, transfer.receiver)):
                load[link] += len(transfer.chunks)
    busiest = max(count / Fraction(network.bandwidth_of[link]) for link, count in load.items())
    assert busiest / movement.chunks <= result.value * Fraction(103, 100)


def test_orders_are_sought_in_so_many_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left of the messages to simulate decides whether more chunks are tried."""
    problem = build_problem("pipelined", "allreduce", "mi250:1", {})
    schedule = solve(problem).indexed
    found = []
    for most in (1, 20_000, 60_000):
        monkeypatch.setattr(streams, "MOST_SIMULATED", most)
        made = in_streams(problem, schedule, Cut())
        movement = movement_of(problem, schedule, made.chunks)
        assert ends_right(movement)
        found.append((made.chunks, made.seconds))
    chunks, seconds = zip(*found, strict=True)
    assert chunks[0] <= chunks[1] < chunks[2]
    assert seconds[0] >= seconds[1] > seconds[2]


def test_few_sends_where_few_are_asked_for() -> None:
    """One chunk at least, and not twice as many sends as asked for."""
    result = solve(build_problem("pipelined", "allreduce", "mi250:1"))
    assert result.schedule is not None
    counts = [
        in_streams(result.placed, result.schedule, Cut(most_transfers=most)) for most in (1, 3000, 6000)
    ]
    sends = [sum(len(sent) for _, sent in each.steps) for each in counts]
    assert sends == [30, 2880, 5760]
    assert [each.chunks for each in counts] == [1, 96, 192]
    assert counts[0].seconds > counts[1].seconds > counts[2].seconds


@pytest.mark.parametrize("task", ["allreduce", "alltoall"])
def test_levels_for_batches(task: str) -> None:
    """Each transfer in the first step in which its data are there, however many chunks there are."""
    result = solve(build_problem("pipelined", task, "path:4"))
    assert result.schedule is not None
    steps = []
    for chunks in (None, 50, 100):
        moved = movement_of(result.placed, result.schedule, chunks, in_batches=True)
        assert ends_right(moved)
        assert chunks in (None, moved.chunks)
        steps.append(len(moved.steps))
    assert max(steps) <= 6


def test_more_chunks_that_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found with fewer is taken."""
    tried: list[int] = []
    real = streams._cut

    def cut(network: Network, units: Any, count: int, *rest: Any) -> Streams:
        tried.append(count)
        if len(set(tried)) > 1:
            work_until_time_is_up()
        return real(network, units, count, *rest)

    monkeypatch.setattr(streams, "_cut", cut)
    result = solve(build_problem("pipelined", "allreduce", "torus:3x3"))
    found = in_streams(result.placed, result.schedule, Cut())
    assert found.chunks == tried[0] < tried[-1]


def test_few_chunks_where_more_gain_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """With latency, what the last number of chunks gained tells what any other can gain."""
    result = solve(build_problem("pipelined", "allgather", "dgx1"))
    tried: list[int] = []
    real = streams._cut

    def cut(network: Network, units: Any, count: int, *rest: Any) -> Streams:
        tried.append(count)
        return real(network, units, count, *rest)

    monkeypatch.setattr(streams, "_cut", cut)
    few = in_streams(result.placed, result.schedule, Cut(latency=Fraction(2, 3)))
    assert max(tried) == few.chunks
    monkeypatch.setattr(streams, "_hardly_more", lambda *_: False)
    more = in_streams(result.placed, result.schedule, Cut(latency=Fraction(2, 3)))
    assert max(tried) > few.chunks
    assert more.seconds >= streams.GAIN * few.seconds
