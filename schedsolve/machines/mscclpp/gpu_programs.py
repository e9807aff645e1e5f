"""What the gpus do in an execution plan of MSCCL++ that carries out a schedule.

A gpu has a block for each peer that it sends to and one for each that it receives from; a block with too
many operations is continued by another. The sender puts chunks where the receiver needs them, or into scratch
where that place is in use, and signals; a receiver that adds reads them there. Blocks of a gpu wait for each
other by semaphores, one for every pair.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from schedsolve.machines.movement.collectives import Layout
from schedsolve.machines.movement.movement import Movement, Transfer
from schedsolve.machines.symbols import Place, shared_name

from .access_order import AccessOrder, BlockKey


@dataclass(frozen=True)
class ChunkRun:
    """Chunks one after another wherever they stand.

    Attributes
    ----------
    source
        Where they are sent from, or copied from.
    landing
        Where they arrive.
    own
        What is added to them; None for nothing.
    target
        Where they belong.
    """

    source: Place
    landing: Place
    own: Place | None
    target: Place
    size: int

    def places(self, first: Place) -> list[Place]:
        """Return the places of all its chunks, the first of which is at this one."""
        return [first._replace(offset=first.offset + k) for k in range(self.size)]

    def moved(self, by: int) -> tuple[Place | None, ...]:
        """Return its places so many chunks further on."""
        return tuple(
            None if place is None else place._replace(offset=place.offset + by)
            for place in (self.source, self.landing, self.own, self.target)
        )


@dataclass
class MessageStep:
    """What a block does with one message.

    Attributes
    ----------
    runs
        The chunks.
    waits
        For which blocks.
    releases
        Which blocks wait for it.
    """

    runs: tuple[ChunkRun, ...]
    waits: tuple[BlockKey, ...]
    releases: list[BlockKey] = field(default_factory=list)


@dataclass
class GpuProgram:
    """A gpu's program as it grows.

    Attributes
    ----------
    where
        The place of every chunk that it holds.
    scratch
        How many chunks of scratch it uses.
    blocks
        The steps.
    """

    rank: int
    layout: Layout
    shares: bool
    scratch: int = 0
    where: dict[int, Place] = field(default_factory=dict)
    blocks: dict[BlockKey, list[MessageStep]] = field(default_factory=dict)
    _kept: dict[int, Place] = field(default_factory=dict)
    _order: AccessOrder = field(default_factory=AccessOrder)

    def __post_init__(self) -> None:
        self.outputs = {chunk: Place("o", k) for k, chunk in enumerate(self.layout.outputs(self.rank))}
        self.where = {chunk: Place("i", k) for k, chunk in enumerate(self.layout.inputs(self.rank))}

    def name(self, place: Place) -> Place:
        """Return the one name of a place that has two."""
        return shared_name(self.layout, self.rank, place, self.layout.shared) if self.shares else place

    def used(self, place: Place) -> bool:
        """Whether a place was read or written."""
        return self.name(place) in self._order.writes or self.name(place) in self._order.reads

    def fresh(self) -> Place:
        """Return a place in scratch that nothing uses."""
        self.scratch += 1
        return Place("s", self.scratch - 1)

    def target(self, chunk: int, *, passing: bool) -> Place:
        """Return where an arriving chunk belongs; passing: whether another value of it arrives later."""
        found = self._kept.get(chunk) if passing else self.outputs.get(chunk, self._kept.get(chunk))
        if found is None:
            found = self._kept[chunk] = self.fresh()
        return found

    def add(
        self,
        key: BlockKey,
        runs: Sequence[ChunkRun],
        *,
        read: Sequence[Place] = (),
        written: Sequence[Place] = (),
        arrived: Sequence[Place] = (),
    ) -> None:
        """Append a step to a block.

        It waits for what it reads and writes, not for what another gpu has written where it stays.
        """
        read, written = list(map(self.name, read)), list(map(self.name, written))
        needed = self._order.waits(key, read, written)
        for block, number in needed.items():
            self.blocks[block][number].releases.append(key)
        steps = self.blocks.setdefault(key, [])
        steps.append(MessageStep(tuple(runs), tuple(needed)))
        self._order.note((key, len(steps) - 1), read, [*written, *map(self.name, arrived)])


def programs(movement: Movement, most_messages: int, *, in_place: bool, careful: bool) -> list[GpuProgram]:
    """Return what every gpu does.

    Parameters
    ----------
    movement
        The movement of data.
    most_messages
        Of a block.
    in_place
        Whether buffers are shared.
    careful
        Whether chunks land in scratch when the place where they belong was in use before.
    """
    layout = movement.layout
    gpus = [GpuProgram(rank, layout, in_place) for rank in range(layout.ranks)]
    later: dict[tuple[int, int], int] = {}
    for number, step in enumerate(movement.steps):
        for transfer in step.transfers:
            later.update(((transfer.receiver, c), number) for c in transfer.chunks if not transfer.adds)
    messages: dict[tuple[int, int], int] = {}
    for number, step in enumerate(movement.steps):
        before = [dict(gpu.where) for gpu in gpus]
        placed = []
        for transfer in step.transfers:
            u, v = movement.rank[transfer.sender], movement.rank[transfer.receiver]
            passing = {c for c in transfer.chunks if later.get((transfer.receiver, c), -1) > number}
            runs = tuple(_joined(_arrivals(transfer, before[u], gpus[v], passing, careful=careful)))
            group = messages.get((u, v), 0) // most_messages
            messages[u, v] = messages.get((u, v), 0) + 1
            placed.append((runs, u, v, group))
        for runs, u, v, group in placed:
            gpus[u].add(("send", v, group), runs, read=[p for run in runs for p in run.places(run.source)])
        for runs, u, v, group in placed:
            gpus[v].add(
                ("receive", u, group),
                runs,
                read=[p for run in runs if run.own is not None for p in run.places(run.own)],
                written=[p for run in runs if run.landing != run.target for p in run.places(run.target)],
                arrived=[p for run in runs if run.landing == run.target for p in run.places(run.target)],
            )
    for gpu in gpus:
        _copy_rest(gpu, most_messages)
    return gpus


def _arrivals(
    transfer: Transfer, sent: Mapping[int, Place], gpu: GpuProgram, passing: Collection[int], *, careful: bool
) -> Iterator[ChunkRun]:
    """Yield the chunks of a transfer one by one, and note where the receiver has them after it."""
    chunks = sorted(transfer.chunks, key=sent.__getitem__)
    targets = {chunk: gpu.target(chunk, passing=chunk in passing) for chunk in chunks}
    for chunk, target in targets.items():
        lands = transfer.adds or (careful and gpu.used(target))
        landing = gpu.fresh() if lands else target
        yield ChunkRun(sent[chunk], landing, gpu.where[chunk] if transfer.adds else None, target, 1)
        gpu.where[chunk] = target


def _copy_rest(gpu: GpuProgram, most: int) -> None:
    """Copy what a gpu needs in its output and has elsewhere."""
    elsewhere = [
        ChunkRun(gpu.where[chunk], place, None, place, 1)
        for chunk, place in gpu.outputs.items()
        if gpu.name(gpu.where[chunk]) != gpu.name(place)
    ]
    for number, run in enumerate(_joined(elsewhere)):
        read, written = run.places(run.source), run.places(run.target)
        gpu.add(("copy", 0, number // most), [run], read=read, written=written)


def _joined(runs: Iterable[ChunkRun]) -> Iterator[ChunkRun]:
    """Yield runs that follow each other in all their places as one."""
    last: ChunkRun | None = None
    for run in runs:
        if last is not None and last.moved(last.size) == run.moved(0):
            last = replace(last, size=last.size + run.size)
            continue
        if last is not None:
            yield last
        last = run
    if last is not None:
        yield last
