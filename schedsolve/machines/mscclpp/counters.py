"""Signals and semaphores: counters that some blocks raise and others wait for, and what a wait tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .plan import SIGNALS, WAITS, Gpu, Operation, Plan

Key = tuple[str, int, int, int]
""""signal", sender, receiver and the channel's place among those between the two; or "semaphore", gpu, its
number and 0."""


@dataclass
class Knowledge:
    """What a block knows: a vector clock, None where races are not looked for, and a chain of messages."""

    clock: Any
    chain: int


@dataclass
class Tally:
    """A counter under way.

    Attributes
    ----------
    first
        Its value before the call.
    raising, waiting
        How often each block raises it, or waits for it, in the whole plan.
    raised
        What the blocks that raised it knew then, in order.
    taken
        How often it was waited for.
    """

    first: int = 0
    raising: Counter[int] = field(default_factory=Counter)
    waiting: Counter[int] = field(default_factory=Counter)
    raised: list[Knowledge] = field(default_factory=list)
    taken: int = 0

    def free(self, times: int = 1) -> bool:
        """Return whether an operation that waits so many times ends now."""
        return self.first + len(self.raised) >= self.taken + times

    def take(self) -> list[Knowledge]:
        """Wait once, and return what that tells.

        Where several blocks raise it, a wait tells nothing of any of them until all have.
        """
        self.taken += 1
        number = self.taken - self.first
        if number < 1:
            return []
        if len(self.raising) == 1:
            return [self.raised[number - 1]]
        return list(self.raised) if number == self.raising.total() else []


def keys_of(gpu: Gpu, operation: Operation) -> Iterator[Key]:
    """Yield the counters that an operation raises or waits for."""
    for channel in operation.channels:
        peer, ordinal = gpu.peers[channel], gpu.ordinal(channel)
        ends = (gpu.number, peer) if operation.name in SIGNALS else (peer, gpu.number)
        yield ("signal", *ends, ordinal)
    for number in operation.semaphores:
        yield "semaphore", gpu.number, number, 0


def tallies(plan: Plan) -> dict[Key, Tally]:
    """Return all counters of a plan before the call."""
    found: dict[Key, Tally] = {}
    index = 0
    for gpu in plan.gpus:
        for number, value in enumerate(gpu.semaphores):
            found["semaphore", gpu.number, number, 0] = Tally(value)
        for block in gpu.blocks:
            for operation in block.operations:
                waits = operation.name in WAITS or operation.name == "sem_acquire"
                for key in keys_of(gpu, operation):
                    tally = found.setdefault(key, Tally())
                    (tally.waiting if waits else tally.raising)[index] += 1
            index += 1
    return found


def words(key: Key) -> str:
    """Return a counter for people."""
    kind, one, other, _ = key
    return (
        f"a signal from gpu {one} to gpu {other}" if kind == "signal" else f"semaphore {other} of gpu {one}"
    )
