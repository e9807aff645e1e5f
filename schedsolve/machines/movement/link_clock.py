"""When messages cross the links of a network, each as soon as its data are there.

A message waits for the messages that bring its data. It then crosses the links of its path: each link
carries one message at a time, for as long as its bytes take there. At a switch it is forwarded while it
still comes in (cut-through): it queues for the next link as soon as it can cross that without a pause, and a
link serves messages in the order in which they queue. Behind its last link a message arrives after the
latency, which occupies no link.

So no link carries more than it can, and what bounds the time of the busiest link from below bounds every run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, pairwise
from math import lcm
from typing import NamedTuple

Link = tuple[int, int]
QUEUES, ARRIVES, FREES = range(3)
"""What happens: a message queues for a link behind its first one; it arrives; a link has been crossed."""


class Message(NamedTuple):
    """A message.

    Attributes
    ----------
    path
        The nodes that it goes through, from its sender.
    chunks
        Their number.
    after
        The messages, by their numbers, that must have arrived before it can leave.
    """

    path: tuple[int, ...]
    chunks: int
    after: tuple[int, ...]


@dataclass(frozen=True)
class Run:
    """When messages left and arrived.

    Attributes
    ----------
    tick
        The seconds of a unit of time.
    starts, arrivals
        Of every message, in ticks from 0.
    order
        The messages by their starts.
    busy
        Of every link, when it begins and ends to carry a message, in order.
    """

    tick: Fraction
    starts: Sequence[int]
    arrivals: Sequence[int]
    order: Sequence[int]
    busy: Mapping[Link, Sequence[tuple[int, int]]]

    @property
    def seconds(self) -> Fraction:
        """The time of the last arrival."""
        return self.tick * max(self.arrivals, default=0)


def run(
    messages: Sequence[Message],
    chunk_seconds: Mapping[Link, Fraction],
    latency: Fraction = Fraction(0),
    priority: Sequence[float] | None = None,
) -> Run:
    """Return when each message leaves and arrives.

    Parameters
    ----------
    messages
        None waits for one behind it in the list.
    chunk_seconds
        How long each link takes for a chunk.
    latency
        Seconds of a message besides.
    priority
        Of the messages that could leave over a link, the one of least priority leaves first; without it those
        that leave over a link leave in the order of the list, and wait for each other.
    """
    tick = _tick(chunk_seconds, latency)
    clock = _Clock(messages, {link: int(s / tick) for link, s in chunk_seconds.items()}, int(latency / tick))
    clock.run(priority)
    busy = {link: intervals for link, intervals in zip(clock.links, clock.busy, strict=True) if intervals}
    return Run(tick, clock.starts, clock.arrivals, clock.order, busy)


def _tick(chunk_seconds: Mapping[Link, Fraction], latency: Fraction) -> Fraction:
    """Return the longest unit of which all times are multiples; 1 where all of them are 0."""
    return Fraction(1, lcm(latency.denominator, *(s.denominator for s in chunk_seconds.values())))


class _Clock:
    """The simulation of discrete events; links are numbered.

    Attributes
    ----------
    links
        The links of paths by number.
    hops
        For every message the numbers of the links of its path, in order.
    """

    def __init__(self, messages: Sequence[Message], ticks: Mapping[Link, int], latency: int) -> None:
        self.messages, self.latency = messages, latency
        self.starts, self.arrivals = [0] * len(messages), [0] * len(messages)
        self.order: list[int] = []
        numbers: dict[Link, int] = {}
        hops_of: dict[tuple[int, ...], tuple[int, ...]] = {}
        for message in messages:
            if message.path not in hops_of:
                hops_of[message.path] = tuple(
                    numbers.setdefault(link, len(numbers)) for link in pairwise(message.path)
                )
        self.hops = [hops_of[message.path] for message in messages]
        self.links, self.ticks = list(numbers), [ticks[link] for link in numbers]
        self.busy: list[list[tuple[int, int]]] = [[] for _ in numbers]
        self.free = [0] * len(numbers)
        self.missing = [len(m.after) for m in messages]
        self.freed: list[list[int]] = [[] for _ in messages]
        for number, message in enumerate(messages):
            for other in message.after:
                self.freed[other].append(number)
        self.waiting: list[list[tuple[float, int]]] = [[] for _ in numbers]
        self.is_first = [False] * len(numbers)
        for hops in self.hops:
            self.is_first[hops[0]] = True
        self.events: list[tuple[int, int, int, int, int]] = []
        # Of events at one time the one that was foreseen first comes first, so that a run in the order that
        # another one found is the same run.
        self.foreseen = count()

    def run(self, priority: Sequence[float] | None) -> None:
        """Simulate until every message has arrived."""
        self.next_one = None if priority else [0] * len(self.links)
        self.priority = priority or _places(self.messages)
        first_links = dict.fromkeys(hops[0] for hops in self.hops)
        for number, missing in enumerate(self.missing):
            if not missing:
                self._wait(number)
        for link in first_links:
            self._send(link, 0)
        events, free, happens, send = self.events, self.free, self._happens, self._send
        waiting = self.waiting
        while events:
            now = events[0][0]
            touched: set[int] = set()
            while events and events[0][0] == now:
                _, _, what, number, hop = heappop(events)
                happens(now, what, number, hop, touched)
            for link in sorted(touched, key=self.links.__getitem__) if len(touched) > 1 else touched:
                if waiting[link] and free[link] <= now:
                    send(link, now)

    def _wait(self, number: int) -> int:
        link = self.hops[number][0]
        heappush(self.waiting[link], (self.priority[number], number))
        return link

    def _send(self, link: int, now: int) -> None:
        """Let the first message that waits leave over a link, if it may."""
        queue = self.waiting[link]
        if not queue or self.free[link] > now:
            return
        if self.next_one is not None:
            if queue[0][0] != self.next_one[link]:
                return
            self.next_one[link] += 1
        _, number = heappop(queue)
        self.order.append(number)
        self.starts[number] = now
        self._cross(number, 0, now)

    def _cross(self, number: int, hop: int, start: int) -> None:
        """Let a message cross a link of its path from a time on at which the link is free."""
        hops, chunks = self.hops[number], self.messages[number].chunks
        link = hops[hop]
        end = self.free[link] = start + chunks * self.ticks[link]
        self.busy[link].append((start, end))
        if self.is_first[link]:
            heappush(self.events, (end, next(self.foreseen), FREES, link, hop))
        if hop + 1 == len(hops):
            heappush(self.events, (end + self.latency, next(self.foreseen), ARRIVES, number, 0))
            return
        queues = max(start, end - chunks * self.ticks[hops[hop + 1]])
        heappush(self.events, (queues, next(self.foreseen), QUEUES, number, hop + 1))

    def _happens(self, now: int, what: int, number: int, hop: int, touched: set[int]) -> None:
        """Note the links over which something could leave by an event."""
        if what == FREES:
            touched.add(number)
        elif what == QUEUES:
            self._cross(number, hop, max(now, self.free[self.hops[number][hop]]))
        else:
            self.arrivals[number] = now
            for other in self.freed[number]:
                self.missing[other] -= 1
                if not self.missing[other]:
                    touched.add(self._wait(other))


def _places(messages: Sequence[Message]) -> list[int]:
    """Return the place of every message among those that leave over the same link."""
    before: dict[tuple[int, ...], int] = defaultdict(int)
    places = []
    for message in messages:
        places.append(before[message.path[:2]])
        before[message.path[:2]] += 1
    return places
