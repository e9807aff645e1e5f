"""Random routing in delivery rounds, for many messages and many runs at a time.

In a round every waiting message goes up through random upstream ports; two messages that go up through
the same router take one port each. On the way down, if several messages want the same wire, one passes
and the others are rejected (the message rejection rule); they are sent again in the next round. Each
node sends the first of its messages that is not delivered yet.

The choices that the paper leaves open are options; see `Rules`. Every step handles all messages at
once: the messages write their numbers into a table indexed by wire, and those that find their own
number there have the wire. So the time of a round is proportional to messages times levels, without any
sorting. Runs are simulated together as the subtrees of one large tree: node v of run k is numbered k n
+ v.

Source: Strumpen and Krishnamurthy, A collision model for randomized routing in fat-tree networks (JPDC
2005), section 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Rules:
    """The rules of a delivery round that the paper does not specify.

    `winner` says which of several messages gets a wire: "random", drawn independently at every wire; or
    "first", the one that arrives first, which is the one that turned lowest, with random ties. `losers`
    says what becomes of the wires that a rejected message had already got: with "hold" it keeps them until
    the end of the round, so that the messages that it kept from them are rejected too; with "release" it
    holds none: the messages try one after another in a random order (with "first", those that turn lowest
    first), and a message passes if no message that passed before it uses a wire of its way down.
    """

    winner: Literal["random", "first"] = "random"
    losers: Literal["hold", "release"] = "hold"


DEFAULT_RULES = Rules()


def turning_levels(source: np.ndarray, destination: np.ndarray) -> np.ndarray:
    """Return the turning level of every message, the lowest whose router node joins its ends."""
    import numpy as np

    levels: np.ndarray = (np.frexp((source ^ destination).astype(np.float64))[1] - 1).astype(np.int8)
    return levels


def choose_routers(source: np.ndarray, top: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Return the router in which each message turns; bit l of its number is the port taken at level l.

    A message alone in a router takes a random port. If there are two, one draws and the other takes the
    remaining port.

    Parameters
    ----------
    source
        The sources; at most one message from each.
    top
        The level at which each message turns.
    generator
        The random number generator.
    """
    import numpy as np

    router = np.zeros(len(source), dtype=np.int32)
    highest = int(top.max(initial=0))
    drawn = generator.integers(0, 1 << highest, size=len(source), dtype=np.int32) if highest else router
    owner = np.empty(_wire_count(source, top), dtype=np.int32)
    going = np.arange(len(source), dtype=np.int32)
    for level in range(highest):
        going = going[top[going] > level]
        place = source[going]
        at = (place >> (level + 1) << level) | router[going]
        owner[at] = going
        port = (drawn[owner[at]] ^ place) >> level & 1
        router[going] |= port << level
    return router


def contest(wire: np.ndarray, priority: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Return which messages get the wire that they want: for each wire one of greatest priority.

    Parameters
    ----------
    wire
        The wire that each message wants.
    priority
        The priority of each message.
    table
        Working memory with an entry for every wire; its contents do not matter.
    """
    import numpy as np

    number = np.arange(len(wire), dtype=np.int32)
    table[wire] = number
    rising = number[priority > priority[table[wire]]]
    while rising.size:
        table[wire[rising]] = rising
        rising = rising[priority[rising] > priority[table[wire[rising]]]]
    winner: np.ndarray = table[wire] == number
    return winner


def wires_down(destination: np.ndarray, router: np.ndarray, level: int) -> np.ndarray:
    """Return the wires that messages take down from their routers of a level.

    A wire is numbered by the destination with its lowest `level` bits replaced by those of the router.
    """
    return (destination >> level << level) | (router & ((1 << level) - 1))


def _wire_count(ends: np.ndarray, top: np.ndarray) -> int:
    """Return the size of a table in which the wires of a level are numbered as in `wires_down`."""
    return (int(ends.max(initial=0)) | ((1 << int(top.max(initial=0))) - 1)) + 1


def send_round(
    source: np.ndarray, destination: np.ndarray, rules: Rules, generator: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return which messages a delivery round delivers, and the router in which each one turned.

    The routers are those of `choose_routers`; there is at most one message from each source.
    """
    top = turning_levels(source, destination)
    router = choose_routers(source, top, generator)
    go_down = _hold if rules.losers == "hold" else _release
    return go_down(destination, top, router, rules, generator), router


def _hold(
    destination: np.ndarray, top: np.ndarray, router: np.ndarray, rules: Rules, generator: np.random.Generator
) -> np.ndarray:
    """Return which messages pass if rejected messages hold their wires.

    Level by level from the top, one of the messages that want a wire passes; those that pass everywhere
    are delivered.
    """
    import numpy as np

    table = np.empty(_wire_count(destination, top), dtype=np.int32)
    by_level = np.argsort(top, kind="stable").astype(np.int32)
    starts = np.searchsorted(top[by_level], np.arange(int(top.max(initial=0)) + 2))
    going = by_level[:0]
    for level in range(len(starts) - 2, -1, -1):
        going = np.concatenate([going, by_level[starts[level] : starts[level + 1]]])
        priority: np.ndarray = generator.integers(0, 2**32, size=len(going), dtype=np.uint32)
        if rules.winner == "first":
            priority = (64 - top[going]).astype(np.uint64) << 32 | priority
        going = going[contest(wires_down(destination[going], router[going], level), priority, table)]
    delivered = np.zeros(len(top), dtype=bool)
    delivered[going] = True
    return delivered


def _release(
    destination: np.ndarray, top: np.ndarray, router: np.ndarray, rules: Rules, generator: np.random.Generator
) -> np.ndarray:
    """Return which messages pass if rejected messages hold no wire.

    The messages try one after another in a random order; each step handles all those at once that precede
    every message with which they share a wire.
    """
    import numpy as np

    size = _wire_count(destination, top)
    levels = range(int(top.max(initial=0)) + 1)
    table = np.empty(size, dtype=np.int32)
    taken = np.zeros((len(levels), size), dtype=bool)
    priority = generator.permutation(len(top)).astype(np.int64)
    if rules.winner == "first":
        priority += (64 - top.astype(np.int64)) * len(top)
    delivered = np.zeros(len(top), dtype=bool)
    open_ = np.arange(len(top), dtype=np.int32)
    while open_.size:
        ahead = np.ones(len(open_), dtype=bool)
        for level in levels:
            here = np.flatnonzero(top[open_] >= level)
            who = open_[here]
            ahead[here] &= contest(wires_down(destination[who], router[who], level), priority[who], table)
        passed, rest = open_[ahead], open_[~ahead]
        delivered[passed] = True
        free = np.ones(len(rest), dtype=bool)
        for level in levels:
            who = passed[top[passed] >= level]
            taken[level, wires_down(destination[who], router[who], level)] = True
            here = np.flatnonzero(top[rest] >= level)
            free[here] &= ~taken[level, wires_down(destination[rest[here]], router[rest[here]], level)]
        open_ = rest[free]
    return delivered


def first_of_each(source: np.ndarray) -> np.ndarray:
    """Return for every message whether it is the first from its source."""
    import numpy as np

    first = np.empty(int(source.max(initial=0)) + 1, dtype=np.int32)
    number = np.arange(len(source), dtype=np.int32)
    first[source[::-1]] = number[::-1]
    is_first: np.ndarray = first[source] == number
    return is_first


def delivery_rounds(
    source: np.ndarray,
    destination: np.ndarray,
    n: int,
    runs: int,
    rules: Rules,
    generator: np.random.Generator,
) -> np.ndarray:
    """Return the number of rounds in which random routing delivers the messages of each run.

    Parameters
    ----------
    source
        The sources; node v of run k is numbered k n + v.
    destination
        The destinations, numbered in the same way.
    n
        The number of processing nodes.
    runs
        The number of runs.
    rules
        The rules that the paper leaves open.
    generator
        The random number generator.
    """
    import numpy as np

    rounds = np.zeros(runs, dtype=np.int64)
    repeated = not first_of_each(source).all()
    digits = n.bit_length() - 1
    number = 0
    while source.size:
        number += 1
        rounds[source >> digits] = number
        sent = np.flatnonzero(first_of_each(source)) if repeated else slice(None)
        delivered, _ = send_round(source[sent], destination[sent], rules, generator)
        waiting = np.ones(len(source), dtype=bool)
        waiting[sent] = ~delivered
        source, destination = source[waiting], destination[waiting]
    return rounds


def random_schedule(
    source: np.ndarray, destination: np.ndarray, rules: Rules, generator: np.random.Generator
) -> list[list[tuple[int, int, int]]]:
    """Return the messages that random routing delivers in each round.

    Each message is its source, its destination and the router in which it turned.
    """
    import numpy as np

    rounds = []
    while source.size:
        sent = np.flatnonzero(first_of_each(source))
        delivered, router = send_round(source[sent], destination[sent], rules, generator)
        done = sent[delivered]
        rounds.append(
            [
                (int(s), int(d), int(r))
                for s, d, r in zip(source[done], destination[done], router[delivered], strict=True)
            ]
        )
        source, destination = np.delete(source, done), np.delete(destination, done)
    return rounds
