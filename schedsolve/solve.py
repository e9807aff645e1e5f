"""Solving a problem: bounds, then constructions, then searches that decide numbers of rounds, until both sides meet or a limit stops it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from schedsolve.errors import InputError
from schedsolve.model import Algorithm, Effort, Model
from schedsolve.models import get_model
from schedsolve.problem import Problem
from schedsolve.pursuit import Clock, Options, Progress, Pursuit, verdict
from schedsolve.result import Bound, Result, Status, result_to_json
from schedsolve.schedule import Call, Schedule

__all__ = ["Construction", "Options", "Progress", "construct", "solve"]


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
    run.certify()
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
    runs[hardest].certify()
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
        interrupted=clock.interrupted,
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


@dataclass(frozen=True)
class Construction:
    """A replayed schedule that an algorithm built; node: where it starts or ends, when the problem left that open."""

    algorithm: Algorithm
    value: int
    schedule: Schedule
    node: int | None


def construct(problem: Problem, algorithm: str | None = None, *, seed: int = 0, seconds: float = 2.0) -> list[Construction]:
    """Run the algorithms that fit the problem, or the one of the given name; the referee replays every schedule.

    seed and seconds are for the algorithms that search.
    Raises InputError for an unknown algorithm, for one that does not work on this problem, or for a problem that asks for the worst node.
    """
    model = get_model(problem.model)
    if problem.rounds is not None:
        raise InputError("an algorithm builds one schedule; --rounds is for solve")
    if problem.choice == "max":
        raise InputError(f"an algorithm starts from a given {problem.node_parameter}; `max` is for solve and bounds")
    fitting = [a for a in model.algorithms if problem.task in a.tasks]
    if algorithm is not None:
        fitting = [a for a in model.algorithms if a.name == algorithm]
        if not fitting:
            names = ", ".join(a.name for a in model.algorithms if problem.task in a.tasks)
            raise InputError(f"unknown algorithm '{algorithm}'; for {problem.model} {problem.task} there are {names}")
        if problem.task not in fitting[0].tasks:
            raise InputError(f"{algorithm} is for {', '.join(sorted(fitting[0].tasks))}, not for {problem.task}")
    goal = max((int(bound.value) for bound in model.bounds(problem)), default=0)
    nodes = model.promising_nodes(problem) if problem.choice else [None]
    placed = [(node, problem if node is None else problem.at_node(node)) for node in nodes]
    found = []
    for candidate in fitting:
        refusals = [candidate.refuse(at) for _, at in placed]
        if all(refusals):
            if algorithm is not None:
                raise InputError(f"{algorithm} does not work here: {refusals[0]}")
            continue
        built = []
        for (node, at), refusal in zip(placed, refusals, strict=True):
            if refusal is None:
                schedule = candidate.build(at, Effort(seed, seconds, goal)).without_empty_end()
                seen = model.replay(at, schedule)
                if seen.violation:
                    raise AssertionError(f"{candidate.name} built an illegal schedule: {seen.violation}")
                built.append(Construction(candidate, seen.value, schedule, node))
        found.append(min(built, key=lambda c: c.value))
    return found


def construction_to_json(problem: Problem, constructions: Sequence[Construction]) -> dict[str, Any]:
    """The best of some constructions as a result object, with the values of all of them under "algorithms"."""
    best = min(constructions, key=lambda c: c.value)
    lower = max((bound for bound in get_model(problem.model).bounds(problem)), key=lambda bound: bound.value)
    result = Result(
        problem=problem,
        status=Status.OPTIMAL if lower.value == best.value else Status.BOUNDED,
        objective="rounds",
        value=best.value,
        lower_bound=lower.value,
        bounds=(lower, Bound("upper", best.value, f"construction {best.algorithm.name}: {best.algorithm.source}")),
        schedule=best.schedule,
        runtime_seconds=0.0,
        node=best.node,
    )
    return {**result_to_json(result), "algorithms": {c.algorithm.name: c.value for c in constructions}}


def all_bounds(problem: Problem, seconds: float = 5.0) -> list[Bound]:
    """Every lower bound of the model with its source, those that take a search included, and the constructions' values as upper bounds."""
    model = get_model(problem.model)
    bounds = list(model.bounds(problem))
    found = model.searched_bound(problem, max((int(bound.value) for bound in bounds), default=0), seconds)
    if found:
        bounds.append(found)
    if problem.choice != "max" and problem.rounds is None:
        for c in construct(problem, seconds=min(1.0, seconds)):
            bounds.append(Bound("upper", c.value, f"construction {c.algorithm.name}: {c.algorithm.source}"))
    return bounds
