"""The messages of the program of tiles and groups (`groups`), with their times, from processor 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .associative import Planned
from .groups import GroupProgram, wanted_blocks
from .moves import ONE, Group, Move, Team, Tile

Sent = tuple[int, int, int]
"""The sender, the receiver, and the time of sending."""


class GroupMessages:
    """The messages that fill a tree by a program; `base` has by height the messages from the first leaf."""

    def __init__(self, program: GroupProgram, base: Mapping[int, Sequence[Sent]]) -> None:
        self.program = program
        self.base = base
        self.sent: list[Sent] = []
        self.waiting = [(0, ONE, program.tree.height, 0)]

    def run(self) -> list[Planned]:
        """Return all messages in the order of sending, without those that arrive second at their receiver."""
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
        """Let a group in the leftmost block of a subtree of height m fill it from a time on."""
        move = self.program.moves[group, m]
        if move.kind == "base":
            self.sent += [(first + u, first + v, start + t) for u, v, t in self.base[m]]
        elif move.kind == "slots":
            self._use_slots(first, group, start, self.program.times[group, m], move.slots)
        elif move.team is not None:
            self._use_team(first, group, m, start, move.team)
        elif move.kind != "done":
            self.waiting.append((first, move.to, m, self._prepare(first, group, move, start)))

    def _prepare(self, first: int, group: Group, move: Move, start: int) -> int:
        """Let a group make itself another group, and return the time when that is done."""
        if move.kind == "densify":
            part = group.height - group.copies
            end, path = self.program.dense[part, move.to.copies - group.copies]
            for member in members(first, group):
                now, step_group = start, ONE
                for step in path:
                    now = self._prepare(member, step_group, step, now)
                    step_group = step.to
            return start + end
        senders, rate = bit_reversed(members(first, group)), self.program.rate(group)
        part = move.to.height - move.to.copies
        sent = end = 0
        for height, count in sorted(wanted_blocks(group, move).items(), reverse=True):
            for place in bit_reversed(range(count)):
                receiver = first + (1 << (height - 1)) + (place << part)
                self.sent.append((senders[sent % rate], receiver, start + sent // rate))
                end = max(end, sent // rate + 2 * height)
                sent += 1
        return start + end

    def _use_team(self, first: int, group: Group, m: int, start: int, team: Team) -> None:
        """Let the images of a group inform each other, fill their parts and send out of their block."""
        places = {0, *(place for place, _, _ in team.arrivals)}
        for place in places:
            slots = [(t, h) for p, t, h in team.sends if p == place and h <= team.part]
            self._use_slots(first + place, group, start, team.time, slots)
        senders: dict[tuple[int, int, int], list[int]] = {}
        for place, t, h in team.sends:
            senders.setdefault((t, h, place >> (h - 1) if h <= team.block else 0), []).append(place)
        for place, t, h in team.arrivals:
            sender = senders[t - 2 * h, h, (place >> (h - 1)) ^ 1].pop()
            pairs = zip(members(first + sender, group), members(first + place, group), strict=True)
            self.sent += [(u, v, start + t - 2 * h) for u, v in pairs]
        for h in range(team.block + 1, m + 1):
            given = [(t, tile) for t, height, tile in team.tiles if height == h]
            rows = {t: bit_reversed_rows(first, group, senders[t, h, 0]) for t, _ in given}
            waiting = {t: iter(row) for t, row in rows.items()}
            placement = Placement(first + (1 << (h - 1)), h - 1, self.program.tree.capacities)
            for t, tile in sorted(given, key=lambda item: (-item[1].height, -item[1].number)):
                self._send_tiles(placement, tile, waiting[t], start + t, 2 * h)

    def _use_slots(
        self, first: int, group: Group, start: int, time: int, slots: Sequence[tuple[int, int]]
    ) -> None:
        """Give the slots of a group to heights, and place the tiles of a height by decreasing size."""
        a = group.height
        by_height: dict[int, list[tuple[int, Tile]]] = {}
        for slot, height in sorted(slots):
            tile = self.program.slot_tile(group, height, time - slot)
            assert tile is not None
            by_height.setdefault(height, []).append((slot, tile))
        everybody = members(first, group)
        for height, given in by_height.items():
            far = height > a
            for sender in everybody[:1] if far else everybody:
                place = Placement(sender + (1 << (height - 1)), height - 1, self.program.tree.capacities)
                for slot, tile in sorted(given, key=lambda item: (-item[1].height, -item[1].number)):
                    senders = bit_reversed(everybody) if far else [sender]
                    self._send_tiles(place, tile, iter(senders), start + slot, 2 * height)

    def _send_tiles(
        self, place: Placement, tile: Tile, waiting: Iterator[int], sent: int, delay: int
    ) -> None:
        """Send the messages of one slot, which make a group in each of its tiles."""
        for _ in range(tile.number):
            at = place.put(tile, sent)
            if at is None:
                return
            self.sent += [(next(waiting), receiver, sent) for receiver in members(at, tile.group)]
            self.waiting.append((at, tile.group, tile.height, sent + delay))


class Placement:
    """The places of the tiles of a subtree.

    Each lies in the half that has more room left, unless a channel on the way is full when its messages
    arrive.
    """

    def __init__(self, first: int, height: int, capacities: Sequence[int]) -> None:
        self.first, self.height, self.capacities = first, height, capacities
        self.used: dict[tuple[int, int], int] = {}
        self.loads: dict[tuple[int, int, int], int] = {}

    def put(self, tile: Tile, sent: int) -> int | None:
        """Return the first leaf of a tile, no larger than the tiles before it, or None if all is covered."""
        if self.used.get((self.height, 0), 0) == 1 << self.height:
            return None
        place = self._free(self.height, 0, tile, sent, 1 << tile.group.copies)
        if place is None:
            place = self._free(self.height, 0, tile, sent, 0)
        assert place is not None
        for j in range(tile.height, self.height + 1):
            above = j, place >> (j - tile.height)
            self.used[above] = self.used.get(above, 0) + (1 << tile.height)
            self.loads[*above, sent] = self.loads.get((*above, sent), 0) + (1 << tile.group.copies)
        return self.first + (place << tile.height)

    def _free(self, j: int, place: int, tile: Tile, sent: int, load: int) -> int | None:
        """Return a free place for a tile within a subtree with channels for `load` more messages, or None."""
        used = self.used.get((j, place), 0)
        if used == 1 << j or (load and self.loads.get((j, place, sent), 0) + load > self.capacities[j]):
            return None
        if j == tile.height:
            return None if used else place
        halves = sorted((self.used.get((j - 1, half), 0), half) for half in (2 * place, 2 * place + 1))
        found = (self._free(j - 1, half, tile, sent, load) for _, half in halves)
        return next((at for at in found if at is not None), None)


def members(first: int, group: Group) -> list[int]:
    """Return the processors of a group that hold the message."""
    return [first + (i << (group.height - group.copies)) for i in range(1 << group.copies)]


def bit_reversed(items: Sequence[int]) -> list[int]:
    """Return the items in the order of their bit-reversed places; their number is a power of two.

    Any few consecutive items are then spread evenly.
    """
    order = [0]
    while len(order) < len(items):
        order = [2 * i for i in order] + [2 * i + 1 for i in order]
    return [items[i] for i in order]


def bit_reversed_rows(first: int, group: Group, places: Sequence[int]) -> list[int]:
    """Return the members of the images of a group at some places, spread evenly."""
    return [first + place + member for member in bit_reversed(members(0, group)) for place in places]
