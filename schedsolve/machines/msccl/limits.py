"""What an executor of MSCCL XML demands of a file, whatever it does: attributes, and numbers within limits.

The limits are those of their parsers: RCCL's and Azure's msccl_struct.h and msccl_parser.h, msccl's msccl.h
and topo.cc. Those of RCCL are the narrowest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from schedsolve.runtime.files.number_reader import whole_number

from .algorithm import DEMANDED, Algorithm, Gpu

MOST_BLOCKS, MOST_BLOCKS_OF_CHANNEL, MOST_STEPS, MOST_COUNT, MOST_CHANNELS = 64, 32, 64, 71, 32
MOST_ELEMENTS = 4096
"""Of a gpu's blocks and steps, and of all gpus, together."""
PROTOCOLS = ("Simple", "LL", "LL128")
COLLECTIVE_NAMES = (
    "allgather", "allreduce", "alltoall", "broadcast", "gather", "reduce", "reducescatter", "scatter",
)  # fmt: skip


@dataclass(frozen=True)
class Executor:
    """An executor.

    Attributes
    ----------
    name
        For --executor.
    demanded
        The attributes that <algo> must have.
    collectives
        What coll may be.
    most_blocks
        Of a gpu.
    most_steps
        Of a block.
    """

    name: str
    demanded: tuple[str, ...]
    collectives: tuple[str, ...]
    most_blocks: int
    most_steps: int


RCCL = Executor("rccl", DEMANDED, COLLECTIVE_NAMES, MOST_BLOCKS, MOST_STEPS)
EXECUTORS = {
    executor.name: executor
    for executor in (
        Executor(
            "msccl",
            ("name", "proto", "nchannels", "nchunksperloop", "ngpus", "coll", "inplace"),
            ("allgather", "allreduce", "alltoall", "broadcast", "reduce", "reduce_scatter", "custom"),
            216,
            256,
        ),
        Executor("azure", DEMANDED, COLLECTIVE_NAMES, 1024, 64),
        RCCL,
    )
}
"""By name: microsoft/msccl, Azure's msccl-executor-nccl, and RCCL up to ROCm 7.12."""


def refusals(algorithm: Algorithm, executor: Executor = RCCL) -> Iterator[str]:
    """Why the executor would refuse the file, each reason in a line."""
    attributes = algorithm.attributes
    missing = [name for name in executor.demanded if name not in attributes]
    if missing:
        yield f"<algo> has no {', '.join(missing)}"
    for name, known in (("proto", PROTOCOLS), ("coll", executor.collectives)):
        if name in attributes and attributes[name] not in known:
            yield f"{name} is one of {', '.join(known)}, not {attributes[name]:.60}"
    for name in ("minBytes", "maxBytes", "nchannels"):
        if name in attributes and not attributes[name].isdecimal():
            yield f"{name} is a whole number, not {attributes[name]:.60}"
    for name in ("inplace", "outofplace"):
        if attributes.get(name, "0") not in ("0", "1"):
            yield f"{name} is 0 or 1, not {attributes[name]:.60}"
    if not (algorithm.in_place or algorithm.out_of_place):
        yield "it is neither for calls in place nor for calls out of place"
    for gpu in algorithm.gpus:
        channels = attributes.get("nchannels", "")
        reason = next(_refusals_of(gpu, channels, len(algorithm.gpus), executor), None)
        if reason:
            yield f"gpu {gpu.number}: {reason}"
            return


def _refusals_of(gpu: Gpu, channels: str, gpus: int, executor: Executor) -> Iterator[str]:
    if {block.number for block in gpu.blocks} != set(range(len(gpu.blocks))):
        yield "its blocks are not numbered 0, 1, 2, ..."
    if len(gpu.blocks) > executor.most_blocks:
        yield f"it has {len(gpu.blocks)} blocks, and {executor.most_blocks} is the most"
    elements = gpus + sum(1 + len(block.steps) for block in gpu.blocks)
    if elements > MOST_ELEMENTS:
        yield f"its file has {elements} elements for it, and {MOST_ELEMENTS} is the most"
    given = whole_number(channels, text=True)
    most = MOST_CHANNELS if given is None else min(given, MOST_CHANNELS)
    for block in gpu.blocks:
        name = f"block {block.number}"
        if not 0 <= block.channel < most:
            yield f"{name} is on channel {block.channel}, and there are {most}"
        if len(block.steps) > executor.most_steps:
            yield f"{name} has {len(block.steps)} steps, and {executor.most_steps} is the most"
        large = max((step.size for step in block.steps), default=0)
        if large > MOST_COUNT:
            yield f"{name} moves {large} chunks in a step, and {MOST_COUNT} is the most"
    yield from _crowded(gpu)


def _crowded(gpu: Gpu) -> Iterator[str]:
    """Yield connections with two blocks, and channels with too many."""
    for way in ("to", "from"):
        ends = [(block.channel, block.send if way == "to" else block.receive) for block in gpu.blocks]
        peers = Counter((channel, peer) for channel, peer in ends if peer is not None)
        for (channel, peer), count in peers.items():
            if count > 1:
                yield f"{count} blocks are for messages {way} gpu {peer} on channel {channel}"
        for channel, count in Counter(channel for channel, _ in peers).items():
            if count > MOST_BLOCKS_OF_CHANNEL:
                yield (
                    f"{count} blocks of channel {channel} have messages {way} others, and"
                    f" {MOST_BLOCKS_OF_CHANNEL} is the most"
                )
