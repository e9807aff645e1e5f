"""Results as lines: what a terminal shows of bounds that are fractions of very many digits."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from schedsolve import Schedule, build_problem, solve
from schedsolve.certify.text.text import LARGEST_NAMED, result_lines, schedule_lines, verdict_line
from schedsolve.modelkit.result import Status


@pytest.mark.parametrize(
    ("bound", "words"),
    [
        (Fraction(2, 3), "at least time 2/3 and at most time 1"),
        (Fraction(2 * LARGEST_NAMED, 3 * LARGEST_NAMED + 1), "at least time 0.666666 and at most time 1"),
    ],
)
def test_bounds_of_many_digits_are_rounded_down(bound: Fraction, words: str) -> None:
    """Where nothing is settled; the result itself keeps them."""
    solved = solve(build_problem("pipelined", "allgather", "complete:2"))
    open_one = replace(solved, status=Status.BOUNDED, lower_bound=bound, limits={})
    assert verdict_line(open_one) == f"search exhausted: {words}"


def test_calls_of_a_broadcast_name_who_informs_first() -> None:
    """Not the smaller node, which is how a two-way call is kept."""
    problem = build_problem("telephone", "broadcast", "path:4", source=3)
    schedule = Schedule.two_way([[(2, 3)], [(1, 2)], [(0, 1)]])
    assert schedule.lines(range(4)) == ["  round 1: 2-3", "  round 2: 1-2", "  round 3: 0-1"]
    assert schedule_lines(problem, schedule) == ["  round 1: 3>2", "  round 2: 2>1", "  round 3: 1>0"]


def test_the_chosen_source_counts() -> None:
    """Where the least over all sources is asked for, directions are those from the source that was found."""
    problem = build_problem("telephone", "broadcast", "path:3", source="min")
    schedule = Schedule.two_way([[(0, 1)], [(1, 2)]])
    assert schedule_lines(problem, schedule, 1) == ["  round 1: 1>0", "  round 2: 1>2"]
    solved = solve(problem)
    assert result_lines(solved)[-3] == "schedule for source 1:"
    assert all(f": {solved.node_index}>" in line for line in result_lines(solved)[-2:])


def test_calls_of_a_gossip_stay_two_way() -> None:
    """Both inform each other."""
    problem = build_problem("telephone", "gossip", "complete:2")
    assert schedule_lines(problem, Schedule.two_way([[(0, 1)]])) == ["  round 1: 0-1"]
