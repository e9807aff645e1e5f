"""MSCCL XML run literally: numbers in buffers, blocks that take turns, in one order after another.

What this finds wrong is wrong: a deadlock, or a result that is not the collective's. The chunk of each gpu
is a number that no sum of others gives.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

Key = tuple[int, str, int]
RECEIVES, SENDS = ("r", "rcs", "rrs", "rrc", "rrcs"), ("s", "rcs", "rrs", "rrcs")
LONGEST = 10_000


class Block:
    """A block: its gpu and number, its peers and channel, its steps, and which is next."""

    def __init__(self, gpu: int, element: ElementTree.Element) -> None:
        self.gpu, self.number = gpu, int(element.attrib["id"])
        self.to, self.source = int(element.attrib["send"]), int(element.attrib["recv"])
        self.channel = int(element.attrib["chan"])
        self.steps = [step.attrib for step in element.iter("step")]
        self.next = 0


def wrong(text: str, room: int) -> bool:
    """Whether some order of the blocks ends badly. room: the messages that a connection holds."""
    root = ElementTree.fromstring(text)
    kinds = [place == "1" for place in (root.attrib["inplace"], root.attrib["outofplace"])]
    shared = [here for here, asked in zip((True, False), kinds, strict=True) if asked]
    count = sum(len(list(gpu.iter("tb"))) for gpu in root.iter("gpu"))
    return any(not _ends_well(root, room, order, in_place) for in_place in shared for order in _orders(count))


def _orders(count: int) -> Iterator[list[int]]:
    """Who goes first whenever it can: each block before all others, and each after them."""
    blocks = list(range(count))
    for i in blocks:
        others = blocks[:i] + blocks[i + 1 :]
        yield from ([i, *others], [*others, i], [i, *others[::-1]], [*others[::-1], i])


def _ends_well(root: ElementTree.Element, room: int, order: list[int], in_place: bool) -> bool:
    task, n = root.attrib["coll"], int(root.attrib["ngpus"])
    per_gpu = int(root.attrib["nchunksperloop"]) // (n if task in ("allgather", "reducescatter") else 1)
    held = _inputs(task, n, per_gpu, in_place)
    blocks = [Block(int(gpu.attrib["id"]), tb) for gpu in root.iter("gpu") for tb in gpu.iter("tb")]
    queues: dict[tuple[int, int, int], list[list[int]]] = {}
    over: set[tuple[int, int, int]] = set()
    for _ in range(LONGEST):
        if not any(_advance(blocks[i], held, queues, over, room, task, per_gpu, in_place) for i in order):
            break
    if any(block.next < len(block.steps) for block in blocks) or any(queues.values()):
        return False
    wanted = _outputs(task, n, per_gpu)
    return all(held.get(_place(task, per_gpu, in_place, *key)) == value for key, value in wanted.items())


def _inputs(task: str, n: int, per_gpu: int, in_place: bool) -> dict[Key, int]:
    chunks = {"allgather": per_gpu, "reducescatter": n * per_gpu}.get(task, per_gpu)
    gpus = [0] if task == "broadcast" else list(range(n))
    return {
        _place(task, per_gpu, in_place, gpu, "i", c): _number(task, gpu, c)
        for gpu in gpus
        for c in range(chunks)
    }


def _number(task: str, gpu: int, chunk: int) -> int:
    return (
        10 ** (3 * chunk) * 4**gpu
        if task in ("allreduce", "reduce", "reducescatter")
        else 100 * gpu + chunk + 1
    )


def _outputs(task: str, n: int, per_gpu: int) -> dict[Key, int]:
    def added(chunk: int) -> int:
        return sum(_number(task, gpu, chunk) for gpu in range(n))

    every = [(gpu, c) for gpu in range(n) for c in range(per_gpu)]
    if task == "allgather":
        return {(gpu, "o", of * per_gpu + c): _number(task, of, c) for gpu in range(n) for of, c in every}
    if task == "broadcast":
        return {(gpu, "o", c): _number(task, 0, c) for gpu, c in every}
    if task == "allreduce":
        return {(gpu, "o", c): added(c) for gpu, c in every}
    if task == "reduce":
        return {(0, "o", c): added(c) for c in range(per_gpu)}
    return {(gpu, "o", c): added(gpu * per_gpu + c) for gpu, c in every}


def _place(task: str, per_gpu: int, in_place: bool, gpu: int, buffer: str, offset: int) -> Key:
    """The one name of a place; in place the smaller buffer is a part of the larger."""
    if in_place and buffer in "io":
        part = gpu * per_gpu
        if task in ("allreduce", "reduce", "broadcast"):
            return gpu, "io", offset
        small = "i" if task == "allgather" else "o"
        return gpu, "io", offset + (part if buffer == small else 0)
    return gpu, buffer, offset


def _advance(
    block: Block,
    held: dict[Key, int],
    queues: dict[tuple[int, int, int], list[list[int]]],
    over: set[tuple[int, int, int]],
    room: int,
    task: str,
    per_gpu: int,
    in_place: bool,
) -> bool:
    """Do the next step of a block, whole, if it can be done; whether it was."""
    if block.next >= len(block.steps):
        return False
    step = block.steps[block.next]
    kind, size, needed = step["type"], int(step["cnt"]), int(step["depid"])
    if needed >= 0 and not any(
        (block.gpu, needed, later) in over for later in range(int(step["deps"]), 1000)
    ):
        return False
    into, out = (block.source, block.gpu, block.channel), (block.gpu, block.to, block.channel)
    moves = size > 0 and kind != "nop"
    if moves and kind in RECEIVES and not queues.get(into):
        return False
    if moves and kind in SENDS and len(queues.setdefault(out, [])) >= room:
        return False
    if moves:
        _move(block, step, held, queues, (task, per_gpu, in_place))
    if step["hasdep"] == "1":
        over.add((block.gpu, block.number, block.next))
    block.next += 1
    return True


def _move(
    block: Block,
    step: dict[str, str],
    held: dict[Key, int],
    queues: dict[tuple[int, int, int], list[list[int]]],
    layout: tuple[str, int, bool],
) -> None:
    kind, size = step["type"], int(step["cnt"])
    into, out = (block.source, block.gpu, block.channel), (block.gpu, block.to, block.channel)

    def places(side: str) -> list[Key]:
        first = int(step[f"{side}off"])
        return [_place(*layout, block.gpu, step[f"{side}buf"], first + k) for k in range(size)]

    nothing = -(10**30)
    here = [held.get(key, nothing) for key in places("src")]
    came = queues[into].pop(0) if kind in RECEIVES else []
    came += [nothing] * (size - len(came))
    if kind == "re":
        values = [x + held.get(key, nothing) for x, key in zip(here, places("dst"), strict=True)]
    elif kind in ("rrs", "rrc", "rrcs"):
        values = [x + y for x, y in zip(came[:size], here, strict=True)]
    else:
        values = came[:size] if kind in RECEIVES else here
    if kind not in ("s", "rrs"):
        held.update(zip(places("dst"), values, strict=True))
    if kind in SENDS:
        queues[out].append(values)
