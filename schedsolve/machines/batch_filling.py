"""Batches filled one after the other with transfers whose data are there, as far as links have room."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush, heapreplace

from schedsolve.machines.timing import Costs
from schedsolve.machines.transfer_groups import link_loads, transfer_groups
from schedsolve.modelkit.movement import Link, Movement, MovementStep, Transfer


@dataclass(frozen=True)
class Rooms:
    """For how long batches may occupy a link.

    Attributes
    ----------
    full
        The longest of them.
    ends
        The first batches, and, backwards, the last ones.
    middle
        How many full ones are expected between these; what does not fit comes behind, in full ones.
    """

    full: float
    ends: tuple[float, ...] = ()
    middle: int = 0

    def __getitem__(self, number: int) -> float:
        """Return the room of a batch, counted from either end."""
        behind = 2 * len(self.ends) + self.middle - 1 - number
        nearest = min(number, behind) if behind >= 0 else number
        return self.ends[nearest] if nearest < len(self.ends) and behind >= 0 else self.full


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
        self.left = [1] * len(self.groups)
        for number in reversed(range(len(self.groups))):
            self.left[number] += max((self.left[other] for other in self.after[number]), default=0)

    @property
    def least(self) -> float:
        """The seconds of batches that keep the busiest link busy, without latency."""
        return self._seconds(0, self.busiest)

    def as_it_is(self) -> Batches:
        """Return the steps of the movement as batches."""
        of_group = [group.step for group in self.groups]
        busy: list[dict[int, float]] = [defaultdict(float) for _ in self.movement.steps]
        for place, kind in zip(of_group, self.kind, strict=True):
            for link, amount in self.loads[kind]:
                busy[place][link] += amount
        times = sum(max(loads.values(), default=0.0) for loads in busy)
        return Batches(of_group, len(busy), self._seconds(len(busy), times))

    def forward(self, rooms: Rooms, urgency: int) -> Batches:
        """Return batches filled from the first one on, which occupy no link for longer, but for one group.

        A group has the priority of the batch that it would be in if the chunks of every unit were dealt
        evenly by their numbers, less `urgency` batches for every group that has to follow it.
        """
        chunks = self.movement.chunks
        share = self.busiest / rooms.full / chunks
        return self.filled(
            rooms,
            [
                min(group.transfers[0].chunks) % chunks * share - urgency * behind
                for group, behind in zip(self.groups, self.left, strict=True)
            ],
        )

    def filled(self, rooms: Rooms, priorities: Sequence[float], *, backward: bool = False) -> Batches:
        """Fill one batch after the other, from the last one on where that is asked for."""
        self.passes += 1
        before, after = (self.after, self.before) if backward else (self.before, self.after)
        missing = [len(others) for others in before]
        waiting: list[list[tuple[float, int]]] = [[] for _ in self.loads]
        for number, count in enumerate(missing):
            if not count:
                waiting[self.kind[number]].append((priorities[number], number))
        for queue in waiting:
            heapify(queue)
        place, batches, times = [0] * len(self.groups), 0, 0.0
        while True:
            taken, longest = self._fill(waiting, rooms[batches])
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
        return Batches(place, batches, self._seconds(batches, times))

    def _fill(self, waiting: list[list[tuple[float, int]]], room: float) -> tuple[list[int], float]:
        """Take the groups of a batch out of those that wait, by their kinds, the most urgent first.

        With them comes how long the busiest link is busy with them.
        """
        used, limit = [0.0] * self.links, room * (1 + 1e-9)
        taken = []
        heads = [(*queue[0], kind) for kind, queue in enumerate(waiting) if queue]
        heapify(heads)
        while heads:
            _, number, kind = heads[0]
            load = self.loads[kind]
            for link, amount in load:
                if used[link] and used[link] + amount > limit:
                    heappop(heads)
                    break
            else:
                taken.append(number)
                for link, amount in load:
                    used[link] += amount
                queue = waiting[kind]
                heappop(queue)
                if queue:
                    heapreplace(heads, (*queue[0], kind))
                else:
                    heappop(heads)
        return taken, max(used, default=0.0)

    def _seconds(self, count: int, times: float) -> float:
        """Return the seconds of so many batches that are so long together, in times of a chunk."""
        chunk = float(self.costs.beta) * self.costs.size / self.movement.chunks
        return float(self.costs.alpha) * count + chunk * times

    def steps(self, batches: Batches) -> Movement:
        """Return the movement whose steps these batches are."""
        made: list[list[Transfer]] = [[] for _ in range(batches.count)]
        for group, place in zip(self.groups, batches.of_group, strict=True):
            made[place] += group.transfers
        return replace(self.movement, steps=tuple(MovementStep(1, tuple(one)) for one in made if one))
