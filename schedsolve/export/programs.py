"""Programs that carry a schedule out: mpi4py, or MSCCL's XML."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

from schedsolve.errors import InputError
from schedsolve.export.mpi_program import mpi_program
from schedsolve.export.msccl import Wishes, algorithm_text, msccl_algorithm
from schedsolve.modelkit.movement import Movement
from schedsolve.models import movement_of
from schedsolve.report.output_files import refuse_output
from schedsolve.report.text import problem_line
from schedsolve.result import Result
from schedsolve.whole_file import write_whole

ENDINGS = (".py", ".xml")


def write_program(
    result: Result, file: str | PathLike[str], *, chunks: int | None = None, in_place: bool = False
) -> None:
    """Write the schedule of a result as a program: for MPI where the file's name ends in .py, for MSCCL where
    it ends in .xml.

    chunks: of a unit, where the schedule leaves that open. in_place: whether an .xml algorithm is for calls
    whose buffers are shared.
    Raises InputError for another ending, a file that cannot be written, and a schedule that does not become
    a program: there is none, it is incomplete, or its model moves no data.
    """
    if result.schedule is None:
        raise InputError("there is no schedule to write as a program")
    movement = movement_of(result.placed, result.schedule, chunks)
    write_movement(movement, problem_line(result.problem), fspath(file), Wishes(in_place, not in_place))


def write_movement(movement: Movement, title: str, file: str, wishes: Wishes) -> None:
    """Write data that move as a program, by the file's ending. Raises InputError as `write_program` does."""
    ending = Path(file).suffix
    if ending not in ENDINGS:
        raise InputError(f"a program's name ends in {' or '.join(ENDINGS)}; not {file!r:.60}")
    refuse_output(file)
    if ending == ".py":
        text = mpi_program(movement, title, Path(file).name)
    else:
        text = algorithm_text(msccl_algorithm(movement, wishes), title)
    write_whole(text.encode(), file)
