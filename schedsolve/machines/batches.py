"""A movement in batches: for programs whose ranks send and receive a batch at a time.

Batches are filled one after the other, with transfers whose data are there, as far as their links have room
(list scheduling: Graham, 1969): chunks of low numbers before others, and those before that more has to
follow. With room for a w-th of what the busiest link carries, some w batches are enough, and as many more as
the movement is deep; so their times, each as long as its busiest link, add up to little more than it needs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from heapq import heapify, heappop, heappush

from schedsolve.machines.timing import STEPS, Costs, timing
from schedsolve.modelkit.movement import Link, Movement, MovementStep, Transfer
from schedsolve.network.partition import Partition

MULTIPLES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
"""For so many chunks on the slowest link there is room in a batch."""
URGENCIES = (1, 3)
"""How many batches a transfer may overtake for another that has to follow it: the better of them is taken."""
MOST_PASSED = 64
"""So many transfers that wait for a link are passed over in a batch, as their other links are full."""
ENOUGH = Fraction(51, 50)
"""Of two numbers of batches the smaller is taken where it takes at most this many times as long."""


@dataclass
class _Group:
    """Transfers that share a batch: in one step, one writes what another sends.

    Attributes
    ----------
    transfers
        In the order of the movement.
    behind
        Groups that must be in earlier batches.
    not_before
        Groups that must be in earlier batches or in the same.
    """

    transfers: list[Transfer]
    behind: set[int] = field(default_factory=set)
    not_before: set[int] = field(default_factory=set)


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
    groups = _groups(movement)
    if not groups:
        return movement
    found, seconds = [movement], [timing(movement, costs, STEPS).seconds]
    urgencies: Sequence[int] = URGENCIES
    for room in _rooms(movement):
        tried = [(_batched(movement, groups, room, urgency), urgency) for urgency in urgencies]
        timed = [(timing(one, costs, STEPS).seconds, one, urgency) for one, urgency in tried]
        time, best, urgency = min(timed, key=lambda each: each[0])
        urgencies = (urgency,)
        found.append(best)
        seconds.append(time)
        if seconds[-1] > seconds[-2] > seconds[-3:][0]:
            break  # with longer batches the network fills and empties more slowly yet
    good = [one for one, time in zip(found, seconds, strict=True) if time <= min(seconds) * ENOUGH]
    return min(good, key=lambda one: len(one.steps))


def _rooms(movement: Movement) -> Iterator[float]:
    """Yield for how long a batch may occupy a link: some multiples of a chunk's time on the slowest link."""
    bandwidth = movement.network.bandwidth_of
    used = {link for step in movement.steps for transfer in step.transfers for link in transfer.links}
    longest = max((1 / float(bandwidth[link]) for link in used), default=0.0)
    yield from (longest * times for times in MULTIPLES)


def _batched(movement: Movement, groups: list[_Group], room: float, urgency: int) -> Movement:
    """Return the movement in batches that occupy no link for longer than a time, but for single groups.

    One batch after the other is filled: of the groups that may be sent over a link, by `_priorities`.
    """
    chunk_time = {link: 1 / float(b) for link, b in movement.network.bandwidth_of.items()}
    loads = [_loads(group, chunk_time) for group in groups]
    following = _following(groups)
    priorities = _priorities(movement, groups, following, _busiest(loads) / room, urgency)
    missing = [len(group.behind | group.not_before) for group in groups]
    waiting: dict[Link, list[tuple[float, int]]] = defaultdict(list)

    def wait(number: int) -> None:
        heappush(waiting[groups[number].transfers[0].links[0]], (priorities[number], number))

    for number, count in enumerate(missing):
        if not count:
            wait(number)
    steps = []
    while any(waiting.values()):
        taken = sorted(_fill(waiting, loads, room))
        steps.append(MovementStep(1, tuple(one for number in taken for one in groups[number].transfers)))
        for number in taken:
            for other in following[number]:
                missing[other] -= 1
                if not missing[other]:
                    wait(other)
    return replace(movement, steps=tuple(steps))


def _fill(
    waiting: dict[Link, list[tuple[float, int]]], loads: list[dict[Link, float]], room: float
) -> list[int]:
    """Take the groups of a batch out of those that wait for their first link, the most urgent first."""
    used: dict[Link, float] = defaultdict(float)
    passed: dict[Link, list[tuple[float, int]]] = defaultdict(list)
    taken = []
    first_ones = [(queue[0], link) for link, queue in waiting.items() if queue]
    heapify(first_ones)
    while first_ones:
        first, link = heappop(first_ones)
        queue, load = waiting[link], loads[first[1]]
        if not _fits(used[link], load[link], room):
            continue
        heappop(queue)
        if all(_fits(used[other], amount, room) for other, amount in load.items()):
            taken.append(first[1])
            for other, amount in load.items():
                used[other] += amount
        else:
            passed[link].append(first)
        if queue and len(passed[link]) < MOST_PASSED:
            heappush(first_ones, (queue[0], link))
    for link, ones in passed.items():
        for one in ones:
            heappush(waiting[link], one)
    return taken


def _fits(used: float, load: float, room: float) -> bool:
    """Return whether a link has room for a load; an idle one has for any."""
    return not used or used + load <= room * (1 + 1e-9)


def _priorities(
    movement: Movement,
    groups: list[_Group],
    following: dict[int, list[int]],
    batches: float,
    urgency: int,
) -> list[float]:
    """Return for every group a number, the least for the most urgent.

    The batch that it would be in if the chunks of every unit were dealt evenly by their numbers, less
    `urgency` batches for every group that has to follow it.
    """
    left = [1] * len(groups)
    for number in reversed(range(len(groups))):  # groups stand behind those that they wait for
        left[number] += max((left[other] for other in following[number]), default=0)
    return [
        min(group.transfers[0].chunks) % movement.chunks * batches / movement.chunks - urgency * behind
        for group, behind in zip(groups, left, strict=True)
    ]


def _following(groups: list[_Group]) -> dict[int, list[int]]:
    """Return for every group those that wait for it."""
    following: dict[int, list[int]] = {number: [] for number in range(len(groups))}
    for number, group in enumerate(groups):
        for other in group.behind | group.not_before:
            following[other].append(number)
    return following


def _busiest(loads: list[dict[Link, float]]) -> float:
    """Return for how long the busiest link is busy with all groups."""
    total: dict[Link, float] = defaultdict(float)
    for load in loads:
        for link, amount in load.items():
            total[link] += amount
    return max(total.values(), default=0.0)


def _loads(group: _Group, chunk_time: dict[Link, float]) -> dict[Link, float]:
    """Return for how long the transfers of a group occupy each link."""
    found: dict[Link, float] = {}
    for transfer in group.transfers:
        for link in transfer.links:
            found[link] = found.get(link, 0.0) + len(transfer.chunks) * chunk_time[link]
    return found


def _groups(movement: Movement) -> list[_Group]:
    """Return the transfers of a movement in groups, with what each waits for.

    A transfer waits for what brings its sender the chunks. Where chunks are added up, what arrives also waits
    until what was there has been sent, and for what arrived before it.
    """
    groups: list[_Group] = []
    brought: dict[tuple[int, int], set[int]] = defaultdict(set)
    sent: dict[tuple[int, int], set[int]] = defaultdict(set)
    for step in movement.steps:
        parts = _joined(step.transfers) if movement.layout.adds else [[one] for one in step.transfers]
        first = len(groups)
        groups += [_Group(part) for part in parts]
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
