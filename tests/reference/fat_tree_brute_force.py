"""Optima on tiny fat-trees by trying everything, and a replay channel by channel; shares no code with the
package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import pairwise, product

Sent = tuple[int, int, int]
"""Sender, receiver, time of sending."""


@cache
def path(u: int, v: int, n: int) -> tuple[tuple[int, int], ...]:
    """The tree's channels from one processor to another, as pairs of nodes; node 1 is the root, the leaves
    are n..2n-1.
    """
    up, down = [n + u], [n + v]
    while up[-1] != down[-1]:
        if up[-1] > down[-1]:
            up.append(up[-1] // 2)
        else:
            down.append(down[-1] // 2)
    nodes = up + down[::-1][1:]
    return tuple(pairwise(nodes))


def width(channel: tuple[int, int], n: int, capacities: Sequence[int]) -> int:
    """What a channel carries in a step: by the number of leaves below its lower end."""
    lower = max(channel)
    return capacities[n.bit_length() - lower.bit_length()]


def crossings(sent: Sent, n: int) -> list[tuple[tuple[int, int], int]]:
    """Every channel that a message crosses with the step in which it does; the first step is 1."""
    u, v, start = sent
    return [(channel, start + i) for i, channel in enumerate(path(u, v, n), 1)]


def fits(messages: Sequence[Sent], n: int, capacities: Sequence[int]) -> bool:
    """Whether no channel is overloaded in any step, and nobody sends or receives twice at a time."""
    load = Counter(place for message in messages for place in crossings(message, n))
    if any(
        count > (width(channel, n, capacities) if max(channel) < n else 1)
        for (channel, _), count in load.items()
    ):
        return False
    arrivals = Counter((v, start + len(path(u, v, n))) for u, v, start in messages)
    return (
        max([*Counter((u, start) for u, _, start in messages).values(), *arrivals.values()], default=0) <= 1
    )


def round_optimum(n: int, capacities: Sequence[int], source: int = 0) -> int:
    """The least time of a broadcast in rounds: shortest paths over the sets of processors that hold the
    message.
    """
    queue = [(0, 1 << source)]
    done: set[int] = set()
    while True:
        cost, informed = heappop(queue)
        if informed == (1 << n) - 1:
            return cost
        if informed in done:
            continue
        done.add(informed)
        for calls in _rounds(informed, n, tuple(capacities)):
            after = informed
            for _, q in calls:
                after |= 1 << q
            if after not in done:
                heappush(queue, (cost + max(len(path(p, q, n)) for p, q in calls), after))


@cache
def _rounds(informed: int, n: int, capacities: tuple[int, ...]) -> list[tuple[tuple[int, int], ...]]:
    """Every legal set of messages of a round from those who hold the message to those who do not."""
    holders = [p for p in range(n) if informed >> p & 1]
    others = [q for q in range(n) if not informed >> q & 1]

    def choose(i: int, calls: tuple[tuple[int, int], ...]) -> Iterator[tuple[tuple[int, int], ...]]:
        if i == len(holders):
            if calls:
                yield calls
            return
        yield from choose(i + 1, calls)
        for q in others:
            more = (*calls, (holders[i], q))
            if all(q != r for _, r in calls) and fits([(u, v, 0) for u, v in more], n, capacities):
                yield from choose(i + 1, more)

    return list(choose(0, ()))


Held = frozenset[tuple[int, int]]
"""The runs of consecutive operands whose products a processor can make."""


def closure(runs: Held) -> Held:
    """The runs with all that can be made of them by joining adjacent ones."""
    closed = set(runs)
    while True:
        joined = {(a, d) for a, b in closed for c, d in closed if b + 1 == c} - closed
        if not joined:
            return frozenset(closed)
        closed |= joined


def associative_round_optimum(n: int, capacities: Sequence[int], wanted: dict[int, tuple[int, int]]) -> int:
    """The least time in rounds until everybody can make the product that is wanted of them, sending any
    product they can make.
    """
    start = tuple(frozenset({(p, p)}) for p in range(n))
    queue: list[tuple[int, int, tuple[Held, ...]]] = [(0, 0, start)]
    done: set[tuple[Held, ...]] = set()
    count = 0
    while True:
        cost, _, held = heappop(queue)
        if all(run in held[p] for p, run in wanted.items()):
            return cost
        if held in done:
            continue
        done.add(held)
        for calls in _matchings(n):
            if not fits([(p, q, 0) for p, q in calls], n, capacities):
                continue
            for runs in product(*([run for run in held[p] if run not in held[q]] for p, q in calls)):
                after = list(held)
                for (_, q), run in zip(calls, runs, strict=True):
                    after[q] = closure(held[q] | {run})
                if tuple(after) not in done:
                    count += 1
                    heappush(queue, (cost + max(len(path(p, q, n)) for p, q in calls), count, tuple(after)))


@cache
def _matchings(n: int) -> list[tuple[tuple[int, int], ...]]:
    """All nonempty sets of calls that share no processor."""
    found: list[tuple[tuple[int, int], ...]] = [()]
    for p in range(n):
        for q in range(p + 1, n):
            ends = ((p, q), (q, p))
            found += [
                (*calls, call)
                for calls in list(found)
                for call in ends
                if all(not {p, q} & set(other) for other in calls)
            ]
    return [calls for calls in found if calls]
