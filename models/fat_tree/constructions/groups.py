"""The program of tiles and groups: how a group of copies fills a subtree, by the clock.

A group (a, s) is a block of height a in which the first leaf of each of its 2^s equal parts holds the
message; (0, 0) is a single processor. `GroupProgram` computes, for every group and height m, how long
it takes to fill the subtree of height m around the group in one of these ways:

- by slots: at every time the group sends up to min(2^s, w(2^a)) messages to one height j > a. The
  sibling subtree of height j - 1 is cut into tiles; each gets 2^e messages in a slot, which make a
  group in it, and fills itself. A slot given to a height of at most a - s is used by every member, for
  the part whose first leaf it is.
- by densifying: first every member makes a group of 2^x copies in its part.
- by copying: first every block of height a within height b gets copies as the group has them.
- by spreading: first the 2^s copies are spread evenly over height b.
- by a team: the group continues to copy itself while it sends (`teams`).
- by a base: a schedule found in another way, from a single processor.

Only the group of a tile sends into or out of a part of it, so that only its own messages load its
channels; `group_messages` places the tiles of a slot so that they spread over the sibling.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import process_time as clock

from ..rules.tree import FatTree
from .moves import ONE, Group, Move, Tile
from .slots import Worth, farthest_first, slots_by_cpsat
from .teams import TeamModel

MOST_COPIES = 4
"""The limit of the copies of a group, as a multiple of the capacity above its block."""
WORK, MORE_WORK = 0.3, 3.0
"""Deterministic work for a question about slots, and for one about those of the source in the whole tree."""
TALLEST_SEARCHED_GROUPS = 10
"""The greatest height for which the slots of all groups are searched; beyond, those of single processors are.
"""
LARGEST_TEAMS, TEAM_WORK, MORE_TEAM_WORK = 10, 0.5, 3.0
"""A height, and the deterministic work for a question about a team up to it and beyond it."""
TEAMS_OF_ONE, LARGER_TEAMS_OF_ONE = ((0, 2), (1, 3), (0, 3), (1, 4)), ((0, 3), (0, 2), (1, 3))
"""The heights of the parts and of the block of a single processor's teams, in the order of trying."""
TEAMS_OF_GROUPS = (1, 2)
"""How much higher than the blocks of a group the blocks of its teams are.

Beyond the height of LARGEST_TEAMS only the last value is tried.
"""
LARGEST_TEAM_GROUP = 2
"""The greatest height of a group, other than a single processor, for which teams are sought."""
NEVER = 10**6


@dataclass
class GroupProgram:
    """The least times found for a tree.

    `base` has the times in which a schedule fills a height from one processor. `groups` is False for single
    processors only. `seconds` is the total time of the search for teams. `times` and `moves` are by group
    and height. `dense` has, for a height and x, the time in which one processor makes 2^x evenly spread
    copies, and the preparations that do it.
    """

    tree: FatTree
    base: Mapping[int, int] = field(default_factory=dict)
    groups: bool = True
    seconds: float = 0.0
    times: dict[tuple[Group, int], int] = field(default_factory=dict)
    moves: dict[tuple[Group, int], Move] = field(default_factory=dict)
    dense: dict[tuple[int, int], tuple[int, tuple[Move, ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._best: dict[tuple[int, int], tuple[int, Group]] = {}
        self._tiles: dict[tuple[int, int, int], Tile | None] = {}
        begun, whole = clock(), max(1, self.tree.height)
        for m in range(self.tree.height + 1):
            self._ends = [begun + self.seconds * (x / whole) ** 3 for x in (m - 0.5, m)]
            self._density(m)
            self._quickest_tiles()
            for group in self._groups(m):
                self._fill(group, m)

    def _groups(self, m: int) -> Iterator[Group]:
        """Yield the groups within a height, the fullest first, so that a preparation leads to a known one."""
        for a in range(m, -1, -1):
            for s in range(a, -1, -1):
                group = Group(a, s)
                sparse = 1 << s <= MOST_COPIES * self.tree.capacities[a]
                if group in ((m, m), ONE) or (self.groups and s and sparse):
                    yield group

    def rate(self, group: Group) -> int:
        """Return how many messages a group can send at a time out of its block."""
        return min(1 << group.copies, self.tree.capacities[group.height])

    def _density(self, m: int) -> None:
        """Compute the least times in which one processor makes groups by preparations, within a height."""
        reached: dict[Group, tuple[int, tuple[Move, ...]]] = {ONE: (0, ())}
        for a in range(m + 1):
            for s in range(a + 1):
                if (group := Group(a, s)) in reached:
                    time, path = reached[group]
                    for move, cost in self.preparations(group, m):
                        if time + cost < reached.get(move.to, (NEVER,))[0]:
                            reached[move.to] = time + cost, (*path, move)
        for x in range(1, m + 1):
            if Group(m, x) in reached:
                self.dense[m, x] = reached[Group(m, x)]

    def preparations(self, group: Group, m: int) -> Iterator[tuple[Move, int]]:
        """Yield the other groups that a group can make within a height, and how long that takes."""
        a, s = group
        if not self.groups:
            return
        for x in range(1, a - s + 1):
            if (a - s, x) in self.dense:
                yield Move("densify", Group(a, s + x)), self.dense[a - s, x][0]
        for b in range(a + 1, m + 1):
            for move in (Move("copy", Group(b, s + b - a)), Move("spread", Group(b, s))):
                if move.to != ONE and (s or move.kind == "copy"):
                    yield move, self._sending_time(group, wanted_blocks(group, move))

    def _sending_time(self, group: Group, wanted: Mapping[int, int]) -> int:
        """Return when all of a number of messages to each height have arrived, the farthest sent first."""
        sent = end = 0
        for height, count in sorted(wanted.items(), reverse=True):
            sent += count
            end = max(end, -(-sent // self.rate(group)) - 1 + 2 * height)
        return end

    def _quickest_tiles(self) -> None:
        """Find, for a number of messages in one slot and a height, the fastest group they can make there."""
        self._tiles.clear()
        for (group, m), time in self.times.items():
            if 1 << group.copies <= self.tree.capacities[group.height]:
                key = group.copies, m
                if key not in self._best or time < self._best[key][0]:
                    self._best[key] = time, group

    def tile(self, rate: int, left: int, highest: int) -> Tile | None:
        """Return the tiles that one slot of `rate` messages can fill in the time left, or None."""
        key = rate, left, highest
        if key not in self._tiles:
            best = None
            for e in range(rate.bit_length()):
                tile = self.tile_from(e, left, highest)
                if tile and (best is None or (rate >> e) << tile.height > best.number << best.height):
                    best = tile._replace(number=rate >> e)
            self._tiles[key] = best
        return self._tiles[key]

    def slot_tile(self, group: Group, height: int, left: int) -> Tile | None:
        """Return what a slot given to a height covers, the time left counted from the slot."""
        rate = self.rate(group) if height > group.height else 1
        return self.tile(rate, left - 2 * height, height - 1) if left >= 2 * height else None

    def _fill(self, group: Group, m: int) -> None:
        best, move = NEVER, Move("done")
        if group == (m, m):
            best = 0
        for preparation, cost in self.preparations(group, m):
            total = cost + self.times.get((preparation.to, m), NEVER)
            if total < best:
                best, move = total, preparation
        low, high = -1, min(best, 8 * m * m + 1)
        while high - low > 1:
            middle = (low + high) // 2
            slots = farthest_first(*self._worth(group, m, middle))
            if slots is None:
                low = middle
            else:
                best, high, move = middle, middle, Move("slots", slots=tuple(slots.items()))
        if group == ONE or m <= TALLEST_SEARCHED_GROUPS:
            best, move = self._search(group, m, best, move)
        if self.seconds and m > 3:
            best, move = self._team(group, m, best, move)
        if group == ONE and self.base.get(m, NEVER) < best:
            best, move = self.base[m], Move("base")
        self.times[group, m], self.moves[group, m] = best, move

    def _search(self, group: Group, m: int, best: int, move: Move) -> tuple[int, Move]:
        """Return better slots if the search finds any, else the given best time and move."""
        if 1 << group.copies > self.tree.capacities[group.height]:
            return best, move
        work = WORK
        while best > 2 * m:
            slots = slots_by_cpsat(*self._worth(group, m, best - 1), work)
            if slots is not None:
                best, move, work = best - 1, Move("slots", slots=tuple(sorted(slots.items()))), WORK
            elif group == ONE and work < MORE_WORK and m == self.tree.height > TALLEST_SEARCHED_GROUPS:
                work = MORE_WORK
            else:
                break
        return best, move

    def _team(self, group: Group, m: int, best: int, move: Move) -> tuple[int, Move]:
        """Return a better team if the search finds any, else the given best time and move."""
        work = TEAM_WORK if m <= LARGEST_TEAMS else MORE_TEAM_WORK
        last, before = (self.times.get((group, m - k), NEVER) for k in (1, 2))
        for part, block in self._team_shapes(group, m):
            too_little, time = 2 * m - 1, min(best - 1, 2 * last - before + 1)
            while block < m and too_little < time and clock() < self._ends[group == ONE]:
                team = TeamModel(self, group, m, part, block, time).solved(work)
                if team is None:
                    too_little, time = time, (time + best) // 2
                else:
                    best, move, time = time, Move("team", team=team), time - 1
        return best, move

    def _team_shapes(self, group: Group, m: int) -> Sequence[tuple[int, int]]:
        """Return the heights of the parts and of the block of the teams of a group that are sought."""
        a, s = group
        if group == ONE:
            return TEAMS_OF_ONE if m <= LARGEST_TEAMS else LARGER_TEAMS_OF_ONE
        if a > LARGEST_TEAM_GROUP or s < a or 1 << s > self.tree.capacities[a]:
            return ()
        return [
            (a, a + more) for more in TEAMS_OF_GROUPS if more == TEAMS_OF_GROUPS[-1] or m <= LARGEST_TEAMS
        ]

    def tile_from(self, copies: int, left: int, highest: int) -> Tile | None:
        """Return the highest tile that 2^copies messages arriving together fill in the time left, or None."""
        for h in range(highest, -1, -1):
            time, group = self._best.get((copies, h), (NEVER, ONE))
            if time <= left:
                return Tile(h, group, 1)
        return None

    def _worth(self, group: Group, m: int, time: int) -> tuple[Worth, dict[int, int]]:
        """Return what every slot covers of every height, and how much there is to cover."""
        a, s = group
        heights = [*range(m, a, -1), *range(a - s, 0, -1)]
        worth: dict[tuple[int, int], int] = {}
        for height in heights:
            for slot in range(time + 1):
                tile = self.slot_tile(group, height, time - slot)
                if tile is None:
                    break
                worth[slot, height] = tile.number << tile.height
        return worth, {height: 1 << (height - 1) for height in heights}


def wanted_blocks(group: Group, move: Move) -> dict[int, int]:
    """Return how many messages go to each height when a group copies or spreads itself over a block."""
    (b, copies), a = move.to, group.height
    part = b - copies
    return {j: 1 << (j - 1 - part) for j in range(a + 1, b + 1) if j - 1 >= part}
