"""The buffers of all gpus while a program runs, in symbols, and which accesses to them nothing orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from schedsolve.machines.movement.collectives import Layout

from .symbols import NOTHING, Place, Symbol, shared_name, wrong_output

BUFFERS = ("i", "o", "s")
"""Those that blocks share; messages have one writer and one reader."""


class Access(NamedTuple):
    """Who used a place.

    Attributes
    ----------
    block, time
        Among all blocks, and the block's own time.
    operation
        Which operation, and which chunk of it: what they have in common, the same threads carry out.
    gpu
        Of the block.
    """

    block: int
    time: int
    operation: tuple[int, int]
    gpu: int


@dataclass
class _Accesses:
    """The last write of a place, and the reads since.

    Of every block those of its latest time, one of each operation, since nothing orders these.
    """

    write: Access | None = None
    reads: dict[int, list[Access]] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Access]:
        for reads in self.reads.values():
            yield from reads
        if self.write is not None:
            yield self.write

    def note_read(self, access: Access) -> None:
        """Note a read."""
        known = self.reads.setdefault(access.block, [])
        if known and known[0].time < access.time:
            known.clear()
        if access not in known:
            known.append(access)


class Memory:
    """The buffers.

    Attributes
    ----------
    race
        The first two accesses that nothing puts in order.
    changed
        The first input that was written although buffers are apart.
    """

    def __init__(
        self, layout: Layout | None, inputs: Sequence[int], *, in_place: bool, exchange: bool = False
    ) -> None:
        """Fill the inputs.

        Parameters
        ----------
        layout
            Of the collective; None for one that is not known.
        inputs
            The chunks of every gpu's input, where the layout is not known.
        in_place
            Whether buffers are shared.
        exchange
            Whether those of an alltoall are shared too.
        """
        self.layout, self.in_place = layout, in_place
        exchanged = exchange and layout is not None and layout.collective == "alltoall"
        self._shared = "same" if exchanged else layout.shared if layout else None
        self.race: str | None = None
        self.changed: str | None = None
        self._symbols: dict[tuple[int, Place], Symbol] = {}
        self._accesses: dict[tuple[int, Place], _Accesses] = {}
        for gpu, size in enumerate(inputs):
            for offset, chunk in enumerate(layout.inputs(gpu) if layout else range(size)):
                self.put(gpu, Place("i", offset), (chunk, 1 << gpu))

    def _at(self, gpu: int, place: Place) -> tuple[int, Place]:
        """Return the one name of a place that has two where buffers are shared."""
        if not self.in_place or self.layout is None:
            return gpu, place
        return gpu, shared_name(self.layout, gpu, place, self._shared)

    def get(self, gpu: int, place: Place) -> Symbol:
        """Return what stands there; a message is gone then."""
        at = self._at(gpu, place)
        found = self._symbols.get if place.buffer in BUFFERS else self._symbols.pop
        return found(at, NOTHING)

    def put(self, gpu: int, place: Place, symbol: Symbol) -> None:
        """Write it there."""
        self._symbols[self._at(gpu, place)] = symbol

    def touch(self, gpu: int, place: Place, access: Access, clock: Any, *, writes: bool) -> None:
        """Note an access to a place of a gpu by a block that knows `clock`; find a race with those before."""
        if writes and place.buffer == "i" and not self.in_place and self.changed is None:
            self.changed = f"gpu {gpu}: {place}, its input, is written although buffers are apart"
        if clock is None:
            return
        seen = self._accesses.setdefault(self._at(gpu, place), _Accesses())
        for other in seen if writes else [seen.write]:
            if other is not None and self.race is None and _unordered(other, access, clock):
                words = "written while it may be in use" if writes else "read while it may be written"
                self.race = f"gpu {gpu}: {place} is {words}: {_why(other, access)}"
        if writes:
            seen.write, seen.reads = access, {}
        else:
            seen.note_read(access)

    def late(self, ends: dict[int, Any]) -> str | None:
        """Return the first use of an input or output that may come after the call of its gpu has ended."""
        for (gpu, place), accesses in self._accesses.items():
            for access in accesses if place.buffer != "s" else ():
                if access.gpu != gpu and ends[gpu][access.block] < access.time:
                    return f"gpu {gpu} may end before gpu {access.gpu} has used its {place}"
        return None

    def wrong(self) -> str | None:
        """Return the first place of an output that does not hold what the collective gives it."""
        return None if self.layout is None else wrong_output(self.layout, self.get)


def _unordered(before: Access, access: Access, clock: Any) -> bool:
    same = (before.block, before.operation) == (access.block, access.operation)
    return not same and bool(clock[before.block] < before.time)


def _why(before: Access, access: Access) -> str:
    if before.block == access.block:
        return "two operations of a block without a nop between them"
    return "nothing orders the two blocks"
