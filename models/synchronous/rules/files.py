"""Schedules of the synchronous model in JSON.

{"chunks": C, "steps": [{"rounds": 2, "sends": [{"from": u, "to": v, "chunks": [0, 3], "path": [switches],
"adds": true}]}]}; "path" only through switches, "adds" only in reductions, "chunks" of the schedule only
where the problem does not say it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

from .steps import Send, Step, StepSchedule

LARGEST_NUMBER = 10**9
"""The greatest number of rounds, and of a chunk, that a file may give."""


class StepForm:
    """The form of schedules in steps (`schedsolve.modelkit.form.ScheduleForm`)."""

    schedule = StepSchedule

    def read(self, data: Any, network: Network) -> StepSchedule:
        """`read_steps`."""
        return read_steps(data, network)


def read_steps(data: Any, network: Network) -> StepSchedule:
    """Return the schedule in a JSON object.

    Raises
    ------
    InputError
        If it is none, or names a node that is none.
    """
    if (
        not isinstance(data, Mapping)
        or not isinstance(data.get("steps"), list)
        or not set(data) <= {"chunks", "steps"}
    ):
        raise InputError(
            'a schedule in steps is {"chunks": C, "steps": [{"rounds": r, "sends": [...]}, ...]}; not'
            f" {data!r:.60}"
        )
    chunks = data.get("chunks")
    if chunks is not None and not _is_number(chunks, 1):
        raise InputError(f'"chunks" of a schedule is a number from 1 on, not {chunks!r:.60}')
    return StepSchedule(
        tuple(_step(entry, network, number) for number, entry in enumerate(data["steps"], 1)), chunks
    )


def _is_number(value: Any, least: int) -> bool:
    return type(value) is int and least <= value <= LARGEST_NUMBER


def _step(data: Any, network: Network, number: int) -> Step:
    if (
        not isinstance(data, Mapping)
        or set(data) != {"rounds", "sends"}
        or not _is_number(data["rounds"], 0)
        or not isinstance(data["sends"], list)
    ):
        raise InputError(
            f'step {number}: a step is {{"rounds": r, "sends": [...]}} with r from 1 on; not {data!r:.60}'
        )
    return Step(data["rounds"], tuple(_send(entry, network, number) for entry in data["sends"]))


def _send(data: Any, network: Network, number: int) -> Send:
    if (
        not isinstance(data, Mapping)
        or set(data) - {"path", "adds"} != {"from", "to", "chunks"}
        or not isinstance(data["chunks"], list)
        or not all(_is_number(chunk, 0) for chunk in data["chunks"])
        or not isinstance(data.get("path", []), list)
        or not isinstance(data.get("adds", False), bool)
    ):
        raise InputError(
            f'step {number}: a send is {{"from": u, "to": v, "chunks": [numbers], "path": [switches]}}, in a'
            ' reduction perhaps with "adds": true; not'
            f" {data!r:.60}"
        )
    names = [data["from"], data["to"], *data.get("path", [])]
    try:
        sender, receiver, *switches = (network.node(name) for name in names)
    except InputError as error:
        raise InputError(f"step {number}: {error}") from None
    return Send(sender, receiver, tuple(data["chunks"]), tuple(switches), data.get("adds", False))
