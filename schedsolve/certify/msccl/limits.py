"""What the executor of MSCCL XML demands of a file, whatever it does: attributes, and numbers within limits.

The limits are those of RCCL's parser (msccl_struct.h, msccl_parser.h), the narrower ones of its kin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from schedsolve.number_reader import whole_number

from .algorithm import DEMANDED, Algorithm, Gpu

MOST_BLOCKS, MOST_BLOCKS_OF_CHANNEL, MOST_STEPS, MOST_COUNT, MOST_CHANNELS = 64, 32, 64, 71, 32
MOST_ELEMENTS = 4096
"""Of a gpu's blocks and steps, and of all gpus, together."""
PROTOCOLS = ("Simple", "LL", "LL128")
COLLECTIVE_NAMES = (
    "allgather", "allreduce", "alltoall", "broadcast", "gather", "reduce", "reducescatter", "scatter",
)  # fmt: skip


def refusals(algorithm: Algorithm) -> Iterator[str]:
    """Why the executor would refuse the file, each reason in a line."""
    attributes = algorithm.attributes
    missing = [name for name in DEMANDED if name not in attributes]
    if missing:
        yield f"<algo> has no {', '.join(missing)}"
    for name, known in (("proto", PROTOCOLS), ("coll", COLLECTIVE_NAMES)):
        if name in attributes and attributes[name] not in known:
            yield f"{name} is one of {', '.join(known)}, not {attributes[name]:.60}"
    for name in ("minBytes", "maxBytes", "nchannels"):
        if name in attributes and not attributes[name].isdecimal():
            yield f"{name} is a whole number, not {attributes[name]:.60}"
    if not (algorithm.in_place or algorithm.out_of_place):
        yield "it is neither for calls in place nor for calls out of place"
    for gpu in algorithm.gpus:
        reason = next(_refusals_of(gpu, attributes.get("nchannels", ""), len(algorithm.gpus)), None)
        if reason:
            yield f"gpu {gpu.number}: {reason}"
            return


def _refusals_of(gpu: Gpu, channels: str, gpus: int) -> Iterator[str]:
    if {block.number for block in gpu.blocks} != set(range(len(gpu.blocks))):
        yield "its blocks are not numbered 0, 1, 2, ..."
    if len(gpu.blocks) > MOST_BLOCKS:
        yield f"it has {len(gpu.blocks)} blocks, and {MOST_BLOCKS} is the most"
    elements = gpus + sum(1 + len(block.steps) for block in gpu.blocks)
    if elements > MOST_ELEMENTS:
        yield f"its file has {elements} elements for it, and {MOST_ELEMENTS} is the most"
    given = whole_number(channels, text=True)
    most = MOST_CHANNELS if given is None else min(given, MOST_CHANNELS)
    for block in gpu.blocks:
        name = f"block {block.number}"
        if not 0 <= block.channel < most:
            yield f"{name} is on channel {block.channel}, and there are {most}"
        if len(block.steps) > MOST_STEPS:
            yield f"{name} has {len(block.steps)} steps, and {MOST_STEPS} is the most"
        large = max((step.size for step in block.steps), default=0)
        if large > MOST_COUNT:
            yield f"{name} moves {large} chunks in a step, and {MOST_COUNT} is the most"
    yield from _crowded(gpu)


def _crowded(gpu: Gpu) -> Iterator[str]:
    """Connections with two blocks, and channels with too many."""
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
