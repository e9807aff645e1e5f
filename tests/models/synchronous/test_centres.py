"""Allreduces by way of centres: every plan and schedule replayed, values that are known."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from schedsolve.models import build_problem
from schedsolve.models.synchronous.formulation.centres import Centre, CentreProgram
from schedsolve.models.synchronous.rules import replay
from schedsolve.problem import Problem
from schedsolve.solving.solve import solve


def posed(network: str, steps: int, **more: Any) -> Problem:
    """The allreduce."""
    return build_problem("synchronous", "allreduce", network, {"steps": steps, **more})


def best(problem: Problem, seconds: float = 20.0) -> Fraction:
    """The least value of the schedules that are found, all of which are replayed."""
    program = CentreProgram(problem)
    passes = 0
    for value in program.improve(seconds):
        passes += value is not None
        if passes > 12:
            break
    values = []
    for schedule in program.schedules():
        if schedule is not None:
            seen = replay(problem, schedule)
            assert seen.violation is None
            values.append(Fraction(schedule.rounds, schedule.chunks or 1))
    return min(values)


@pytest.mark.parametrize(
    ("network", "steps", "more", "value"),
    [
        # Two neighbours exchange what they have: one step less than over one node.
        ("path:4", 3, {}, Fraction(3)),
        ("path:2", 1, {}, Fraction(1)),
        ("path:4", 3, {"chunks": 2}, Fraction(3)),
        # Every link of a ring of four as a centre, in turn; counting says that less is not possible.
        ("cycle:4", 3, {}, Fraction(3, 4)),
        # Relays in between, and a switch.
        ("cycle:6", 4, {"ranks": "0,2,3"}, Fraction(4)),
        ("kautz:2,1", 4, {}, Fraction(1)),
        ("leaf-spine:3,2,1", 3, {}, Fraction(2)),
    ],
)
def test_small_networks(network: str, steps: int, more: dict[str, Any], value: Fraction) -> None:
    """The value that the steps allow over a centre."""
    assert best(posed(network, steps, **more)) == value


def test_a_torus_with_a_hole() -> None:
    """In 7 steps one node is near enough to all to be the only centre; with pairs there are many."""
    problem = posed("torus:4x4-without-5", 7)
    program = CentreProgram(problem)
    assert len(program.centres) > 20
    assert best(problem) < Fraction(3, 4)


def test_a_centre_of_two() -> None:
    """The ends of the middle link of a path add up their sides, exchange, and pass on."""
    problem = posed("path:4", 3)
    program = CentreProgram(problem)
    assert program.centres == [Centre((1, 2), 1)]
    _, plan = program.planned(program.centres[0], [[1.0] * len(program.links)] * 3)
    named = [(t, program.routes[i].sender, program.routes[i].receiver, adds) for t, i, adds in plan.sends]
    assert sorted(named) == [
        (1, 0, 1, True),
        (1, 3, 2, True),
        (2, 1, 2, True),
        (2, 2, 1, True),
        (3, 1, 0, False),
        (3, 2, 3, False),
    ]


@pytest.mark.parametrize(
    ("network", "steps", "value"),
    [("path:4", 3, Fraction(3)), ("cycle:4", 2, Fraction(1))],
)
def test_broadcasts(network: str, steps: int, value: Fraction) -> None:
    """From the source, the only centre; the values are those of the exact program."""
    problem = build_problem("synchronous", "broadcast", network, {"steps": steps, "source": 0})
    assert CentreProgram(problem).centres == [Centre((0,), 0)]
    assert best(problem) == solve(problem).value == value


def test_what_has_no_program() -> None:
    """Other tasks, and sums in the order of the nodes."""
    assert not CentreProgram.fits(posed("path:3", 4, ordered=True))
    assert not CentreProgram.fits(build_problem("synchronous", "allgather", "path:3", {"steps": 2}))
