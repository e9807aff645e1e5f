"""An execution plan of MSCCL++ as events, and its symbolic run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from schedsolve.machines.events import Add, BlockEvents, Event, Key, Meet, Raise, Wait
from schedsolve.machines.memory import Memory
from schedsolve.machines.symbolic_run import Outcome, Runner

from .plan import MOVES, SIGNALS, SUMS, WAITS, Operation, Plan, PlanBlock, PlanGpu


def replay(plan: Plan) -> Outcome:
    """Run the plan."""
    memory = Memory(plan.layout, [gpu.size["i"] for gpu in plan.gpus], in_place=plan.in_place, exchange=True)
    first = {
        Key("semaphore", (gpu.number, number)): value
        for gpu in plan.gpus
        for number, value in enumerate(gpu.semaphores)
    }
    blocks = [
        BlockEvents(
            gpu.number,
            f"gpu {gpu.number}, block {block.number}, op",
            len(block.operations),
            partial(_events, gpu, block),
        )
        for gpu in plan.gpus
        for block in gpu.blocks
    ]
    return Runner(blocks, memory, first, calls=len(plan.gpus)).run()


def _events(gpu: PlanGpu, block: PlanBlock, number: int) -> Iterator[Event]:
    """Yield what an operation does."""
    operation = block.operations[number]
    name = operation.name
    if name == "barrier":
        yield Meet(operation.barrier, operation.blocks)
    elif name == "nop":
        yield Meet()
    elif name in WAITS or name == "sem_acquire":
        yield Wait(tuple(_keys(gpu, operation)), relaxed=name == "rlxwait")
    elif name in SIGNALS or name == "sem_release":
        yield Raise(tuple(_keys(gpu, operation)), relaxed=name == "rlxsignal")
    else:
        assert name in MOVES + SUMS
        sources, targets = operation.sources, operation.targets
        single = ([(s,) for s in sources], [(t,) for t in targets])
        pairs = zip(*single, strict=True) if name in MOVES else [(sources, targets)]
        for read, written in pairs:
            yield Add(read, written, any(chunks.gpu != gpu.number for chunks in read + written))


def _keys(gpu: PlanGpu, operation: Operation) -> Iterator[Key]:
    """Yield the counters that an operation raises or waits for.

    A channel is told by its place among those between the two gpus.
    """
    for channel in operation.channels:
        peer, ordinal = gpu.peers[channel], gpu.ordinal(channel)
        ends = (gpu.number, peer) if operation.name in SIGNALS else (peer, gpu.number)
        yield Key("signal", (*ends, ordinal))
    for number in operation.semaphores:
        yield Key("semaphore", (gpu.number, number))
