"""How a picture is to look: its title, its size on paper, and its nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from schedsolve.network.graph import Network

NAMES, NUMBERS, DOTS = "names", "numbers", "dots"
DRAWN_WITH: dict[Any, Any] = {
    "svg.hashsalt": "schedsolve",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
}
"""Equal pictures give equal files; texts stay texts, in fonts that journals take (TrueType)."""


@dataclass(frozen=True)
class Look:
    """How a picture is to look.

    Attributes
    ----------
    title
        The title; "" for none, and None for the problem and what is proven of the schedule.
    width, height
        In inches; None for what the panels need.
    nodes
        What stands at a node: its name, its number from 0, or nothing ("dots").
    """

    title: str | None = None
    width: float | None = None
    height: float | None = None
    nodes: str = NAMES

    def names(self, network: Network) -> list[str]:
        """Return what axes call the nodes: their names or, where asked for, their numbers."""
        return [str(v if self.nodes == NUMBERS else label) for v, label in enumerate(network.labels)]


PLAIN = Look()
