"""Which networks an allgather takes at most S steps on, for designs: those of diameter at most S.

A chunk makes one hop a step, so S steps take a diameter of at most S. That is enough, as a step may have as
many rounds as it needs: in step t every node sends on all chunks that it got in step t - 1.
"""

from __future__ import annotations

from fractions import Fraction

from schedsolve.experiments.designs.levels import Choice, Designs
from schedsolve.experiments.designs.small_networks import within_distance
from schedsolve.network.classes.canonical_form import Rows


def _allgather(task: str, rows: Rows, directed: bool, steps: int, choice: Choice) -> bool:
    return within_distance(rows, steps)


def least_degree(task: str, nodes: int, steps: int, choice: Choice) -> int:
    """Return 1, or nodes - 1 for one step, in which every node must have every other as a neighbour."""
    return nodes - 1 if steps == 1 else nodes if steps < 1 else 1


def least_time(task: str, nodes: int, degree: int, edges: int) -> Fraction:
    """Return (n - 1) / D: n - 1 units enter every node, over D links at most."""
    return Fraction(nodes - 1, degree)


DESIGNS = {
    "synchronous": Designs(
        "steps", {"allgather": False}, _allgather, least_degree, distance=True, least_time=least_time
    )
}
