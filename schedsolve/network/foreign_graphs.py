"""What a network is made from in other libraries, as types."""

from __future__ import annotations

from typing import Protocol


class GraphLike(Protocol):
    """A Graph or DiGraph of networkx."""

    def is_directed(self) -> bool:
        """Return whether the edges are arcs."""

    def is_multigraph(self) -> bool:
        """Return whether two nodes may have several edges."""


class MatrixLike(Protocol):
    """An array of numpy, or a sparse matrix or array of scipy."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The numbers of rows and columns."""
