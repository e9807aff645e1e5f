"""Random routing with immediate retry, simulated cycle by cycle for many messages and many runs at once.

All messages start in cycle 0. A message takes two cycles from wire to wire through a router, and
reserves the wire by which it leaves. The wires of a message from s to d that turns at level L are
numbered 0 (from s), ..., 2 L + 1 (to d); so it arrives in cycle 2 (2 L + 1) if it is never delayed. A
message that goes up takes a random upstream port, or the other one if that port is in use or is taken
by a message in the same cycle. A message that wants a wire down that is in use is rejected; if several
want a free one in the same cycle, a random one gets it.

When a message is rejected or has arrived, a signal goes back to its source, through one router per
cycle; the wire by which the message left that router becomes free in that cycle. A rejected message
starts again one cycle after its signal reached the source; the next message of a source starts one
cycle after the acknowledgment of the previous one.

With exponential back-off, whose parameters the paper does not give, a message that was rejected for the
k-th time also waits for a number of slots drawn from 0..2^min(k, K) - 1; see `Backoff`.

The paper divides cycles by the time of one message across the whole network. It does not say whether
that is the time until the message has arrived, 2 (2 h - 1) cycles, or until its source has the
acknowledgment, 3 (2 h - 1) cycles.

Source: Strumpen and Krishnamurthy, A collision model for randomized routing in fat-tree networks (JPDC
2005), sections 3 and 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .simulation import contest, turning_levels

if TYPE_CHECKING:
    import numpy as np

FORWARD_CYCLES, BACKWARD_CYCLES = 2, 1
"""The cycles that a message takes through a router, and those that a returning signal takes."""


@dataclass(frozen=True)
class Backoff:
    """Exponential back-off.

    `slot` is the length of a slot in cycles; None stands for the time of one message across the network
    with its acknowledgment. `limit` is K, the number of rejections of a message after which its range of
    waiting times no longer doubles.
    """

    slot: int | None = None
    limit: int = 10


class Clocked:
    """Messages on their way, cycle by cycle.

    For each message, `hop` is the wire that it gets next, `tip` the last wire that it has, `back` the
    router, counted from the source, that its signal passes next, and `rejections` its number of rejections
    (with back-off). For each run, `arrived` is the last cycle in which a message arrived, and
    `acknowledged` the last in which an acknowledgment reached its source.
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
        """Simulate until every message is acknowledged."""
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
        """Return the number of wire `hop` of every message: up before down wires, level by level."""
        import numpy as np

        top = self.top[who]
        rises = hop <= top
        level = np.where(rises, hop, 2 * top + 1 - hop)
        end = np.where(rises, self.source[who], self.destination[who])
        place = (end >> level << level) | (self.router[who] & ((1 << level) - 1))
        number: np.ndarray = (level + np.where(rises, 0, self.digits)) * self.size + place
        return number

    def _signal(self, who: np.ndarray, cycle: int) -> None:
        """Move the signals back through one router each, and free the wires behind them.

        A signal that reaches its source ends the message, or starts it again.
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
        """Start rejected messages again in this cycle, or after a random number of slots with back-off."""
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
        """Give the messages their next wires, or reject them."""
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
        """Give each rising message a random upstream port of its router, or the other one, and its wire."""
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
        """Return the number of the wire behind an upstream port of each message's router."""
        above = level + 1
        number: np.ndarray = above * self.size + (
            (self.source[who] >> above << above) | self.router[who] | port << level
        )
        return number


def _queues(source: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the next message from the same source for every message (-1 for none), and the first ones."""
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
    """Return the time of every run with immediate retry, or with back-off.

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
    unit
        "round-trip" measures the time until the last acknowledgment, in transmissions of one message across
        the network with acknowledgment; "one-way" the time until the last arrival, in transmissions without.
    generator
        The random number generator.
    backoff
        The exponential back-off; None means immediate retry.
    """
    clocked = Clocked(source, destination, n, runs, generator, backoff)
    clocked.run()
    if unit == "one-way":
        return clocked.arrived / (FORWARD_CYCLES * (2 * clocked.digits - 1))
    return clocked.acknowledged / transmission_cycles(clocked.digits)


def transmission_cycles(height: int) -> int:
    """Return the cycles of one message across a network of a height, with its acknowledgment."""
    return (FORWARD_CYCLES + BACKWARD_CYCLES) * (2 * height - 1)
