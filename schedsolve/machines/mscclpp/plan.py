"""Execution plans of MSCCL++ as data.

A plan has for every gpu the numbers of chunks in its input, output and scratch buffer, its channels to other
gpus, and blocks that run at the same time, each with its operations in order. All threads of a block carry
out each operation together, and nothing but "nop" and "barrier" makes them wait for each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from schedsolve.machines.movement.collectives import Layout
from schedsolve.machines.symbols import Chunks

SIGNALS, WAITS = ("signal", "rlxsignal"), ("wait", "rlxwait")
MOVES = ("put", "get", "copy")
SUMS = ("re", "res", "rre", "rres")
REPLAYED = ("nop", "barrier", "sem_acquire", "sem_release", *SIGNALS, *WAITS, *MOVES, *SUMS)
"""The operations that can be replayed."""
OTHERS = (
    "pws", "pwsf", "flush", "ppkt", "rppkt", "respkt", "cpkt", "upkt", "repkt", "recpkt", "recspkt", "glres",
    "gstore", "gstorepkt", "pipeline",
)  # fmt: skip
"""Those that the executor knows besides: of port channels, packets, switches and loops."""
OWN_NAMES = {"reducescatter": "reduce-scatter"}
"""Collectives that plans name otherwise than we do."""


class Operation(NamedTuple):
    """An operation of a block.

    Attributes
    ----------
    name
        One of REPLAYED.
    sources, targets
        What it reads and writes, in the plan's order.
    channels
        The channels of the gpu that it signals or waits on, by number.
    semaphores
        Of the gpu, by number.
    barrier, blocks
        The number of a barrier, and how many blocks meet there.
    """

    name: str
    sources: tuple[Chunks, ...] = ()
    targets: tuple[Chunks, ...] = ()
    channels: tuple[int, ...] = ()
    semaphores: tuple[int, ...] = ()
    barrier: int = 0
    blocks: int = 0


@dataclass(frozen=True)
class PlanBlock:
    """A block of threads.

    Attributes
    ----------
    channels, remote_buffers
        How many it uses.
    """

    number: int
    operations: tuple[Operation, ...]
    channels: int
    remote_buffers: int


@dataclass(frozen=True)
class PlanGpu:
    """What one gpu does.

    Attributes
    ----------
    size
        The chunks of its buffers, by "i", "o", "s".
    blocks
        By number.
    peers
        To which gpu each channel leads. The k-th channel to a peer ends at the peer's k-th channel to this
        one.
    semaphores
        Their values at first.
    """

    number: int
    size: Mapping[str, int]
    blocks: tuple[PlanBlock, ...]
    peers: tuple[int, ...]
    semaphores: tuple[int, ...]

    def ordinal(self, channel: int) -> int:
        """Return how many channels to the same peer come before one."""
        return self.peers[:channel].count(self.peers[channel])


@dataclass(frozen=True)
class Plan:
    """A plan.

    Attributes
    ----------
    name, collective, protocol
        As it says.
    in_place
        Whether it is for calls whose buffers are shared.
    layout
        The buffers of the collective; None for one that is not known.
    rooted
        Whether the plan says which gpu is the root.
    gpus
        By number.
    """

    name: str
    collective: str
    protocol: str
    in_place: bool
    layout: Layout | None
    rooted: bool
    gpus: tuple[PlanGpu, ...]
