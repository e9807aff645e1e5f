"""Traces in a network of links that serve messages as they come, with nothing of the package.

A send starts as soon as all that its node depends on is done; of several at once, the node with the lowest
number first. A switch takes a message in whole before it forwards it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from heapq import heappop, heappush

from tests.reference.chakra_reader import Node

SEND = 5
Parcel = tuple[int, tuple[int, ...], tuple[int, int], tuple[int, int]]
"""A message under way: its bytes, the rest of its path, the node that sent it, the node that receives it."""


def nanoseconds(
    traces: Sequence[dict[int, Node]], route: Callable[[int, int], list[int]], latency: int, rate: int
) -> int:
    """When the last message arrives; latency in ns a link, rate in bytes a ns."""
    receives = {
        (value(node, "comm_src"), rank, value(node, "comm_tag")): (rank, key)
        for rank, own in enumerate(traces)
        for key, node in own.items()
        if node.kind != SEND
    }
    done: set[tuple[int, int]] = set()
    started: set[tuple[int, int]] = set()
    queues: defaultdict[tuple[int, ...], deque[Parcel]] = defaultdict(deque)
    events: list[tuple[int, int, bool, Parcel]] = []
    count = 0

    def cross(parcel: Parcel, now: int) -> None:
        nonlocal count
        for arrives, after in ((True, latency), (False, 0)):
            count += 1
            heappush(events, (now + after + parcel[0] // rate, count, arrives, parcel))

    def queue(parcel: Parcel, now: int) -> None:
        link = parcel[1][:2]
        queues[link].append(parcel)
        if len(queues[link]) == 1:
            cross(parcel, now)

    def start(rank: int, now: int) -> None:
        for key, node in sorted(traces[rank].items()):
            if (
                node.kind == SEND
                and (rank, key) not in started
                and all((rank, k) in done for k in node.after)
            ):
                started.add((rank, key))
                peer = value(node, "comm_dst")
                receive = receives[rank, peer, value(node, "comm_tag")]
                queue((value(node, "comm_size"), tuple(route(rank, peer)), (rank, key), receive), now)

    now = 0
    for rank in range(len(traces)):
        start(rank, now)
    while events:
        now, _, arrives, parcel = heappop(events)
        size, path, sent, received = parcel
        if not arrives:
            waiting = queues[path[:2]]
            waiting.popleft()
            if waiting:
                cross(waiting[0], now)
        elif len(path) > 2:
            queue((size, path[1:], sent, received), now)
        else:
            done |= {sent, received}
            start(sent[0], now)
            start(received[0], now)
    assert len(done) == sum(map(len, traces)), "deadlock"
    return now


def value(node: Node, name: str) -> int:
    found = node.attributes[name][1]
    assert isinstance(found, int)
    return found
