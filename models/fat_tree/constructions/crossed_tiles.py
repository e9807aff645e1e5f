"""Prefixes by the clock: in every subtree, the product of the first half reaches the second half by tiles.

A tile of the second half is sent the products of 2^k equal parts of the first half, as many at a time
as the channel above it carries; its first processor joins them and fills the tile alone. Small parts
are ready early, but take many messages: so the tiles that take longest to fill get small parts, and the
last ones the product of the whole half. A dynamic program over the time decides which tile gets which
parts. The messages with the longest chain of messages still to come are placed first, each as early as
it can be sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..rules.tree import FatTree, meeting_height
from .associative import Planned, in_order_of_sending, moved_to, product_plan

LEADERS = (7, 5, 4, 3)
"""The processor that holds the product of its subtree, in eighths of the subtree; tried in turn."""
MOST_DEPTHS = 4
"""How many depths are tried in turn; a half is cut into at most 1, 2, .., 2^(MOST_DEPTHS - 1) parts."""


class Tiled(NamedTuple):
    """A tile of height `tile` that is sent the products of parts of height `part`, from time `start` on."""

    start: int
    part: int
    tile: int


def staircase(times: Sequence[int], height: int, depth: int, across: int) -> list[Tiled]:
    """Return the tiles of the second half of a subtree of a height, in the order of sending.

    Parameters
    ----------
    times
        By height, the time in which one processor fills a subtree, or makes its product.
    height
        The height of the subtree.
    depth
        The first half is cut into at most 2^depth parts.
    across
        The number of messages that cross at a time.
    """
    end = times[height]
    while (found := _staircase_until(end, times, height, depth, across)) is None:
        end += 1
    return found


def _staircase_until(
    end: int, times: Sequence[int], height: int, depth: int, across: int
) -> list[Tiled] | None:
    """Return the tiles if all arrives by time `end`, or None if they do not cover the half.

    `covers` holds, for every time, how much can be covered by what is sent before it, and the tiles for it.
    """
    half = height - 1
    covers: list[tuple[int, tuple[Tiled, ...]]] = [(0, ())] * (end + 1)
    for start in range(end):
        covered, tiles = covers[start]
        covers[start + 1] = max(covers[start + 1], covers[start], key=lambda entry: entry[0])
        for part in range(max(0, half - depth), half + 1):
            after = start - (-(1 << (half - part)) // across)
            left = end - 2 * height - (after - 1)
            if times[part] <= start and left >= 0:
                tile = max(j for j in range(half + 1) if times[j] <= left)
                if covered + (1 << tile) > covers[after][0]:
                    covers[after] = covered + (1 << tile), (*tiles, Tiled(start, part, tile))
    covered, tiles = covers[end]
    return list(tiles) if covered >= 1 << half else None


@dataclass
class CrossedTiles:
    """The messages of a prefix in which a half is cut into at most 2^depth parts.

    `fills` has for a height a broadcast that fills it from its first processor. `leader` is the processor
    that holds the product of a subtree, in eighths of it. `products` has, by the first processor and the
    height of a subtree whose product is made, the numbers of the messages from which its leader has it.
    """

    tree: FatTree
    fills: Callable[[int], Sequence[Planned]]
    leader: int
    depth: int
    messages: list[Planned] = field(default_factory=list)
    products: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)

    def run(self) -> list[Planned]:
        """Return all messages, not yet placed in time, by decreasing length of the chains after them."""
        times = [max((m.arrival for m in self.fills(j)), default=0) for j in range(self.tree.height + 1)]
        for height in range(self.tree.height, 0, -1):
            tiles = staircase(times, height, self.depth, self.tree.capacities[height - 1])
            for first in range(0, self.tree.processors, 1 << height):
                self._cross(first, height, tiles)
        return in_order_of_sending(list(_latest_starts(self.messages)))

    def _cross(self, first: int, height: int, tiles: Sequence[Tiled]) -> None:
        """Bring the product of the first half of a subtree to its second half."""
        half = 1 << (height - 1)
        place = first + half
        for tiled in tiles:
            if place >= first + 2 * half:
                return
            parts = []
            for begin in range(first, first + half, 1 << tiled.part):
                run, needs = (begin, begin + (1 << tiled.part) - 1), self._product(begin, tiled.part)
                parts.append(len(self.messages))
                leader = self._leader(begin, tiled.part)
                self.messages.append(Planned(leader, place, 0, 0, run, needs))
            before, run = len(self.messages), (first, first + half - 1)
            for m in self.fills(tiled.tile):
                joined = tuple(before + number for number in m.needs) or tuple(parts)
                self.messages.append(Planned(place + m.sender, place + m.receiver, 0, 0, run, joined))
            place += 1 << tiled.tile

    def _leader(self, first: int, height: int) -> int:
        return first + (self.leader << height >> 3)

    def _product(self, first: int, height: int) -> tuple[int, ...]:
        """Return the messages that bring the product of a subtree to its leader; make them if needed."""
        if (first, height) not in self.products:
            root = self._leader(first, height) - first
            plan = moved_to(self.fills(height), root)
            before, made = len(self.messages), product_plan(plan, 1 << height, root)
            for m in made:
                run = first + m.operands[0], first + m.operands[1]
                needs = tuple(before + number for number in m.needs)
                self.messages.append(Planned(first + m.sender, first + m.receiver, 0, 0, run, needs))
            held = (before + i for i, m in enumerate(made) if m.receiver == root)
            self.products[first, height] = tuple(held)
        return self.products[first, height]


def _latest_starts(messages: Sequence[Planned]) -> Iterator[Planned]:
    """Yield the messages, each as long before time 0 as the longest chain that begins with it takes."""
    behind = [0] * len(messages)
    for i in reversed(range(len(messages))):
        m = messages[i]
        behind[i] += 2 * meeting_height(m.sender, m.receiver)
        for number in m.needs:
            behind[number] = max(behind[number], behind[i])
    return (m._replace(start=-chain) for m, chain in zip(messages, behind, strict=True))
