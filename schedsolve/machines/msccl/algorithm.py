"""MSCCL XML algorithms as data, and how they are read.

<algo> holds a <gpu> for every rank, with the numbers of chunks in its input, output and scratch buffer; a
<gpu> holds blocks, <tb>, that run at the same time, each with at most one peer to send to and one to receive
from on a channel; a block runs its <step>s in order. A step may wait for a step of another block of its gpu.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from schedsolve.machines.movement.collectives import COLLECTIVES, Layout
from schedsolve.machines.symbols import Place
from schedsolve.network.files.xml_tree import Element, read_xml
from schedsolve.runtime.errors import InputError, counted, shown
from schedsolve.runtime.limits.budget import spend

RECEIVING = {"r", "rcs", "rrs", "rrc", "rrcs"}
SENDING = {"s", "rcs", "rrs", "rrcs"}
ADDING = {"rrs", "rrc", "rrcs", "re"}
KINDS = RECEIVING | SENDING | ADDING | {"cpy", "nop"}
DEMANDED = (
    "proto", "nchannels", "nchunksperloop", "ngpus", "coll", "inplace", "outofplace", "minBytes", "maxBytes",
)  # fmt: skip
"""The attributes of <algo> that the executor demands."""
OWN_NAMES = {"reducescatter": "reduce-scatter", "reduce_scatter": "reduce-scatter"}
"""Collectives that files name otherwise than we do."""
BY_ALL_GPUS = ("allgather", "reduce-scatter", "alltoall")
"""Collectives of which nchunksperloop counts the chunks of all gpus."""


class Step(NamedTuple):
    """A step of a block.

    Attributes
    ----------
    kind
        One of KINDS.
    source, target
        The first of `size` chunks.
    waits
        For which block and step, if any.
    signals
        Whether others may wait for it.
    line
        Of the file.
    """

    kind: str
    source: Place
    target: Place
    size: int
    waits: tuple[int, int] | None
    signals: bool
    line: int = 0


@dataclass(frozen=True)
class Block:
    """A block of a gpu.

    Attributes
    ----------
    send, receive
        Its peers, None for none.
    """

    number: int
    send: int | None
    receive: int | None
    channel: int
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Gpu:
    """What one gpu does.

    Attributes
    ----------
    size
        The chunks of its buffers, by "i", "o", "s".
    """

    number: int
    size: Mapping[str, int]
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Algorithm:
    """An algorithm.

    Attributes
    ----------
    attributes
        Of <algo>, as they stand.
    layout
        The buffers of the collective; None for one that is custom.
    gpus
        By number.
    """

    attributes: Mapping[str, str]
    layout: Layout | None
    gpus: tuple[Gpu, ...]

    @property
    def in_place(self) -> bool:
        """Whether it is for calls whose buffers are shared."""
        return self.attributes.get("inplace") == "1"

    @property
    def out_of_place(self) -> bool:
        """Whether it is for calls whose buffers are apart.

        Where the file does not say, whether it is not for calls in place.
        """
        return self.attributes.get("outofplace", "0" if self.in_place else "1") == "1"


def read_algorithm(data: bytes) -> Algorithm:
    """Return the algorithm in the bytes of a file.

    Raises
    ------
    InputError
        With the line, when it is none.
    """
    root = read_xml(data)
    if root.name != "algo":
        raise InputError(f"line {root.line}: an MSCCL algorithm begins with <algo>, not <{root.name:.60}>")
    count = root.number("ngpus", 1, 100_000)
    gpus = {gpu.number: gpu for gpu in map(_gpu, root.all("gpu"))}
    elements = list(root.all("gpu"))
    if len(elements) != count or set(gpus) != set(range(count)):
        raise InputError(f"line {root.line}: {count} gpus are announced, and there are {len(elements)}")
    for gpu in gpus.values():
        for block in gpu.blocks:
            for peer in (block.send, block.receive):
                if peer is not None and (peer == gpu.number or peer not in gpus):
                    raise InputError(f"gpu {gpu.number}, block {block.number}: {peer} is no other gpu")
    return Algorithm(dict(root.attributes), _layout(root, count), tuple(gpus[i] for i in range(count)))


def _layout(root: Element, gpus: int) -> Layout | None:
    said = root.text("coll")
    collective = OWN_NAMES.get(said, said)
    if collective == "custom":
        return None
    if collective not in COLLECTIVES:
        raise InputError(f"line {root.line}: coll is one of {', '.join(COLLECTIVES)}, not {shown(said)}")
    chunks, rest = root.number("nchunksperloop", 1), 0
    spend("values", gpus * chunks)
    if collective in BY_ALL_GPUS:
        chunks, rest = divmod(chunks, gpus)
    if rest or not chunks:
        raise InputError(f"line {root.line}: nchunksperloop of {said} is a multiple of its {gpus} gpus")
    at = root.number("root", 0, gpus - 1) if "root" in root.attributes else 0
    return Layout(collective, gpus, chunks, at)


def _gpu(element: Element) -> Gpu:
    size = {name: element.number(f"{name}_chunks") for name in "ios"}
    blocks = tuple(map(_block, element.all("tb")))
    if len({block.number for block in blocks}) < len(blocks):
        raise InputError(f"line {element.line}: two blocks of the gpu have one id")
    gpu = Gpu(element.number("id"), size, blocks)
    steps = {block.number: len(block.steps) for block in blocks}
    for step in (step for block in blocks for step in block.steps):
        if step.waits is not None and not 0 <= step.waits[1] < steps.get(step.waits[0], 0):
            raise InputError(
                f"line {step.line}: it waits for step {step.waits[1]} of block {step.waits[0]}, which is not"
                " there"
            )
        for place, used in ((step.source, reads(step.kind)), (step.target, writes(step.kind))):
            if used and not 0 <= place.offset <= size[place.buffer] - step.size:
                last = Place(place.buffer, place.offset + step.size - 1)
                raise InputError(
                    f"line {step.line}: it needs {place} to {last}, and the gpu has"
                    f" {counted(size[place.buffer], 'chunk')} there"
                )
    return gpu


def reads(kind: str) -> bool:
    """Return whether steps of a kind read their source."""
    return kind in ("s", "cpy") or kind in ADDING


def writes(kind: str) -> bool:
    """Return whether steps of a kind write their target."""
    return kind in ("r", "rcs", "rrc", "rrcs", "cpy", "re")


def _block(element: Element) -> Block:
    send, receive = (element.number(name, -1) for name in ("send", "recv"))
    steps = tuple(map(_step, element.all("step")))
    for place, (step, given) in enumerate(zip(steps, element.all("step"), strict=True)):
        if given.number("s") != place:
            raise InputError(f"line {step.line}: the step's s should be {place}")
        for needed, peer, name in ((RECEIVING, receive, "recv"), (SENDING, send, "send")):
            if step.kind in needed and peer < 0:
                raise InputError(f"line {step.line}: {step.kind} in a block without a peer in {name}")
    return Block(
        element.number("id"),
        None if send < 0 else send,
        None if receive < 0 else receive,
        element.number("chan", -1),
        steps,
    )


def _step(element: Element) -> Step:
    kind = element.text("type")
    if kind not in KINDS:
        raise InputError(
            f"line {element.line}: a step's type is one of {' '.join(sorted(KINDS))}, not {shown(kind)}"
        )
    places = []
    for side in ("src", "dst"):
        buffer = element.text(f"{side}buf")
        if buffer not in ("i", "o", "s"):
            raise InputError(f"line {element.line}: {side}buf is i, o or s, not {shown(buffer)}")
        places.append(Place(buffer, element.number(f"{side}off", -1)))
    block, step = element.number("depid", -1), element.number("deps", -1)
    size = element.number("cnt", 0, 10**6)
    spend("values", size)
    return Step(
        kind,
        places[0],
        places[1],
        size,
        None if block < 0 else (block, step),
        element.number("hasdep", 0, 1) == 1,
        element.line,
    )
