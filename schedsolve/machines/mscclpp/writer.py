"""Schedules as execution plans of MSCCL++: JSON, read and replayed before it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schedsolve.machines.movement.movement import Movement
from schedsolve.machines.symbols import Place
from schedsolve.runtime.errors import InputError

from .access_order import BlockKey
from .gpu_programs import GpuProgram, MessageStep, programs
from .limits import MOST_BLOCKS, MOST_CHANNELS_OF_ONE, refusals
from .plan import OWN_NAMES
from .reader import read_plan
from .replay import replay

Json = dict[str, Any]
MOST_MESSAGES = (16, 8, 4, 2, 1)
"""Of a block, in the order tried; a message takes three operations at least."""
SAID = {own: said for said, own in OWN_NAMES.items()}


@dataclass(frozen=True)
class PlanOptions:
    """How a plan is to be.

    Attributes
    ----------
    in_place
        Whether it is for calls whose buffers are shared.
    min_bytes, max_bytes
        For which sizes, 0 for no limit.
    """

    in_place: bool = False
    min_bytes: int = 0
    max_bytes: int = 0


def plan_text(movement: Movement, options: PlanOptions) -> str:
    """Return the plan of a movement as the text of a file.

    Raises
    ------
    InputError
        With what is in the way, when it cannot be expressed: a collective that has no calls in place, or
        numbers beyond the executor's limits.
    """
    if options.in_place and movement.layout.shared is None:
        raise InputError(f"there is no {movement.collective} in place")
    reasons: list[str] = []
    for careful in (False, True):
        for most in MOST_MESSAGES:
            data = _data(movement, options, most, careful=careful)
            obstacle = _obstacle(data)
            if obstacle is None:
                return _text(data)
            reasons.append(obstacle)
    raise InputError(f"it cannot be expressed for MSCCL++: {reasons[-1]}; fewer chunks may do")


def _obstacle(data: Json) -> str | None:
    """Return what is wrong with a plan by its limits and a replay; None for nothing."""
    plan = read_plan(data)
    most = max(len(gpu.blocks) for gpu in plan.gpus)
    if most > MOST_BLOCKS:
        return f"a gpu has {most} blocks, and {MOST_BLOCKS} is the most"
    reason = next(refusals(plan), None)
    if reason is not None:
        return reason
    run = replay(plan)
    memory = run.memory
    left = run.left and f"{run.left[0]} is not left as it was"
    found = run.deadlock or left or memory.race or run.early or run.late or memory.changed or memory.wrong()
    return found or (None if run.races else "it is too large to look for races")


def _data(movement: Movement, options: PlanOptions, most_messages: int, *, careful: bool) -> Json:
    """Return the plan as JSON data."""
    gpus = programs(movement, most_messages, in_place=options.in_place, careful=careful)
    layout = movement.layout
    network = re.sub(r"[^0-9A-Za-z]+", "_", movement.network.name).strip("_") or "network"
    said = SAID.get(layout.collective, layout.collective)
    sizes = (
        max(len(layout.inputs(r)) for r in range(layout.ranks)),
        max(map(len, map(layout.outputs, range(layout.ranks)))),
    )
    return {
        "name": f"schedsolve_{said}_{network}"[:200] + f"_{movement.chunks}",
        "collective": said,
        "protocol": "Simple",
        "inplace": options.in_place,
        "reuse_resources": False,
        "gpus": [_gpu(gpu, sizes) for gpu in gpus],
        "num_threads_per_block": 1024,
        "use_double_scratch_buffer": False,
        "buffer_alignment": 16,
        "min_message_size": options.min_bytes,
        "max_message_size": options.max_bytes or 2**64 - 1,
        **({} if movement.root is None else {"root": layout.root}),
    }


def _gpu(gpu: GpuProgram, sizes: tuple[int, int]) -> Json:
    """Return what a gpu does. The channels between two gpus are those of the lower one's messages first."""
    talking = [key for key in gpu.blocks if key[0] != "copy"]
    talking.sort(key=lambda key: (key[1], (key[0] == "send") != (gpu.rank < key[1]), key[2]))
    channels = {key: number for number, key in enumerate(talking)}
    remote: dict[tuple[int, str], int] = {}
    semaphores: dict[tuple[BlockKey, BlockKey], int] = {}
    for key, steps in gpu.blocks.items():
        for step in steps:
            for other in step.waits:
                semaphores.setdefault((other, key), len(semaphores))
            for run in step.runs if key[0] == "send" else ():
                remote.setdefault((key[1], run.landing.buffer), len(remote))
    blocks = [
        _Writer(key, channels.get(key), remote, semaphores).block(number, steps)
        for number, (key, steps) in enumerate(gpu.blocks.items())
    ]
    return {
        "id": gpu.rank,
        "input_chunks": sizes[0],
        "output_chunks": sizes[1],
        "scratch_chunks": gpu.scratch,
        "threadblocks": blocks,
        "channels": [{"channel_type": "memory", "connected_to": [key[1] for key in talking]}]
        if talking
        else [],
        "remote_buffers": [
            {"rank": peer, "type": buffer, "access_channel_types": ["memory"]} for peer, buffer in remote
        ],
        "semaphores": [{"init_value": 0} for _ in semaphores],
    }


class _Writer:
    """Writes the operations of one block."""

    def __init__(
        self,
        key: BlockKey,
        channel: int | None,
        remote: Mapping[tuple[int, str], int],
        semaphores: Mapping[tuple[BlockKey, BlockKey], int],
    ) -> None:
        self.key, self.channel, self.remote, self.semaphores = key, channel, remote, semaphores
        self.own: dict[str, int] = {}

    def block(self, number: int, steps: Sequence[MessageStep]) -> Json:
        """Return the block."""
        kind = self.key[0]
        first = {
            "send": [self._at("rlxwait"), {"name": "nop"}],
            "receive": [self._at("rlxsignal")],
            "copy": [],
        }
        write = {"send": self._send, "receive": self._receive, "copy": self._copy}[kind]
        operations = [*first[kind], *(operation for step in steps for operation in write(step))]
        memory = {"channel_type": "memory", "channel_ids": [self.channel]}
        ids = [self.remote[self.key[1], buffer] for buffer in self.own]
        refs = {"access_channel_type": "memory", "remote_buffer_ids": ids}
        return {
            "id": number,
            "ops": operations,
            "channels": [] if self.channel is None else [memory],
            "remote_buffer_refs": [refs] if ids else [],
        }

    def _at(self, name: str) -> Json:
        return {"name": name, "channel_ids": [0], "channel_type": "memory"}

    def _send(self, step: MessageStep) -> Iterator[Json]:
        """Yield a put of all chunks, up to as many places as the executor takes, and a signal."""
        yield from self._acquired(step)
        if step.waits:
            yield {"name": "nop"}
        by_buffer: dict[str, list[Any]] = {}
        for run in step.runs:
            by_buffer.setdefault(run.source.buffer, []).append(run)
        for runs in by_buffer.values():
            for at in range(0, len(runs), MOST_CHANNELS_OF_ONE):
                some = runs[at : at + MOST_CHANNELS_OF_ONE]
                yield {
                    "name": "put",
                    "src_buff": [_local(run.source, run.size) for run in some],
                    "dst_buff": [self._far(run.landing, run.size) for run in some],
                    "channel_type": "memory",
                }
        yield {"name": "nop"}
        yield self._at("signal")
        yield from self._released(step)

    def _receive(self, step: MessageStep) -> Iterator[Json]:
        """Yield a wait for a message, and what is added or copied then."""
        yield from self._acquired(step)
        yield self._at("wait")
        yield {"name": "nop"}
        moves = [run for run in step.runs if run.landing != run.target]
        for run in moves:
            own = [] if run.own is None else [_local(run.own, run.size)]
            yield {
                "name": "re" if own else "copy",
                "src_buff": [*own, _local(run.landing, run.size)],
                "dst_buff": [_local(run.target, run.size)],
                **({"reduce_op": "sum"} if own else {}),
            }
        if step.releases and moves:
            yield {"name": "nop"}
        yield from self._released(step)

    def _copy(self, step: MessageStep) -> Iterator[Json]:
        """Yield copies, once what they wait for is there."""
        yield from self._acquired(step)
        if step.waits:
            yield {"name": "nop"}
        for run in step.runs:
            sides = [_local(run.source, run.size)], [_local(run.target, run.size)]
            yield {"name": "copy", "src_buff": sides[0], "dst_buff": sides[1]}
        if step.releases:
            yield {"name": "nop"}
        yield from self._released(step)

    def _acquired(self, step: MessageStep) -> Iterator[Json]:
        if step.waits:
            numbers = [self.semaphores[other, self.key] for other in step.waits]
            yield {"name": "sem_acquire", "semaphore_ids": numbers}

    def _released(self, step: MessageStep) -> Iterator[Json]:
        if step.releases:
            numbers = [self.semaphores[self.key, other] for other in step.releases]
            yield {"name": "sem_release", "semaphore_ids": numbers}

    def _far(self, place: Place, size: int) -> Json:
        number = self.own.setdefault(place.buffer, len(self.own))
        return {"buffer_id": number, "index": place.offset, "size": size}


def _local(place: Place, size: int) -> Json:
    return {"type": place.buffer, "index": place.offset, "size": size}


def _text(data: Json) -> str:
    """Return JSON with a line for each operation."""
    whole = json.dumps({**data, "gpus": "GPUS"}, indent=1)
    gpus = []
    for gpu in data["gpus"]:
        blocks = []
        for block in gpu["threadblocks"]:
            operations = ",\n".join(f"    {json.dumps(operation)}" for operation in block["ops"])
            rest = json.dumps({name: block[name] for name in ("channels", "remote_buffer_refs")})
            blocks.append(f'   {{"id": {block["id"]}, "ops": [\n{operations}\n   ], {rest[1:]}')
        head = json.dumps({name: value for name, value in gpu.items() if name != "threadblocks"})
        inner = ",\n".join(blocks)
        gpus.append(f'  {head[:-1]}, "threadblocks": [\n{inner}\n  ]}}')
    inner = ",\n".join(gpus)
    return whole.replace('"GPUS"', f"[\n{inner}\n ]") + "\n"
