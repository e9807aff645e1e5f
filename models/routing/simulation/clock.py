"""Random routing with immediate retry, clock cycle by clock cycle, for many messages and many runs at once.

All messages start in cycle 0. A message takes two cycles from wire to wire through a router, which reserves
the wire that it leaves by. The wires of a message from s to d that turns at level L are numbered 0 (from s),
..., 2 L + 1 (to d); so it arrives in cycle 2 (2 L + 1) if nothing is in its way. A message that goes up takes
a random upstream port, or the other one where that is in use, or is taken by a message in the same cycle. A
message that wants a wire down that is in use is rejected; of several that want a free one in the same cycle,
a random one gets it.

From where a message was rejected, or has arrived, a signal goes back to its source, through a router in every
cycle; the wire by which the message left that router is free in that cycle. A rejected message starts again
one cycle after its signal reached the source; the next message of a source starts one cycle after the
acknowledgment of the one before.

With exponential back-off, which the paper mentions without its parameters, a message that was rejected for
the k-th time waits besides for a number of slots drawn from 0..2^min(k, K) - 1; see `Backoff`.

The paper divides cycles by the time of one message across the whole network; whether that is the time until
it has arrived, 2 (2 h - 1) cycles, or until its source has the acknowledgment, 3 (2 h - 1), it does not say.

Source: Strumpen and Krishnamurthy, A collision model for randomized routing in fat-tree networks (JPDC 2005),
sections 3 and 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .simulation import contest, turning_levels

if TYPE_CHECKING:
    import numpy as np

FORWARD_CYCLES, BACKWARD_CYCLES = 2, 1
"""Cycles that a message takes through a router, and a signal that goes back."""


@dataclass(frozen=True)
class Backoff:
    """Exponential back-off.

    slot: cycles of a slot; None for the time of one message across the network with its acknowledgment.
    limit: K, after how many rejections of a message the range is doubled no more.
    """

    slot: int | None = None
    limit: int = 10


class Clocked:
    """Messages on their way, cycle by cycle.

    hop: the wire that each message gets next. back: the router, counted from the source, which its signal
    passes next. tip: the last wire that it has. arrived and acknowledged: for every run the last cycle in
    which a message arrived, or its acknowledgment at its source. rejections: of every message, with back-off.
    """

    def __init__(
        self,
        source: np.ndarray,
        destination: np.ndarray,
        n: int,
        runs: int,
        generator: np.random.Generator,
        backoff: Backoff | None = None,
    ) -> None:
        import numpy as np

        self.source, self.destination = source.astype(np.int64), destination.astype(np.int64)
        self.digits, self.size = n.bit_length() - 1, runs * n
        self.generator = generator
        self.backoff = backoff
        self.rejections = np.zeros(len(source), dtype=np.int64)
        self.top = turning_levels(source, destination).astype(np.int64)
        self.router = np.zeros(len(source), dtype=np.int64)
        self.hop, self.back, self.tip = (np.zeros(len(source), dtype=np.int64) for _ in range(3))
        self.used = np.zeros(2 * self.digits * self.size, dtype=bool)
        self.table = np.empty(2 * self.digits * self.size, dtype=np.int32)
        self.arrived, self.acknowledged = np.zeros(runs, dtype=np.int64), np.zeros(runs, dtype=np.int64)
        self.successor, starters = _queues(source)
        self.moving: dict[int, list[np.ndarray]] = {0: [starters]}
        self.returning: dict[int, list[np.ndarray]] = {}

    def run(self) -> None:
        """Work until every message is acknowledged."""
        import numpy as np

        cycle = 0
        while self.moving or self.returning:
            if cycle in self.returning:
                self._signal(np.concatenate(self.returning.pop(cycle)), cycle)
            if cycle in self.moving:
                self._advance(np.concatenate(self.moving.pop(cycle)), cycle)
            cycle += 1

    @staticmethod
    def _plan(events: dict[int, list[np.ndarray]], cycle: int, who: np.ndarray) -> None:
        if who.size:
            events.setdefault(cycle, []).append(who)

    def _wire(self, who: np.ndarray, hop: np.ndarray) -> np.ndarray:
        """The number of the given wire of every message, up wires before down wires, level by level."""
        import numpy as np

        top = self.top[who]
        rises = hop <= top
        level = np.where(rises, hop, 2 * top + 1 - hop)
        end = np.where(rises, self.source[who], self.destination[who])
        place = (end >> level << level) | (self.router[who] & ((1 << level) - 1))
        number: np.ndarray = (level + np.where(rises, 0, self.digits)) * self.size + place
        return number

    def _signal(self, who: np.ndarray, cycle: int) -> None:
        """The signals go through a router each, and free the wire behind it; what reaches its source ends or
        starts again.
        """
        router = self.back[who]
        behind = router <= self.tip[who]
        self.used[self._wire(who[behind], router[behind])] = False
        self.back[who] -= 1
        home = router == 1
        self._plan(self.returning, cycle + BACKWARD_CYCLES, who[~home])
        sensed = who[home]
        delivered = self.tip[sensed] == 2 * self.top[sensed] + 1
        done = sensed[delivered]
        self.acknowledged[self.source[done] >> self.digits] = cycle
        following = self.successor[done]
        again = sensed[~delivered]
        self.hop[again] = 0
        self.router[again] = 0
        self._retry(again, cycle + 1)
        self._plan(self.moving, cycle + 1, following[following >= 0])

    def _retry(self, who: np.ndarray, cycle: int) -> None:
        """Rejected messages start again in this cycle, or with back-off so many slots later as they draw."""
        import numpy as np

        if self.backoff is None:
            self._plan(self.moving, cycle, who)
            return
        self.rejections[who] += 1
        slots = self.generator.integers(0, 1 << np.minimum(self.rejections[who], self.backoff.limit))
        length = self.backoff.slot or transmission_cycles(self.digits)
        for wait in np.unique(slots).tolist():
            self._plan(self.moving, cycle + wait * length, who[slots == wait])

    def _advance(self, who: np.ndarray, cycle: int) -> None:
        """The messages get their next wire, or are rejected."""
        import numpy as np

        hop, top = self.hop[who], self.top[who]
        rising, falling = who[(hop > 0) & (hop <= top)], who[hop > top]
        self._choose_ports(rising)
        wanted = self._wire(falling, self.hop[falling])
        free = ~self.used[wanted]
        falling_free, wanted = falling[free], wanted[free]
        priority = self.generator.integers(0, 2**32, size=len(wanted), dtype=np.uint32)
        won = contest(wanted, priority, self.table)
        self.used[wanted[won]] = True
        passed = falling_free[won]
        rejected = np.concatenate([falling[~free], falling_free[~won]])
        self.back[rejected] = self.hop[rejected]
        self._plan(self.returning, cycle + BACKWARD_CYCLES, rejected)
        self.tip[passed] = self.hop[passed]
        there = self.hop[passed] == 2 * self.top[passed] + 1
        arrived = passed[there]
        self.arrived[self.source[arrived] >> self.digits] = cycle
        self.back[arrived] = self.hop[arrived]
        self._plan(self.returning, cycle + BACKWARD_CYCLES, arrived)
        going_on = np.concatenate([who[hop == 0], rising, passed[~there]])
        self.tip[rising] = self.hop[rising]
        self.hop[going_on] += 1
        self._plan(self.moving, cycle + FORWARD_CYCLES, going_on)

    def _choose_ports(self, who: np.ndarray) -> None:
        """The messages that go up get a random upstream port of their routers, or the other one, and the wire
        behind it.
        """
        import numpy as np

        level = self.hop[who] - 1
        place = (self.source[who] >> (level + 1) << level) | self.router[who]
        at = level * self.size + place
        number = np.arange(len(who), dtype=np.int32)
        self.table[at] = number
        owner = self.table[at]
        port = self.generator.integers(0, 2, size=len(who), dtype=np.int64)
        first, second = (self._wire_above(who, level, p) for p in (0, 1))
        port = np.where(self.used[first], 1, np.where(self.used[second], 0, port))
        port = np.where(owner == number, port, 1 - port[owner])
        self.router[who] |= port << level
        self.used[np.where(port == 1, second, first)] = True

    def _wire_above(self, who: np.ndarray, level: np.ndarray, port: int) -> np.ndarray:
        """The number of the wire behind an upstream port of the routers in which messages are."""
        above = level + 1
        number: np.ndarray = above * self.size + (
            (self.source[who] >> above << above) | self.router[who] | port << level
        )
        return number


def _queues(source: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For every message the next one from the same source, -1 for none; and the first of every source."""
    import numpy as np

    order = np.argsort(source, kind="stable")
    same = source[order[1:]] == source[order[:-1]]
    successor = np.full(len(source), -1, dtype=np.int64)
    successor[order[:-1][same]] = order[1:][same]
    return successor, order[np.concatenate([[True], ~same])] if len(source) else order


def delivery_time(
    source: np.ndarray,
    destination: np.ndarray,
    n: int,
    runs: int,
    unit: Literal["round-trip", "one-way"],
    generator: np.random.Generator,
    backoff: Backoff | None = None,
) -> np.ndarray:
    """How long the messages of every run take with immediate retry, or with back-off, in transmission times
    of one message across the network.

    unit: "round-trip" counts until the last acknowledgment and in transmissions with acknowledgment;
    "one-way" until the last arrival and in transmissions without.
    """
    clocked = Clocked(source, destination, n, runs, generator, backoff)
    clocked.run()
    if unit == "one-way":
        return clocked.arrived / (FORWARD_CYCLES * (2 * clocked.digits - 1))
    return clocked.acknowledged / transmission_cycles(clocked.digits)


def transmission_cycles(height: int) -> int:
    """The cycles of one message across the network, with its acknowledgment."""
    return (FORWARD_CYCLES + BACKWARD_CYCLES) * (2 * height - 1)
