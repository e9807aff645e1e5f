"""The fat-tree's routers and links written out one by one, apart from the package, and what can be found by
trying everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise, product

Place = tuple[object, ...]
Message = tuple[int, int]
Wire = tuple[str, Place, Place]


@cache
def links(n: int) -> dict[tuple[Place, int], Place]:
    """Where every upstream port leads, built from the leaves to the root.

    A node or router node is a list of (place, port) that are open upwards; a router node of two subtrees gets
    a router for every pair of ports of the same number, one from each subtree, so that it has as many routers
    as a subtree has open ports.
    """
    up: dict[tuple[Place, int], Place] = {}
    layer: list[list[tuple[Place, int]]] = [[(("node", v), 0)] for v in range(n)]
    level = 0
    while len(layer) > 1:
        above = []
        for block in range(len(layer) // 2):
            left, right = layer[2 * block], layer[2 * block + 1]
            routers: list[Place] = [("router", level, block, number) for number in range(len(left))]
            for side in (left, right):
                for opening, router in zip(side, routers, strict=True):
                    up[opening] = router
            above.append([(router, 0) for router in routers] + [(router, 1) for router in routers])
        layer, level = above, level + 1
    return up


def walk(n: int, message: Message, ports: Sequence[int]) -> list[Wire]:
    """The wires of a message, each by its direction, its lower end and its upper end."""
    up = links(n)
    source, destination = message
    rising: list[Place] = [("node", source)]
    falling: list[Place] = [("node", destination)]
    for way in (rising, falling):
        way.append(up[way[0], 0])
        for port in ports:
            way.append(up[way[-1], port])
    assert rising[-1] == falling[-1], "the message has not turned"
    wires = [("up", low, high) for low, high in pairwise(rising)]
    return wires + [("down", low, high) for low, high in pairwise(falling)]


def top_of(message: Message) -> int:
    """The level at which a message turns, by halving the range of nodes until it separates the two."""
    level = 0
    while message[0] // 2 ** (level + 1) != message[1] // 2 ** (level + 1):
        level += 1
    return level


def one_round_suffices(n: int, messages: Sequence[Message]) -> bool:
    """Whether some choice of ports delivers all messages in one round, by trying all."""
    return _deliver(n, messages, [frozenset()])


def least_rounds(n: int, messages: Sequence[Message]) -> int:
    """The least number of rounds, by trying every way to share the messages out among the rounds, and every
    choice of ports; a message may be there several times.
    """
    rounds = 0
    while not _deliver(n, messages, [frozenset()] * rounds):
        rounds += 1
    return rounds


def _deliver(n: int, messages: Sequence[Message], used: Sequence[frozenset[Wire]]) -> bool:
    """Whether all messages fit into rounds whose wires are used so far; of empty rounds only one is tried."""
    if not messages:
        return True
    first, *others = messages
    for t, wires in enumerate(used):
        for ports in product((0, 1), repeat=top_of(first)):
            way = frozenset(walk(n, first, ports))
            if not way & wires and _deliver(n, others, [*used[:t], wires | way, *used[t + 1 :]]):
                return True
        if not wires:
            return False
    return False


def pattern_messages(pattern: str, n: int) -> list[Message]:
    """The messages of a pattern that is not random, in the order of their sources; none to its own source."""
    digits = n.bit_length() - 1
    name, _, shift = pattern.partition(":")
    half = digits // 2

    def destination(v: int) -> int:
        text = f"{v:0{digits}b}"
        if name == "shift":
            return (v + int(shift)) % n
        if name == "all-to-one":
            return 0
        assert name in ("transpose", "bit-reversal")
        return int(text[half:] + text[:half] if name == "transpose" else text[::-1], 2)

    return [(v, destination(v)) for v in range(n) if destination(v) != v]
