"""Solving a problem: bounds, then constructions, then searches that decide numbers of rounds, until both sides meet or a limit stops it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from schedsolve.errors import InputError
from schedsolve.model import Model
from schedsolve.models import get_model
from schedsolve.problem import Problem
from schedsolve.pursuit import Clock, Options, Progress, Pursuit, verdict
from schedsolve.result import Bound, Result, Status
from schedsolve.schedule import Call, Schedule

__all__ = ["Options", "Progress", "solve"]


def solve(problem: Problem, options: Options | None = None) -> Result:
    """The least number of rounds of a problem, or the decision whether `problem.rounds` suffice, with both sides proven where possible.

    Every schedule in the result was replayed by the model's referee. A KeyboardInterrupt (Ctrl-C) or the time limit ends the solve with
    the best schedule and bounds found so far.
    Raises InputError for a backend that the model does not have.
    """
    options = options or Options()
    model = get_model(problem.model)
    backends = sorted({strategy.backend for strategy in model.strategies})
    if options.backend and options.backend not in backends:
        raise InputError(f"{problem.model} has no backend '{options.backend}'; its backends are {', '.join(backends)}")
    clock = Clock(options)
    if problem.choice == "max":
        return _solve_worst(model, problem, options, clock)
    run = Pursuit(model, problem, options, clock)
    run.prepare()
    run.pursue()
    return run.result()


def _solve_worst(model: Model, problem: Problem, options: Options, clock: Clock) -> Result:
    """The greatest least number of rounds over all sources (or roots).

    One node of every orbit under the network's symmetries is pursued, only as far as it can matter: until it is proven to need at most
    as many rounds as some other node needs at least. The symmetries carry its schedule over to the other nodes of the orbit.
    """
    bounds = list(model.bounds(problem))
    lower = max((int(bound.value) for bound in bounds), default=0)
    carried = _orbits(problem.network.node_count, model.symmetries(problem))
    runs: dict[int, Pursuit] = {}
    for node in carried:
        runs[node] = Pursuit(model, problem.at_node(node), options, clock, floor=lower)
        runs[node].prepare()
        lower = max(lower, runs[node].lower)
    for run in sorted(runs.values(), key=lambda run: -(run.upper or 0)):
        run.floor = lower
        run.pursue()
        lower = max(lower, run.lower)
    worst = max(runs, key=lambda node: (runs[node].upper or 0, runs[node].lower))
    hardest = max(runs, key=lambda node: runs[node].lower)
    upper = runs[worst].upper if all(run.upper is not None for run in runs.values()) else None
    status = verdict(problem.rounds, lower, upper)
    known = upper is not None and status is not Status.INFEASIBLE
    bounds += [replace(bound, node=hardest) for bound in runs[hardest].bounds if bound.side == "lower" and bound not in bounds]
    if upper is not None:
        bounds.append(Bound("upper", upper, "the longest of the schedules of all nodes"))
    return Result(
        problem=problem,
        status=status,
        objective="rounds",
        value=upper if known else None,
        lower_bound=None if status is Status.INFEASIBLE else lower,
        bounds=tuple(bounds),
        schedule=runs[worst].schedule if known else None,
        runtime_seconds=clock.elapsed,
        node=worst if known else None,
        schedules=_carry_over(runs, carried) if known else {},
    )


def _carry_over(runs: dict[int, Pursuit], carried: dict[int, dict[int, Sequence[int]]]) -> dict[int, Schedule]:
    """The schedules of all nodes, from those of one node of every orbit."""
    schedules = {}
    for node, images in carried.items():
        schedule = runs[node].schedule
        assert schedule is not None
        for other, image in images.items():
            schedules[other] = Schedule(
                tuple(tuple(Call(image[c.sender], image[c.receiver], c.two_way) for c in calls) for calls in schedule.rounds)
            )
    return schedules


def _orbits(node_count: int, symmetries: Sequence[Sequence[int]]) -> dict[int, dict[int, Sequence[int]]]:
    """For one node of every orbit, the nodes of its orbit, each with an automorphism that carries the first one there."""
    orbits: dict[int, dict[int, Sequence[int]]] = {}
    seen: set[int] = set()
    for first in range(node_count):
        if first not in seen:
            images: dict[int, Sequence[int]] = {first: range(node_count)}
            queue = [first]
            for v in queue:
                for image in symmetries:
                    if image[v] not in images:
                        images[image[v]] = [image[w] for w in images[v]]
                        queue.append(image[v])
            seen.update(images)
            orbits[first] = images
    return orbits
