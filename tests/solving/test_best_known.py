"""What is known of a problem: when it is settled, which values are open, and what replaces what."""

from __future__ import annotations

import pytest

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound, Status
from schedsolve.modelkit.schedule import Schedule
from schedsolve.models import build_problem, model_of
from schedsolve.solving.best_known import BestKnown


def known(problem: Problem, lower: int, upper: int | None, floor: int = 0) -> BestKnown:
    """The bounds of a problem, without a schedule."""
    return BestKnown(model_of(problem), problem, floor, lower, upper)


@pytest.mark.parametrize(
    ("asked", "lower", "upper", "floor", "settled"),
    [
        (None, 3, 3, 0, True),
        (None, 3, 4, 0, False),
        (None, 3, 4, 4, True),
        (None, 3, None, 9, False),
        (5, 6, None, 0, True),
        (5, 3, 5, 0, True),
        (5, 3, 6, 0, False),
        (5, 5, 6, 0, False),
        (5, 3, None, 0, False),
    ],
)
def test_when_a_question_is_settled(
    asked: int | None, lower: int, upper: int | None, floor: int, settled: bool
) -> None:
    """The bounds meet, an upper bound is good enough, or they decide the value asked about."""
    problem = build_problem("telephone", "gossip", "path:6", rounds=asked)
    best = known(problem, lower, upper, floor)
    assert best.settled is settled
    if not floor:
        assert (best.status in (Status.OPTIMAL, Status.FEASIBLE, Status.INFEASIBLE)) is settled


def test_a_bound_above_the_horizon_settles() -> None:
    """A lower bound above the value that is always enough proves that no value is."""
    best = known(build_problem("telephone", "gossip", "path:4", period=2), 0, None)
    assert best.horizon is not None
    best.add_bound(Bound("lower", best.horizon, "a test"))
    assert not best.infeasible
    best.add_bound(Bound("lower", best.horizon + 1, "a test"))
    assert best.infeasible
    assert best.settled


def test_what_replaces_what() -> None:
    """The better bound of each side, and the better schedule, which is replayed; evidence of a better upper
    bound takes the place of a schedule.
    """
    best = known(build_problem("telephone", "gossip", "path:2"), 0, None)
    call = Schedule.two_way([[(0, 1)]])
    late = Schedule((*call.rounds, *call.rounds))
    for schedule, value in ((late, 2), (call, 1), (late, 1)):
        best.add_schedule(best.problem, schedule, "a test", "construction")
        assert best.upper == value
    assert (best.schedule, len(best.bounds)) == (call, 2)
    assert best.is_open(0)
    best.add_bound(Bound("lower", 1, "a test"))
    best.add_bound(Bound("lower", 0, "a test"))
    assert (best.lower, best.is_open(0), best.is_open(1)) == (1, False, False)
    best.add_bound(Bound("upper", 0, "a test"))
    assert (best.upper, best.schedule) == (0, None)
    with pytest.raises(AssertionError, match="illegal schedule"):
        best.add_schedule(best.problem, Schedule(), "a test", "search")
