"""Schedules as collectives of PyTorch: callables that take the arguments of torch's own.

It needs torch, which schedsolve does not install.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedsolve.modelkit.result import Result
from schedsolve.runtime.errors import InputError

if TYPE_CHECKING:
    from schedsolve.machines.torch_exchange import Collective


def collective(result: Result, *, chunks: int | None = None) -> Collective:
    """Return the collective of a result as a callable for torch.distributed.

    It is called as `collective(output_tensor, input_tensor, group, op, async_op)`, by all ranks of the group;
    the ranks are the compute nodes of the network, in their order. `collective.allocate(size, dtype=...,
    device=...)` makes a buffer, so that an allgather is what FSDP2's `set_custom_all_gather` takes, and a
    reduce-scatter what `set_custom_reduce_scatter` takes.

    Parameters
    ----------
    result
        With a schedule of a collective: of the synchronous or the pipelined model, or rounds of calls.
    chunks
        Of a unit, where the schedule leaves that open; unless given, as many as bring it near the optimum.

    Raises
    ------
    InputError
        If torch is missing, if there is no schedule, or if it is no collective.
    """
    from schedsolve.machines.chunks_in_batches import movement_in_batches
    from schedsolve.machines.movement.saved_schedule import SavedSchedule
    from schedsolve.machines.torch_program import routes_and_batches

    if result.indexed is None:
        raise InputError("there is no schedule to carry out")
    try:
        from schedsolve.machines.torch_exchange import Collective
    except ImportError as error:
        raise InputError(f"this needs torch, which cannot be imported: {error}") from None
    source = SavedSchedule("the result", result.placed, result.indexed, result)
    movement = movement_in_batches(source, chunks)
    layout = movement.layout
    return Collective(
        layout.collective, layout.ranks, layout.root, layout.chunks, *routes_and_batches(movement)
    )
