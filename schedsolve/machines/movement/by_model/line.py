"""Schedules of the line model as data that move, along the paths of their calls."""

from __future__ import annotations

from typing import Any

from schedsolve.machines.movement.movement import Cut, Movement, movement_of_calls
from schedsolve.modelkit.problem import Problem
from schedsolve.models.line.rules import path_of


def movement(problem: Problem, schedule: Any, cut: Cut) -> Movement:
    """Return the movement of a legal, complete schedule."""
    return movement_of_calls(problem, schedule, cut, path_of)
