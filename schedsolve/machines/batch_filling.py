"""Batches filled one after the other with transfers whose data are there, as far as links have room."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush, heapreplace
from math import inf

from schedsolve.machines.movement.movement import Link, Movement, MovementStep, Transfer
from schedsolve.machines.timing import Costs
from schedsolve.machines.transfer_groups import link_loads, transfer_groups

BUSY = 0.95
"""Links are busy ones that carry this share of what the busiest link carries, or more."""
LARGER = 1.25
"""How many times as large the room of a batch gets at a time."""


Waiting = list[tuple[float, int]]
"""A heap of groups, each behind its priority."""


@dataclass(frozen=True)
class Room:
    """For how long a batch may occupy a link.

    Attributes
    ----------
    least
        So long in any case.
    use
        Longer while busy links are occupied for at least this share of what is added.
    """

    least: float
    use: float = inf


@dataclass(frozen=True)
class Batches:
    """The batch of every group, how many there are, and how long they take."""

    of_group: Sequence[int]
    count: int
    seconds: float


class Filling:
    """Batches that are filled with the groups of a movement.

    Attributes
    ----------
    groups
        In an order in which each stands behind those that it waits for.
    kind
        Of each; groups of one kind occupy the same links for as long.
    loads
        Of each kind, which links it occupies, by their numbers, and how long: in times of a chunk over a link
        of bandwidth 1.
    before, after
        Of each, those that it waits for, and those that wait for it.
    longest, busiest
        For how long the longest group occupies a link, and all groups together the busiest one.
    amounts
        For how long groups occupy busy links, all that there are.
    uses
        Of each kind, how much it takes of the busy links, where all groups together take `busiest`.
    passes
        How often all batches were filled.
    """

    def __init__(self, movement: Movement, costs: Costs) -> None:
        self.movement, self.groups, self.costs = movement, transfer_groups(movement), costs
        self.before = [sorted(group.behind | group.not_before) for group in self.groups]
        self.after: list[list[int]] = [[] for _ in self.groups]
        for number, others in enumerate(self.before):
            for other in others:
                self.after[other].append(number)
        links: dict[Link, int] = {}
        kinds: dict[tuple[tuple[int, float], ...], int] = {}
        self.kind = [
            kinds.setdefault(tuple(sorted(link_loads(group, links, movement).items())), len(kinds))
            for group in self.groups
        ]
        self.loads = list(kinds)
        total = [0.0] * len(links)
        for kind in self.kind:
            for link, amount in self.loads[kind]:
                total[link] += amount
        self.links, self.passes = len(links), 0
        self.busiest = max(total, default=0.0)
        self.longest = max((amount for load in self.loads for _, amount in load), default=0.0)
        busy = {link: amount for link, amount in enumerate(total) if amount >= BUSY * self.busiest}
        part = self.busiest / (sum(busy.values()) or 1.0)
        self.amounts = {amount for load in self.loads for link, amount in load if link in busy}
        self.uses = [sum(part * amount for link, amount in load if link in busy) for load in self.loads]
        self.left = [1] * len(self.groups)
        for number in reversed(range(len(self.groups))):
            self.left[number] += max((self.left[other] for other in self.after[number]), default=0)

    @property
    def least(self) -> float:
        """The seconds of batches that keep the busiest link busy, without latency."""
        return self.seconds(0, self.busiest)

    def expected(self, multiple: int) -> float:
        """Return about how long batches take that have room for so many of the longest group.

        Busy links lose what is left of the room behind the last whole chunk; and where data spread and come
        in, links are idle for a batch for each group that follows another.
        """
        room = multiple * self.longest
        fit = min(int(room / amount * (1 + 1e-9)) * amount / room for amount in self.amounts)
        return self.seconds(1, room) * (self.busiest / fit / room + max(self.left))

    def as_it_is(self) -> Batches:
        """Return the steps of the movement as batches."""
        of_group = [group.step for group in self.groups]
        busy: list[dict[int, float]] = [defaultdict(float) for _ in self.movement.steps]
        for place, kind in zip(of_group, self.kind, strict=True):
            for link, amount in self.loads[kind]:
                busy[place][link] += amount
        times = sum(max(loads.values(), default=0.0) for loads in busy)
        return Batches(of_group, len(busy), self.seconds(len(busy), times))

    def forward(self, room: Room, urgency: int) -> Batches:
        """Return batches filled from the first one on.

        A group has the priority of the batch that it would be in if the chunks of every unit were dealt
        evenly by their numbers, less `urgency` batches for every group that has to follow it.
        """
        chunks = self.movement.chunks
        share = self.busiest / room.least / chunks
        return self.filled(
            room,
            [
                min(group.transfers[0].chunks) % chunks * share - urgency * behind
                for group, behind in zip(self.groups, self.left, strict=True)
            ],
        )

    def filled(self, room: Room, priorities: Sequence[float], *, backward: bool = False) -> Batches:
        """Fill one batch after the other, from the last one on where that is asked for.

        None occupies a link for longer than its room, but for one group.
        """
        self.passes += 1
        before, after = (self.after, self.before) if backward else (self.before, self.after)
        missing = [len(others) for others in before]
        waiting: list[Waiting] = [[] for _ in self.loads]
        for number, count in enumerate(missing):
            if not count:
                waiting[self.kind[number]].append((priorities[number], number))
        for queue in waiting:
            heapify(queue)
        place, batches, times = [0] * len(self.groups), 0, 0.0
        while True:
            taken, longest = self._fill(waiting, room)
            if not taken:
                break
            for number in taken:
                place[number] = batches
                for other in after[number]:
                    missing[other] -= 1
                    if not missing[other]:
                        heappush(waiting[self.kind[other]], (priorities[other], other))
            batches += 1
            times += longest
        if backward:
            place = [batches - 1 - at for at in place]
        return Batches(place, batches, self.seconds(batches, times))

    def _fill(self, waiting: list[Waiting], room: Room) -> tuple[list[int], float]:
        """Take the groups of a batch out of those that wait, by their kinds.

        With them comes how long the busiest link is busy with them.
        """
        used = [0.0] * self.links
        taken, length, multiple = self._fill_up(waiting, used, room.least), max(used, default=0.0), 1
        while taken and room.use < inf:
            longer = max(multiple + 1, int(multiple * LARGER))
            more = self._fill_up(waiting, used, longer * room.least)
            use = sum(self.uses[self.kind[number]] for _, number in more)
            if not more or use < room.use * (longer - multiple) * room.least:
                for entry in more:
                    heappush(waiting[self.kind[entry[1]]], entry)
                break
            taken, length, multiple = taken + more, max(used), longer
        return [number for _, number in taken], length

    def _fill_up(self, waiting: list[Waiting], used: list[float], limit: float) -> Waiting:
        """Take groups as far as links have room, the most urgent first, and add to `used`."""
        limit *= 1 + 1e-9
        taken = []
        heads = [(*queue[0], kind) for kind, queue in enumerate(waiting) if queue]
        heapify(heads)
        while heads:
            priority, number, kind = heads[0]
            load = self.loads[kind]
            for link, amount in load:
                if used[link] and used[link] + amount > limit:
                    heappop(heads)
                    break
            else:
                taken.append((priority, number))
                for link, amount in load:
                    used[link] += amount
                queue = waiting[kind]
                heappop(queue)
                if queue:
                    heapreplace(heads, (*queue[0], kind))
                else:
                    heappop(heads)
        return taken

    def seconds(self, count: int, times: float) -> float:
        """Return the seconds of so many batches that are so long together, in times of a chunk."""
        chunk = float(self.costs.beta) * self.costs.size / self.movement.chunks
        return float(self.costs.alpha) * count + chunk * times

    def steps(self, batches: Batches) -> Movement:
        """Return the movement whose steps these batches are."""
        made: list[list[Transfer]] = [[] for _ in range(batches.count)]
        for group, place in zip(self.groups, batches.of_group, strict=True):
            made[place] += group.transfers
        return replace(self.movement, steps=tuple(MovementStep(1, tuple(one)) for one in made if one))
