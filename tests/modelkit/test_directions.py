"""Schedules for people to read: which way the one message of a broadcast goes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedsolve import Schedule, build_problem
from schedsolve.modelkit.directions import with_directions
from schedsolve.modelkit.schedule import Call


def test_calls_point_away_from_the_source() -> None:
    """Also those that were written from the other end, and whatever a node learnt a round ago."""
    problem = build_problem("telephone", "broadcast", "path:4", source=2)
    schedule = Schedule.two_way([[(1, 2)], [(0, 1), (2, 3)]])
    shown = with_directions(problem, schedule)
    assert shown.rounds == ((Call(2, 1),), (Call(1, 0), Call(2, 3)))
    assert shown.lines("abcd") == ["  round 1: c>b", "  round 2: b>a c>d"]


def test_calls_that_inform_nobody_stay_two_way() -> None:
    """Between two that know it, or two that do not, there is no direction to name; nor is a node that learns
    in a round informed when the round begins.
    """
    problem = build_problem("telephone", "broadcast", "path:4", source=0)
    schedule = Schedule.two_way([[(0, 1), (2, 3)], [(0, 1)], [(1, 2)], [(2, 3)]])
    both = (Call(0, 1), Call(2, 3, True)), (Call(0, 1, True),), (Call(1, 2),), (Call(2, 3),)
    assert with_directions(problem, schedule).rounds == both


@pytest.mark.parametrize(
    ("model", "task", "parameters"),
    [("telephone", "gossip", {}), ("telephone", "accumulation", {"root": 0})],
)
def test_other_tasks_keep_their_calls(model: str, task: str, parameters: dict[str, int]) -> None:
    """Where each side of a call may inform the other."""
    schedule = Schedule.two_way([[(0, 1)], [(1, 2)]])
    assert with_directions(build_problem(model, task, "path:3", parameters), schedule) is schedule


def test_a_period_and_one_way_calls_stay() -> None:
    """A period goes both ways in turn, and one-way calls have their direction."""
    problem = build_problem("telephone", "broadcast", "path:2", source=1)
    one_way = Schedule.one_way([[(1, 0)]])
    assert with_directions(problem, one_way) is one_way
    periodic = replace(Schedule.two_way([[(0, 1)]]), period=1)
    assert with_directions(problem, periodic) is periodic


@given(st.lists(st.integers(0, 6), min_size=1, max_size=7))
def test_the_same_calls_in_the_same_rounds(order: list[int]) -> None:
    """Of any order of the calls along a path, a round each, nothing but directions changes, and those given
    inform: replayed one way, the same nodes know.
    """
    problem = build_problem("telephone", "broadcast", "path:8", source=order[0])
    schedule = Schedule.two_way([[(v, v + 1)] for v in order])
    shown = with_directions(problem, schedule)
    both, ways = {order[0]}, {order[0]}
    for (call,), (way,) in zip(schedule.rounds, shown.rounds, strict=True):
        assert {call.sender, call.receiver} == {way.sender, way.receiver}
        assert way.two_way == ((call.sender in both) == (call.receiver in both))
        both |= {call.sender, call.receiver} if both & {call.sender, call.receiver} else set()
        ways |= {way.receiver} if not way.two_way and way.sender in ways else set()
    assert ways == both
