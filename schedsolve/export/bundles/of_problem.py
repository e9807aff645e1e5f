"""What the program that verifies a result is made of, by its problem's model."""

from __future__ import annotations

from schedsolve.export.bundles.record import Bundle
from schedsolve.extensions import part_of_model
from schedsolve.modelkit.problem import Problem
from schedsolve.models import folder_of
from schedsolve.runtime.errors import InputError

BY_MODEL = "schedsolve.export.bundles.by_model"


def bundle_parts(problem: Problem) -> Bundle:
    """Return what the program is made of.

    Raises
    ------
    InputError
        If there is none for the model.
    """
    part = part_of_model(BY_MODEL, folder_of(problem.model, problem.parameters))
    if part is None:
        raise InputError(
            f"no program verifies results of {problem.model} by itself yet; export without --bundle"
        )
    found: Bundle = part.bundle(problem)
    return found
