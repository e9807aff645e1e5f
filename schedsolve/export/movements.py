"""The schedule in a saved file as data that move: what programs and times are made from."""

from __future__ import annotations

from schedsolve.certify.saved_files import read_schedule
from schedsolve.errors import InputError
from schedsolve.modelkit.movement import Movement
from schedsolve.models import movement_of
from schedsolve.problem import Problem


def read_movement(path: str, chunks: int | None = None) -> tuple[Problem, Movement]:
    """The schedule in a result or schedule file, and its problem.

    chunks: of a unit, where the schedule leaves that open. Raises InputError when there is no legal, complete
    schedule, and for one that is no movement of data.
    """
    if chunks == 0:
        raise InputError("--chunks takes a number from 1 on")
    problem, schedule = read_schedule(path)
    try:
        return problem, movement_of(problem, schedule, chunks)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
