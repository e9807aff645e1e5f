"""What blocks of a program for gpus do, as events, whatever the format of the program.

A block adds chunks up and writes the sum (a copy is a sum of one), raises counters, waits for them, and lets
its threads meet. Sending is a write to where a message stands, and a counter that is raised; receiving is a
wait for it, and a read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .symbols import Chunks

WORDS = {
    "signal": ("a signal from gpu {0} to gpu {1}", "which nobody raises"),
    "semaphore": ("semaphore {1} of gpu {0}", "which nobody raises"),
    "message": ("a message from gpu {0}", "which sends no more"),
    "room": ("room to send to gpu {1}", "which receives no more"),
    "step": ("step {2} of block {1}", "which does not say that it is over"),
}
"""By the kind of a counter: what is waited for, and what is said where nothing raises it any more."""


class Key(NamedTuple):
    """A counter: one of WORDS, and the numbers that tell it from others of its kind."""

    kind: str
    numbers: tuple[int, ...]

    def __str__(self) -> str:
        return WORDS[self.kind][0].format(*self.numbers)


class Wait(NamedTuple):
    """Wait until all these counters are raised, and lower them.

    Attributes
    ----------
    relaxed
        Whether it orders no memory: then it tells only which calls have begun.
    """

    keys: tuple[Key, ...]
    relaxed: bool = False


class Raise(NamedTuple):
    """Raise counters.

    Attributes
    ----------
    relaxed
        As of `Wait`.
    silent
        Whether it tells nothing.
    messages
        How many it makes a chain longer.
    """

    keys: tuple[Key, ...]
    relaxed: bool = False
    silent: bool = False
    messages: int = 0


class Meet(NamedTuple):
    """Let the threads of a block meet, at a barrier also those of other blocks of its gpu, so many in all."""

    barrier: int | None = None
    blocks: int = 0


class Add(NamedTuple):
    """Write the sum of all sources to all targets.

    Attributes
    ----------
    messages
        How many it makes a chain longer.
    in_turn
        Whether its chunks are added one after another.
    """

    sources: tuple[Chunks, ...]
    targets: tuple[Chunks, ...]
    messages: int = 0
    in_turn: bool = False


Event = Wait | Raise | Meet | Add


@dataclass(frozen=True)
class BlockEvents:
    """What a block does.

    Attributes
    ----------
    gpu
        Where it runs.
    name
        Before the number of a step, for people.
    steps
        How many there are.
    events
        Those of a step.
    """

    gpu: int
    name: str
    steps: int
    events: Callable[[int], Iterator[Event]]

    def after(self, step: int) -> Iterator[tuple[int, Event]]:
        """Yield the events from a step on, each with its step."""
        for number in range(step, self.steps):
            for event in self.events(number):
                yield number, event
