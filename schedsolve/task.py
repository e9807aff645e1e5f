"""Tasks of information dissemination: which items nodes hold at the start and must know at the end."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from schedsolve.errors import InputError

LARGEST_KNOWLEDGE = 8_000_000_000
"""The most pairs of node and item whose state is kept, in bits; this is a gigabyte."""


@dataclass(frozen=True)
class Demand:
    """A task in the form that a referee checks; sets of items are bit masks, bit i for item i.

    Attributes
    ----------
    item_count
        The number of items.
    start
        For every node, the items that it holds before round 1.
    goal
        For every node, the items that it must hold after the last round.
    """

    item_count: int
    start: tuple[int, ...]
    goal: tuple[int, ...]


def broadcast_demand(node_count: int, sources: Collection[int]) -> Demand:
    """Return the demand of one item, held by every source at the start and by all nodes at the end."""
    return multicast_demand(node_count, sources, range(node_count))


def multicast_demand(node_count: int, sources: Collection[int], targets: Collection[int]) -> Demand:
    """Return the demand of one item, held by every source at the start and by every target at the end.

    The other nodes may relay it.
    """
    start = [0] * node_count
    goal = [0] * node_count
    for s in sources:
        start[s] = 1
    for v in targets:
        goal[v] = 1
    return Demand(1, tuple(start), tuple(goal))


def accumulation_demand(node_count: int, root: int) -> Demand:
    """Return the demand in which every node v starts with item v, and the root must hold all items."""
    _refuse_large(node_count)
    everything = (1 << node_count) - 1
    goal = tuple(everything if v == root else 0 for v in range(node_count))
    return Demand(node_count, tuple(1 << v for v in range(node_count)), goal)


def gossip_demand(node_count: int) -> Demand:
    """Return the demand in which every node v starts with item v, and all nodes must hold all items."""
    _refuse_large(node_count)
    everything = (1 << node_count) - 1
    return Demand(node_count, tuple(1 << v for v in range(node_count)), (everything,) * node_count)


def is_replayable(node_count: int) -> bool:
    """Return whether the memory holds each item at each of so many nodes, as the replay of a gossip needs."""
    return node_count**2 <= LARGEST_KNOWLEDGE


def _refuse_large(node_count: int) -> None:
    """Raise InputError if every item at every node would exceed the memory."""
    if not is_replayable(node_count):
        raise InputError(
            f"{node_count} items at {node_count} nodes take {node_count**2 // 8_000_000_000} GB and more to"
            " replay; there is memory for fewer"
        )


def with_article(task: str) -> str:
    """Return the name of a task after its article: "a broadcast", "an allreduce"."""
    return f"{'an' if task[0] in 'aeiou' else 'a'} {task}"
