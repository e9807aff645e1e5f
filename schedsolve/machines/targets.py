"""What programs are written for: how each is written, under which file names, and how much it can hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from schedsolve.machines.chakra.writer import chakra_traces
from schedsolve.machines.movement.movement import MOST_TRANSFERS, Movement
from schedsolve.machines.mpi_program import mpi_program
from schedsolve.machines.msccl import NOT_WRITTEN
from schedsolve.machines.mscclpp.writer import PlanOptions, plan_text
from schedsolve.machines.torch_program import least_digits, torch_program
from schedsolve.runtime.errors import InputError, cut

MOST_BYTES = 10**6
"""Of a file."""


@dataclass(frozen=True)
class Wanted:
    """How a program is to be.

    Attributes
    ----------
    file
        Under which name.
    title
        What it carries out, a line.
    plan
        How a plan for MSCCL++ is to be.
    unit
        The bytes of a unit, where the program names sizes.
    """

    file: str
    title: str
    plan: PlanOptions = field(default_factory=PlanOptions)
    unit: int = 2**20


Writer = Callable[[Movement, Wanted], Mapping[str, bytes]]
"""The contents of the files of a program, by name; raises InputError where it cannot be expressed."""


@dataclass(frozen=True)
class Target:
    """What programs are written for.

    Attributes
    ----------
    name
        For --for.
    endings
        Of its files; "" is a name without one.
    write
        How.
    least_bytes
        That a message takes in it.
    file_for_each_rank
        Whether a program is that.
    in_batches
        Whether its ranks send and receive a batch at a time, and wait for all of it.
    told
        Whether its first ending tells it where no target is named.
    most_transfers
        That are put in order for it in a reasonable time.
    least_of_all
        The bytes that all transfers take at least, in whatever batches, where messages alone say less.
    """

    name: str
    endings: tuple[str, ...]
    write: Writer
    least_bytes: int
    file_for_each_rank: bool = False
    in_batches: bool = False
    told: bool = True
    most_transfers: int = MOST_TRANSFERS
    least_of_all: Callable[[Movement], int] = lambda _: 0

    def most_messages(self, ranks: int) -> int:
        """Return how many a program for so many ranks can have at most."""
        files = ranks if self.file_for_each_rank else 1
        return min(self.most_transfers, MOST_BYTES * files // self.least_bytes)

    def written(self, movement: Movement, wanted: Wanted) -> tuple[Mapping[str, bytes], str | None]:
        """Return the files of a program, and why it is refused; None when it is not."""
        if reason := self.too_large(movement):
            return {}, reason
        try:
            files = self.write(movement, wanted)
        except InputError as error:
            return {}, str(error)
        largest = max(map(len, files.values()))
        if largest > MOST_BYTES:
            return {}, self._refusal(movement, f"{largest / 1e6:.1f}")
        return files, None

    def too_large(self, movement: Movement) -> str | None:
        """Return why a program is refused for its size before it is written; None when it may fit."""
        least = max(self.least_bytes * movement.messages, self.least_of_all(movement))
        if least <= MOST_BYTES * (movement.layout.ranks if self.file_for_each_rank else 1):
            return None
        return self._refusal(movement, f"at least {least / 1e6:.1f}")

    def _refusal(self, movement: Movement, megabytes: str) -> str:
        return f"with {movement.chunks} chunks the program has {megabytes} MB, and 1 MB is the most"


def target_of(file: str, name: str | None = None) -> Target:
    """Return the target of that name, or the one that a file's ending tells.

    Raises
    ------
    InputError
        For a name or an ending that no target has; for MSCCL XML it names the target that takes its place.
    """
    ending = Path(file).suffix
    if name == "msccl" or (name is None and ending.lower() == ".xml"):
        raise InputError(NOT_WRITTEN)
    if name is None:
        if ending not in TELLING:
            raise InputError(f"a program's name ends in {' or '.join(TELLING)}; not {file!r:.60}")
        return TELLING[ending]
    target = TARGETS.get(name)
    if target is None:
        raise InputError(f"programs are for {', '.join(TARGETS)}; not {name!r:.60}")
    if ending not in target.endings:
        raise InputError(f"the name of a program for {name} ends in {target.endings[0]}; not {cut(file)}")
    return target


def _mpi(movement: Movement, wanted: Wanted) -> Mapping[str, bytes]:
    return {wanted.file: mpi_program(movement, wanted.title, Path(wanted.file).name).encode()}


def _torch(movement: Movement, wanted: Wanted) -> Mapping[str, bytes]:
    return {wanted.file: torch_program(movement, wanted.title, Path(wanted.file).name).encode()}


def _mscclpp(movement: Movement, wanted: Wanted) -> Mapping[str, bytes]:
    return {wanted.file: plan_text(movement, wanted.plan).encode()}


def _chakra(movement: Movement, wanted: Wanted) -> Mapping[str, bytes]:
    return chakra_traces(movement, wanted.title, wanted.file, wanted.unit)


TARGETS = {
    target.name: target
    for target in (
        Target("mpi", (".py",), _mpi, 5),
        Target(
            "torch",
            (".py",),
            _torch,
            2,
            in_batches=True,
            told=False,
            most_transfers=250_000,
            least_of_all=least_digits,
        ),
        Target("mscclpp", (".json",), _mscclpp, 250, told=False),
        Target("chakra", (".et", ""), _chakra, 150, file_for_each_rank=True),
    )
}
"""By name."""
TELLING = {target.endings[0]: target for target in TARGETS.values() if target.told}
"""By the ending that tells them."""
