"""Which steps of a gpu's blocks wait for which, as a program grows: by what they read and write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from schedsolve.machines.symbols import Place

BlockKey = tuple[str, int, int]
"""What a block does ("copy", "send", "receive"), its peer, and its number among those."""
BlockStep = tuple[BlockKey, int]
"""A block and its step."""


@dataclass
class AccessOrder:
    """The accesses of a gpu's steps.

    Attributes
    ----------
    waited
        For every block, up to which step of the others it has waited.
    writes, reads
        Of every place, the last write, and the reads since.
    """

    waited: dict[tuple[BlockKey, BlockKey], int] = field(default_factory=dict)
    writes: dict[Place, BlockStep] = field(default_factory=dict)
    reads: dict[Place, list[BlockStep]] = field(default_factory=dict)

    def waits(self, key: BlockKey, read: Sequence[Place], written: Sequence[Place]) -> dict[BlockKey, int]:
        """Return for which blocks, and which steps of theirs, the next step of a block is to wait.

        It waits for the last writes of what it uses and the reads of what it writes, once.
        """
        before = [self.writes[place] for place in (*read, *written) if place in self.writes]
        before += [access for place in written for access in self.reads.get(place, ())]
        needed: dict[BlockKey, int] = {}
        for block, number in before:
            if block != key and self.waited.get((key, block), -1) < number:
                needed[block] = max(needed.get(block, -1), number)
        self.waited.update({(key, block): number for block, number in needed.items()})
        return needed

    def note(self, access: BlockStep, read: Iterable[Place], written: Iterable[Place]) -> None:
        """Note the accesses of a step."""
        for place in read:
            self.reads.setdefault(place, []).append(access)
        for place in written:
            self.writes[place] = access
            self.reads.pop(place, None)
