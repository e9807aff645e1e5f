"""Pipelined schedules in chunks and steps: replayed, and their rounds per chunk tend to the optimum."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest

from schedsolve.machines.streams.steps import Steps, in_steps
from schedsolve.modelkit.problem import Problem
from schedsolve.models.pipelined.formulation.alltoall import Sources, alltoall_flows, flows_of
from schedsolve.models.pipelined.rules.schedule import PipelinedSchedule
from tests.models.pipelined.problems import TASKS, found, posed


def explicit(problem: Problem) -> PipelinedSchedule:
    """An optimal schedule without symmetries."""
    if problem.task == "alltoall":
        *_, last = alltoall_flows(Sources.of(problem), 60)
        assert last is not None
        return PipelinedSchedule(last.time, flows=flows_of(last.flows))
    _, schedule = found(problem)
    assert schedule is not None
    return schedule


def holdings(problem: Problem, chunks: int) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
    """What every compute node holds before the first step, and must hold after the last."""
    nodes = problem.network.compute_nodes
    n = len(nodes)

    def unit(number: int) -> set[int]:
        return set(range(number * chunks, (number + 1) * chunks))

    own = {v: unit(i) for i, v in enumerate(nodes)}
    everything = {v: set(range(n * chunks)) for v in nodes}
    nothing: dict[int, set[int]] = {v: set() for v in nodes}
    if problem.task == "allgather":
        return own, everything
    if problem.task == "broadcast":
        return nothing | {0: unit(0)}, {v: unit(0) for v in nodes}
    if problem.task == "scatter":
        return nothing | {0: everything[0]}, own
    if problem.task == "gather":
        return own, nothing | {0: everything[0]}
    pairs = range(n)
    return (
        {v: set().union(*(unit(i * n + k) for k in pairs)) for i, v in enumerate(nodes)},
        {v: set().union(*(unit(i * n + k) for i in pairs)) for k, v in enumerate(nodes)},
    )


def carries_out(problem: Problem, steps: Steps, chunks: int) -> None:
    """A replay of the synchronous rules: nothing is sent that was not held, no link carries too much."""
    held, goal = holdings(problem, chunks)
    for rounds, sends in steps:
        load: Counter[tuple[int, int]] = Counter()
        for sender, receiver, numbers, switches, _ in sends:
            assert set(numbers) <= held[sender]
            way = (sender, *switches, receiver)
            assert set(switches) <= problem.network.switches
            for link in pairwise(way):
                load[link] += len(numbers)
        for link, count in load.items():
            assert count <= rounds * problem.network.bandwidth_of[link]
        for _, receiver, numbers, _, _ in sends:
            assert held[receiver].isdisjoint(numbers)
            held[receiver].update(numbers)
    assert all(wanted <= held[v] for v, wanted in goal.items())


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("network", ["dgx1", "path:4", "a100:2", "kautz:2,1"])
def test_steps_carry_out_the_schedule(task: str, network: str) -> None:
    """For few chunks and for many; more chunks bring the rounds per chunk nearer to the optimum."""
    problem = posed(task, network)
    schedule = explicit(problem)
    rates = []
    for chunks in (1, 2, 5, 12, 120):
        steps = in_steps(problem, schedule, chunks)
        carries_out(problem, steps, chunks)
        rates.append(Fraction(sum(rounds for rounds, _ in steps), chunks))
        assert rates[-1] >= schedule.time
    assert rates[-1] <= rates[0]


def test_many_chunks_reach_the_optimum_up_to_the_ends() -> None:
    """dgx1, 600 chunks a shard: 7 rounds for 6 chunks but for the first and the last steps."""
    problem = posed("allgather", "dgx1")
    steps = in_steps(problem, explicit(problem), 600)
    rate = Fraction(sum(rounds for rounds, _ in steps), 600)
    assert Fraction(7, 6) <= rate <= Fraction(7, 6) * Fraction(105, 100)


def test_a_schedule_by_symmetry_has_no_steps() -> None:
    """It does not say who sends what over which way."""
    problem = posed("alltoall", "cycle:5")
    _, schedule = found(problem)
    assert schedule is not None
    with pytest.raises(ValueError, match="symmetries"):
        in_steps(problem, schedule, 2)
