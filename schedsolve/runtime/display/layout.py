"""Matplotlib's layout of a figure that is saved."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@contextmanager
def laid_out_once(picture: Figure) -> Iterator[None]:
    """Keep `savefig` from drawing a figure twice: the first time it does so for the layout alone.

    Parameters
    ----------
    picture
        A figure with a constrained layout.
    """
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    def draw(renderer: Any) -> None:
        engine = picture.get_layout_engine()
        if isinstance(engine, ConstrainedLayoutEngine):
            engine.execute(picture)
        else:
            Figure.draw(picture, renderer)

    vars(picture)["draw"] = draw
    try:
        yield
    finally:
        del vars(picture)["draw"]
