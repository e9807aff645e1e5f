"""Programs that carry a schedule out, for any of the targets."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath

from schedsolve.certify.text.output_files import refuse_output
from schedsolve.certify.text.text import problem_line
from schedsolve.machines.chunks_in_batches import movement_in_batches
from schedsolve.machines.movement.movement import MOST_TRANSFERS, Movement, TooManyMessagesError
from schedsolve.machines.movement.saved_schedule import SavedSchedule
from schedsolve.machines.mscclpp.writer import PlanOptions
from schedsolve.machines.targets import Target, Wanted, target_of
from schedsolve.machines.timing import DEPENDENCIES, LONG_MESSAGES, STEPS, Costs, timing
from schedsolve.modelkit.problem import refuse_no_result
from schedsolve.modelkit.result import Result
from schedsolve.network.assumptions import as_read
from schedsolve.runtime.errors import InputError, counted
from schedsolve.runtime.files.whole_file import write_whole
from schedsolve.runtime.limits.timeout import timeout

MOST_SECONDS = 20.0
"""Of computing, for an export."""
FEW_CHUNKS = 8
"""Of a unit, where more take too long."""


def write_program(
    result: Result,
    file: str | PathLike[str],
    *,
    target: str | None = None,
    chunks: int | None = None,
    in_place: bool = False,
) -> None:
    """Write the schedule of a result as a program.

    Parameters
    ----------
    result
        The result.
    file
        The file; unless a target is given, .py is for MPI and .et for Chakra.
    target
        mpi, torch, mscclpp or chakra.
    chunks
        Of a unit, where the schedule leaves that open; unless given, as many as bring it near the optimum and
        the program can hold.
    in_place
        Whether a plan for MSCCL++ is for calls whose buffers are shared.

    Raises
    ------
    InputError
        For another target or ending, a file that cannot be written, and a schedule that does not become a
        program: there is none, it is incomplete, or its model moves no data.
    """
    refuse_no_result(result)
    if result.indexed is None:
        raise InputError("there is no schedule to write as a program")
    source = SavedSchedule("the result", result.placed, result.indexed, result)
    export_program(source, fspath(file), chunks, target=target, plan=PlanOptions(in_place))


def export_program(
    source: SavedSchedule,
    file: str,
    chunks: int | None = None,
    costs: Costs | None = None,
    target: str | None = None,
    size: int | None = None,
    plan: PlanOptions | None = None,
) -> list[str]:
    """Write a schedule as a program, and return its files and how near it is to what is proven.

    Parameters
    ----------
    source
        The schedule.
    file
        The file.
    chunks
        Of a unit; None for the most that the target holds, as far as they bring it nearer to the optimum.
    costs
        For which the messages are put in order; bandwidth alone unless given.
    target
        What it is for, by name; told by the file's ending unless given.
    size
        Of a unit, in bytes, where the program names it; that of the costs, or 1 MiB, unless given.
    plan
        How a plan for MSCCL++ is to be.

    Raises
    ------
    InputError
        As `write_program` does, and for a program that is too large or takes more than `MOST_SECONDS`.
    """
    found = target_of(file, target)
    refuse_output(file)
    unit = size or (costs.size if costs else 2**20)
    wanted = Wanted(file, problem_line(source.problem), plan or PlanOptions(), unit)
    with timeout(MOST_SECONDS, of_processor=True) as limit:
        files, movement = _fitting(source, found, wanted, chunks, costs)
    if limit.passed:
        files, movement = _in_few_chunks(source, found, wanted, chunks, costs)
    for name in files:
        refuse_output(name)
    for name, content in files.items():
        write_whole(content, name)
    clock = STEPS if found.in_batches else DEPENDENCIES
    return [*files, *nearness(source, movement, costs, clock)]


def _in_few_chunks(
    source: SavedSchedule, target: Target, wanted: Wanted, chunks: int | None, costs: Costs | None
) -> tuple[Mapping[str, bytes], Movement]:
    """Return the program in few chunks, when one in more takes too long.

    Raises InputError where that takes too long too, and where another number was asked for; it names the
    number that works.
    """
    slow = f"its export takes more than {MOST_SECONDS:.0f} s"
    with timeout(MOST_SECONDS, of_processor=True) as limit:
        try:
            files, movement = _fitting(source, target, wanted, FEW_CHUNKS, costs)
        except InputError:
            raise InputError(slow) from None
    if limit.passed or (chunks is not None and chunks <= movement.chunks):
        raise InputError(slow)
    if chunks is not None:
        raise InputError(f"{slow}; --chunks {movement.chunks} works")
    return files, movement


def nearness(
    source: SavedSchedule, movement: Movement, costs: Costs | None, clock: str = DEPENDENCIES
) -> list[str]:
    """Return a line that says how near a movement is to the least time that is proven, where one is."""
    priced, proven = costs or LONG_MESSAGES, source.proven(movement)
    ratio = None if proven is None else proven.ratio(timing(movement, priced, clock))
    if proven is None or ratio is None:
        return []
    how = "for these costs" if costs else "without latency"
    chunks = f"{counted(movement.chunks, 'chunk')} a unit"
    batches = f" in {counted(len(movement.steps), 'batch', 'batches')}" if clock == STEPS else ""
    said = f"{chunks}, {counted(movement.messages, 'message')}{batches}"
    read = as_read(source.problem.network.assumptions)
    return [f"{ratio:.2f} times {proven.words} {how}; {said}{read}"]


def _fitting(
    source: SavedSchedule, target: Target, wanted: Wanted, chunks: int | None, costs: Costs | None
) -> tuple[Mapping[str, bytes], Movement]:
    """Return the files of the program with `chunks` chunks, or with as many as it can hold.

    With them comes what it carries out.
    """
    most_messages = target.most_messages(len(source.problem.network.compute_nodes))
    most = most_messages if chunks is None else MOST_TRANSFERS

    def cut(asked: int | None) -> Movement:
        if target.in_batches:
            return movement_in_batches(source, asked, costs, most, target.too_large)
        return source.movement(asked, most_transfers=most, costs=costs)

    first: str | None = None
    try:
        movement = cut(chunks)
    except TooManyMessagesError as error:
        first, movement = error.reason, cut(error.chunks)
    files, reason = target.written(movement, wanted)
    first = first or reason
    while reason is not None:
        fewer = min(movement.chunks // 2, movement.chunks * most_messages // movement.messages)
        if movement.chunks == 1:
            raise InputError(first or reason)
        try:
            movement = cut(max(1, fewer))
        except InputError:
            raise InputError(first or reason) from None
        files, reason = target.written(movement, wanted)
    if first is not None and chunks is not None:
        raise InputError(f"{first}; --chunks {movement.chunks} works")
    return files, movement
