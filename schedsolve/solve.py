"""Solving a problem: bounds, then constructions, then searches that decide numbers of rounds, until both sides meet or a limit stops it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from schedsolve.errors import InputError
from schedsolve.model import Algorithm, Effort, Model
from schedsolve.models import model_of, models
from schedsolve.problem import Problem
from schedsolve.pursuit import Clock, Options, Progress, Pursuit, verdict
from schedsolve.result import Bound, Result, Status, Value, result_to_json, value_to_json
from schedsolve.schedule import Schedule

__all__ = ["Construction", "Options", "Progress", "construct", "solve"]


def solve(problem: Problem, options: Options | None = None) -> Result:
    """The least number of rounds of a problem, or the decision whether `problem.rounds` suffice, with both sides proven where possible.

    Every schedule in the result was replayed by the model's referee. A KeyboardInterrupt (Ctrl-C) or the time limit ends the solve with
    the best schedule and bounds found so far.
    Raises InputError for a backend that the model does not have.
    """
    options = options or Options()
    model = model_of(problem)
    if model.solver is not None:
        return _replayed(model, model.solver(problem, options))
    backends = sorted({strategy.backend for strategy in model.strategies})
    if options.backend and options.backend not in backends:
        raise InputError(f"{problem.model} has no backend '{options.backend}'; its backends are {', '.join(backends)}")
    clock = Clock(options)
    if problem.period == "min":
        return _solve_least_period(model, problem, options, clock)
    if problem.choice == "max":
        return _solve_worst(model, problem, options, clock)
    run = Pursuit(model, problem, options, clock)
    run.prepare()
    run.pursue()
    run.certify()
    return run.result()


def _replayed(model: Model, result: Result) -> Result:
    """The result of a model's own solver, once the referee has accepted its schedule and its value."""
    if result.schedule is not None:
        seen = model.replay(result.problem, result.schedule)
        if seen.violation or seen.value != result.value:
            raise AssertionError(f"{model.name} built an illegal schedule: {seen.violation or seen.value}")
    return result


def _solve_worst(model: Model, problem: Problem, options: Options, clock: Clock) -> Result:
    """The greatest least number of rounds over all sources (or roots).

    One node of every orbit under the network's symmetries is pursued, only as far as it can matter: until it is proven to need at most
    as many rounds as some other node needs at least. The symmetries carry its schedule over to the other nodes of the orbit.
    """
    bounds = _lower_bounds(model, problem)
    lower = max((int(bound.value) for bound in bounds), default=0)
    carried = _orbits(problem.network.node_count, model.symmetries(problem))
    runs: dict[int, Pursuit] = {}
    for node in carried:
        runs[node] = Pursuit(model, problem.at_node(node), options, clock, floor=lower)
        runs[node].prepare()
        lower = max(lower, runs[node].lower)
    for run in sorted(runs.values(), key=lambda run: -(run.upper or 0)):
        run.floor = lower
        if not any(run.hopeless for run in runs.values()):
            run.pursue()
        lower = max(lower, run.lower)
    worst = max(runs, key=lambda node: (runs[node].upper or 0, runs[node].lower))
    hardest = max(runs, key=lambda node: runs[node].lower)
    runs[hardest].certify()
    upper = runs[worst].upper if all(run.upper is not None for run in runs.values()) else None
    status = Status.INFEASIBLE if runs[hardest].hopeless else verdict(problem.rounds, lower, upper)
    known = upper is not None and status is not Status.INFEASIBLE
    bounds += [replace(bound, node=hardest) for bound in runs[hardest].bounds if bound.side == "lower" and bound not in bounds]
    if upper is not None:
        bounds.append(Bound("upper", upper, "the longest of the schedules of all nodes"))
    return Result(
        problem=problem,
        status=status,
        objective=model.objective,
        value=upper if known else None,
        lower_bound=None if status is Status.INFEASIBLE else lower,
        bounds=tuple(bounds),
        schedule=runs[worst].schedule if known else None,
        runtime_seconds=clock.elapsed,
        node=worst if known else None,
        schedules=_carry_over(runs, carried) if known else {},
        horizon=model.horizon(problem),
        interrupted=clock.interrupted,
        exhausted=not clock.over,
    )


def _lower_bounds(model: Model, problem: Problem) -> list[Bound]:
    return [bound for bound in model.bounds(problem) if bound.side == "lower"]


def _solve_least_period(model: Model, problem: Problem, options: Options, clock: Clock) -> Result:
    """The least period with which the optimum without a period is reached.

    Every period is decided in turn, as a longer one need not be better than a shorter one; one as long as the schedule always does it.
    """
    plain = problem.with_parameters(period=None)
    free = Pursuit(model_of(plain), plain, options, clock)
    free.prepare()
    free.pursue()
    free.certify()
    found = replace(free.result(), problem=problem)
    if found.status is not Status.OPTIMAL or free.schedule is None:
        return found
    rounds = len(free.schedule.rounds)
    shorter: dict[int, tuple[Bound, ...]] = {}
    schedule, node, status = replace(free.schedule, period=max(1, rounds)), free.node, Status.OPTIMAL
    for period in range(1, rounds):
        run = Pursuit(model, problem.with_parameters(period=period, rounds=rounds), options, clock)
        run.prepare()
        run.pursue()
        enough = rounds if run.horizon is None else min(rounds, run.horizon)
        if run.lower <= enough:
            if run.schedule is not None and len(run.schedule.rounds) <= rounds:
                schedule, node = run.schedule, run.node
            else:
                status = Status.BOUNDED
            break
        run.certify()
        shorter[period] = tuple(bound for bound in run.bounds if bound.side == "lower" and bound.value > enough)
    return replace(
        found,
        status=status,
        schedule=schedule,
        node=node,
        shorter_periods=shorter,
        runtime_seconds=clock.elapsed,
        interrupted=clock.interrupted,
        exhausted=not clock.over,
    )


def _carry_over(runs: dict[int, Pursuit], carried: dict[int, dict[int, Sequence[int]]]) -> dict[int, Schedule]:
    """The schedules of all nodes, from those of one node of every orbit."""
    schedules = {}
    for node, images in carried.items():
        schedule = runs[node].schedule
        assert schedule is not None
        for other, image in images.items():
            schedules[other] = schedule.moved(image)
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
    value: Value
    schedule: Schedule
    node: int | None


def construct(problem: Problem, algorithm: str | None = None, *, seed: int = 0, seconds: float = 2.0) -> list[Construction]:
    """Run the algorithms that fit the problem, or the one of the given name; the referee replays every schedule.

    seed and seconds are for the algorithms that search.
    Raises InputError for an unknown algorithm, for one that does not work on this problem, or for a problem that asks for the worst node.
    """
    model = model_of(problem)
    if problem.rounds is not None:
        raise InputError("an algorithm builds one schedule; --rounds is for solve")
    if problem.choice == "max":
        raise InputError(f"an algorithm starts from a given {problem.node_parameter}; `max` is for solve and bounds")
    if problem.period == "min":
        raise InputError("an algorithm works for a given period; --period min is for solve")
    fitting = [a for a in model.algorithms if problem.task in a.tasks]
    if algorithm is not None:
        fitting = [a for a in model.algorithms if a.name == algorithm]
        if not fitting:
            names = ", ".join(a.name for a in model.algorithms if problem.task in a.tasks)
            raise InputError(f"unknown algorithm '{algorithm}'{_elsewhere(algorithm)}; for {model.title} {problem.task} there are {names}")
        if problem.task not in fitting[0].tasks:
            raise InputError(f"{algorithm} is for {', '.join(sorted(fitting[0].tasks))}, not for {problem.task}")
    goal = max((ceil(bound.value) for bound in _lower_bounds(model, problem)), default=0)
    nodes = model.promising_nodes(problem) if problem.choice else [None]
    placed = [(node, problem if node is None else problem.at_node(node)) for node in nodes]
    found = []
    for candidate in fitting:
        built = [_build(model, candidate, at, node, Effort(seed, seconds, goal)) for node, at in placed]
        refusals = [answer for answer in built if isinstance(answer, str)]
        if len(refusals) < len(built):
            found.append(min((answer for answer in built if not isinstance(answer, str)), key=lambda c: c.value))
        elif algorithm is not None:
            raise InputError(f"{algorithm} does not work here: {refusals[0]}")
    return found


def _elsewhere(algorithm: str) -> str:
    """Of which models there is an algorithm of this name, in words to put after it."""
    titles = [model.title for model in models().values() if any(a.name == algorithm for a in model.algorithms)]
    return f" here (it is of {', '.join(titles)})" if titles else ""


def _build(model: Model, algorithm: Algorithm, problem: Problem, node: int | None, effort: Effort) -> Construction | str:
    """What an algorithm builds for a problem with its source given, replayed; or why it cannot."""
    refusal = algorithm.refuse(problem)
    if refusal is not None:
        return refusal
    try:
        schedule = algorithm.build(problem, effort).without_empty_end()
    except InputError as error:
        return str(error)
    seen = model.replay(problem, schedule)
    if seen.violation:
        raise AssertionError(f"{algorithm.name} built an illegal schedule: {seen.violation}")
    return Construction(algorithm, seen.value, schedule, node)


def proven_infeasible(problem: Problem) -> Result | None:
    """The result "infeasible", when the cheap lower bounds prove that no number of rounds suffices; None when they do not."""
    model = model_of(problem)
    horizon, bounds = model.horizon(problem), _lower_bounds(model, problem)
    if horizon is None or all(bound.value <= horizon for bound in bounds):
        return None
    return Result(problem, Status.INFEASIBLE, model.objective, None, None, tuple(bounds), None, 0.0, horizon=horizon)


def construction_to_json(problem: Problem, constructions: Sequence[Construction]) -> dict[str, Any]:
    """The best of some constructions as a result object, with the values of all of them under "algorithms"."""
    model = model_of(problem)
    best = min(constructions, key=lambda c: c.value)
    lower = max(_lower_bounds(model, problem), key=lambda bound: bound.value)
    result = Result(
        problem=problem,
        status=Status.OPTIMAL if lower.value == best.value else Status.BOUNDED,
        objective=model.objective,
        value=best.value,
        lower_bound=lower.value,
        bounds=(lower, Bound("upper", best.value, f"construction {best.algorithm.name}: {best.algorithm.source}")),
        schedule=best.schedule,
        runtime_seconds=0.0,
        node=best.node,
    )
    return {**result_to_json(result), "algorithms": {c.algorithm.name: value_to_json(c.value) for c in constructions}}


def all_bounds(problem: Problem, seconds: float = 5.0) -> list[Bound]:
    """Every lower bound of the model with its source, those that take a search included, and the constructions' values as upper bounds."""
    model = model_of(problem)
    if problem.period == "min":
        raise InputError("a bound is for a given period; --period min is for solve")
    bounds = list(model.bounds(problem))
    lower = max((ceil(bound.value) for bound in bounds if bound.side == "lower"), default=0)
    found = model.searched_bound(problem, lower, seconds)
    if found:
        bounds.append(found)
    if problem.choice != "max" and problem.rounds is None:
        for c in construct(problem, seconds=min(1.0, seconds)):
            bounds.append(Bound("upper", c.value, f"construction {c.algorithm.name}: {c.algorithm.source}"))
    return bounds
