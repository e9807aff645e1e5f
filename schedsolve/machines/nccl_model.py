"""How long NCCL's own model says that its choice of ring or tree takes.

Source: src/graph/tuning.cc of NCCL (ncclTopoTuneModel, ncclTopoGetAlgoTime), its constants for latencies in
microseconds and bandwidths in GB/s. The bandwidth of its graphs is taken to be that of the rings on the links
(`schedsolve.machines.rivals`), at most 32 of them as channels. LL128 is on where NCCL turns it on: on NVLink
within a box. It has no ring and no tree for alltoall, gather and scatter.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log2
from typing import NamedTuple

from schedsolve.modelkit.movement import Movement

PROTOCOLS = LL, LL128, SIMPLE = range(3)
RING, TREE = "ring", "tree"
BASE_LATENCY = {TREE: (4.4, 4.4, 0.0), RING: (3.6, 10.0, 8.4)}
NVLINK_LATENCY = {TREE: (0.52, 1.2, 28.0), RING: (0.47, 1.9, 3.4)}
NETWORK_LATENCY = {TREE: (5.0, 8.5, 50.0), RING: (2.7, 4.0, 9.6)}
LL128_MOST_PER_CHANNEL = {
    "broadcast": 18.8, "reduce": 12.0, "allgather": 18.3, "reduce-scatter": 15.2, "allreduce": 16.7,
}  # fmt: skip
TREE_CORRECTION = (
    (1.0, 1.0, 1.0, 1.0, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1.0, 1.0, 1.0),
    (1.0, 1.0, 1.0, 1.0, 1.0, .9, .8, .8, .8, .7, .6, .6, .6, .5, .6, .6, .7, .7, .8, .9, .9, 1.0),
    (.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .5, .5, .6, .6, .7, .8, .9),
)  # fmt: skip
"""By protocol, and the logarithm of the size in units of 64 bytes."""
MOST_CHANNELS = 32


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
    ampere
        Whether its GPUs are of compute capability 8.0.
    """

    bandwidth: float
    channels: int
    boxes: int = 1
    ampere: bool = False


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
    if collective not in LL128_MOST_PER_CHANNEL or ranks < 2:
        return None
    times = [
        (microseconds / 1e6, algorithm)
        for algorithm in ((RING, TREE) if collective == "allreduce" else (RING,))
        for microseconds in _times(algorithm, collective, ranks, size, machine)
    ]
    return min(times)


def _times(algorithm: str, collective: str, ranks: int, size: int, machine: Machine) -> Iterator[float]:
    for protocol in PROTOCOLS:
        if protocol == LL128 and machine.boxes > 1:
            continue
        bandwidth = _bandwidth(algorithm, protocol, collective, machine)
        bandwidth *= 0.5 if algorithm == TREE else ranks / _steps(collective, ranks)
        latency = _latency(algorithm, protocol, collective, ranks, machine.boxes)
        place = int(log2(size >> 6)) if size >> 6 else 0
        if algorithm == TREE and place < len(TREE_CORRECTION[0]):
            bandwidth *= TREE_CORRECTION[protocol][place]
        plateau = machine.boxes > 1 and collective == "allreduce" and size >= ranks / 16 * 65536
        if algorithm == RING and protocol == SIMPLE and plateau:
            latency *= 1.9
        yield latency + size / (1000 * bandwidth)


def _steps(collective: str, ranks: int) -> int:
    return {"allreduce": 2 * (ranks - 1), "allgather": ranks - 1, "reduce-scatter": ranks - 1}.get(
        collective, ranks
    )


def _bandwidth(algorithm: str, protocol: int, collective: str, machine: Machine) -> float:
    """Return the busbw of the protocol, in GB/s."""
    most = machine.bandwidth
    if machine.ampere:
        most = min(most, 235.0)
    per_channel = LL128_MOST_PER_CHANNEL[collective] * machine.channels
    if algorithm == RING:
        if protocol == LL:
            quarter = machine.boxes > 1 or collective in ("allreduce", "reduce")
            return most / (4 if quarter else 3)
        return min(most * 0.92, per_channel) if protocol == LL128 else most
    most = min(most * 0.9, 80.0 if machine.boxes > 2 else 130.0 if _ampere(protocol, machine) else 110.0)
    if protocol == LL:
        return most / 3.8
    return min(most * 7 / 9, per_channel * 7 / 9) if protocol == LL128 else most


def _ampere(protocol: int, machine: Machine) -> bool:
    return machine.ampere and protocol == LL128


def _latency(algorithm: str, protocol: int, collective: str, ranks: int, boxes: int) -> float:
    """In microseconds."""
    inside, between = NVLINK_LATENCY[algorithm][protocol], NETWORK_LATENCY[algorithm][protocol]
    if boxes > 1 and protocol == LL:
        inside *= 1.8
    if algorithm == TREE:
        hops = 2 * ((ranks / boxes - 1) * inside + int(log2(boxes)) * between)
    elif collective in ("broadcast", "reduce"):
        hops = between if boxes > 1 else inside
    else:
        inter = (2 if collective == "allreduce" else 1) * (boxes - 1)
        hops = (_steps(collective, ranks) - inter) * inside + inter * between
    return BASE_LATENCY[algorithm][protocol] + hops
