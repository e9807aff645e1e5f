"""Tasks of information dissemination: who starts with what, and who must know what at the end."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from schedsolve.errors import InputError

LARGEST_KNOWLEDGE = 8_000_000_000
"""The most pairs of node and item whose state is kept, in bits: a gigabyte for all that everybody knows."""


@dataclass(frozen=True)
class Demand:
    """A task in the form a referee checks; sets of items are bit masks, bit i stands for item i.

    item_count: the number of items.
    start: for every node the items it holds before round 1.
    goal: for every node the items it must hold after the last round.
    """

    item_count: int
    start: tuple[int, ...]
    goal: tuple[int, ...]


def broadcast_demand(node_count: int, sources: Collection[int]) -> Demand:
    """One item, held by every source at the start and by all nodes at the end."""
    return multicast_demand(node_count, sources, range(node_count))


def multicast_demand(node_count: int, sources: Collection[int], targets: Collection[int]) -> Demand:
    """One item, held by every source at the start and by every target at the end; the other nodes may
    relay.
    """
    start = [0] * node_count
    goal = [0] * node_count
    for s in sources:
        start[s] = 1
    for v in targets:
        goal[v] = 1
    return Demand(1, tuple(start), tuple(goal))


def accumulation_demand(node_count: int, root: int) -> Demand:
    """Every node starts with an item of its own (item v at node v); the root must hold all of them at the
    end.
    """
    _refuse_large(node_count)
    everything = (1 << node_count) - 1
    goal = tuple(everything if v == root else 0 for v in range(node_count))
    return Demand(node_count, tuple(1 << v for v in range(node_count)), goal)


def gossip_demand(node_count: int) -> Demand:
    """Every node starts with an item of its own (item v at node v); all nodes must hold all of them at the
    end.
    """
    _refuse_large(node_count)
    everything = (1 << node_count) - 1
    return Demand(node_count, tuple(1 << v for v in range(node_count)), (everything,) * node_count)


def _refuse_large(node_count: int) -> None:
    """Refuse to keep an item of every node at every node where the memory would not do."""
    if node_count**2 > LARGEST_KNOWLEDGE:
        raise InputError(
            f"{node_count} items at {node_count} nodes take {node_count**2 // 8_000_000_000} GB and more to"
            " replay; there is memory for fewer"
        )
