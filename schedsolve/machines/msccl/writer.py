"""Schedules as MSCCL XML, with all that the executor demands, within its limits.

An algorithm is replayed before it is written.

Every gpu has a block for each peer that it sends to and one for each that it receives from; a block of a pair
with too many messages is continued on the next channel. Chunks that stand one after another at both ends are
one message. What a step reads was written before, and what it writes is no longer needed: where that is up to
another block, the step waits for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from schedsolve.machines.movement.collectives import Layout
from schedsolve.machines.movement.movement import Movement, Transfer
from schedsolve.machines.msccl.access_order import AccessOrder, BlockKey
from schedsolve.machines.msccl.algorithm import BY_ALL_GPUS, Algorithm, Block, Gpu, Place, Step
from schedsolve.machines.msccl.buffers import shared_name
from schedsolve.machines.msccl.limits import MOST_COUNT, MOST_STEPS, refusals
from schedsolve.machines.msccl.replay import replay
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.escapes import in_xml_comment, xml_attribute

LEAST_BUFFERS = 2
"""So many buffers a connection must be enough for what is written."""
PROTOCOLS = ("Simple", "LL", "LL128")


@dataclass(frozen=True)
class Wishes:
    """How a file is to be.

    Attributes
    ----------
    in_place, out_of_place
        For which calls.
    min_bytes, max_bytes
        For which sizes, 0 for no limit.
    """

    in_place: bool = False
    out_of_place: bool = True
    protocol: str = "Simple"
    min_bytes: int = 0
    max_bytes: int = 0


class _Message(NamedTuple):
    """Chunks that stand one after another at both ends.

    Their places at the sender, at the receiver before (for a sum), and at the receiver after.
    """

    transfer: Transfer
    source: Place
    own: Place
    target: Place
    size: int


@dataclass
class _Gpu:
    """A gpu's program as it grows.

    Attributes
    ----------
    where
        The place of every chunk that it holds.
    scratch
        Of the chunks that it only passes on.
    blocks
        The steps.
    order
        What waits for what.
    """

    rank: int
    layout: Layout
    shares: bool
    where: dict[int, Place] = field(default_factory=dict)
    scratch: dict[int, Place] = field(default_factory=dict)
    blocks: dict[BlockKey, list[Step]] = field(default_factory=dict)
    order: AccessOrder = field(default_factory=AccessOrder)

    def __post_init__(self) -> None:
        self.outputs = {chunk: Place("o", k) for k, chunk in enumerate(self.layout.outputs(self.rank))}
        self.where = {chunk: Place("i", k) for k, chunk in enumerate(self.layout.inputs(self.rank))}

    def target(self, chunk: int) -> Place:
        """Where an arriving chunk goes."""
        found = self.outputs.get(chunk)
        return found or self.scratch.setdefault(chunk, Place("s", len(self.scratch)))

    def name(self, place: Place) -> Place:
        """Return the one name of a place that has two."""
        return shared_name(self.layout, self.rank, place) if self.shares else place

    def add(self, key: BlockKey, step: Step) -> None:
        """Append a step to a block, with nops before it where it waits for several others."""
        reading = step.kind in ("s", "cpy", "rrc")
        writing = step.kind in ("r", "cpy", "rrc")
        read = [self.name(_moved(step.source, k)) for k in range(step.size)] if reading else []
        written = [self.name(_moved(step.target, k)) for k in range(step.size)] if writing else []
        needed = self.order.waits(key, read, written)
        steps = self.blocks.setdefault(key, [])
        order = list(self.blocks)
        for block, number in needed.items():
            self.blocks[block][number] = self.blocks[block][number]._replace(signals=True)
        waits = [(order.index(block), number) for block, number in needed.items()]
        for wait in waits[:-1]:
            steps.append(Step("nop", Place("i", -1), Place("o", -1), 0, wait, signals=False))
        steps.append(step._replace(waits=waits[-1] if waits else None))
        self.order.note((key, len(steps) - 1), read, written)


def _moved(place: Place, by: int) -> Place:
    return Place(place.buffer, place.offset + by)


def msccl_algorithm(movement: Movement, wishes: Wishes) -> Algorithm:
    """Return the algorithm of a movement, replayed.

    Raises
    ------
    InputError
        With what is in the way, when it cannot be expressed: a collective that the executor does not know in
        place, or numbers beyond its limits.
    """
    layout = movement.layout
    if wishes.protocol not in PROTOCOLS:
        raise InputError(f"a protocol is one of {', '.join(PROTOCOLS)}, not {wishes.protocol!r:.60}")
    if wishes.in_place and layout.shared is None:
        raise InputError(f"the executor knows no {layout.collective} in place")
    reasons: list[str] = []
    for merge in (True, False):
        messages = MOST_STEPS
        while messages:
            algorithm = _built(movement, wishes, merge, messages)
            obstacle = next(refusals(algorithm), None) or _obstacle(algorithm)
            if obstacle is None:
                return algorithm
            reasons.append(obstacle)
            messages //= 2
    raise InputError(f"it cannot be expressed for the executor: {reasons[0]}; fewer chunks may do")


def _obstacle(algorithm: Algorithm) -> str | None:
    """Return what a replay finds wrong; None for nothing."""
    for in_place in (True, False):
        if not (algorithm.in_place if in_place else algorithm.out_of_place):
            continue
        for by_chunk in (False, True):
            run = replay(algorithm, LEAST_BUFFERS, in_place=in_place, by_chunk=by_chunk)
            wrong = run.deadlock or run.mismatch or run.buffers.race or run.buffers.changed
            wrong = wrong or run.buffers.wrong()
            if wrong:
                return wrong
    return None


def _built(movement: Movement, wishes: Wishes, merge: bool, most_messages: int) -> Algorithm:
    """Return the algorithm with so many messages of a pair on a channel; merge.

    Whether chunks that stand one after another are one message.
    """
    layout = movement.layout
    gpus = [_Gpu(rank, layout, wishes.in_place) for rank in range(layout.ranks)]
    for gpu in gpus:
        _copy_own(gpu, wishes)
    sent: dict[tuple[int, int], int] = {}
    for step in movement.steps:
        before = [dict(gpu.where) for gpu in gpus]
        messages = [m for t in step.transfers for m in _messages(movement, before, gpus, t, merge)]
        placed = []
        for message in messages:
            pair = movement.rank[message.transfer.sender], movement.rank[message.transfer.receiver]
            channel = sent.get(pair, 0) // most_messages
            sent[pair] = sent.get(pair, 0) + 1
            placed.append((message, *pair, channel))
        for message, u, v, channel in placed:
            send = Step("s", message.source, message.target, message.size, None, signals=False)
            gpus[u].add(("send", v, channel), send)
        for message, u, v, channel in placed:
            kind = "rrc" if message.transfer.adds else "r"
            receive = Step(kind, message.own, message.target, message.size, None, signals=False)
            gpus[v].add(("receive", u, channel), receive)
    return Algorithm(_attributes(movement, wishes, gpus), layout, tuple(map(_finished, gpus)))


def _copy_own(gpu: _Gpu, wishes: Wishes) -> None:
    """Copy what a gpu has in its input and needs in its output, where the buffers may be apart.

    Where they may be shared too, everything after uses the output.
    """
    if gpu.layout.adds or not wishes.out_of_place:
        return
    both = [(gpu.where[c], place, c) for c, place in gpu.outputs.items() if c in gpu.where]
    steps = list(_runs([(source, target, target, chunk) for source, target, chunk in both], merge=True))
    for number, (source, target, _, size) in enumerate(steps):
        key = "copy", 0, number // MOST_STEPS
        gpu.add(key, Step("cpy", source, target, size, None, signals=False))
    if wishes.in_place:
        gpu.where.update((chunk, target) for _, target, chunk in both)


def _messages(
    movement: Movement,
    before: Sequence[Mapping[int, Place]],
    gpus: Sequence[_Gpu],
    transfer: Transfer,
    merge: bool,
) -> list[_Message]:
    """Return the messages of a transfer, and where its chunks are after it.

    Parameters
    ----------
    movement
        The movement of data.
    before
        Where all were before the step.
    gpus
        The number of GPUs.
    transfer
        The transfer.
    merge
        Whether neighbouring chunks are sent together.
    """
    sender, receiver = before[movement.rank[transfer.sender]], gpus[movement.rank[transfer.receiver]]
    places = []
    for chunk in transfer.chunks:
        target = receiver.target(chunk)
        own = receiver.where[chunk] if transfer.adds else target
        receiver.where[chunk] = target
        places.append((sender[chunk], own, target, chunk))
    return [_Message(transfer, *message) for message in _runs(places, merge=merge)]


def _runs(
    places: Sequence[tuple[Place, Place, Place, int]], *, merge: bool
) -> Iterator[tuple[Place, Place, Place, int]]:
    """Triples of places, each with a chunk, as triples with a size: those that follow each other together."""
    ordered = sorted(places)
    first = 0
    for k in range(1, len(ordered) + 1):
        size = k - first
        goes_on = (
            merge
            and k < len(ordered)
            and size < MOST_COUNT
            and ordered[k][:3] == tuple(_moved(place, size) for place in ordered[first][:3])
        )
        if not goes_on:
            yield (*ordered[first][:3], size)
            first = k


def _attributes(movement: Movement, wishes: Wishes, gpus: Sequence[_Gpu]) -> dict[str, str]:
    layout = movement.layout
    channels = 1 + max(key[2] for gpu in gpus for key in gpu.blocks)
    per_loop = layout.chunks * (layout.ranks if layout.collective in BY_ALL_GPUS else 1)
    network = re.sub(r"[^0-9A-Za-z]+", "_", movement.network.name).strip("_") or "network"
    return {
        "name": f"schedsolve_{layout.collective.replace('-', '_')}_{network}"[:200],
        "proto": wishes.protocol,
        "nchannels": str(channels),
        "nchunksperloop": str(per_loop),
        "ngpus": str(layout.ranks),
        "coll": layout.collective.replace("-", ""),
        "inplace": str(int(wishes.in_place)),
        "outofplace": str(int(wishes.out_of_place)),
        "minBytes": str(wishes.min_bytes),
        "maxBytes": str(wishes.max_bytes),
        **({} if movement.root is None else {"root": str(layout.root)}),
    }


def _finished(gpu: _Gpu) -> Gpu:
    size = {"i": len(gpu.layout.inputs(gpu.rank)), "o": len(gpu.outputs), "s": len(gpu.scratch)}
    blocks = tuple(
        Block(
            number,
            peer if kind == "send" else None,
            peer if kind == "receive" else None,
            0 if kind == "copy" else channel,
            tuple(steps),
        )
        for number, ((kind, peer, channel), steps) in enumerate(gpu.blocks.items())
    )
    return Gpu(gpu.rank, size, blocks)


def algorithm_text(algorithm: Algorithm, title: str) -> str:
    """Return the algorithm as the text of a file.

    Parameters
    ----------
    algorithm
        The algorithm.
    title
        What it is, a line.
    """
    attributes = " ".join(f"{name}={xml_attribute(value)}" for name, value in algorithm.attributes.items())
    lines = [f"<!-- {in_xml_comment(title)}; written by schedsolve -->", f"<algo {attributes}>"]
    for gpu in algorithm.gpus:
        size = gpu.size
        lines.append(
            f'  <gpu id="{gpu.number}" i_chunks="{size["i"]}" o_chunks="{size["o"]}" s_chunks="{size["s"]}">'
        )
        for block in gpu.blocks:
            send, receive = (-1 if peer is None else peer for peer in (block.send, block.receive))
            lines.append(
                f'    <tb id="{block.number}" send="{send}" recv="{receive}" chan="{block.channel}">'
            )
            lines += [f"      {_step_text(number, step)}" for number, step in enumerate(block.steps)]
            lines.append("    </tb>")
        lines.append("  </gpu>")
    return "\n".join([*lines, "</algo>"]) + "\n"


def _step_text(number: int, step: Step) -> str:
    block, waited = step.waits or (-1, -1)
    return (
        f'<step s="{number}" type="{step.kind}" srcbuf="{step.source.buffer}" srcoff="{step.source.offset}"'
        f' dstbuf="{step.target.buffer}" dstoff="{step.target.offset}" cnt="{step.size}" depid="{block}"'
        f' deps="{waited}" hasdep="{int(step.signals)}"/>'
    )
