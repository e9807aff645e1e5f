"""The schedule in a saved file as data that move: what programs and times are made from."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from schedsolve.certify.saved_files import read_file, schedule_of
from schedsolve.certify.saved_result import read_result
from schedsolve.extensions import part_of_model
from schedsolve.machines.movement.finer_movement import finer
from schedsolve.machines.movement.movement import MOST_TRANSFERS, Cut, Movement, TooManyMessagesError
from schedsolve.machines.optimum import ProvenTime, proven_time
from schedsolve.machines.timing import Costs
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import RESULT_FORMAT, Result
from schedsolve.modelkit.schedule import AnySchedule
from schedsolve.models import folder_of, model_of
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.limits.budget import naming, within

BY_MODEL = "schedsolve.machines.movement.by_model"


def movement_of(
    problem: Problem,
    schedule: Any,
    chunks: int | None = None,
    *,
    most_transfers: int = MOST_TRANSFERS,
    in_lockstep: bool = False,
    in_batches: bool = False,
    latency: Fraction | None = None,
) -> Movement:
    """Return a schedule as data that move in steps, which programs and times are made from.

    problem: with its source or root given. The other arguments are as `Cut` has them. Raises InputError
    for a schedule that is not legal and complete, and for one that is no movement of
    data.
    """
    model = model_of(problem)
    missing = model.replay(problem, schedule).violation
    if missing:
        raise InputError(f"the schedule is not complete: {missing}")
    cut = Cut(chunks, most_transfers, in_lockstep, in_batches, latency)
    part = part_of_model(BY_MODEL, folder_of(problem.model, problem.parameters))
    if part is None:
        raise InputError(f"{problem.model} schedules are not written as programs")
    found: Movement = part.movement(problem, schedule, cut)
    return found


@dataclass(frozen=True)
class SavedSchedule:
    """The schedule in a result or schedule file.

    Attributes
    ----------
    claimed
        What a result claims, whose bound is taken as it stands; None of a schedule file.
    in_parts
        Whether its chunks may be cut into parts where that is faster.
    by_file
        Whether what it claims was read from a file, and is not examined here.
    """

    path: str
    problem: Problem
    schedule: AnySchedule
    claimed: Result | None
    in_parts: bool = False
    by_file: bool = False

    def movement(
        self,
        chunks: int | None = None,
        *,
        most_transfers: int = MOST_TRANSFERS,
        in_lockstep: bool = False,
        in_batches: bool = False,
        costs: Costs | None = None,
    ) -> Movement:
        """Return it as data that move, cut as `Cut` says, for these costs.

        Raises
        ------
        InputError
            If it is not complete or is no movement of data.
        """
        if chunks == 0:
            raise InputError("--chunks takes a number from 1 on")
        try:
            found = movement_of(
                self.problem,
                self.schedule,
                chunks,
                most_transfers=most_transfers,
                in_lockstep=in_lockstep,
                in_batches=in_batches,
                latency=None if costs is None else costs.latency,
            )
            if not self.in_parts or chunks is not None or in_lockstep or costs is None:
                return found
            return finer(found, costs.latency, most_transfers)
        except TooManyMessagesError as error:
            raise TooManyMessagesError(f"{self.path}: {error.reason}", error.chunks) from None
        except InputError as error:
            raise InputError(f"{self.path}: {error}") from None

    def proven(self, movement: Movement) -> ProvenTime | None:
        """Return the least time of its collective that is proven, by the file or computed."""
        return proven_time(movement, self.claimed, by_file=self.by_file)


@within()
def read_saved(path: str) -> SavedSchedule:
    """Return the schedule in a file.

    Raises
    ------
    InputError
        If there is no legal one.
    """
    with naming(path):
        data = read_file(path)
        problem, schedule = schedule_of(data)
        claimed = read_result(data) if data.get("format") == RESULT_FORMAT else None
    return SavedSchedule(path, problem, schedule, claimed, by_file=True)
