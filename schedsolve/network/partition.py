"""A partition into disjoint sets that can be joined."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

Item = TypeVar("Item", bound=Hashable)


class Partition(Generic[Item]):
    """A partition of items, each first a set of its own (union-find)."""

    def __init__(self, items: Iterable[Item], pairs: Iterable[tuple[Item, Item]] = ()) -> None:
        self._place = {item: place for place, item in enumerate(items)}
        self._parent = {item: item for item in self._place}
        self.join(pairs)

    def first(self, item: Item) -> Item:
        """Return the item of the same set that was given first."""
        parent = self._parent
        while parent[item] != item:
            parent[item] = item = parent[parent[item]]
        return item

    def firsts(self) -> set[Item]:
        """Return the first item of every set."""
        return {self.first(item) for item in self._parent}

    def join(self, pairs: Iterable[tuple[Item, Item]]) -> None:
        """Join the sets of each pair."""
        for one, other in pairs:
            low, high = sorted((self.first(one), self.first(other)), key=self._place.__getitem__)
            self._parent[high] = low
