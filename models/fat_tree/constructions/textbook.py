"""Textbook products and prefixes: chains, and sweeps over blocks; a step after the other.

Source: chains are folklore; the sweeps are those of Brent and Kung, A regular layout for parallel adders
(1982).
"""

from __future__ import annotations

from collections.abc import Iterator

from ..rules import Run
from ..rules.tree import FatTree, meeting_height
from .associative import Planned

Step = list[tuple[int, int, Run]]
"""Messages that are sent at the same time: sender, receiver, run."""


def chain(tree: FatTree, root: int | None) -> Iterator[Step]:
    """Yield steps by which products pass from neighbour to neighbour, to the root from both ends.

    Without a root, for a prefix, from the first processor to the last.
    """
    last = tree.processors - 1
    end = last if root is None else root
    for p in range(end):
        yield [(p, p + 1, (0, p))]
    for p in range(last, end, -1):
        yield [(p, p - 1, (p, last))]


def sweeps(tree: FatTree, root: int | None) -> Iterator[Step]:
    """Yield steps in which in every block of 2, 4, ... the last of the first half sends to the last of all.

    For a prefix, without a root, the last of a block then sends all that comes before to the middle of the
    next one, in large blocks first.
    """
    n = tree.processors
    for height in range(1, tree.height + 1):
        size = 1 << height
        yield [(a + size // 2 - 1, a + size - 1, (a, a + size // 2 - 1)) for a in range(0, n, size)]
    if root is None:
        for height in range(tree.height - 1, 0, -1):
            size = 1 << height
            yield [(a - 1, a + size // 2 - 1, (0, a - 1)) for a in range(size, n, size)]
    elif root != n - 1:
        yield [(n - 1, root, (0, n - 1))]


def planned_steps(steps: Iterator[Step]) -> list[Planned]:
    """Return the messages, those of a step sent when all of the step before have arrived."""
    plan: list[Planned] = []
    received: dict[int, tuple[int, ...]] = {}
    begin = 0
    for step in steps:
        end = begin + 2 * max(meeting_height(p, q) for p, q, _ in step)
        # A step's messages need nothing of each other: all are planned before any is received.
        first = len(plan)
        plan += [Planned(p, q, begin, end, run, received.get(p, ())) for p, q, run in step]
        for number, (_, q, _) in enumerate(step, first):
            received[q] = (*received.get(q, ()), number)
        begin = end
    return plan
