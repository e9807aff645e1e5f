"""The analysis of a schedule of the line model, as of other rounds of calls."""

from schedsolve.drawing.analysis.by_model.matching import analyse

__all__ = ["analyse"]
