"""A schedule that a solve starts from: a user's or a peer's, which the referee replays before it counts."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike, fspath
from typing import Any

from schedsolve.certify.saved_files import read_schedule
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import Result
from schedsolve.modelkit.schedule import AnySchedule
from schedsolve.runtime.errors import InputError, shown

REASON = "the schedule to start from"


def started(model: Model, problem: Problem, given: Any) -> tuple[Problem, AnySchedule]:
    """Return the schedule to start from, and the problem that it solves, its source or root given.

    Parameters
    ----------
    model, problem
        The problem and its model's record.
    given
        A result, a schedule on the users' nodes or on 0..n-1, or the name of a result or schedule file.

    Raises
    ------
    InputError
        If it does not solve the problem; the first broken rule, or who misses what.
    """
    if problem.choice == "max" or problem.period == "min":
        raise InputError("a solve starts from a schedule for one source or root, and one period")
    schedule = model.form.read(_data(problem, given), problem.network)
    nodes = range(problem.network.node_count) if problem.choice else [None]
    violation = None
    for node in nodes:
        placed = problem if node is None else problem.at_node(node)
        seen = model.replay(placed, schedule)
        if seen.violation is None:
            return placed, schedule
        violation = violation or seen.violation
    raise InputError(f"{REASON} does not solve the problem: {violation}")


def _data(problem: Problem, given: Any) -> Any:
    """Return a schedule as JSON data with the labels of the problem's network."""
    labels: Any = problem.network.labels
    if isinstance(given, str | PathLike):
        saved, schedule = read_schedule(fspath(given))
        return schedule.to_json(saved.network.labels)
    if isinstance(given, Result):
        if given.indexed is None:
            raise InputError(f"{REASON} is missing: the result has none")
        return given.indexed.to_json(given.problem.network.labels)
    if not hasattr(given, "indexed"):
        raise InputError(
            f"{REASON} is a result, a schedule or a file of one, not {shown(given)}; Schedule.two_way and"
            " Schedule.one_way make one of pairs of nodes"
        )
    if given.indexed is not given:
        labels = dict(zip(problem.network.nodes, labels, strict=True))
    try:
        return replace(given, origin=None).to_json(labels)
    except (KeyError, IndexError):
        raise InputError(f"{REASON} has a node that is not one of the network") from None
