"""Teams: a group continues to copy itself while it sends, and every copy sends from its arrival on.

With preparations first and slots afterwards (`groups`), processors that are informed early wait for the
others. In a team they do not: when each image of the group is informed, and what it sends in every
slot, is one model.

The places of a team are the first leaves of the parts of height `part` in a block that are not within
the group's own block; each of them will have an image of the group, all of whose members do the same.
An image fills its part by itself. Subtrees above the block are filled by tiles: the messages that leave
the block for a height at a time, from any sender, are given to tiles of all sizes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from schedsolve.backends.cpsat import CpModel, some_solution

from ..rules.tree import FatTree
from .moves import Group, Team, Tile


class Tiles(Protocol):
    """What a team needs to know of the tree and of smaller heights (`groups.GroupProgram`)."""

    @property
    def tree(self) -> FatTree:
        """The tree."""
        ...

    def slot_tile(self, group: Group, height: int, left: int) -> Tile | None:
        """Return what a slot of a group given to a height covers, the time left counted from the slot."""
        ...

    def tile_from(self, copies: int, left: int, highest: int) -> Tile | None:
        """Return the highest tile that 2^copies messages arriving together fill in the time left, or None."""
        ...


@dataclass
class TeamModel:
    """The question whether a team fills a height m in a time, as a CP-SAT model.

    `known` is what is known of smaller heights. `sends`, `arrives`, `there` and `given` are the variables
    "the image at a place sends at a time to a height", "it arrives at a time from a height", "it has
    arrived by a time", and how many tiles of a kind are filled by what leaves the block at a time for a
    height.

    - An image sends at most one message from every member at a time, and none before it has arrived.
    - Every image but the group itself arrives exactly once.
    - In half a subtree at most as many images arrive at a time as are sent there from the other half, the
      duration of a message earlier.
    - Of a subtree, at most w messages leave at a time, and at most w arrive from outside.
    - The first place of a subtree is reached no later than the first one of its other half.
    - The slots that an image gives to a height up to `part` cover it.
    - The tiles filled by messages that leave the block at a time for a height take at most as many messages
      as are sent; together those of a height cover it.
    """

    known: Tiles
    group: Group
    m: int
    part: int
    block: int
    time: int
    model: CpModel = field(default_factory=CpModel)
    sends: dict[tuple[int, int, int], int] = field(default_factory=dict)
    arrives: dict[tuple[int, int, int], int] = field(default_factory=dict)
    there: dict[tuple[int, int], int] = field(default_factory=dict)
    given: dict[tuple[int, int, Tile], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        a, s = self.group
        self.copying = [h for h in range(self.part + 1, self.block + 1) if not a - s < h <= a]
        self.filling = [h for h in range(1, self.part + 1) if not a - s < h <= a]
        self.places = [0]
        for h in self.copying:
            self.places += [place + (1 << (h - 1)) for place in self.places]
        for place in self.places:
            self._declare(place)
        for place in self.places:
            self._one_place(place)
        for h in self.copying:
            self._crossings(h)
        for j in range(1, self.block + 1):
            self._channels(j)
        for h in range(self.block + 1, self.m + 1):
            self._tiles(h)

    def _declare(self, place: int) -> None:
        leads = (place & -place).bit_length() if place else self.m + 1
        for t in range(self.time + 1):
            if place:
                self.there[place, t] = self.model.boolean()
            for h in (*self.filling, *self.copying, *range(self.block + 1, self.m + 1)):
                if t + 2 * h <= self.time:
                    self.sends[place, t, h] = self.model.boolean()
            for h in self.copying:
                if leads <= h <= t // 2:
                    self.arrives[place, t, h] = self.model.boolean()

    def _sent(self, place: int, t: int, above: int) -> Iterator[int]:
        return (self.sends[place, t, h] for h in range(above + 1, self.m + 1) if (place, t, h) in self.sends)

    def _arriving(self, place: int, t: int, above: int) -> Iterator[int]:
        return (
            self.arrives[place, t, h] for h in self.copying if h > above and (place, t, h) in self.arrives
        )

    def _one_place(self, place: int) -> None:
        model = self.model
        for t in range(self.time + 1):
            model.at_most_one(self._sent(place, t, 0))
            if place:
                before = [self.there[place, t - 1]] if t else []
                model.balance([self.there[place, t]], [*before, *self._arriving(place, t, 0)])
                for x in self._sent(place, t, 0):
                    model.clause([-x, self.there[place, t]])
                for h in self.copying:
                    other = place + (1 << (h - 1))
                    if place % (1 << h) == 0 and other in self.places:
                        model.clause([-self.there[other, t], self.there[place, t]])
        if place:
            model.clause([self.there[place, self.time]])
        for h in self.filling:
            weights: dict[int, int] = {}
            for t in range(self.time + 1 - 2 * h):
                if tile := self.known.slot_tile(self.group, h, self.time - t):
                    weights[self.sends[place, t, h]] = tile.number << tile.height
            model.linear(weights, ">=", 1 << (h - 1))

    def _crossings(self, h: int) -> None:
        half = 1 << (h - 1)
        for first in {place >> (h - 1) for place in self.places}:
            here = [place for place in self.places if place >> (h - 1) == first]
            there = [place ^ half for place in here]
            for t in range(self.time + 1 - 2 * h):
                coefficients = {self.sends[place, t, h]: 1 for place in here}
                arriving = [place for place in there if (place, t + 2 * h, h) in self.arrives]
                if arriving:
                    coefficients |= {self.arrives[place, t + 2 * h, h]: -1 for place in arriving}
                    self.model.linear(coefficients, ">=", 0)

    def _channels(self, j: int) -> None:
        a, s = self.group
        members = 1 << (s if j >= a else max(0, j - (a - s)))
        most = self.known.tree.capacities[j] // members
        for first in {place >> j for place in self.places}:
            within = [place for place in self.places if place >> j == first]
            if len(within) > most:
                for t in range(self.time + 1):
                    self.model.at_most_of([x for p in within for x in self._sent(p, t, j)], most)
                    self.model.at_most_of([x for p in within for x in self._arriving(p, t, j)], most)

    def _tiles(self, h: int) -> None:
        members = 1 << self.group.copies
        most = min(len(self.places) * members, self.known.tree.capacities[self.block])
        covered: dict[int, int] = {}
        for t in range(self.time + 1 - 2 * h):
            used: dict[int, int] = {}
            highest = -1
            for copies in range(most.bit_length()):
                tile = self.known.tile_from(copies, self.time - t - 2 * h, h - 1)
                if tile is None or tile.height <= highest:
                    continue
                x = self.model.integer(0, most >> copies)
                self.given[t, h, tile] = x
                used[x], covered[x], highest = -(1 << copies), 1 << tile.height, tile.height + 1
            if used:
                used |= {self.sends[place, t, h]: members for place in self.places}
                self.model.linear(used, ">=", 0)
        self.model.linear(covered, ">=", 1 << (h - 1))
        for j in range(self.block):
            self._room(h, j)

    def _room(self, h: int, j: int) -> None:
        """Require that there is room in subtrees of height j for lower tiles, by their channels."""
        of_height = {key: x for key, x in self.given.items() if key[1] == h}
        free = {
            x: -self.known.tree.capacities[j] << tile.height
            for (_, _, tile), x in of_height.items()
            if tile.height >= j
        }
        room = self.known.tree.capacities[j] << (h - 1)
        for t in range(self.time + 1 - 2 * h):
            lower = {
                x: -1 << (j + tile.group.copies)
                for (at, _, tile), x in of_height.items()
                if at == t and tile.height < j
            }
            if lower:
                self.model.linear(lower | free, ">=", -room)

    def solved(self, work: float) -> Team | None:
        """Return a team if one is found with the deterministic `work`, or None."""
        value = some_solution(self.model, work)
        if value is None:
            return None
        return Team(
            self.part,
            self.block,
            self.time,
            tuple(sorted(place for place, x in self.sends.items() if value(x))),
            tuple(sorted(place for place, x in self.arrives.items() if value(x))),
            tuple(
                (t, h, tile._replace(number=value(x))) for (t, h, tile), x in self.given.items() if value(x)
            ),
        )
