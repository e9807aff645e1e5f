"""The buffers of all gpus with symbols in place of numbers.

Which chunk stands where, and whose contributions are in it; and whether what one block does to a place can
race with what another does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from schedsolve.machines.movement.collectives import Layout

from .algorithm import Algorithm, Place

Symbol = tuple[int, int] | str
"""A chunk with the gpus whose contributions are in it, as a bit mask; or what is wrong, in words."""
NOTHING = "nothing"


def added(one: Symbol, other: Symbol, adds: bool) -> Symbol:
    """Return the sum of two."""
    if isinstance(one, str) or isinstance(other, str):
        words = one if isinstance(one, str) else other
        return "a sum with nothing" if words == NOTHING else words
    (chunk, gpus), (second, more) = one, other
    if chunk != second or not adds:
        return f"the sum of chunks {chunk} and {second}"
    if gpus & more:
        twice = (gpus & more).bit_length() - 1
        return f"chunk {chunk} with the contribution of gpu {twice} counted twice"
    return chunk, gpus | more


def shown(symbol: Symbol, adds: bool) -> str:
    """Return a symbol for people."""
    if isinstance(symbol, str):
        return symbol
    chunk, mask = symbol
    gpus = ",".join(str(i) for i in range(mask.bit_length()) if mask >> i & 1)
    return f"chunk {chunk} of gpu{'s' if ',' in gpus else ''} {gpus}" if adds else f"chunk {chunk}"


@dataclass
class _Accesses:
    """Who wrote a place last, and who read it since: block and the block's own time."""

    write: tuple[int, int] | None = None
    reads: dict[int, int] = field(default_factory=dict)


@dataclass
class Buffers:
    """What stands in the buffers while an algorithm runs.

    Attributes
    ----------
    in_place
        Whether buffers are shared.
    race
        The first two accesses that nothing puts in order.
    changed
        The first input of a call out of place that was written.
    """

    algorithm: Algorithm
    in_place: bool
    race: str | None = None
    changed: str | None = None

    def __post_init__(self) -> None:
        self._symbols: dict[tuple[int, Place], Symbol] = {}
        self._accesses: dict[tuple[int, Place], _Accesses] = {}
        layout = self.algorithm.layout
        for gpu in self.algorithm.gpus:
            inputs = layout.inputs(gpu.number) if layout else range(gpu.size["i"])
            for offset, chunk in enumerate(inputs):
                self._symbols[gpu.number, self.place(gpu.number, Place("i", offset))] = chunk, 1 << gpu.number

    def place(self, gpu: int, place: Place) -> Place:
        """Return the one name of a place that has two where buffers are shared."""
        layout = self.algorithm.layout
        if not self.in_place or layout is None:
            return place
        return shared_name(layout, gpu, place)

    def get(self, gpu: int, place: Place) -> Symbol:
        """Return what stands there."""
        return self._symbols.get((gpu, self.place(gpu, place)), NOTHING)

    def put(self, gpu: int, place: Place, symbol: Symbol) -> None:
        """Write it there."""
        self._symbols[gpu, self.place(gpu, place)] = symbol

    def touch(self, gpu: int, place: Place, block: int, clock: Any, *, writes: bool) -> None:
        """Note an access by a block; find a race with those before.

        Blocks are numbered among all gpus' blocks, and the block's clock tells of every block the steps that
        were over before.
        """
        if writes and place.buffer == "i" and not self.in_place and self.changed is None:
            self.changed = f"gpu {gpu} writes {place}, its input, although buffers are apart"
        if self.race is not None or clock is None:
            return
        seen = self._accesses.setdefault((gpu, self.place(gpu, place)), _Accesses())
        others = [] if seen.write is None else [seen.write]
        if writes:
            others += seen.reads.items()
        if any(other != block and clock[other] < time for other, time in others):
            words = "written while another block may use it" if writes else "read while it may be written"
            self.race = f"gpu {gpu}: {place} is {words}: no step waits for the other"
        if writes:
            seen.write, seen.reads = (block, clock[block].item()), {}
        else:
            seen.reads[block] = clock[block].item()

    def wrong(self) -> str | None:
        """Return the first place of an output that does not hold what the collective gives it.

        None when all do, or the collective is custom.
        """
        layout = self.algorithm.layout
        return None if layout is None else wrong_output(layout, self.get)


def wrong_output(layout: Layout, get: Callable[[int, Place], Symbol]) -> str | None:
    """Return the first place of an output where `get` finds something else than the collective gives it."""
    everybody = (1 << layout.ranks) - 1
    origin = {c: 1 << r for r in range(layout.ranks) for c in layout.inputs(r)}
    for gpu in range(layout.ranks):
        for offset, chunk in enumerate(layout.outputs(gpu)):
            wanted: Symbol = (chunk, everybody if layout.adds else origin[chunk])
            found = get(gpu, Place("o", offset))
            if found != wanted:
                return (
                    f"gpu {gpu}: o[{offset}] should be {shown(wanted, layout.adds)}, and is"
                    f" {shown(found, layout.adds)}"
                )
    return None


def shared_name(layout: Layout, gpu: int, place: Place) -> Place:
    """Return the one name of a place of a call in place: that in the larger of the two buffers."""
    own: Mapping[str | None, tuple[str, str, int]] = {
        "same": ("i", "o", 0),
        "input": ("i", "o", gpu * len(layout.inputs(gpu))),
        "output": ("o", "i", gpu * len(layout.outputs(gpu))),
    }
    small, large, first = own.get(layout.shared, ("", "", 0))
    return Place(large, first + place.offset) if place.buffer == small else place
