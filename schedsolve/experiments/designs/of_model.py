"""The designs of a model, found by the name of its folder."""

from __future__ import annotations

from schedsolve.experiments.designs.levels import Designs, FastestDesigns
from schedsolve.extensions import part_of_model
from schedsolve.models import folder_of

BY_MODEL = "schedsolve.experiments.designs.by_model"


def _found(model: str) -> Designs | FastestDesigns | None:
    part = part_of_model(BY_MODEL, folder_of(model))
    found: Designs | FastestDesigns | None = None if part is None else part.DESIGNS[model]
    return found


def designs_of(model: str) -> Designs | None:
    """Return how the networks are decided from which a design is chosen; None where there are no designs."""
    found = _found(model)
    return found if isinstance(found, Designs) else None


def fastest_designs_of(model: str) -> FastestDesigns | None:
    """Return the same of a model of times."""
    found = _found(model)
    return found if isinstance(found, FastestDesigns) else None
