"""The messages of the programme of tiles and groups (`groups`), with their times, from processor 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .associative import Planned
from .groups import ONE, Group, GroupProgramme, Move, Tile, wanted_blocks

Sent = tuple[int, int, int]
"""Sender, receiver, and the time when it is sent."""


class GroupMessages:
    """The messages that fill a tree by a programme. base: for a height the messages of its base, from the
    first leaf.
    """

    def __init__(self, programme: GroupProgramme, base: Mapping[int, Sequence[Sent]]) -> None:
        self.programme = programme
        self.base = base
        self.sent: list[Sent] = []
        self.waiting = [(0, ONE, programme.tree.height, 0)]

    def run(self) -> list[Planned]:
        """All messages, in the order of sending; those that come second to their receiver are left out."""
        while self.waiting:
            self._fill(*self.waiting.pop())
        first: dict[int, tuple[int, Sent]] = {}
        for sender, receiver, start in self.sent:
            arrival = start + 2 * (sender ^ receiver).bit_length()
            if receiver and (receiver not in first or arrival < first[receiver][0]):
                first[receiver] = arrival, (sender, receiver, start)
        plan: list[Planned] = []
        number: dict[int, int] = {}
        for arrival, (sender, receiver, start) in sorted(first.values(), key=lambda m: m[1][2]):
            number[receiver] = len(plan)
            plan.append(Planned(sender, receiver, start, arrival, (), (number[sender],) if sender else ()))
        return plan

    def _fill(self, first: int, group: Group, m: int, start: int) -> None:
        """A group in the leftmost block of a subtree of height m fills it from a time on."""
        move = self.programme.moves[group, m]
        if move.kind == "base":
            self.sent += [(first + u, first + v, start + t) for u, v, t in self.base[m]]
        elif move.kind == "slots":
            self._use_slots(first, group, m, start, dict(move.slots))
        elif move.kind != "done":
            self.waiting.append((first, move.to, m, self._prepare(first, group, move, start)))

    def _prepare(self, first: int, group: Group, move: Move, start: int) -> int:
        """A group makes itself another group; the time when that is done."""
        if move.kind == "densify":
            part = group.height - group.copies
            end, path = self.programme.dense[part, move.to.copies - group.copies]
            for member in members(first, group):
                now, step_group = start, ONE
                for step in path:
                    now = self._prepare(member, step_group, step, now)
                    step_group = step.to
            return start + end
        senders, rate = bit_reversed(members(first, group)), self.programme.rate(group)
        part = move.to.height - move.to.copies
        sent = end = 0
        for height, count in sorted(wanted_blocks(group, move).items(), reverse=True):
            for place in bit_reversed(range(count)):
                receiver = first + (1 << (height - 1)) + (place << part)
                self.sent.append((senders[sent % rate], receiver, start + sent // rate))
                end = max(end, sent // rate + 2 * height)
                sent += 1
        return start + end

    def _use_slots(self, first: int, group: Group, m: int, start: int, slots: Mapping[int, int]) -> None:
        """A group gives its slots to heights; the tiles of a height are placed the largest first."""
        a, time = group.height, self.programme.times[group, m]
        by_height: dict[int, list[tuple[int, Tile]]] = {}
        for slot, height in sorted(slots.items()):
            tile = self.programme.slot_tile(group, height, time - slot)
            assert tile is not None
            by_height.setdefault(height, []).append((slot, tile))
        everybody = members(first, group)
        for height, given in by_height.items():
            far = height > a
            for sender in everybody[:1] if far else everybody:
                place = Placement(sender + (1 << (height - 1)), height - 1)
                for slot, tile in sorted(given, key=lambda item: -item[1].height):
                    senders = bit_reversed(everybody) if far else [sender]
                    self._send_tiles(place, tile, senders, start + slot, 2 * height)

    def _send_tiles(
        self, place: Placement, tile: Tile, senders: Sequence[int], sent: int, delay: int
    ) -> None:
        """The messages of one slot, which make a group in each of its tiles."""
        waiting = iter(senders)
        for _ in range(tile.number):
            at = place.put(tile.height)
            if at is None:
                return
            self.sent += [(next(waiting), receiver, sent) for receiver in members(at, tile.group)]
            self.waiting.append((at, tile.group, tile.height, sent + delay))


class Placement:
    """Where the tiles of a subtree lie: each in the half that has more room left."""

    def __init__(self, first: int, height: int) -> None:
        self.first, self.height = first, height
        self.used: dict[tuple[int, int], int] = {}

    def put(self, height: int) -> int | None:
        """The first leaf of a tile of a height, no larger than those before it; None when all is covered."""
        if self.used.get((self.height, 0), 0) == 1 << self.height:
            return None
        place = 0
        for j in range(self.height, height, -1):
            self.used[j, place] = self.used.get((j, place), 0) + (1 << height)
            left, right = (self.used.get((j - 1, 2 * place + side), 0) for side in (0, 1))
            place = 2 * place + (right < left)
        self.used[height, place] = 1 << height
        return self.first + (place << height)


def members(first: int, group: Group) -> list[int]:
    """The processors of a group that hold the message."""
    return [first + (i << (group.height - group.copies)) for i in range(1 << group.copies)]


def bit_reversed(items: Sequence[int]) -> list[int]:
    """As many items as a power of two in the order of their places read backwards in binary: any few in a row
    are spread evenly.
    """
    order = [0]
    while len(order) < len(items):
        order = [2 * i for i in order] + [2 * i + 1 for i in order]
    return [items[i] for i in order]
