"""What the executor of MSCCL++ demands of a plan, whatever it does: numbers within its limits.

They are those of its header execution_common.hpp.
"""

from __future__ import annotations

from collections.abc import Iterator

from .plan import SUMS, Operation, Plan, PlanBlock

MOST_OPERATIONS, MOST_CHANNELS, MOST_CHANNELS_OF_ONE = 64, 16, 8
MOST_BARRIERS, MOST_SEMAPHORES_OF_ONE, MOST_BUFFERS_OF_ONE = 16, 16, 10
PROTOCOLS = ("Simple", "LL")
MOST_BLOCKS = 108
"""Of a plan that is written: a gpu's blocks run at the same time, each on a multiprocessor of its own."""


def refusals(plan: Plan) -> Iterator[str]:
    """Why the executor would refuse the plan or misread it, each reason in a line."""
    if plan.protocol not in PROTOCOLS:
        yield f"protocol is one of {', '.join(PROTOCOLS)}, not {plan.protocol:.60}"
    for gpu in plan.gpus:
        if not gpu.size["i"] or not gpu.size["o"]:
            yield f"gpu {gpu.number}: no chunks of input or of output"
        for block in gpu.blocks:
            reason = next(_refusals_of(block), None)
            if reason is not None:
                yield f"gpu {gpu.number}, block {block.number}: {reason}"
                return


def _refusals_of(block: PlanBlock) -> Iterator[str]:
    if len(block.operations) > MOST_OPERATIONS:
        yield f"it has {len(block.operations)} operations, and {MOST_OPERATIONS} is the most"
    if max(block.channels, block.remote_buffers) > MOST_CHANNELS:
        yield f"it has more than {MOST_CHANNELS} channels or remote buffers"
    for place, operation in enumerate(block.operations):
        yield from (f"op {place}: {reason}" for reason in _refusals_of_one(operation))


def _refusals_of_one(operation: Operation) -> Iterator[str]:
    name = operation.name
    if len(operation.channels) > MOST_CHANNELS_OF_ONE:
        yield f"{len(operation.channels)} channels, and {MOST_CHANNELS_OF_ONE} is the most"
    if len(operation.semaphores) > MOST_SEMAPHORES_OF_ONE:
        yield f"{len(operation.semaphores)} semaphores, and {MOST_SEMAPHORES_OF_ONE} is the most"
    if max(len(operation.sources), len(operation.targets)) > MOST_BUFFERS_OF_ONE:
        yield f"it takes more than {MOST_BUFFERS_OF_ONE} buffers"
    if name == "barrier" and operation.barrier >= MOST_BARRIERS:
        yield f"barrier {operation.barrier}, and there are {MOST_BARRIERS}"
    if name == "put" and len({chunks.buffer for chunks in operation.sources}) > 1:
        yield "the executor takes all sources of a put from the buffer of the first"
    swapped = zip(operation.sources, operation.targets, strict=False) if name == "get" else ()
    if any(source.start != target.start for source, target in swapped):
        yield "the executor exchanges the indices of the two sides of a get, and they differ"
    if name in SUMS and len(operation.sources) < 2:
        yield f"{name} of a single source"
