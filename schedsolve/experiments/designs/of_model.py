"""The designs of a model, found by the name of its folder."""

from __future__ import annotations

from schedsolve.experiments.designs.levels import Designs
from schedsolve.extensions import part_of_model
from schedsolve.models import folder_of

BY_MODEL = "schedsolve.experiments.designs.by_model"


def designs_of(model: str) -> Designs | None:
    """Return how the networks are decided from which a design is chosen; None where there are no designs."""
    part = part_of_model(BY_MODEL, folder_of(model))
    found: Designs | None = None if part is None else part.DESIGNS[model]
    return found
