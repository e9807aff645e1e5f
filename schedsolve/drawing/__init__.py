"""Pictures of schedules as SVG, PNG or PDF.

`result_figure`, `schedule_figure`, `times_figure` and `frontier_figure` return matplotlib figures.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from schedsolve.drawing.pictures.frontier_chart import frontier_figure
    from schedsolve.drawing.pictures.pictures import result_figure, schedule_figure
    from schedsolve.drawing.pictures.time_chart import times_figure

_LOADED_WHEN_USED = {
    "frontier_figure": "frontier_chart",
    "result_figure": "pictures",
    "schedule_figure": "pictures",
    "times_figure": "time_chart",
}


def __getattr__(name: str) -> Any:
    if name not in _LOADED_WHEN_USED:
        raise AttributeError(f"module 'schedsolve.drawing' has no attribute '{name}'")
    return getattr(import_module(f"schedsolve.drawing.{_LOADED_WHEN_USED[name]}"), name)


__all__ = ["frontier_figure", "result_figure", "schedule_figure", "times_figure"]
