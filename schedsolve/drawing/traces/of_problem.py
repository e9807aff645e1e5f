"""The trace of a schedule, by its problem's model."""

from __future__ import annotations

from typing import Any

from schedsolve.drawing.traces.trace import Trace, trace_of_rounds
from schedsolve.extensions import part_of_model
from schedsolve.modelkit.problem import Problem
from schedsolve.models import folder_of

BY_MODEL = "schedsolve.drawing.traces.by_model"


def trace_of(problem: Problem, schedule: Any) -> Trace:
    """Return a legal schedule as pictures show it; `problem` has its source or root given."""
    part = part_of_model(BY_MODEL, folder_of(problem.model, problem.parameters))
    found: Trace = (trace_of_rounds if part is None else part.trace)(problem, schedule)
    return found
