"""The analysis of a schedule, by its problem's model."""

from __future__ import annotations

from schedsolve.drawing.analysis.analysis import Analysis
from schedsolve.extensions import part_of_model
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.models import folder_of
from schedsolve.runtime.errors import InputError

BY_MODEL = "schedsolve.drawing.analysis.by_model"


def analysis_of(problem: Problem, schedule: Schedule) -> Analysis:
    """Return what a legal schedule shows of how information travels.

    Raises
    ------
    InputError
        If the model has no analysis.
    """
    part = part_of_model(BY_MODEL, folder_of(problem.model, problem.parameters))
    if part is None:
        raise InputError(f"there is no analysis of {problem.model} schedules")
    found: Analysis = part.analyse(problem, schedule)
    return found
