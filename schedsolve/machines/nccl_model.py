"""How long NCCL's own model says that its choice of ring or tree takes.

Source: src/graph/tuning.cc of NCCL 2.20.3 (ncclTopoTuneModel, ncclTopoGetAlgoTime), its constants for
latencies in microseconds and bandwidths in GB/s. The bandwidth of its graphs is taken to be that of the rings
on the links (`schedsolve.machines.rivals`), at most 32 of them as channels. The processors are those of a
DGX, AMD's with GPUs of Ampere and Intel's with others, and network cards are at the GPUs' PCI switches, so
that LL128 is on. NVLink SHARP and CollNet, which switches have to do, are left out, and so is what it takes
off for trees within a box in one of its patterns. It has no ring and no tree for alltoall, gather and
scatter.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log2
from typing import NamedTuple

from schedsolve.machines.movement.movement import Movement

PROTOCOLS = LL, LL128, SIMPLE = range(3)
RING, TREE = "ring", "tree"
GENERATIONS = VOLTA, AMPERE, HOPPER = range(3)
"""Of GPUs: compute capability below 8.0, from there on, and from 9.0 on."""
BASE_LATENCY = {TREE: (6.8, 14.0, 0.0), RING: (6.6, 14.0, 8.4)}
NVLINK_LATENCY = {TREE: (0.6, 1.25, 28.0), RING: (0.6, 1.9, 3.4)}
NETWORK_LATENCY = {TREE: (5.0, 8.5, 28.0), RING: (2.7, 4.0, 14.0)}
"""By protocol."""
NETWORK_OVERHEAD = (1.0, 2.0, 1.0)
"""Of a message, by generation; three times that with the protocol Simple."""
LL_MOST_IN_A_BOX = (39.0, 87.7, 87.7)
LL_MOST_BETWEEN = ((39.0, 20.4), (22.5, 19.0), (39.0, 20.4))
"""By generation; between boxes, for two of them and for more."""
LL128_MOST_OF_RINGS = (20.0, 20.0, 36.7)
LL128_MOST_OF_TREES = ((20.0, 20.0, 20.0), (20.0, 20.0, 20.0), (36.7, 36.7, 29.0))
MOST_OF_TREES = ((26.5, 18.5, 10.0), (24.0, 23.6, 17.8), (38.7, 41.4, 36.0))
"""Of a channel, by generation; for one box, two and more."""
TREE_CORRECTION = (
    (1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1),
    (1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1),
    (.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9),
)  # fmt: skip
"""By protocol, and the logarithm of the size in units of 64 bytes."""
PLATEAU = (1.9, 1.4, 1.4)
"""How many times the latency of a ring with the protocol Simple is, by generation, in an allreduce between
boxes from `PLATEAU_BYTES` on.
"""
PLATEAU_BYTES = 64
"""Of a rank and channel."""
MOST_CHANNELS = 32
COLLECTIVES = ("broadcast", "reduce", "allgather", "reduce-scatter", "allreduce")


class Machine(NamedTuple):
    """What the model knows of a machine.

    Attributes
    ----------
    bandwidth
        Of all rings together, in GB/s.
    channels
        How many rings.
    boxes
        NCCL's nodes.
    generation
        Of its GPUs, one of `GENERATIONS`.
    """

    bandwidth: float
    channels: int
    boxes: int = 1
    generation: int = VOLTA


def nccl_seconds(movement: Movement, size: int, machine: Machine) -> tuple[float, str] | None:
    """Return the least time of the model and which algorithm takes it.

    None for a collective that has neither ring nor tree.

    Parameters
    ----------
    movement
        The collective and its ranks.
    size
        Bytes, as nccl-tests counts them.
    machine
        What the model knows of the machine.
    """
    collective, ranks = movement.collective, movement.layout.ranks
    if collective not in COLLECTIVES or ranks < 2:
        return None
    times = [
        (microseconds / 1e6, algorithm)
        for algorithm in ((RING, TREE) if collective == "allreduce" else (RING,))
        for microseconds in _times(algorithm, collective, ranks, size, machine)
    ]
    return min(times)


def _times(algorithm: str, collective: str, ranks: int, size: int, machine: Machine) -> Iterator[float]:
    """Yield the microseconds of every protocol."""
    for protocol in PROTOCOLS:
        bandwidth = _bandwidth(algorithm, protocol, collective, ranks, machine)
        bandwidth *= 0.5 if algorithm == TREE else ranks / _steps(collective, ranks)
        latency = _latency(algorithm, protocol, collective, ranks, machine)
        place = int(log2(size >> 6)) if size >> 6 else 0
        if algorithm == TREE and place < len(TREE_CORRECTION[0]):
            bandwidth *= TREE_CORRECTION[protocol][place]
        large = machine.boxes > 1 and size // (machine.channels * ranks) >= PLATEAU_BYTES
        if algorithm == RING and protocol == SIMPLE and collective == "allreduce" and large:
            latency *= PLATEAU[machine.generation]
        yield latency + size / (1000 * bandwidth)


def _steps(collective: str, ranks: int) -> int:
    return {"allreduce": 2 * (ranks - 1), "allgather": ranks - 1, "reduce-scatter": ranks - 1}.get(
        collective, ranks
    )


def _bandwidth(algorithm: str, protocol: int, collective: str, ranks: int, machine: Machine) -> float:
    """Return the busbw of the protocol, in GB/s."""
    bandwidth, channels, boxes, generation = machine
    kind = min(boxes, 3) - 1
    least = LL_MOST_BETWEEN[generation][kind - 1] if kind else LL_MOST_IN_A_BOX[generation]
    if algorithm == RING:
        if protocol == LL:
            return min(bandwidth / (4 if kind or collective in ("allreduce", "reduce") else 3), least)
        if protocol == LL128:
            share = 0.7 if ranks < 2 * boxes else 0.92
            return min(bandwidth * share, channels * LL128_MOST_OF_RINGS[generation])
        return bandwidth
    bandwidth = min(bandwidth * 0.92, channels * MOST_OF_TREES[generation][kind])
    if protocol == LL:
        return min(bandwidth / 3.8, least)
    if protocol == LL128:
        share = 120 / 128 if kind else 7 / 9
        return min(bandwidth * share, channels * LL128_MOST_OF_TREES[generation][kind])
    return bandwidth


def _latency(algorithm: str, protocol: int, collective: str, ranks: int, machine: Machine) -> float:
    """In microseconds."""
    boxes = machine.boxes
    inside, between = NVLINK_LATENCY[algorithm][protocol], NETWORK_LATENCY[algorithm][protocol]
    if algorithm == TREE:
        hops = 2 * ((ranks // boxes - 1) * inside + int(log2(boxes)) * between)
    elif collective in ("broadcast", "reduce"):
        hops = between if boxes > 1 else inside
    else:
        if boxes > 1:
            overhead = NETWORK_OVERHEAD[machine.generation] * (3 if protocol == SIMPLE else 1)
            inside = max(inside, overhead)
        crossing = (2 * boxes if boxes > 1 else 0) if collective == "allreduce" else boxes - 1
        hops = (_steps(collective, ranks) - crossing) * inside + crossing * between
    return BASE_LATENCY[algorithm][protocol] + hops
