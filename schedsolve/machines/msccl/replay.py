"""An MSCCL algorithm as events, and its symbolic run with so many buffers for the messages of a connection.

A message is what one step sends, or, where chunks are large, a single chunk. A block sends when its
connection has a free buffer, receives when there is a message, and waits for steps of other blocks. More
buffers change neither the symbols nor, once it ends, that it ends; a free buffer orders nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import accumulate

from schedsolve.machines.events import Add, BlockEvents, Event, Key, Meet, Raise, Wait
from schedsolve.machines.memory import Memory
from schedsolve.machines.symbolic_run import Outcome, Runner
from schedsolve.machines.symbols import Chunks
from schedsolve.runtime.errors import counted

from .algorithm import RECEIVING, SENDING, Algorithm, Block, Gpu, Step, reads, writes

Connection = tuple[int, int, int]
"""Sender, receiver, channel."""


def replay(
    algorithm: Algorithm, buffers: int, *, in_place: bool, races: bool = True, by_chunk: bool = False
) -> Outcome:
    """Run the algorithm with so many buffers a connection.

    Parameters
    ----------
    algorithm
        The algorithm.
    buffers
        The copies of the buffer.
    in_place
        Whether the result overwrites the input.
    races
        Whether to look for races.
    by_chunk
        Whether every chunk takes a buffer, not every message.
    """
    memory = Memory(algorithm.layout, [gpu.size["i"] for gpu in algorithm.gpus], in_place=in_place)
    readers = []
    for gpu in algorithm.gpus:
        signals = _signals(gpu)
        readers += [_Reader(gpu, block, signals, by_chunk) for block in gpu.blocks]
    blocks = [
        BlockEvents(
            reader.gpu.number,
            f"gpu {reader.gpu.number}, block {reader.block.number}, step",
            len(reader.block.steps),
            reader.events,
        )
        for reader in readers
    ]
    room = {Key("room", reader.out): buffers for reader in readers if reader.out is not None}
    run = Runner(blocks, memory, room, races=races).run()
    if run.left is not None:
        u, v, channel = run.left[0].numbers
        run.deadlock = f"gpu {u} sends gpu {v} more on channel {channel} than it receives"
    return run


def of_another_length(algorithm: Algorithm) -> str | None:
    """Return the first message that its receiver takes for one of another length."""
    sent: dict[tuple[int | None, int | None, int], list[int]] = {
        (gpu.number, block.send, block.channel): [s.size for s in block.steps if s.kind in SENDING and s.size]
        for gpu in algorithm.gpus
        for block in gpu.blocks
    }
    for gpu in algorithm.gpus:
        for block in gpu.blocks:
            received = [(k, s) for k, s in enumerate(block.steps) if s.kind in RECEIVING and s.size]
            sizes = sent.get((block.receive, gpu.number, block.channel), ())
            for (number, step), size in zip(received, sizes, strict=False):
                if size != step.size:
                    return (
                        f"gpu {gpu.number}, block {block.number}, step {number} takes"
                        f" {counted(step.size, 'chunk')} for a message, and gpu {block.receive} sent {size}"
                    )
    return None


class _Reader:
    """Reads the steps of a block.

    Attributes
    ----------
    out, into
        Where it sends, and where it receives; None where it does not.
    """

    def __init__(
        self, gpu: Gpu, block: Block, signals: Mapping[tuple[int, int], list[Key]], by_chunk: bool
    ) -> None:
        self.gpu, self.block, self.signals, self.by_chunk = gpu, block, signals, by_chunk
        here, channel = gpu.number, block.channel
        self.out: Connection | None = None if block.send is None else (here, block.send, channel)
        self.into: Connection | None = None if block.receive is None else (block.receive, here, channel)
        self.sent, self.received = (
            [0, *accumulate(step.size * (step.kind in kinds) for step in block.steps)]
            for kinds in (SENDING, RECEIVING)
        )

    def events(self, number: int) -> Iterator[Event]:
        """Yield what a step does."""
        step = self.block.steps[number]
        if step.waits is not None:
            yield Wait((Key("step", (self.gpu.number, *step.waits, self.block.number, number)),))
        yield Meet()
        whole = step.size if step.kind != "nop" else 0
        size = 1 if self.by_chunk else whole
        for first in range(0, whole, size or 1):
            yield from self._message(step, number, first, size)
        signals = self.signals.get((self.block.number, number))
        if signals:
            yield Raise(tuple(signals))

    def _message(self, step: Step, number: int, first: int, size: int) -> Iterator[Event]:
        """Yield what a step does with a message."""
        here = self.gpu.number
        into = self.into if step.kind in RECEIVING else None
        out = self.out if step.kind in SENDING else None
        source = Chunks(here, step.source.buffer, step.source.offset + first, size)
        target = Chunks(here, step.target.buffer, step.target.offset + first, size)
        read = [source] if reads(step.kind) else []
        if step.kind == "re":
            read.insert(0, target)
        written = [target] if writes(step.kind) else []
        waits = []
        if into is not None:
            read.insert(0, _places(into, self.received[number] + first, size))
            waits.append(Key("message", into))
        if out is not None:
            written.append(_places(out, self.sent[number] + first, size))
            waits.append(Key("room", out))
        if waits:
            yield Wait(tuple(waits))
            yield Meet()
        yield Add(tuple(read), tuple(written), in_turn=True)
        yield Meet()
        if into is not None:
            yield Raise((Key("room", into),), silent=True)
        if out is not None:
            yield Raise((Key("message", out),), messages=1)


def _places(connection: Connection, first: int, size: int) -> Chunks:
    """Return where chunks stand between a sender and a receiver."""
    sender, receiver, channel = connection
    return Chunks(receiver, f"messages of gpu {sender} on channel {channel}", first, size)


def _signals(gpu: Gpu) -> dict[tuple[int, int], list[Key]]:
    """Return the counters that steps of a gpu's blocks raise when they are over, by block and step.

    Every step that waits has one of its own, raised by the first step from the one it names on that signals.
    """
    found: dict[tuple[int, int], list[Key]] = defaultdict(list)
    signalling = {b.number: [k for k, step in enumerate(b.steps) if step.signals] for b in gpu.blocks}
    for block in gpu.blocks:
        for number, step in enumerate(block.steps):
            if step.waits is not None:
                steps = signalling[step.waits[0]]
                at = bisect_left(steps, step.waits[1])
                if at < len(steps):
                    key = Key("step", (gpu.number, *step.waits, block.number, number))
                    found[step.waits[0], steps[at]].append(key)
    return found
