"""A movement in batches: for programs whose ranks send and receive a batch at a time.

A transfer goes into the first batch that has room for it on its links, after the batches that bring its data.
With room for a w-th of what the busiest link carries, some w batches are enough, and as many more as the
movement is deep; so their times, each as long as its busiest link, add up to little more than it needs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from heapq import heapify, heappop, heappush

from schedsolve.machines.timing import STEPS, Costs, timing
from schedsolve.modelkit.movement import Link, Movement, MovementStep, Transfer

MULTIPLES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
"""For so many chunks on the slowest link there is room in a batch."""
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
    found = [movement]
    for room in _rooms(movement):
        found.append(_batched(movement, groups, room))
    seconds = [timing(one, costs, STEPS).seconds for one in found]
    good = [one for one, time in zip(found, seconds, strict=True) if time <= min(seconds) * ENOUGH]
    return min(good, key=lambda one: len(one.steps))


def _rooms(movement: Movement) -> Iterator[float]:
    """Yield for how long a batch may occupy a link: some multiples of a chunk's time on the slowest link."""
    bandwidth = movement.network.bandwidth_of
    used = {link for step in movement.steps for transfer in step.transfers for link in transfer.links}
    longest = max((1 / float(bandwidth[link]) for link in used), default=0.0)
    yield from (longest * times for times in MULTIPLES)


def _batched(movement: Movement, groups: list[_Group], room: float) -> Movement:
    """Return the movement in batches that occupy no link for longer than a time, but for single groups."""
    chunk_time = {link: 1 / float(b) for link, b in movement.network.bandwidth_of.items()}
    carried: dict[Link, list[float]] = defaultdict(list)
    full: dict[Link, int] = defaultdict(int)  # so many batches have no room for a chunk
    batches: list[list[Transfer]] = []
    at: dict[int, int] = {}
    for number in _order(groups):
        group = groups[number]
        batch = max(
            (*(at[i] + 1 for i in group.behind), *(at[i] for i in group.not_before)),
            default=0,
        )
        loads = _loads(group, chunk_time)
        batch = max(batch, *(full[link] for link in loads))
        while not all(_fits(carried[link], batch, load, room) for link, load in loads.items()):
            batch += 1
        for link, load in loads.items():
            carried[link] += [0.0] * (batch + 1 - len(carried[link]))
            carried[link][batch] += load
            while full[link] < len(carried[link]) and not _fits(
                carried[link], full[link], chunk_time[link], room
            ):
                full[link] += 1
        batches += [[] for _ in range(batch + 1 - len(batches))]
        batches[batch] += group.transfers
        at[number] = batch
    return replace(movement, steps=tuple(MovementStep(1, tuple(b)) for b in batches if b))


def _fits(carried: list[float], batch: int, load: float, room: float) -> bool:
    """Return whether a link has room for a load in a batch; an idle one has for any."""
    before = carried[batch] if batch < len(carried) else 0.0
    return not before or before + load <= room * (1 + 1e-9)


def _loads(group: _Group, chunk_time: dict[Link, float]) -> dict[Link, float]:
    """Return for how long the transfers of a group occupy each link."""
    found: dict[Link, float] = {}
    for transfer in group.transfers:
        for link in transfer.links:
            found[link] = found.get(link, 0.0) + len(transfer.chunks) * chunk_time[link]
    return found


def _order(groups: list[_Group]) -> Iterator[int]:
    """Yield the groups, each after those that it is behind, otherwise in their own order."""
    missing = [len(group.behind | group.not_before) for group in groups]
    following: dict[int, list[int]] = defaultdict(list)
    for number, group in enumerate(groups):
        for other in group.behind | group.not_before:
            following[other].append(number)
    ready = [number for number, count in enumerate(missing) if not count]
    heapify(ready)
    while ready:
        number = heappop(ready)
        yield number
        for other in following[number]:
            missing[other] -= 1
            if not missing[other]:
                heappush(ready, other)


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
    part = list(range(len(transfers)))

    def root(number: int) -> int:
        while part[number] != number:
            part[number] = part[part[number]]
            number = part[number]
        return number

    for number, transfer in enumerate(transfers):
        for chunk in transfer.chunks:
            for other in senders[transfer.receiver, chunk]:
                part[root(number)] = root(other)
    found: dict[int, list[Transfer]] = defaultdict(list)
    for number, transfer in enumerate(transfers):
        found[root(number)].append(transfer)
    return list(found.values())
