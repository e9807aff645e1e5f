"""A symbolic run of a program for many gpus: all blocks at the same time, over their events.

Another order of the blocks changes neither the symbols (what may race is found and said) nor, once it ends,
that it ends.

What is ordered is told by vector clocks. The time of a block is how many times its threads have met: what
they do is over for others, and what a wait tells is known, from the next meeting on.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .events import WORDS, Add, BlockEvents, Event, Key, Meet, Raise, Wait
from .memory import BUFFERS, Access, Memory
from .symbols import Chunks, Place, Symbol, added

MOST_TICKS = 400_000_000
"""Components of clocks times steps up to which races are looked for."""


@dataclass
class Outcome:
    """How it went.

    Attributes
    ----------
    memory
        At the end.
    deadlock
        Who waits for whom, in a circle or for nobody; None when all ended.
    left
        A counter that has another value at the end than at first, how often it was raised, and waited for.
    shared
        A counter for which several blocks wait: which of them goes on is open.
    early
        The first use of another gpu's buffer before anything says that its call has begun.
    late
        The first use of a gpu's buffers that may come after its call has ended.
    sent
        The chunks between gpus, if all blocks end.
    chain
        The messages of the longest chain in which each waits for the one before.
    races
        Whether they were looked for.
    """

    memory: Memory
    deadlock: str | None = None
    left: tuple[Key, int, int] | None = None
    shared: Key | None = None
    early: str | None = None
    late: str | None = None
    sent: Counter[tuple[int, int]] = field(default_factory=Counter)
    chain: int = 0
    races: bool = True


class _Knowledge(NamedTuple):
    """What a block knows: a vector clock, None where it is not told, and a chain of messages."""

    clock: Any
    chain: int


@dataclass
class _Tally:
    """A counter under way.

    Attributes
    ----------
    first
        Its value at first.
    raising, waiting
        How often each block raises it, or waits for it, in all.
    raised, taken
        How often it was raised, and waited for.
    told
        What the blocks that raised it knew then, in order; of one block what was not taken yet.
    """

    first: int = 0
    raising: Counter[int] = field(default_factory=Counter)
    waiting: Counter[int] = field(default_factory=Counter)
    raised: int = 0
    taken: int = 0
    told: deque[_Knowledge] = field(default_factory=deque)

    def free(self, times: int) -> bool:
        """Return whether an operation that waits so many times ends now."""
        return self.first + self.raised >= self.taken + times

    def take(self) -> list[_Knowledge]:
        """Wait once, and return what that tells.

        Where several blocks raise it, a wait tells nothing of any of them until all have.
        """
        self.taken += 1
        if self.taken <= self.first:
            return []
        if len(self.raising) == 1:
            return [self.told.popleft()]
        return list(self.told) if self.taken - self.first == self.raising.total() else []


class _Worker:
    """A block under way: its next event, what its threads know, and what waits have told since they met."""

    def __init__(self, block: BlockEvents, index: int, clock: Any) -> None:
        self.block, self.index, self.clock, self.chain = block, index, clock, 0
        self.heard: list[_Knowledge] = []
        self.met = False
        self.step = 0
        self.now: Event | None = None
        self._rest = block.after(0)
        self.advance()

    def advance(self) -> None:
        self.step, self.now = next(self._rest, (self.block.steps, None))

    def __str__(self) -> str:
        return f"{self.block.name} {self.step}"

    def raises(self, key: Key) -> bool:
        """Return whether it raises a counter from here on."""
        return any(isinstance(event, Raise) and key in event.keys for _, event in self.block.after(self.step))

    def meet(self) -> None:
        """All threads have met."""
        import numpy as np

        for heard in self.heard:
            self.chain = max(self.chain, heard.chain)
            if self.clock is not None and heard.clock is not None:
                np.maximum(self.clock, heard.clock, out=self.clock)
        self.heard.clear()
        if self.clock is not None:
            self.clock[self.index] += 1


class Runner:
    """A run under way.

    Clocks have a component for every block, then one for every gpu whose call may begin after others have.
    """

    def __init__(
        self,
        blocks: Sequence[BlockEvents],
        memory: Memory,
        first: Mapping[Key, int],
        *,
        calls: int = 0,
        races: bool = True,
    ) -> None:
        """Prepare a run.

        Parameters
        ----------
        blocks
            All blocks of all gpus.
        memory
            The buffers, as they are at first.
        first
            The values of counters at first, where they are not 0.
        calls
            The gpus of which others must be told that their call has begun; 0 where the executor sees to it.
        races
            Whether to look for races, in programs that are not too large.
        """
        import numpy as np

        self.first, self.width = len(blocks), len(blocks) + calls
        races = races and self.width * sum(block.steps for block in blocks) <= MOST_TICKS
        self.memory, self.outcome = memory, Outcome(memory, races=races)
        self.adds = memory.layout is None or memory.layout.adds
        self.tallies = {key: _Tally(value) for key, value in first.items()}
        self.workers = []
        for index, block in enumerate(blocks):
            clock = np.zeros(self.width, np.int32) if races else None
            if clock is not None and calls:
                clock[self.first + block.gpu] = 1
            self.workers.append(_Worker(block, index, clock))
            for _, event in block.after(0):
                self._count(index, block.gpu, event)
        self.waiting: dict[Key, list[_Worker]] = {}
        self.barriers: dict[tuple[int, int], list[_Worker]] = {}

    def _count(self, index: int, gpu: int, event: Event) -> None:
        """Count the counters that an event of a block changes, and the chunks that it moves between gpus."""
        if isinstance(event, Wait | Raise):
            for key in event.keys:
                tally = self.tallies.setdefault(key, _Tally())
                (tally.waiting if isinstance(event, Wait) else tally.raising)[index] += 1
        elif isinstance(event, Add):
            moved = [((chunks.gpu, gpu), chunks.size) for chunks in event.sources]
            moved += [((gpu, chunks.gpu), chunks.size) for chunks in event.targets]
            for ends, size in moved:
                if ends[0] != ends[1]:
                    self.outcome.sent[ends] += size

    def run(self) -> Outcome:
        """Run it to its end, or until no block can go on."""
        ready = deque(self.workers)
        while ready:
            ready.extend(self._advance(ready.popleft()))
        run = self.outcome
        run.chain = max((w.chain for w in self.workers), default=0)
        run.deadlock = self._deadlock()
        run.shared = next((key for key, tally in self.tallies.items() if len(tally.waiting) > 1), None)
        if run.deadlock is None:
            counts = ((key, tally.raised, tally.taken) for key, tally in self.tallies.items())
            run.left = next((one for one in counts if one[1] != one[2]), None)
            if run.races and self.width > self.first:
                run.late = self.memory.late(self._ends())
        return run

    def _ends(self) -> dict[int, Any]:
        """Return what is known when all blocks of each gpu have ended."""
        import numpy as np

        ends = {gpu: np.zeros(self.width, np.int32) for gpu in range(self.width - self.first)}
        for worker in self.workers:
            worker.meet()
            end = ends[worker.block.gpu]
            np.maximum(end, worker.clock, out=end)
        return ends

    def _advance(self, worker: _Worker) -> Iterator[_Worker]:
        """Let a block do what it can, and yield the others that may go on then."""
        while (event := worker.now) is not None:
            if isinstance(event, Add):
                self._add(worker, event)
            elif isinstance(event, Raise):
                told = self._knowledge(worker, event)
                for key in event.keys:
                    self.tallies[key].raised += 1
                    self.tallies[key].told.append(told)
                    yield from self.waiting.pop(key, [])
            elif isinstance(event, Wait):
                if not self._take(worker, event):
                    return
            elif event.barrier is not None:
                yield from self._arrive(worker, event.barrier, event.blocks)
                return
            else:
                worker.meet()
            worker.advance()

    def _knowledge(self, worker: _Worker, event: Raise) -> _Knowledge:
        """Return what a block tells."""
        if event.silent:
            return _Knowledge(None, 0)
        clock = None if worker.clock is None else worker.clock.copy()
        told = _Knowledge(clock, worker.chain + event.messages)
        return self._relaxed(told) if event.relaxed else told

    def _relaxed(self, told: _Knowledge) -> _Knowledge:
        """Return what remains without the order of memory: which calls have begun."""
        if told.clock is None:
            return told
        clock = told.clock.copy()
        clock[: self.first] = 0
        return told._replace(clock=clock)

    def _take(self, worker: _Worker, event: Wait) -> bool:
        """Wait for counters; False when one is not raised yet."""
        missing = self._missing(event)
        if missing is not None:
            self.waiting.setdefault(missing, []).append(worker)
            return False
        for key in event.keys:
            told = self.tallies[key].take()
            worker.heard += map(self._relaxed, told) if event.relaxed else told
        return True

    def _missing(self, event: Wait) -> Key | None:
        """Return the first counter that an event waits for still."""
        return next((key for key in event.keys if not self.tallies[key].free(event.keys.count(key))), None)

    def _arrive(self, worker: _Worker, barrier: int, blocks: int) -> Iterator[_Worker]:
        """Let a block meet others at a barrier, and yield all of them once they are complete."""
        if worker.met:
            return
        worker.meet()
        worker.met = True
        there = self.barriers.setdefault((worker.block.gpu, barrier), [])
        there.append(worker)
        if len(there) < blocks:
            return
        met = list(there)
        there.clear()
        known = [_Knowledge(None if w.clock is None else w.clock.copy(), w.chain) for w in met]
        for other in met:
            other.heard += known
            other.meet()
            other.met = False
            other.advance()
            yield other

    def _add(self, worker: _Worker, event: Add) -> None:
        """Write the sum of sources to targets, chunk by chunk."""
        for k in range(event.sources[0].size):
            total: Symbol | None = None
            for chunks in event.sources:
                symbol = self.memory.get(chunks.gpu, self._touch(worker, event, chunks, k, writes=False))
                total = symbol if total is None else added(total, symbol, self.adds)
            assert total is not None
            for chunks in event.targets:
                self.memory.put(chunks.gpu, self._touch(worker, event, chunks, k, writes=True), total)
        worker.chain += event.messages

    def _touch(self, worker: _Worker, event: Add, chunks: Chunks, k: int, *, writes: bool) -> Place:
        """Note an access to one of some chunks, and return its place."""
        clock, own = worker.clock, worker.block.gpu
        place = Place(chunks.buffer, chunks.start + k)
        if chunks.buffer not in BUFFERS:
            return place
        time = 0 if clock is None else clock[worker.index].item() + 1
        access = Access(worker.index, time, (worker.step, 0 if event.in_turn else k), own)
        self.memory.touch(chunks.gpu, place, access, clock, writes=writes)
        calls = clock is not None and self.width > self.first
        if calls and not clock[self.first + chunks.gpu] and self.outcome.early is None:
            self.outcome.early = f"gpu {own} uses {place} of gpu {chunks.gpu}"
        return place

    def _deadlock(self) -> str | None:
        """Return who waits for whom, from the first block that did not end; None when all did."""
        stuck = [w for w in self.workers if w.now is not None]
        words: list[str] = []
        seen: set[int] = set()
        worker = stuck[0] if stuck else None
        while worker is not None and worker.index not in seen:
            seen.add(worker.index)
            reason, worker = self._obstacle(worker, stuck)
            words.append(reason)
        shown = words if len(words) <= 6 else [*words[:5], f"... {len(words) - 5} more"]
        return ("; ".join(shown) + ("" if worker is None else ", in a circle")) or None

    def _obstacle(self, worker: _Worker, stuck: Sequence[_Worker]) -> tuple[str, _Worker | None]:
        """Return what a block waits for, in words, and a block that would have to go on; None for none."""
        event = worker.now
        if isinstance(event, Meet):
            there = self.barriers[worker.block.gpu, event.barrier or 0]
            others = (w for w in stuck if w.block.gpu == worker.block.gpu and w not in there)
            other = next(others, None)
            waits = f"{worker} waits at barrier {event.barrier} for {event.blocks} blocks"
            return waits + ("" if other else f", and {len(there)} come"), other
        assert isinstance(event, Wait)
        key = self._missing(event)
        assert key is not None
        raising = (self.workers[index] for index in self.tallies[key].raising)
        other = next((w for w in raising if w.now is not None and w.raises(key)), None)
        return f"{worker} waits for {key}" + ("" if other else f", {WORDS[key.kind][1]}"), other
