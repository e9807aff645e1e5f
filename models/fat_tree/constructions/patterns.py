"""Which processors of a subtree hold the message, up to exchanging halves, and the effect of a round.

Every such pattern is stored once, so that large trees with few different subtrees are handled quickly.

**The best round of a height** is the best among those in which no more messages come into a subtree,
from all heights together, than its channel carries at a time (messages from different heights arrive
one after the other, so more would be legal):

1. If a subtree would send a message out and get another one in the same round, the first might as well
   stay inside in place of the second; so a subtree either sends or gets messages, as many as its
   channel carries.
2. A message is worth as much as the largest empty subtree that it is the first to reach.
3. The worth of a further message to a subtree never grows, be it one more that comes in or one less
   that is sent out, so two halves share what they get by taking what is worth most. This maximizes the
   number of nonempty subtrees for any positive worth of their heights, so it is the greatest for every
   height at once.

Ties are shared evenly.
"""

from __future__ import annotations

from ..rules.tree import FatTree

EMPTY, INFORMED = 0, 1
"""The two patterns of a single processor."""


class Patterns:
    """The patterns found so far in the subtrees of a tree; a pattern is a number.

    `halves` are the patterns of both halves, the smaller number first. `nonempty` has for heights 0, 1, ...
    the number of nonempty subtrees. `empty` and `full` are by height.
    """

    def __init__(self, tree: FatTree) -> None:
        self.capacities = [min(w, 1 << j) for j, w in enumerate(tree.capacities)]
        self.halves: list[tuple[int, int]] = [(EMPTY, EMPTY), (INFORMED, INFORMED)]
        self.nonempty: list[tuple[int, ...]] = [(0,), (1,)]
        self.empty, self.full = [EMPTY], [INFORMED]
        self._numbers: dict[tuple[int, int], int] = {}
        self._worths: dict[int, tuple[int, tuple[int, ...]]] = {EMPTY: (0, (0, 1)), INFORMED: (-1, (1, 0))}
        self._after: dict[tuple[int, int], int] = {}
        self._after_round: dict[tuple[int, int], int] = {}
        for _ in range(tree.height):
            self.empty.append(self.joined(self.empty[-1], self.empty[-1]))
            self.full.append(self.joined(self.full[-1], self.full[-1]))

    def height(self, pattern: int) -> int:
        """Return the height of the subtree of a pattern."""
        return len(self.nonempty[pattern]) - 1

    def joined(self, one: int, other: int) -> int:
        """Return the pattern with these two halves."""
        halves = (one, other) if one <= other else (other, one)
        number = self._numbers.get(halves)
        if number is None:
            number = self._numbers[halves] = len(self.halves)
            self.halves.append(halves)
            counts = tuple(x + y for x, y in zip(self.nonempty[one], self.nonempty[other], strict=True))
            self.nonempty.append((*counts, min(1, counts[0])))
        return number

    def with_one(self, height: int) -> int:
        """Return the pattern of a height with a single processor informed."""
        pattern = INFORMED
        for j in range(height):
            pattern = self.joined(self.empty[j], pattern)
        return pattern

    def shares(self, pattern: int, brought: int) -> tuple[int, int]:
        """Return how many messages come into each half of a subtree, less those that leave it.

        `brought` is the same number for the whole subtree. Step 3 of the proof above.
        """
        (least, worths), (other_least, other_worths) = map(self._worth, self.halves[pattern])
        share, left = least, brought - least - other_least
        for mine, its in zip(reversed(worths), reversed(other_worths), strict=True):
            if left <= mine + its:
                break
            share, left = share + mine, left - mine - its
        share += min(mine, max(left - its, left // 2))
        return share, brought - share

    def after(self, pattern: int, brought: int) -> int:
        """Return the pattern after a higher round in which messages come in, or leave (negative)."""
        height = self.height(pattern)
        if height == 0:
            return max(pattern, brought)
        if pattern == self.full[height] or (pattern == self.empty[height] and not brought):
            return pattern
        found = self._after.get((pattern, brought))
        if found is None:
            (one, other), (share, its) = self.halves[pattern], self.shares(pattern, brought)
            found = self._after[pattern, brought] = self.joined(
                self.after(one, share), self.after(other, its)
            )
        return found

    def after_round(self, pattern: int, height: int) -> int:
        """Return the pattern after a round of a height, at most the pattern's."""
        own = self.height(pattern)
        if own == height:
            return self.after(pattern, 0)
        if pattern in (self.empty[own], self.full[own]):
            return pattern
        found = self._after_round.get((pattern, height))
        if found is None:
            one, other = (self.after_round(half, height) for half in self.halves[pattern])
            found = self._after_round[pattern, height] = self.joined(one, other)
        return found

    def _worth(self, pattern: int) -> tuple[int, tuple[int, ...]]:
        """Return the least number of messages that can come into a subtree, and what further ones are worth.

        A negative number means that messages leave. The worths are numbers of messages: how many are worth
        nothing, a processor, and a subtree of height 1, 2, ...
        """
        found = self._worths.get(pattern)
        if found is not None:
            return found
        (least, worths), (other_least, other_worths) = map(self._worth, self.halves[pattern])
        height, least = self.height(pattern), least + other_least
        first = int(pattern == self.empty[height])
        counts = [x + y for x, y in zip(worths, other_worths, strict=True)] + [first]
        counts[-2] -= first
        most = self.capacities[height]
        surplus = max(0, -most - least)
        least += surplus
        room = most - least
        for worth in reversed(range(len(counts))):
            dropped = min(surplus, counts[worth])
            surplus -= dropped
            counts[worth] = min(room, counts[worth] - dropped)
            room -= counts[worth]
        self._worths[pattern] = least, tuple(counts)
        return self._worths[pattern]
