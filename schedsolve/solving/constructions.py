"""The papers' algorithms on a problem, replayed, and the bounds that need no solve loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import Bound, Result, Status, Value, value_to_json
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import Algorithm, Effort
from schedsolve.models import model_of, models
from schedsolve.runtime.errors import InputError, did_you_mean


@dataclass(frozen=True)
class Construction:
    """A replayed schedule that an algorithm built.

    Attributes
    ----------
    algorithm
        What built it.
    value
        What the schedule takes.
    indexed, node_index
        The schedule, and where it starts or ends if the problem leaves that open, by node numbers.
    nodes
        The users' nodes, in the order of their numbers.
    """

    algorithm: Algorithm
    value: Value
    indexed: Schedule
    node_index: int | None
    nodes: Sequence[Any] = field(compare=False)

    def __repr__(self) -> str:
        return f"<Construction {self.algorithm.name}: value {value_to_json(self.value)}, {self.indexed!r}>"

    @property
    def schedule(self) -> Schedule:
        """The schedule, whose calls name the users' nodes."""
        return self.indexed.labeled(self.nodes)

    @property
    def node(self) -> Any:
        """The node where it starts or ends, if the problem leaves that open."""
        return None if self.node_index is None else self.nodes[self.node_index]


def construct(
    problem: Problem, algorithm: str | None = None, *, seed: int = 0, seconds: float = 2.0
) -> list[Construction]:
    """Return what the algorithms build that fit the problem, or the one of the given name.

    The referee replays every schedule.

    Parameters
    ----------
    problem
        The problem.
    algorithm
        The algorithm.
    seed, seconds
        For the algorithms that search.

    Raises
    ------
    InputError
        For an unknown algorithm, for one that does not work on this problem, or for a problem that asks for
        the worst node.
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
            found.append(min((c for c in built if not isinstance(c, str)), key=lambda c: c.value))
        elif algorithm is not None:
            raise InputError(f"{algorithm} does not work here: {refusals[0]}")
    return found


def _elsewhere(algorithm: str) -> str:
    """Return the models that have an algorithm of this name, as words to put after the name."""
    titles = [
        model.title for model in models().values() if any(a.name == algorithm for a in model.algorithms)
    ]
    return f" here (it is of {', '.join(titles)})" if titles else ""


def _build(
    model: Model, algorithm: Algorithm, problem: Problem, node: int | None, effort: Effort
) -> Construction | str:
    """Return what an algorithm builds for a problem with its source given, replayed; or why it cannot."""
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
    return Construction(algorithm, seen.value, schedule, node, problem.network.nodes)


def proven_infeasible(problem: Problem) -> Result | None:
    """Return the result "infeasible" if the cheap lower bounds prove it, else None.

    It says that no number of rounds suffices.
    """
    model = model_of(problem)
    horizon, bounds = model.horizon(problem), lower_bounds(model, problem)
    if horizon is None or all(bound.value <= horizon for bound in bounds):
        return None
    return Result(
        problem, Status.INFEASIBLE, model.objective, None, None, tuple(bounds), None, 0.0, horizon=horizon
    )


def result_of(problem: Problem, constructions: Sequence[Construction]) -> Result:
    """Return the best of some constructions as a result, with the lower bounds that are cheap to compute."""
    model = model_of(problem)
    best = min(constructions, key=lambda c: c.value)
    lower = max(lower_bounds(model, problem), key=lambda bound: bound.value)
    return Result(
        problem=problem,
        status=Status.OPTIMAL if lower.value == best.value else Status.BOUNDED,
        objective=model.objective,
        value=best.value,
        lower_bound=lower.value,
        bounds=(lower, Bound("upper", best.value, best.algorithm.reason, by="construction")),
        indexed=best.indexed,
        runtime_seconds=0.0,
        node_index=best.node_index,
        ended=True,
        limits={"search": "none was made"},
    )


def all_bounds(problem: Problem, seconds: float = 5.0) -> list[Bound]:
    """Return every lower bound of the model, and the constructions' values as upper bounds.

    Bounds that take a search of `seconds` are included.
    """
    model = model_of(problem)
    if problem.period == "min":
        raise InputError("a bound is for a given period; --period min is for solve")
    bounds = list(model.bounds(problem))
    lower = max((ceil(bound.value) for bound in bounds if bound.side == "lower"), default=0)
    found = (search.find(problem, lower, seconds) for search in model.bound_searches)
    bounds += [bound for bound in found if bound]
    if problem.choice != "max" and problem.rounds is None:
        built = construct(problem, seconds=min(1.0, seconds))
        bounds += [Bound("upper", c.value, c.algorithm.reason, by="construction") for c in built]
    return bounds


def lower_bounds(model: Model, problem: Problem) -> list[Bound]:
    """Return the lower bounds that are cheap to compute."""
    return [bound for bound in model.bounds(problem) if bound.side == "lower"]
