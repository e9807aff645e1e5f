"""Tasks of information dissemination: which items nodes hold at the start and must know at the end."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from schedsolve.runtime.errors import InputError

LARGEST_KNOWLEDGE = 8_000_000_000
"""The most pairs of node and item whose state is kept, in bits; this is a gigabyte."""
BLOCK_KNOWLEDGE = 1 << 28
"""The pairs of node and item of a block of items; of networks with fewer, all items are one block."""
LEAST_BLOCK = 1 << 13
"""The fewest items of a block, so that calls are followed through few blocks: a kilobyte a node."""


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
    first
        The number of the item of bit 0, not 0 in a block of the items of a task.
    """

    item_count: int
    start: tuple[int, ...]
    goal: tuple[int, ...]
    first: int = 0


def items_in(mask: int) -> Iterator[int]:
    """Yield the numbers of the items in a set of items, ascending.

    ```pycon
    >>> list(items_in(0b10011))
    [0, 1, 4]

    ```
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


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


def accumulation_demand(node_count: int, root: int, items: range | None = None) -> Demand:
    """Return the demand in which every node v starts with item v, and the root must hold all items.

    With `items` it is that of these consecutive items alone.
    """
    block = _all_items(node_count) if items is None else items
    goal = [0] * node_count
    goal[root] = (1 << len(block)) - 1
    return Demand(len(block), _own_items(node_count, block), tuple(goal), block.start)


def gossip_demand(node_count: int, items: range | None = None) -> Demand:
    """Return the demand in which every node v starts with item v, and all nodes must hold all items.

    With `items` it is that of these consecutive items alone.
    """
    block = _all_items(node_count) if items is None else items
    everything = (1 << len(block)) - 1
    return Demand(len(block), _own_items(node_count, block), (everything,) * node_count, block.start)


def item_blocks(node_count: int) -> Iterator[range]:
    """Yield blocks of consecutive items, one of each node, of which the memory holds one at every node.

    What happens to an item does not depend on the others, so that a schedule may be followed for one block
    after the other, in memory that grows with the nodes and not with their square.
    """
    size = max(LEAST_BLOCK, BLOCK_KNOWLEDGE // node_count)
    return (range(first, min(first + size, node_count)) for first in range(0, node_count, size))


def _own_items(node_count: int, items: range) -> tuple[int, ...]:
    """Return for every node its own item, if it is among the given ones."""
    start = [0] * node_count
    for bit, item in enumerate(items):
        start[item] = 1 << bit
    return tuple(start)


def is_replayable(node_count: int) -> bool:
    """Return whether the memory holds each item at each of so many nodes, as searches for gossips need."""
    return node_count**2 <= LARGEST_KNOWLEDGE


def _all_items(node_count: int) -> range:
    """Return the items, one of each node; raise InputError if all at every node would exceed the memory."""
    if not is_replayable(node_count):
        raise InputError(
            f"{node_count} items at {node_count} nodes take {node_count**2 // 8_000_000_000} GB and more at"
            " once; there is memory for fewer"
        )
    return range(node_count)


def with_article(task: str) -> str:
    """Return the name of a task after its article: "a broadcast", "an allreduce"."""
    return f"{'an' if task[0] in 'aeiou' else 'a'} {task}"
