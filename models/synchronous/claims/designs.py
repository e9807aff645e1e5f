"""Which networks an allgather takes at most S steps on, for designs: those of diameter at most S.

A chunk makes one hop a step, so S steps take a diameter of at most S. That is enough, as a step may have as
many rounds as it needs: in step t every node sends on all chunks that it got in step t - 1.
"""

from __future__ import annotations

from schedsolve.modelkit.designs import Choice, Designs
from schedsolve.network.canonical_form import Rows, nodes_of


def _allgather(task: str, rows: Rows, directed: bool, steps: int, choice: Choice) -> bool:
    everyone = (1 << len(rows)) - 1
    balls = [1 << v for v in range(len(rows))]
    for _ in range(min(steps, len(rows))):
        balls = [_joined(balls, ball, row) for ball, row in zip(balls, rows, strict=True)]
    return all(ball == everyone for ball in balls)


def _joined(balls: list[int], own: int, row: int) -> int:
    for w in nodes_of(row):
        own |= balls[w]
    return own


def least_degree(task: str, nodes: int, steps: int, choice: Choice) -> int:
    """Return 1, or nodes - 1 for one step, in which every node must have every other as a neighbour."""
    return nodes - 1 if steps == 1 else nodes if steps < 1 else 1


DESIGNS = Designs("steps", {"allgather": False}, _allgather, least_degree)
