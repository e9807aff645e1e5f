"""The schedules that may be the best of a plan: solved for, constructed, or laid on the links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import process_time
from typing import Any

from schedsolve.machines.movement.movement import Movement
from schedsolve.machines.movement.saved_schedule import SavedSchedule
from schedsolve.machines.optimum import long_message_model
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import Result, Status, schedule_totals
from schedsolve.modelkit.search import Algorithm, Options
from schedsolve.models import build_problem, models
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError, counted
from schedsolve.runtime.limits.timeout import timeout
from schedsolve.solving.constructions import Construction, construct, result_of
from schedsolve.solving.solve import solve

ROWS_OF_STEPS = 3
"""Numbers of steps that are solved for, from the least that there is."""
ROWS_BUILT, CONSTRUCTING = 4, 0.5
"""Further numbers of steps, for which schedules are constructed only, and the seconds that searches among
these have.
"""
SHORTEST = 0.1
"""Seconds of a solve."""
MOST_STEPS = 64
DEFAULT_SECONDS = 60.0
SHARE_OF_SOLVING = 0.6
"""Of the time limit, to find schedules; timing them takes what is left."""
MOST_LAID = 300_000
"""Sends of an algorithm on the links beyond which it is not written as a schedule."""
SHARE_OF_LONG, SHARE_BUILT = 0.4, 0.1
"""Of the time limit, for the optimum of long messages, and for constructions."""


@dataclass(frozen=True)
class Candidate:
    """A schedule that may be the best for some size. name: in words."""

    name: str
    result: Result
    source: SavedSchedule


def candidates(task: str, network: Network, node: Any, options: Options) -> Iterator[Candidate]:
    """Yield the optimum of long messages, and schedules in few steps, each with more.

    Where nothing is solved in the time, what algorithms construct for long messages takes its place. The
    first numbers of steps are solved for; with more, algorithms build what may be faster for messages of a
    middle size.
    """
    start, limit = process_time(), SHARE_OF_SOLVING * (options.time_limit or DEFAULT_SECONDS)
    problem = long_messages(task, network, node)
    result = solve(problem, replace(options, time_limit=SHARE_OF_LONG * limit))
    if result.indexed is not None:
        yield Candidate("long messages", result, _source(result))
    else:
        for one in construct(problem, seconds=CONSTRUCTING):
            built = result_of(problem, [one])
            yield Candidate(f"long messages, {one.algorithm.name}", built, _source(built))
    try:
        yield from _in_steps(task, network, node, options, start, limit)
    except InputError:
        # The network is too large for this model, as one with too many ways through its switches.
        return


def long_messages(task: str, network: Network, node: Any) -> Problem:
    """Return the problem of long messages.

    Raises
    ------
    InputError
        For what cannot be posed.
    """
    problem: Problem = _problem(long_message_model(), task, network, node, {})
    return problem


def _in_steps(
    task: str, network: Network, node: Any, options: Options, start: float, limit: float
) -> Iterator[Candidate]:
    """Yield schedules in few steps, each number of steps with more, until `limit` seconds after `start`."""
    stepwise, solved, last = _model_of_steps(), 0, MOST_STEPS
    for steps in range(1, MOST_STEPS + 1):
        left = limit - (process_time() - start)
        if solved == ROWS_OF_STEPS or left <= 0:
            break
        last = steps
        share = max(left - SHARE_BUILT * limit, SHORTEST) / (ROWS_OF_STEPS - solved)
        problem = _problem(stepwise, task, network, node, {"steps": steps})
        result = solve(problem, replace(options, time_limit=share))
        solved += result.status is not Status.INFEASIBLE
        yield from _candidate(result)
    for steps in _built_steps(network, last):
        left = limit - (process_time() - start)
        if left <= 0:
            return
        problem = _problem(stepwise, task, network, node, {"steps": steps})
        built: list[Construction] = []
        with timeout(left, of_processor=True):
            built.extend(construct(problem, seconds=CONSTRUCTING))
        for one in built:
            yield from _candidate(result_of(problem, [one]))


def _built_steps(network: Network, solved: int) -> list[int]:
    """Return the numbers of steps above `solved` for which schedules are constructed only.

    The next few; n - 1 and 2n - 2 (once or twice around a ring of n ranks); and one less than each of these,
    which suffices for rings in both directions.
    """
    ranks = len(network.compute_nodes)
    rings = range(ranks - 2, ranks), range(2 * ranks - 3, 2 * ranks - 1)
    wanted = {*range(solved + 1, solved + 1 + ROWS_BUILT), *rings[0], *rings[1]}
    return sorted(steps for steps in wanted if solved < steps <= MOST_STEPS)


def _source(result: Result, *, in_parts: bool = False) -> SavedSchedule:
    return SavedSchedule("the plan", result.placed, result.indexed, result, in_parts=in_parts)


def _candidate(result: Result) -> Iterator[Candidate]:
    """Yield the schedule of a result in steps, if it has one."""
    if result.indexed is not None:
        totals = schedule_totals(result.indexed)
        name = f"{counted(totals['steps'], 'step')}, {counted(totals['chunks'], 'chunk')}"
        yield Candidate(name, result, _source(result, in_parts=True))


def _model_of_steps() -> Model:
    """Return the model of machines whose schedules have a given number of steps."""
    return next(
        model
        for model in models().values()
        if model.machines and all("steps" in {p.name for p in task} for task in model.tasks.values())
    )


def _problem(model: Model, task: str, network: Network, node: Any, more: dict[str, Any]) -> Any:
    ends = {p.name for p in model.tasks.get(task, ())} & {"source", "root"}
    if node is not None and not ends:
        raise InputError(f"--node is for tasks that start or end at one node; {task} does not")
    chosen = node if node is not None else str(network.labels[network.compute_nodes[0]])
    return build_problem(model.name, task, network, {**dict.fromkeys(ends, chosen), **more})


def laid_on_links(name: str, movement: Movement, like: Problem) -> Candidate | None:
    """Return an algorithm laid on the links as a schedule in steps, replayed.

    None where it passes compute nodes, and where it has too many steps or sends.
    """
    network, labels = movement.network, movement.network.labels
    sent = [transfer for step in movement.steps for transfer in step.transfers]
    if len(sent) > MOST_LAID or not all(network.switches.issuperset(one.between) for one in sent):
        return None
    data = {
        "chunks": movement.chunks,
        "steps": [
            {
                "rounds": step.rounds,
                "sends": [
                    {
                        "from": labels[one.sender],
                        "to": labels[one.receiver],
                        "chunks": list(one.chunks),
                        "path": [labels[v] for v in one.between],
                        "adds": one.adds,
                    }
                    for one in step.transfers
                ],
            }
            for step in movement.steps
        ],
    }
    node = None if movement.root is None else str(labels[movement.root])
    model = _model_of_steps()
    problem = _problem(model, like.task, network, node, {"steps": len(movement.steps)})
    schedule = model.form.read(data, network)
    seen = model.replay(problem, schedule)
    if seen.violation:
        return None
    algorithm = Algorithm(name, name, frozenset({like.task}), lambda _: None, lambda *_: schedule)
    result = result_of(problem, [Construction(algorithm, seen.value, schedule, None, network.nodes)])
    return Candidate(name, result, _source(result, in_parts=True))
