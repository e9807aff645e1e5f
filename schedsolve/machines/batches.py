"""A movement in batches: for programs whose ranks send and receive a batch at a time.

Batches are filled one after the other, with transfers whose data are there, as far as their links have room
(list scheduling: Graham, 1969): chunks of low numbers before others, and those before that more has to
follow. With room for a w-th of what the busiest link carries, some w batches are enough, and as many more as
the movement is deep; so their times, each as long as its busiest link, add up to little more than it needs.
Then they are filled again from the last one on, what was late before what was early, and again from the first
one on, as long as this helps (forward-backward improvement: Li and Willis, 1992).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush

from schedsolve.machines.timing import Costs
from schedsolve.modelkit.movement import Link, Movement, MovementStep, Transfer
from schedsolve.network.partition import Partition

MULTIPLES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
"""For so many chunks on the slowest link there is room in a batch."""
URGENCIES = (1, 3, 10)
"""How many batches a transfer may overtake for another that has to follow it: the best of them is taken."""
MOST_PASSES = 4
"""So often batches are filled again for a room, in turn from the last one and from the first one on."""
MOST_PASSED = 64
"""So many transfers that wait for a link are passed over in a batch, as their other links are full."""
ENOUGH = 1.01
"""Of two numbers of batches the smaller is taken where it takes at most this many times as long."""


@dataclass
class _Group:
    """Transfers that share a batch: in one step, one writes what another sends.

    Attributes
    ----------
    transfers
        In the order of the movement.
    step
        Of the movement.
    behind
        Groups that must be in earlier batches.
    not_before
        Groups that must be in earlier batches or in the same.
    """

    transfers: list[Transfer]
    step: int
    behind: set[int] = field(default_factory=set)
    not_before: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class _Batches:
    """The batch of every group, how many there are, and how long they take."""

    of_group: Sequence[int]
    count: int
    seconds: float


def in_batches(movement: Movement, costs: Costs) -> Movement:
    """Return the movement with its transfers in batches, as its steps.

    What a rank sends in a step is what it has by the steps before, as in every movement. Of the numbers of
    batches that are tried, and of the steps as they are, the fewest are taken that are nearly as fast as the
    best.

    Parameters
    ----------
    movement
        What is carried out, in any steps.
    costs
        By which batches are compared, each as long as its busiest link.
    """
    filling = _Filling(movement, costs)
    if not filling.groups:
        return movement
    found = [filling.as_it_is()]
    urgencies: Sequence[int] = URGENCIES
    for room in _rooms(movement):
        tried = [(filling.forward(room, urgency), urgency) for urgency in urgencies]
        best, urgency = min(tried, key=lambda each: each[0].seconds)
        urgencies = (urgency,)
        found.append(filling.improved(best, room))
        seconds = [one.seconds for one in found[-3:]]
        if seconds[-1] > seconds[-2] > seconds[0]:
            break  # with longer batches the network fills and empties more slowly yet
    least = min(one.seconds for one in found)
    good = [one for one in found if one.seconds <= ENOUGH * least]
    return filling.steps(min(good, key=lambda one: one.count))


def _rooms(movement: Movement) -> Iterator[float]:
    """Yield for how long a batch may occupy a link: some multiples of a chunk's time on the slowest link."""
    bandwidth = movement.network.bandwidth_of
    used = {link for step in movement.steps for transfer in step.transfers for link in transfer.links}
    longest = max((1 / float(bandwidth[link]) for link in used), default=0.0)
    yield from (longest * times for times in MULTIPLES)


class _Filling:
    """Batches that are filled with the groups of a movement.

    Attributes
    ----------
    groups
        In an order in which each stands behind those that it waits for.
    loads
        Of each, for how long it occupies which links, by their numbers: times of a chunk at bandwidth 1.
    before, after
        Of each, those that it waits for, and those that wait for it.
    """

    def __init__(self, movement: Movement, costs: Costs) -> None:
        self.movement, self.groups, self.costs = movement, _groups(movement), costs
        self.before = [sorted(group.behind | group.not_before) for group in self.groups]
        self.after: list[list[int]] = [[] for _ in self.groups]
        for number, others in enumerate(self.before):
            for other in others:
                self.after[other].append(number)
        links: dict[Link, int] = {}
        self.loads = [_loads(group, links, movement) for group in self.groups]
        self.links = len(links)
        transfers = [group.transfers[0] for group in self.groups]
        self.doors = [
            [links[transfer.links[0]] for transfer in transfers],
            [links[transfer.links[-1]] for transfer in transfers],
        ]
        self.left = [1] * len(self.groups)
        for number in reversed(range(len(self.groups))):
            self.left[number] += max((self.left[other] for other in self.after[number]), default=0)

    def as_it_is(self) -> _Batches:
        """Return the steps of the movement as batches."""
        return self._timed([group.step for group in self.groups])

    def forward(self, room: float, urgency: int) -> _Batches:
        """Return batches filled from the first one on, which occupy no link for longer, but for one group.

        A group has the priority of the batch that it would be in if the chunks of every unit were dealt
        evenly by their numbers, less `urgency` batches for every group that has to follow it.
        """
        chunks = self.movement.chunks
        share = self._busiest() / room / chunks
        return self._filled(
            room,
            [
                min(group.transfers[0].chunks) % chunks * share - urgency * behind
                for group, behind in zip(self.groups, self.left, strict=True)
            ],
        )

    def improved(self, best: _Batches, room: float) -> _Batches:
        """Return the best of the batches that are filled again, from the other end in turn."""
        last = best
        for number in range(MOST_PASSES):
            backward = number % 2 == 0
            sign = -1.0 if backward else 1.0
            last = self._filled(room, [sign * place for place in last.of_group], backward=backward)
            if last.seconds >= best.seconds and number:
                break
            best = min(best, last, key=lambda one: one.seconds)
        return best

    def _filled(self, room: float, priorities: Sequence[float], *, backward: bool = False) -> _Batches:
        """Fill one batch after the other, from the last one on where that is asked for."""
        before, after = (self.after, self.before) if backward else (self.before, self.after)
        doors = self.doors[backward]
        missing = [len(others) for others in before]
        waiting: list[list[tuple[float, int]]] = [[] for _ in range(self.links)]
        for number, count in enumerate(missing):
            if not count:
                waiting[doors[number]].append((priorities[number], number))
        for queue in waiting:
            heapify(queue)
        place, batches = [0] * len(self.groups), 0
        while taken := self._fill(waiting, room):
            for number in taken:
                place[number] = batches
                for other in after[number]:
                    missing[other] -= 1
                    if not missing[other]:
                        heappush(waiting[doors[other]], (priorities[other], other))
            batches += 1
        return self._timed([batches - 1 - at for at in place] if backward else place)

    def _fill(self, waiting: list[list[tuple[float, int]]], room: float) -> list[int]:
        """Take the groups of a batch out of those that wait for a link, the most urgent first."""
        used, limit = [0.0] * self.links, room * (1 + 1e-9)
        passed: list[list[tuple[float, int]]] = [[] for _ in range(self.links)]
        taken = []
        heads = [(queue[0], link) for link, queue in enumerate(waiting) if queue]
        heapify(heads)
        while heads:
            head, link = heappop(heads)
            queue, load = waiting[link], self.loads[head[1]]
            if used[link] and used[link] + load[link] > limit:
                continue
            heappop(queue)
            if all(not used[other] or used[other] + amount <= limit for other, amount in load.items()):
                taken.append(head[1])
                for other, amount in load.items():
                    used[other] += amount
            else:
                passed[link].append(head)
            if queue and len(passed[link]) < MOST_PASSED:
                heappush(heads, (queue[0], link))
        for link, ones in enumerate(passed):
            for one in ones:
                heappush(waiting[link], one)
        return taken

    def _busiest(self) -> float:
        """Return for how long the busiest link is busy with all groups."""
        total = [0.0] * self.links
        for load in self.loads:
            for link, amount in load.items():
                total[link] += amount
        return max(total)

    def _timed(self, of_group: Sequence[int]) -> _Batches:
        count = 1 + max(of_group)
        busy: list[dict[int, float]] = [defaultdict(float) for _ in range(count)]
        for place, load in zip(of_group, self.loads, strict=True):
            for link, amount in load.items():
                busy[place][link] += amount
        times = sum(max(loads.values(), default=0.0) for loads in busy)
        chunk = float(self.costs.beta) * self.costs.size / self.movement.chunks
        return _Batches(of_group, count, float(self.costs.alpha) * count + chunk * times)

    def steps(self, batches: _Batches) -> Movement:
        """Return the movement whose steps these batches are."""
        made: list[list[Transfer]] = [[] for _ in range(batches.count)]
        for group, place in zip(self.groups, batches.of_group, strict=True):
            made[place] += group.transfers
        return replace(self.movement, steps=tuple(MovementStep(1, tuple(one)) for one in made if one))


def _loads(group: _Group, links: dict[Link, int], movement: Movement) -> dict[int, float]:
    """Return for how long the transfers of a group occupy each link; new links get the next numbers."""
    found: dict[int, float] = {}
    for transfer in group.transfers:
        for link in transfer.links:
            number = links.setdefault(link, len(links))
            time = len(transfer.chunks) / float(movement.network.bandwidth_of[link])
            found[number] = found.get(number, 0.0) + time
    return found


def _groups(movement: Movement) -> list[_Group]:
    """Return the transfers of a movement in groups, with what each waits for.

    A transfer waits for what brings its sender the chunks. Where chunks are added up, what arrives also waits
    until what was there has been sent, and for what arrived before it.
    """
    groups: list[_Group] = []
    brought: dict[tuple[int, int], set[int]] = defaultdict(set)
    sent: dict[tuple[int, int], set[int]] = defaultdict(set)
    for at, step in enumerate(movement.steps):
        parts = _joined(step.transfers) if movement.layout.adds else [[one] for one in step.transfers]
        first = len(groups)
        groups += [_Group(part, at) for part in parts]
        for number in range(first, len(groups)):
            for transfer in groups[number].transfers:
                for chunk in transfer.chunks:
                    groups[number].behind |= brought[transfer.sender, chunk]
                    sent[transfer.sender, chunk].add(number)
        for number in range(first, len(groups)):
            for transfer in groups[number].transfers:
                for place in ((transfer.receiver, chunk) for chunk in transfer.chunks):
                    if movement.layout.adds:
                        groups[number].not_before |= sent[place] - {number}
                        groups[number].behind |= {i for i in brought[place] if i < first}
        for number in range(first, len(groups)):
            for transfer in groups[number].transfers:
                for chunk in transfer.chunks:
                    brought[transfer.receiver, chunk].add(number)
    return groups


def _joined(transfers: tuple[Transfer, ...]) -> list[list[Transfer]]:
    """Return the transfers of a step in parts: those that send what others write are with them."""
    senders: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, transfer in enumerate(transfers):
        for chunk in transfer.chunks:
            senders[transfer.sender, chunk].append(number)
    parts = Partition(range(len(transfers)))
    for number, transfer in enumerate(transfers):
        for chunk in transfer.chunks:
            parts.join((number, other) for other in senders[transfer.receiver, chunk])
    found: dict[int, list[Transfer]] = defaultdict(list)
    for number, transfer in enumerate(transfers):
        found[parts.first(number)].append(transfer)
    return list(found.values())
