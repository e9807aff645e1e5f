"""A symbolic run of an execution plan of MSCCL++, all blocks at the same time.

Blocks wait for signals, semaphores and barriers; another order of the blocks changes neither the symbols
(what may race is found and said) nor, once it ends, that it ends.

What is ordered is told by vector clocks. The time of a block is how many times its threads have met, at a
"nop" or a "barrier": an operation is over for others, and what a wait tells is known, from the next meeting
on. A relaxed signal, or a relaxed wait for any, tells only that the call has begun: neither orders what was
written.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from schedsolve.machines.msccl.algorithm import Place
from schedsolve.machines.msccl.buffers import Symbol, added
from schedsolve.machines.msccl.replay import chain_of_waiting

from .counters import Key, Knowledge, Tally, keys_of, tallies, words
from .memory import Access, Memory
from .plan import MOVES, SIGNALS, SUMS, WAITS, Block, Chunks, Gpu, Operation, Plan

MOST_TICKS = 400_000_000
"""Components of clocks times operations up to which races are looked for."""


@dataclass
class Run:
    """How it went.

    Attributes
    ----------
    memory
        At the end.
    deadlock
        Who waits for whom, in a circle or for nobody; None when all ended.
    left
        A counter that has another value at the end than at first, in words.
    shared
        A counter for which several blocks wait, in words: which of them goes on is open.
    early
        The first use of another gpu's buffer before anything says that its call has begun.
    late
        The first use of a gpu's buffers that may come after its call has ended.
    sent
        The chunks between gpus.
    chain
        The messages of the longest chain in which each waits for the one before.
    races
        Whether they were looked for.
    """

    memory: Memory
    deadlock: str | None = None
    left: str | None = None
    shared: str | None = None
    early: str | None = None
    late: str | None = None
    sent: dict[tuple[int, int], int] = field(default_factory=dict)
    chain: int = 0
    races: bool = True


@dataclass
class _Worker:
    """A block under way.

    Attributes
    ----------
    knows
        What all its threads know.
    heard
        What waits have told since they met.
    chain
        The messages up to its last one.
    at
        The next operation.
    met
        Whether it waits at a barrier.
    """

    gpu: Gpu
    block: Block
    index: int
    knows: Knowledge
    heard: list[Knowledge] = field(default_factory=list)
    chain: int = 0
    at: int = 0
    met: bool = False

    @property
    def now(self) -> Operation | None:
        return self.block.operations[self.at] if self.at < len(self.block.operations) else None

    @property
    def name(self) -> str:
        return f"gpu {self.gpu.number}, block {self.block.number}, op {self.at}"


def replay(plan: Plan) -> Run:
    """Run the plan."""
    return _Replay(plan).run()


class _Replay:
    """A run under way.

    Clocks have a component for every block, then one for every gpu: whether its call has begun.
    """

    def __init__(self, plan: Plan) -> None:
        import numpy as np

        blocks = [(gpu, block) for gpu in plan.gpus for block in gpu.blocks]
        self.width, self.first = len(blocks) + len(plan.gpus), len(blocks)
        races = self.width * sum(len(block.operations) for _, block in blocks) <= MOST_TICKS
        self.plan, self.run_ = plan, Run(Memory(plan), races=races)
        self.adds = plan.layout is None or plan.layout.adds
        self.workers = []
        for index, (gpu, block) in enumerate(blocks):
            clock = np.zeros(self.width, np.int32) if races else None
            if clock is not None:
                clock[self.first + gpu.number] = 1
            self.workers.append(_Worker(gpu, block, index, Knowledge(clock, 0)))
        self.tallies = tallies(plan)
        self.waiting: dict[Key, list[_Worker]] = {}
        self.barriers: dict[tuple[int, int], list[_Worker]] = {}

    def run(self) -> Run:
        ready = deque(self.workers)
        while ready:
            ready.extend(self._advance(ready.popleft()))
        run = self.run_
        run.chain = max((w.chain for w in self.workers), default=0)
        run.deadlock = self._deadlock()
        run.shared = next((words(k) for k, tally in self.tallies.items() if len(tally.waiting) > 1), None)
        if run.deadlock is None:
            run.left = next(
                (self._left(k, t) for k, t in self.tallies.items() if len(t.raised) != t.taken), None
            )
            if run.races:
                run.late = run.memory.late({gpu.number: self._end(gpu) for gpu in self.plan.gpus})
        return run

    @staticmethod
    def _left(key: Key, tally: Tally) -> str:
        return f"{words(key)}: raised {len(tally.raised)} times, and waited for {tally.taken} times"

    def _end(self, gpu: Gpu) -> Any:
        """Return what is known when all blocks of a gpu have ended."""
        import numpy as np

        end = np.zeros(self.width, np.int32)
        for worker in (w for w in self.workers if w.gpu is gpu):
            self._meet(worker)
            np.maximum(end, worker.knows.clock, out=end)
        return end

    def _meet(self, worker: _Worker) -> None:
        """All threads of a block have met."""
        import numpy as np

        for heard in worker.heard:
            worker.chain = max(worker.chain, heard.chain)
            if worker.knows.clock is not None:
                np.maximum(worker.knows.clock, heard.clock, out=worker.knows.clock)
        worker.heard.clear()
        if worker.knows.clock is not None:
            worker.knows.clock[worker.index] += 1

    def _advance(self, worker: _Worker) -> Iterator[_Worker]:
        """Let a block do what it can, and yield the others that may go on then."""
        while (operation := worker.now) is not None:
            name = operation.name
            if name == "barrier":
                yield from self._arrive(worker, operation)
                return
            if name in WAITS or name == "sem_acquire":
                if not self._take(worker, operation):
                    return
            elif name in SIGNALS or name == "sem_release":
                yield from self._raise(worker, operation)
            elif name == "nop":
                self._meet(worker)
            else:
                self._carry_out(worker, operation)
            worker.at += 1

    def _arrive(self, worker: _Worker, operation: Operation) -> Iterator[_Worker]:
        """Let a block meet others at a barrier, and yield all of them once they are complete."""
        if worker.met:
            return
        self._meet(worker)
        worker.met = True
        there = self.barriers.setdefault((worker.gpu.number, operation.barrier), [])
        there.append(worker)
        if len(there) < operation.blocks:
            return
        met = list(there)
        there.clear()
        known = [Knowledge(None if w.knows.clock is None else w.knows.clock.copy(), w.chain) for w in met]
        for other in met:
            other.heard += known
            self._meet(other)
            other.met, other.at = False, other.at + 1
            yield other

    def _take(self, worker: _Worker, operation: Operation) -> bool:
        """Wait for the counters of an operation; False when one is not raised yet."""
        keys = list(keys_of(worker.gpu, operation))
        for key in keys:
            if not self.tallies[key].free(keys.count(key)):
                self.waiting.setdefault(key, []).append(worker)
                return False
        for key in keys:
            told = self.tallies[key].take()
            worker.heard += map(self._relaxed, told) if operation.name == "rlxwait" else told
        return True

    def _relaxed(self, told: Knowledge) -> Knowledge:
        """Return what remains without the order of memory: which calls have begun."""
        if told.clock is None:
            return told
        clock = told.clock.copy()
        clock[: self.first] = 0
        return Knowledge(clock, told.chain)

    def _raise(self, worker: _Worker, operation: Operation) -> Iterator[_Worker]:
        """Raise the counters of an operation, and yield the blocks that wait for them."""
        for key in keys_of(worker.gpu, operation):
            clock = worker.knows.clock
            told = Knowledge(None if clock is None else clock.copy(), worker.chain)
            told = self._relaxed(told) if operation.name == "rlxsignal" else told
            self.tallies[key].raised.append(told)
            yield from self.waiting.pop(key, [])

    def _carry_out(self, worker: _Worker, operation: Operation) -> None:
        """Carry out an operation that moves or adds chunks."""
        sources, targets = operation.sources, operation.targets
        if operation.name in MOVES:
            for source, target in zip(sources, targets, strict=True):
                self._pass(worker, (source,), (target,))
        else:
            assert operation.name in SUMS
            self._pass(worker, sources, targets)

    def _pass(self, worker: _Worker, sources: tuple[Chunks, ...], targets: tuple[Chunks, ...]) -> None:
        """Write the sum of sources to targets."""
        memory = self.run_.memory
        for k in range(sources[0].size):
            symbols = [memory.get(c.gpu, Place(c.buffer, c.start + k)) for c in sources]
            for chunks in sources:
                self._touch(worker, chunks, k, writes=False)
            total: Symbol = symbols[0]
            for symbol in symbols[1:]:
                total = added(total, symbol, self.adds)
            for chunks in targets:
                self._touch(worker, chunks, k, writes=True)
                memory.put(chunks.gpu, Place(chunks.buffer, chunks.start + k), total)
        own = worker.gpu.number
        for ends, size in (
            *(((c.gpu, own), c.size) for c in sources),
            *(((own, c.gpu), c.size) for c in targets),
        ):
            if ends[0] != ends[1]:
                self.run_.sent[ends] = self.run_.sent.get(ends, 0) + size
        if any(c.gpu != own for c in sources + targets):
            worker.chain += 1

    def _touch(self, worker: _Worker, chunks: Chunks, k: int, *, writes: bool) -> None:
        clock, own = worker.knows.clock, worker.gpu.number
        place = Place(chunks.buffer, chunks.start + k)
        time = 0 if clock is None else clock[worker.index].item() + 1
        access = Access(worker.index, time, (worker.at, k), own)
        self.run_.memory.touch(chunks.gpu, place, access, clock, writes=writes)
        if clock is not None and not clock[self.first + chunks.gpu] and self.run_.early is None:
            self.run_.early = f"gpu {own} uses {place} of gpu {chunks.gpu}"

    def _deadlock(self) -> str | None:
        """Return who waits for whom, from the first block that did not end; None when all did."""
        stuck = [w for w in self.workers if w.now is not None]
        return chain_of_waiting(stuck[0], lambda worker: self._obstacle(worker, stuck)) if stuck else None

    def _obstacle(self, worker: _Worker, stuck: list[_Worker]) -> tuple[str, _Worker | None]:
        """Return what a block waits for, in words, and a block that would have to go on; None for none."""
        operation = worker.now
        assert operation is not None
        if operation.name == "barrier":
            there = self.barriers[worker.gpu.number, operation.barrier]
            others = [w for w in stuck if w.gpu is worker.gpu and w not in there]
            waits = f"{worker.name} waits at barrier {operation.barrier} for {operation.blocks} blocks"
            return (waits, others[0]) if others else (f"{waits}, and {len(there)} come", None)
        keys = list(keys_of(worker.gpu, operation))
        key = next(key for key in keys if not self.tallies[key].free(keys.count(key)))
        raising = self.tallies[key].raising
        other = next((w for w in stuck if self._raises_later(w, key)), None)
        waits = f"{worker.name} waits for {words(key)}"
        if other is None:
            waits += ", which nobody raises any more" if raising else ", which nobody raises"
        return waits, other

    @staticmethod
    def _raises_later(worker: _Worker, key: Key) -> bool:
        rest = worker.block.operations[worker.at :]
        raising = (o for o in rest if o.name in SIGNALS or o.name == "sem_release")
        return any(key in keys_of(worker.gpu, operation) for operation in raising)
