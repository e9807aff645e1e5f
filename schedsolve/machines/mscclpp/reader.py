"""Reading execution plans of MSCCL++: JSON by the rules of the executor's own parser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from schedsolve.machines.movement.collectives import COLLECTIVES, ONE_UNIT, ROOTED, Layout
from schedsolve.machines.symbols import Chunks
from schedsolve.runtime.errors import InputError, counted, shown
from schedsolve.runtime.files.number_reader import whole_number
from schedsolve.runtime.limits.budget import spend

from .plan import MOVES, OTHERS, OWN_NAMES, REPLAYED, SIGNALS, WAITS, Operation, Plan, PlanBlock, PlanGpu

REMOTE_SOURCES, REMOTE_TARGETS = ("get", "rre", "rres"), ("put", "res", "rres")
"""Operations that read, or write, buffers of other gpus."""
LARGEST_SIZE = 2**64 - 1
SETTINGS = (
    ("num_threads_per_block", 1, 1024), ("buffer_alignment", 1, 2**30),
    ("min_message_size", 0, LARGEST_SIZE), ("max_message_size", 0, LARGEST_SIZE),
)  # fmt: skip
"""Of a plan: the least and the most of each, where it is there."""


def read_plan(data: Any) -> Plan:
    """Return the plan in JSON data.

    Raises
    ------
    InputError
        If it is none, or has operations that are not replayed.
    """
    whole = _object(data, "the plan")
    gpus = _list(whole, "gpus", "the plan")
    if not gpus:
        raise InputError("the plan has no gpus")
    read = tuple(_gpu(_object(gpu, f"gpu {number}"), number, len(gpus)) for number, gpu in enumerate(gpus))
    for gpu in read:
        for block in gpu.blocks:
            for place, operation in enumerate(block.operations):
                where = f"gpu {gpu.number}, block {block.number}, op {place}"
                _refuse_outside(operation, read, where)
    collective = _text(whole, "collective", "the plan")
    in_place = whole.get("inplace")
    if not isinstance(in_place, bool):
        raise InputError('the plan: "inplace" is true or false')
    _refuse_settings(whole)
    root = whole.get("root")
    layout = _layout(
        collective, read, _number(whole, "root", "the plan", len(gpus) - 1) if root is not None else 0
    )
    return Plan(
        _text(whole, "name", "the plan"),
        collective,
        _text(whole, "protocol", "the plan"),
        in_place,
        layout,
        root is not None,
        read,
    )


def _refuse_settings(data: Mapping[str, Any]) -> None:
    """Raise InputError for threads, an alignment or sizes with which the executor runs no call."""
    for name, least, most in SETTINGS:
        if name in data and whole_number(data[name], least, most) is None:
            raise InputError(
                f'the plan: "{name}" is a number from {least} to {most}, not {shown(data[name])}'
            )
    sizes = data.get("min_message_size", 0), data.get("max_message_size", LARGEST_SIZE)
    if sizes[0] > sizes[1]:
        raise InputError(f"the plan is for no size: from {sizes[0]} to {sizes[1]} bytes")


def _layout(said: str, gpus: Sequence[PlanGpu], root: int) -> Layout | None:
    """Return the buffers of the collective, whose chunks of a unit follow from the buffers' sizes."""
    collective = OWN_NAMES.get(said, said)
    if collective not in COLLECTIVES:
        return None
    ranks, size = len(gpus), gpus[0].size
    units = {
        "allgather": (1, ranks), "gather": (1, ranks), "alltoall": (ranks, ranks), "scatter": (ranks, 1),
        "reduce-scatter": (ranks, 1),
    }.get(collective, (1, 1))  # fmt: skip
    chunks = size["i"] // units[0]
    for gpu in gpus:
        if not chunks or (gpu.size["i"], gpu.size["o"]) != (chunks * units[0], chunks * units[1]):
            raise InputError(
                f"gpu {gpu.number}: {counted(gpu.size['i'], 'chunk')} of input and {gpu.size['o']} of"
                " output do not fit"
                f" the collective {said} of {counted(ranks, 'gpu')}"
            )
    spend("values", ranks * chunks * (1 if collective in ONE_UNIT else ranks))
    return Layout(collective, ranks, chunks, root if collective in ROOTED else 0)


def _gpu(data: Mapping[str, Any], number: int, gpus: int) -> PlanGpu:
    where = f"gpu {number}"
    if data.get("id") != number or isinstance(data.get("id"), bool):
        raise InputError(f"{where}: its id is {shown(data.get('id'))}; the gpus stand in order, from 0")
    _require(data, ("threadblocks", "channels", "remote_buffers"), where)
    size = {
        short: _number(data, f"{long}_chunks", where, 10**6)
        for short, long in (("i", "input"), ("o", "output"), ("s", "scratch"))
    }
    spend("values", sum(size.values()))
    peers: list[int] = []
    for channel in _objects(data, "channels", where):
        kind = _text(channel, "channel_type", where)
        if kind != "memory":
            raise InputError(
                f"{where}: channels of the type {shown(kind)} are not replayed, only memory channels"
            )
        peers += _numbers(channel, "connected_to", where, gpus - 1)
    if number in peers:
        raise InputError(f"{where}: a channel leads to itself")
    remote = [_remote_buffer(buffer, where, gpus) for buffer in _objects(data, "remote_buffers", where)]
    semaphores = tuple(
        _number(semaphore, "init_value", where, 10**6) for semaphore in _objects(data, "semaphores", where)
    )
    blocks = []
    for place, block in enumerate(_objects(data, "threadblocks", where)):
        if _number(block, "id", where, 10**6) != place:
            raise InputError(f"{where}: its blocks are not numbered 0, 1, 2, ...")
        blocks.append(_block(block, number, peers, remote, len(semaphores)))
    return PlanGpu(number, size, tuple(blocks), tuple(peers), semaphores)


def _remote_buffer(data: Mapping[str, Any], where: str, gpus: int) -> tuple[int, str] | None:
    """Return the gpu and the buffer; None where memory channels do not reach it."""
    found = _number(data, "rank", where, gpus - 1), _buffer(data, where)
    return found if "memory" in _list(data, "access_channel_types", where) else None


def _block(
    data: Mapping[str, Any],
    gpu: int,
    peers: Sequence[int],
    remote: Sequence[tuple[int, str] | None],
    semaphores: int,
) -> PlanBlock:
    number = data["id"]
    where = f"gpu {gpu}, block {number}"
    _require(data, ("channels", "ops"), where)
    channels = [
        c
        for one in _objects(data, "channels", where)
        for c in _memory(one, "channel_type", where, len(peers))
    ]
    buffers = []
    for one in _objects(data, "remote_buffer_refs", where):
        for number_of_buffer in _memory(one, "access_channel_type", where, len(remote)):
            buffer = remote[number_of_buffer]
            if buffer is None:
                raise InputError(
                    f'{where}: remote buffer {number_of_buffer} has no "memory" in its "access_channel_types"'
                )
            buffers.append(buffer)
    reader = _Operations(gpu, channels, buffers, semaphores)
    operations = tuple(
        reader.read(operation, f"{where}, op {place}")
        for place, operation in enumerate(_objects(data, "ops", where))
    )
    return PlanBlock(number, operations, len(channels), len(buffers))


def _memory(data: Mapping[str, Any], kind: str, where: str, count: int) -> list[int]:
    """Return the numbers of a block's channels or remote buffers, all of memory channels."""
    if _text(data, kind, where) != "memory":
        raise InputError(f"{where}: only memory channels are replayed")
    name = "channel_ids" if kind == "channel_type" else "remote_buffer_ids"
    return _numbers(data, name, where, count - 1)


class _Operations:
    """Reads the operations of one block, whose channels and remote buffers have numbers of its own."""

    def __init__(
        self, gpu: int, channels: Sequence[int], buffers: Sequence[tuple[int, str]], semaphores: int
    ) -> None:
        self.gpu, self.channels, self.buffers, self.semaphores = gpu, channels, buffers, semaphores

    def read(self, data: Mapping[str, Any], where: str) -> Operation:
        """Return an operation."""
        name = _text(data, "name", where)
        if name in OTHERS or "tbg_info" in data:
            what = "groups of blocks" if name not in OTHERS else f"operations {name}"
            raise InputError(f"{where}: {what} are not replayed")
        if name not in REPLAYED:
            raise InputError(f"{where}: the executor knows no operation {shown(name)}")
        if name == "barrier":
            meeting = _number(data, "num_threadblocks", where, 10**6)
            return Operation(name, barrier=_number(data, "barrier_id", where, 10**6), blocks=meeting)
        if name.startswith("sem_"):
            numbers = _numbers(data, "semaphore_ids", where, self.semaphores - 1)
            return Operation(name, semaphores=tuple(numbers))
        if name in SIGNALS + WAITS:
            if data.get("channel_type") != "memory":
                raise InputError(f"{where}: only memory channels are replayed")
            numbers = _numbers(data, "channel_ids", where, len(self.channels) - 1)
            return Operation(name, channels=tuple(self.channels[number] for number in numbers))
        if name == "nop":
            return Operation(name)
        return self._moving(name, data, where)

    def _moving(self, name: str, data: Mapping[str, Any], where: str) -> Operation:
        if name not in ("copy", "re") and data.get("channel_type") != "memory":
            raise InputError(f"{where}: only memory channels are replayed")
        if data.get("reduce_op", "sum") != "sum":
            raise InputError(f"{where}: only sums are replayed, not {shown(data['reduce_op'])}")
        sources = [self._chunks(one, where) for one in _objects(data, "src_buff", where)]
        targets = [self._chunks(one, where) for one in _objects(data, "dst_buff", where)]
        if not sources or not targets:
            raise InputError(f"{where}: it needs src_buff and dst_buff")
        paired = name in MOVES
        if paired and (len(sources) != len(targets) or (name == "copy" and len(sources) > 1)):
            raise InputError(f"{where}: {name} with {len(sources)} sources and {len(targets)} targets")
        pairs = (
            list(zip(sources, targets, strict=True))
            if paired
            else [(sources[0], c) for c in sources + targets]
        )
        if any(one.size != other.size for one, other in pairs):
            raise InputError(f"{where}: its sources and targets have different sizes")
        for chunks, reaching in ((sources, REMOTE_SOURCES), (targets, REMOTE_TARGETS)):
            for place, one in enumerate(chunks):
                far = name in reaching and (name in MOVES or place > 0)
                if far != (one.gpu != self.gpu):
                    raise InputError(f"{where}: {name} takes the wrong gpu's buffer")
        if name in ("re", "rre") and len(targets) > 1:
            raise InputError(f"{where}: {name} with {len(targets)} targets")
        return Operation(name, tuple(sources), tuple(targets))

    def _chunks(self, data: Mapping[str, Any], where: str) -> Chunks:
        index, size = _number(data, "index", where, 10**6), _number(data, "size", where, 10**6)
        spend("values", size)
        if "buffer_id" in data:
            gpu, buffer = self.buffers[_number(data, "buffer_id", where, len(self.buffers) - 1)]
            return Chunks(gpu, buffer, index, size)
        return Chunks(self.gpu, _buffer(data, where), index, size)


def _refuse_outside(operation: Operation, gpus: Sequence[PlanGpu], where: str) -> None:
    """Raise InputError when an operation uses chunks that a buffer does not have."""
    for chunks in operation.sources + operation.targets:
        there = gpus[chunks.gpu].size[chunks.buffer]
        if chunks.start + chunks.size > there:
            raise InputError(
                f"{where}: it needs {chunks.buffer}[{chunks.start}] to {chunks.buffer}"
                f"[{chunks.start + chunks.size - 1}] of gpu {chunks.gpu}, which has"
                f" {counted(there, 'chunk')} there"
            )


def _object(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError(f"{where} is no object")
    return value


def _list(data: Mapping[str, Any], name: str, where: str) -> list[Any]:
    value = data.get(name, [])
    if not isinstance(value, list):
        raise InputError(f'{where}: "{name}" is a list')
    return value


def _require(data: Mapping[str, Any], lists: Sequence[str], where: str) -> None:
    """Raise InputError for a list that the executor reads whether it is there or not."""
    for name in lists:
        if name not in data:
            raise InputError(f'{where}: "{name}" is missing; the executor reads it, and it may be empty')


def _objects(data: Mapping[str, Any], name: str, where: str) -> list[Mapping[str, Any]]:
    return [_object(one, f'{where}: an entry of "{name}"') for one in _list(data, name, where)]


def _number(data: Mapping[str, Any], name: str, where: str, most: int) -> int:
    number = whole_number(data.get(name), 0, most)
    if number is None:
        known = f"is a number from 0 to {most}" if most >= 0 else "is a number of a list that is empty"
        raise InputError(f'{where}: "{name}" {known}, not {shown(data.get(name))}')
    return number


def _numbers(data: Mapping[str, Any], name: str, where: str, most: int) -> list[int]:
    numbers = [whole_number(value, 0, most) for value in _list(data, name, where)]
    found = [number for number in numbers if number is not None]
    if len(found) < len(numbers):
        known = f"has numbers from 0 to {most}" if most >= 0 else "names what the file has none of"
        raise InputError(f'{where}: "{name}" {known}')
    return found


def _text(data: Mapping[str, Any], name: str, where: str) -> str:
    value = data.get(name)
    if not isinstance(value, str):
        raise InputError(f'{where}: "{name}" is a text, not {shown(value)}')
    return value


def _buffer(data: Mapping[str, Any], where: str) -> str:
    buffer = _text(data, "type", where)
    if buffer not in ("i", "o", "s"):
        raise InputError(f"{where}: a buffer is i, o or s, not {shown(buffer)}")
    return buffer
