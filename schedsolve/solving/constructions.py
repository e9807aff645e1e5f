"""The papers' algorithms on a problem, replayed, and the bounds that need no pursuit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from schedsolve.errors import InputError, did_you_mean
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.search import Algorithm, Effort
from schedsolve.models import model_of, models
from schedsolve.problem import Problem
from schedsolve.result import Bound, Result, Status, Value, result_to_json, value_to_json
from schedsolve.schedule import Schedule


@dataclass(frozen=True)
class Construction:
    """A replayed schedule that an algorithm built; node: where it starts or ends, when the problem left that
    open.
    """

    algorithm: Algorithm
    value: Value
    schedule: Schedule
    node: int | None


def construct(
    problem: Problem, algorithm: str | None = None, *, seed: int = 0, seconds: float = 2.0
) -> list[Construction]:
    """Run the algorithms that fit the problem, or the one of the given name; the referee replays every
    schedule.

    seed and seconds are for the algorithms that search.
    Raises InputError for an unknown algorithm, for one that does not work on this problem, or for a problem
    that asks for the worst node.
    """
    model = model_of(problem)
    if problem.rounds is not None:
        raise InputError("an algorithm builds one schedule; --rounds is for solve")
    if problem.choice == "max":
        raise InputError(
            f"an algorithm starts from a given {problem.node_parameter}; `max` is for solve and bounds"
        )
    if problem.period == "min":
        raise InputError("an algorithm works for a given period; --period min is for solve")
    fitting = [a for a in model.algorithms if problem.task in a.tasks]
    if algorithm is not None:
        fitting = [a for a in model.algorithms if a.name == algorithm]
        if not fitting:
            names = ", ".join(a.name for a in model.algorithms if problem.task in a.tasks)
            raise InputError(
                f"unknown algorithm '{algorithm}'{_elsewhere(algorithm)}; for {model.title} {problem.task}"
                f" there are {names}{did_you_mean(algorithm, names.split(', '))}"
            )
        if problem.task not in fitting[0].tasks:
            raise InputError(
                f"{algorithm} is for {', '.join(sorted(fitting[0].tasks))}, not for {problem.task}"
            )
    goal = max((ceil(bound.value) for bound in lower_bounds(model, problem)), default=0)
    nodes = model.promising_nodes(problem) if problem.choice else [None]
    placed = [(node, problem if node is None else problem.at_node(node)) for node in nodes]
    found = []
    for candidate in fitting:
        built = [_build(model, candidate, at, node, Effort(seed, seconds, goal)) for node, at in placed]
        refusals = [answer for answer in built if isinstance(answer, str)]
        if len(refusals) < len(built):
            found.append(
                min((answer for answer in built if not isinstance(answer, str)), key=lambda c: c.value)
            )
        elif algorithm is not None:
            raise InputError(f"{algorithm} does not work here: {refusals[0]}")
    return found


def _elsewhere(algorithm: str) -> str:
    """Of which models there is an algorithm of this name, in words to put after it."""
    titles = [
        model.title for model in models().values() if any(a.name == algorithm for a in model.algorithms)
    ]
    return f" here (it is of {', '.join(titles)})" if titles else ""


def _build(
    model: Model, algorithm: Algorithm, problem: Problem, node: int | None, effort: Effort
) -> Construction | str:
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
    """The result "infeasible", when the cheap lower bounds prove that no number of rounds suffices; None when
    they do not.
    """
    model = model_of(problem)
    horizon, bounds = model.horizon(problem), lower_bounds(model, problem)
    if horizon is None or all(bound.value <= horizon for bound in bounds):
        return None
    return Result(
        problem, Status.INFEASIBLE, model.objective, None, None, tuple(bounds), None, 0.0, horizon=horizon
    )


def construction_to_json(problem: Problem, constructions: Sequence[Construction]) -> dict[str, Any]:
    """The best of some constructions as a result object, with the values of all of them under
    "algorithms".
    """
    model = model_of(problem)
    best = min(constructions, key=lambda c: c.value)
    lower = max(lower_bounds(model, problem), key=lambda bound: bound.value)
    result = Result(
        problem=problem,
        status=Status.OPTIMAL if lower.value == best.value else Status.BOUNDED,
        objective=model.objective,
        value=best.value,
        lower_bound=lower.value,
        bounds=(
            lower,
            Bound(
                "upper",
                best.value,
                f"construction {best.algorithm.name}: {best.algorithm.source}",
                by="construction",
            ),
        ),
        schedule=best.schedule,
        runtime_seconds=0.0,
        node=best.node,
    )
    return {
        **result_to_json(result),
        "algorithms": {c.algorithm.name: value_to_json(c.value) for c in constructions},
    }


def all_bounds(problem: Problem, seconds: float = 5.0) -> list[Bound]:
    """Every lower bound of the model with its source, those that take a search included, and the
    constructions' values as upper bounds.
    """
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
            bounds.append(
                Bound(
                    "upper",
                    c.value,
                    f"construction {c.algorithm.name}: {c.algorithm.source}",
                    by="construction",
                )
            )
    return bounds


def lower_bounds(model: Model, problem: Problem) -> list[Bound]:
    """The lower bounds that are cheap to compute."""
    return [bound for bound in model.bounds(problem) if bound.side == "lower"]
