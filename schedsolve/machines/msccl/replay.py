"""A symbolic run of an MSCCL algorithm.

All blocks at the same time, with a given number of buffers for the messages of a connection.

A message is what one step sends, or, where chunks are large, a single chunk.

A block sends when its connection has a free buffer, receives when there is a message, and waits for steps of
other blocks. More buffers, or another order of the blocks, change neither the symbols (what may race is found
and said) nor, once it ends, that it ends.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from schedsolve.runtime.errors import counted

from .algorithm import ADDING, RECEIVING, SENDING, Algorithm, Block, Place, Step
from .buffers import Buffers, Symbol, added

Connection = tuple[int, int, int]
"""Sender, receiver, channel."""
End = Connection | None
"""Where a block sends, or receives; None where it does not, of which nothing is known."""
Worker = TypeVar("Worker")
MOST_TICKS = 400_000_000
"""Blocks times steps up to which races are looked for."""


@dataclass
class Run:
    """How it went.

    Attributes
    ----------
    buffers
        At the end.
    deadlock
        Who waits for whom in a circle, or for nobody; None when all ended.
    mismatch
        The first message that its receiver takes for one of another length.
    sent
        The chunks that each gpu sent each other.
    chain
        The messages of the longest chain in which each waits for the one before.
    races
        Whether they were looked for.
    """

    buffers: Buffers
    deadlock: str | None = None
    mismatch: str | None = None
    sent: dict[tuple[int, int], int] = field(default_factory=dict)
    chain: int = 0
    races: bool = True


@dataclass
class _Worker:
    """A block under way.

    Attributes
    ----------
    step, chunk
        What it does next.
    clock, chain
        What it knows; see `_Replay`.
    """

    gpu: int
    block: Block
    index: int
    clock: Any
    step: int = 0
    chunk: int = 0
    chain: int = 0
    entered: bool = False

    @property
    def now(self) -> Step | None:
        return self.block.steps[self.step] if self.step < len(self.block.steps) else None

    def name(self) -> str:
        return f"gpu {self.gpu}, block {self.block.number}, step {self.step}"


@dataclass
class _Message:
    symbol: Symbol
    clock: Any
    chain: int
    place: tuple[int, int]


def replay(
    algorithm: Algorithm, buffers: int, *, in_place: bool, races: bool = True, by_chunk: bool = False
) -> Run:
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
    return _Replay(algorithm, buffers, in_place, races, by_chunk).run()


def chain_of_waiting(first: Worker, obstacle: Callable[[Worker], tuple[str, Worker | None]]) -> str:
    """Return who waits for whom from a block on; `obstacle` gives what one waits for, and for which."""
    words: list[str] = []
    seen: list[Worker] = []
    worker: Worker | None = first
    while worker is not None and not any(worker is one for one in seen):
        seen.append(worker)
        reason, worker = obstacle(worker)
        words.append(reason)
    shown = words if len(words) <= 6 else [*words[:5], f"... {len(words) - 5} more"]
    return "; ".join(shown) + ("" if worker is None else ", in a circle")


class _Replay:
    """A run under way.

    Every block has a vector clock: of each block the last step whose effects it has seen, through messages
    and waiting.
    """

    def __init__(self, algorithm: Algorithm, room: int, in_place: bool, races: bool, by_chunk: bool) -> None:
        import numpy as np

        blocks = [(gpu.number, block) for gpu in algorithm.gpus for block in gpu.blocks]
        steps = sum(len(block.steps) for _, block in blocks)
        races = races and len(blocks) * steps <= MOST_TICKS
        self.adds = algorithm.layout is None or algorithm.layout.adds
        self.room, self.by_chunk = room, by_chunk
        self.used: dict[End, int] = {}
        self.workers = [
            _Worker(gpu, block, i, np.zeros(len(blocks), np.int32) if races else None)
            for i, (gpu, block) in enumerate(blocks)
        ]
        self.at = {(w.gpu, w.block.number): w for w in self.workers}
        self.outcome = Run(Buffers(algorithm, in_place), races=races)
        self.queues: dict[End, deque[_Message]] = {}
        self.senders: dict[End, list[_Worker]] = {}
        self.receivers: dict[End, list[_Worker]] = {}
        for w in self.workers:
            out, into = self._connections(w)
            self.senders.setdefault(out, []).append(w)
            self.receivers.setdefault(into, []).append(w)
        self.signalled: dict[tuple[int, int], list[tuple[int, Any, int]]] = {}
        self.waiting: dict[tuple[int, int], list[_Worker]] = {}

    def run(self) -> Run:
        ready = deque(self.workers)
        listed = {w.index for w in ready}
        while ready:
            worker = ready.popleft()
            listed.discard(worker.index)
            for other in self._advance(worker):
                if other.index not in listed:
                    listed.add(other.index)
                    ready.append(other)
        self.outcome.chain = max((w.chain for w in self.workers), default=0)
        self.outcome.deadlock = self._deadlock()
        return self.outcome

    def _connections(self, worker: _Worker) -> tuple[End, End]:
        """Where it sends, and where it receives."""
        block = worker.block
        out = None if block.send is None else (worker.gpu, block.send, block.channel)
        into = None if block.receive is None else (block.receive, worker.gpu, block.channel)
        return out, into

    def _advance(self, worker: _Worker) -> Iterator[_Worker]:
        """Let a block do what it can; the others that may go on then."""
        out, into = self._connections(worker)
        while (step := worker.now) is not None:
            if not worker.entered and not self._enter(worker, step):
                return
            while worker.chunk < step.size and step.kind != "nop":
                if step.kind in RECEIVING and not self.queues.get(into):
                    return
                if (
                    step.kind in SENDING
                    and (self.by_chunk or not worker.chunk)
                    and self.used.get(out, 0) >= self.room
                ):
                    return
                self._move(worker, step, out, into)
                if step.kind in RECEIVING:
                    yield from self.senders.get(into, ())
                if step.kind in SENDING:
                    yield from self.receivers.get(out, ())
            if step.signals:
                key = worker.gpu, worker.block.number
                clock = None if worker.clock is None else worker.clock.copy()
                self.signalled.setdefault(key, []).append((worker.step, clock, worker.chain))
                yield from self.waiting.pop(key, [])
            worker.step, worker.chunk, worker.entered = worker.step + 1, 0, False

    def _enter(self, worker: _Worker, step: Step) -> bool:
        """Begin a step, if what it waits for is over."""
        if step.waits is not None:
            key = worker.gpu, step.waits[0]
            done = [entry for entry in self.signalled.get(key, []) if entry[0] >= step.waits[1]]
            if not done:
                self.waiting.setdefault(key, []).append(worker)
                return False
            self._learn(worker, done[0][1], done[0][2])
        if worker.clock is not None:
            worker.clock[worker.index] = worker.step + 1
        worker.entered = True
        return True

    def _learn(self, worker: _Worker, clock: Any, chain: int) -> None:
        import numpy as np

        if clock is not None:
            np.maximum(worker.clock, clock, out=worker.clock)
        worker.chain = max(worker.chain, chain)

    def _move(self, worker: _Worker, step: Step, out: End, into: End) -> None:
        """Carry out what a step does with its next chunk."""
        gpu, buffers, index = worker.gpu, self.outcome.buffers, worker.index
        source = Place(step.source.buffer, step.source.offset + worker.chunk)
        target = Place(step.target.buffer, step.target.offset + worker.chunk)
        symbol: Symbol = "nothing"
        if step.kind in RECEIVING:
            assert into is not None
            message = self.queues[into].popleft()
            if message.place != (worker.chunk, step.size) and self.outcome.mismatch is None:
                self.outcome.mismatch = (
                    f"{worker.name()} takes {counted(step.size, 'chunk')} for a message, and gpu"
                    f" {into[0]} sent"
                    f" {message.place[1]}"
                )
            if self.by_chunk or worker.chunk == step.size - 1:
                self.used[into] -= 1
            self._learn(worker, message.clock, message.chain)
            symbol = message.symbol
        if step.kind in ("s", "cpy") or step.kind in ADDING:
            buffers.touch(gpu, source, index, worker.clock, writes=False)
            held = buffers.get(gpu, source)
            symbol = added(symbol, held, self.adds) if step.kind in ADDING and step.kind != "re" else held
        if step.kind == "re":
            buffers.touch(gpu, target, index, worker.clock, writes=False)
            symbol = added(buffers.get(gpu, target), symbol, self.adds)
        if step.kind not in ("s", "rrs"):
            buffers.touch(gpu, target, index, worker.clock, writes=True)
            buffers.put(gpu, target, symbol)
        if step.kind in SENDING:
            assert out is not None
            clock = None if worker.clock is None else worker.clock.copy()
            message = _Message(symbol, clock, worker.chain + 1, (worker.chunk, step.size))
            self.queues.setdefault(out, deque()).append(message)
            if self.by_chunk or worker.chunk == 0:
                self.used[out] = self.used.get(out, 0) + 1
            self.outcome.sent[out[:2]] = self.outcome.sent.get(out[:2], 0) + 1
        worker.chunk += 1

    def _deadlock(self) -> str | None:
        """Who waits for whom, from the first block that did not end; None when all did, with nothing left."""
        stuck = [w for w in self.workers if w.now is not None]
        if not stuck:
            for out, queue in self.queues.items():
                if queue:
                    assert out is not None
                    return f"gpu {out[0]} sends gpu {out[1]} more on channel {out[2]} than it receives"
            return None
        return chain_of_waiting(stuck[0], self._obstacle)

    def _obstacle(self, worker: _Worker) -> tuple[str, _Worker | None]:
        """Return what a block waits for, in words, and which block would have to go on.

        None when there is none.
        """
        step = worker.now
        assert step is not None
        out, into = self._connections(worker)
        if not worker.entered and step.waits is not None:
            other = self.at[worker.gpu, step.waits[0]]
            waits = f"{worker.name()} waits for step {step.waits[1]} of block {step.waits[0]}"
            ended = other.now is None or other.step > step.waits[1]
            return waits + (", which does not say that it is over" if ended else ""), None if ended else other
        if step.kind in RECEIVING and not self.queues.get(into):
            assert into is not None
            senders = self.senders.get(into, [])
            return _until(f"{worker.name()} waits for a message from gpu {into[0]}", senders, "sends")
        assert out is not None
        receivers = self.receivers.get(out, [])
        return _until(f"{worker.name()} waits for room to send to gpu {out[1]}", receivers, "receives")


def _until(waits: str, others: Sequence[_Worker], does: str) -> tuple[str, _Worker | None]:
    """Return what a block waits for at the other end of a connection, and a block there that goes on."""
    other = next((one for one in others if one.now is not None), None)
    return (f"{waits}, which {does} no more" if other is None else waits), other
