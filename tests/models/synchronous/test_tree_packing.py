"""Trees in time packed in whole numbers, by diving."""

from __future__ import annotations

from fractions import Fraction

import pytest

from schedsolve import Problem, build_problem
from schedsolve.models.synchronous.bounds.tree_program import TreeProgram
from schedsolve.models.synchronous.formulation.tree_packing import dive, schedule_of_trees
from schedsolve.models.synchronous.rules import replay
from schedsolve.models.synchronous.rules.steps import StepSchedule


def solved(problem: Problem) -> tuple[TreeProgram, Fraction]:
    """The program with the trees of an optimum, without symmetries, and its value."""
    program = TreeProgram(problem, [tuple(range(problem.network.node_count))])
    *_, value = program.solve(60)
    assert value is not None
    return program, Fraction(value).limit_denominator(1000)


def dived(program: TreeProgram, chunks: int, rounds: int, heavy: float) -> StepSchedule | None:
    """What a dive ends with."""
    *_, last = dive(program, chunks, rounds, heavy, lambda: 60.0)
    return last


@pytest.mark.parametrize("heavy", [0.8, 1.0])
@pytest.mark.parametrize(
    ("task", "spec", "steps", "value"),
    [
        ("broadcast", "path:2", 1, "1"),
        ("broadcast", "dgx1", 3, "9/22"),
        ("broadcast", "dgx1", 5, "5/19"),
        ("broadcast", "torus:3x3", 4, "2/5"),
        ("broadcast", "leaf-spine:2,4,2", 3, "745/529"),
        ("allgather", "hypercube:3", 3, "7/3"),
    ],
)
def test_whole_trees_attain_the_bound(task: str, spec: str, steps: int, value: str, heavy: float) -> None:
    """With a multiple of the bound's denominator; a round less is given up, and the next dive succeeds."""
    problem = build_problem("synchronous", task, spec, steps=steps)
    program, found = solved(problem)
    assert found == Fraction(value)
    chunks = next(c for c in range(found.denominator, 10**6, found.denominator) if c * found >= steps)
    rounds = int(chunks * found)
    assert dived(program, chunks, rounds - 1, heavy) is None
    for times in (1, 2):
        schedule = dived(program, times * chunks, times * rounds, heavy)
        assert schedule is not None
        seen = replay(problem, schedule)
        assert (seen.violation, seen.value) == (None, found)
        assert schedule.chunks == times * chunks


def test_spare_trees_send_nothing() -> None:
    """More trees than chunks: each chunk is sent once."""
    problem = build_problem("synchronous", "broadcast", "path:3", steps=2)
    program, _ = solved(problem)
    (tree,) = program.trees
    schedule = schedule_of_trees(program, {tree: 3}, [2, 2], 2)
    assert replay(problem, schedule).violation is None
    assert [send.chunks for step in schedule.steps for send in step.sends] == [(0, 1), (0, 1)]
