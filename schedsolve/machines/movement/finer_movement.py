"""Movements whose messages leave in a better order, and in smaller parts.

What a step sends may leave in any order, and chunks need not wait for others that go the same way.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from heapq import heapify, heappop, heappush

from schedsolve.machines.movement.link_clock import Message, run
from schedsolve.machines.movement.movement import Link, Movement, MovementStep, Transfer

TIMES = (1, 2, 4, 8, 16)
"""Into so many parts chunks are cut."""
GAIN = Fraction(98, 100)
"""Of the time with fewer messages: more are not taken where this is not reached."""
MOST_MESSAGES = 3000
"""With more, parts are not tried."""


def messages_of(movement: Movement) -> list[Message]:
    """Return the transfers of all steps in order as messages.

    Each stands behind those of earlier steps that bring its sender some of its chunks.
    """
    found: list[Message] = []
    brought: dict[tuple[int, int], list[int]] = defaultdict(list)
    for step in movement.steps:
        first = len(found)
        for transfer in step.transfers:
            after = {i for chunk in transfer.chunks for i in brought.get((transfer.sender, chunk), ())}
            path = (transfer.sender, *transfer.between, transfer.receiver)
            found.append(Message(path, len(transfer.chunks), tuple(sorted(after))))
        for number, transfer in enumerate(step.transfers, first):
            for chunk in transfer.chunks:
                brought[transfer.receiver, chunk].append(number)
    return found


def in_sending_order(movement: Movement) -> Movement:
    """Return the movement with what leaves in each step in an order in which ports of switches seldom queue.

    A transfer that can start first comes first, over all links of its way at once, and of several the one
    with the busiest link (list scheduling: Graham, 1969).
    """
    time = {link: 1 / float(b) for link, b in movement.network.bandwidth_of.items()}

    def ordered(transfers: Sequence[Transfer]) -> Iterator[Transfer]:
        load: dict[Link, float] = defaultdict(float)
        for one in transfers:
            for link in one.links:
                load[link] += len(one.chunks) * time[link]
        free: dict[Link, float] = defaultdict(float)
        # Transfers over the same links could start at the same time: only the first of them is looked at.
        alike: dict[tuple[Link, ...], deque[int]] = defaultdict(deque)
        for number, one in enumerate(transfers):
            alike[one.links].append(number)
        ready = [(0.0, -max(load[e] for e in links), those[0], links) for links, those in alike.items()]
        heapify(ready)
        while ready:
            start, busiest, number, links = heappop(ready)
            earliest = max(free[link] for link in links)
            if earliest > start:
                heappush(ready, (earliest, busiest, number, links))
                continue
            for link in links:
                free[link] = start + len(transfers[number].chunks) * time[link]
            yield transfers[number]
            alike[links].popleft()
            if alike[links]:
                heappush(ready, (start, busiest, alike[links][0], links))

    if not any(transfer.between for step in movement.steps for transfer in step.transfers):
        return movement
    steps = (step._replace(transfers=tuple(ordered(step.transfers))) for step in movement.steps)
    return replace(movement, steps=tuple(steps))


def in_parts(movement: Movement, times: int) -> Movement:
    """Return the movement with every chunk cut into parts, each a message of its own."""

    def parts(transfer: Transfer) -> Iterator[Transfer]:
        for chunk in transfer.chunks:
            for part in range(times):
                yield transfer._replace(chunks=(chunk * times + part,))

    steps = (
        MovementStep(step.rounds * times, tuple(one for t in step.transfers for one in parts(t)))
        for step in movement.steps
    )
    return replace(movement, chunks=movement.chunks * times, steps=tuple(steps))


def least_seconds(movement: Movement, latency: Fraction, unit: Fraction) -> Fraction:
    """Return a time below which the movement ends in no order and in no parts.

    The last message over the busiest link arrives a latency after it has crossed, and a chunk that is handed
    on several times waits for the latency each time. latency: the seconds of a message. unit: the seconds of
    a unit over a link of bandwidth 1.
    """
    load: dict[Link, int] = defaultdict(int)
    sendings: dict[tuple[int, int], int] = defaultdict(int)
    for step in movement.steps:
        brought = []
        for transfer in step.transfers:
            for link in transfer.links:
                load[link] += len(transfer.chunks)
            brought += [
                ((transfer.receiver, chunk), sendings[transfer.sender, chunk] + 1)
                for chunk in transfer.chunks
            ]
        for place, count in brought:
            sendings[place] = max(sendings[place], count)
    bandwidth = movement.network.bandwidth_of
    busiest = max((n / Fraction(bandwidth[link]) for link, n in load.items()), default=Fraction(0))
    return max(latency + unit * busiest / movement.chunks, latency * max(sendings.values(), default=0))


def finer(movement: Movement, latency: Fraction, most: int) -> Movement:
    """Return the movement in parts, as long as that makes it faster.

    Parameters
    ----------
    movement
        What is carried out.
    latency
        Of a message, in times of a unit over a link of bandwidth 1.
    most
        The most messages.
    """
    best = movement
    seconds = _seconds(best, latency)
    chunks = sum(len(transfer.chunks) for step in movement.steps for transfer in step.transfers)
    for times in TIMES:
        if chunks * times > min(most, MOST_MESSAGES):
            break
        found = in_sending_order(in_parts(movement, times))
        own = _seconds(found, latency)
        if own <= GAIN * seconds:
            best, seconds = found, own
    return best


def _seconds(movement: Movement, latency: Fraction) -> Fraction:
    per_chunk = {
        link: 1 / (movement.chunks * Fraction(b)) for link, b in movement.network.bandwidth_of.items()
    }
    return run(messages_of(movement), per_chunk, latency).seconds
