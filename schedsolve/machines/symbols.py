"""What stands in buffers while a program runs, in symbols in place of numbers: chunks, and who is in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from schedsolve.machines.movement.collectives import Layout

Symbol = tuple[int, int] | str
"""A chunk with the gpus whose contributions are in it, as a bit mask; or what is wrong, in words."""
NOTHING = "nothing"


class Place(NamedTuple):
    """A chunk's place: in the buffer "i", "o" or "s", or among the messages of a connection, from 0."""

    buffer: str
    offset: int

    def __str__(self) -> str:
        return f"{self.buffer}[{self.offset}]"


class Chunks(NamedTuple):
    """Chunks one after another in a buffer of a gpu."""

    gpu: int
    buffer: str
    start: int
    size: int


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


def shared_name(layout: Layout, gpu: int, place: Place, shared: str | None) -> Place:
    """Return the one name of a place of a call in place: that in the larger of the two buffers.

    Parameters
    ----------
    layout
        Of the collective.
    gpu, place
        The place.
    shared
        As `Layout.shared`.
    """
    own: Mapping[str | None, tuple[str, str, int]] = {
        "same": ("i", "o", 0),
        "input": ("i", "o", gpu * len(layout.inputs(gpu))),
        "output": ("o", "i", gpu * len(layout.outputs(gpu))),
    }
    small, large, first = own.get(shared, ("", "", 0))
    return Place(large, first + place.offset) if place.buffer == small else place
