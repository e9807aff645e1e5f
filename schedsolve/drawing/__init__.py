"""Pictures of schedules as SVG, PNG or PDF, pages that play them, analyses, and the demonstration.

`result_figure`, `schedule_figure`, `times_figure` and `frontier_figure` return matplotlib figures; users
import them from `schedsolve.draw`.
"""

from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from schedsolve.extensions import Extension

if TYPE_CHECKING:
    from schedsolve.drawing.pictures.frontier_chart import frontier_figure
    from schedsolve.drawing.pictures.pictures import result_figure, schedule_figure
    from schedsolve.drawing.pictures.time_chart import times_figure

EXTENSION = Extension(
    verbs={
        "draw": "pictures of a saved schedule (.svg, .png), or a page that plays it (.html)",
        "analyse": "time-paths, delays and collisions of a saved schedule",
        "demo": "one problem of every model, solved, certified, checked and drawn",
    },
    names={
        "Analysis": "analysis.analysis:Analysis",
        "analyse": "analysis.text:analyse",
        "analyze": "analysis.text:analyse",
    },
    modules={"draw": ""},
    functions={
        "analysis_lines": "analysis.text:analysis_lines",
        "draw_times": "pictures.time_chart:draw_times",
        "frontier_figure": "pictures.frontier_chart:frontier_figure",
        "network_picture": "pictures.networks_sheet:picture_of_networks",
        "picture_bytes": "pictures.pictures:picture_bytes",
        "result_figure": "pictures.pictures:result_figure",
        "result_in_frame": "page.page:result_in_frame",
    },
)

_LOADED_WHEN_USED = {
    "frontier_figure": "frontier_chart",
    "result_figure": "pictures",
    "schedule_figure": "pictures",
    "times_figure": "time_chart",
}


def __getattr__(name: str) -> Any:
    if name not in _LOADED_WHEN_USED:
        raise AttributeError(f"module 'schedsolve.draw' has no attribute '{name}'")
    return resolve_name(f"schedsolve.drawing.pictures.{_LOADED_WHEN_USED[name]}:{name}")


__all__ = ["frontier_figure", "result_figure", "schedule_figure", "times_figure"]
