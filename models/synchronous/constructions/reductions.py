"""Constructions of reductions: those of copying tasks run backwards, and allreduces put together of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import ranks_of
from schedsolve.modelkit.search import Algorithm, Effort
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

from ..claims.hops import hop_distances, neighbours
from ..rules.mirror import MIRRORED, backwards, mirrored
from ..rules.steps import StepSchedule
from .scatter_allgather import scatter_allgather

ORDER = "it does not keep the order of the nodes"


def with_reductions(algorithms: Sequence[Algorithm]) -> tuple[Algorithm, ...]:
    """Return algorithms for copying tasks that do reductions too.

    These are the copying tasks run backwards; and those for allreduces.
    """
    parts = [algorithm for algorithm in algorithms if not algorithm.rival]
    single = [a for a in algorithms if a.tasks >= {"broadcast", "allgather"}]
    return (
        *map(_run_backwards, (*algorithms, scatter_allgather(parts))),
        *_allreduces(parts),
        *(replace(_through_centre(a, "at-centre"), rival=True) for a in single),
    )


def _run_backwards(algorithm: Algorithm) -> Algorithm:
    tasks = {task for task, copying in MIRRORED.items() if copying in algorithm.tasks}

    def refuse(problem: Problem) -> str | None:
        return ORDER if "ordered" in problem.parameters else algorithm.refuse(mirrored(problem))

    def build(problem: Problem, effort: Effort) -> StepSchedule:
        schedule: StepSchedule = algorithm.build(mirrored(problem), effort)
        return backwards(schedule) if problem.task in MIRRORED else schedule

    return replace(algorithm, tasks=algorithm.tasks | tasks, refuse=refuse, build=build)


def _allreduces(algorithms: Sequence[Algorithm]) -> list[Algorithm]:
    """Return an allreduce for every algorithm for allgathers or broadcasts.

    It is run backwards and forwards, and the best of them counts.
    """
    scattering = [algorithm for algorithm in algorithms if "allgather" in algorithm.tasks]
    rooted = [a for a in algorithms if "broadcast" in a.tasks and "allgather" not in a.tasks]
    names = {"recursive-doubling": "recursive-halving-doubling"}
    found = [
        _there_and_back(
            "reduce-scatter-allgather",
            "the best reduce-scatter and the best allgather of all that are constructed",
            scattering,
            _scattered,
        )
    ]
    for algorithm in scattering:
        name = names.get(algorithm.name, f"{algorithm.name}-allreduce")
        source = f"{algorithm.source}; backwards, then forwards"
        found.append(_there_and_back(name, source, [algorithm], _scattered))
    return [*found, *(_through_centre(algorithm, "allreduce") for algorithm in rooted)]


def _through_centre(algorithm: Algorithm, suffix: str) -> Algorithm:
    """Return the allreduce that sums everything up in the node in the middle, and copies it from there."""
    source = f"{algorithm.source}; to the node in the middle, and back"
    return _there_and_back(f"{algorithm.name}-{suffix}", source, [algorithm], _at_centre)


def _there_and_back(
    name: str,
    source: str,
    parts: Sequence[Algorithm],
    halves: Callable[[Problem], tuple[Problem, Problem, int]],
) -> Algorithm:
    """Return an allreduce by the best of the parts run backwards, then by the best of them."""

    def refusals(half: Problem) -> list[str]:
        answers = [part.refuse(mirrored(half)) for part in parts]
        return [] if None in answers else [answer for answer in answers if answer is not None]

    def refuse(problem: Problem) -> str | None:
        if "ordered" in problem.parameters:
            return ORDER
        if problem.parameters["steps"] < 2:
            return "it takes 2 steps at least"
        try:
            adding, copying, _ = halves(problem)
        except InputError as error:
            return str(error)
        answer = next(iter(refusals(adding) or refusals(copying)), None)
        return answer and f"in {adding.parameters['steps']} and {copying.parameters['steps']} steps: {answer}"

    def best(half: Problem, effort: Effort) -> StepSchedule:
        fitting = [part for part in parts if part.refuse(mirrored(half)) is None]
        built: list[StepSchedule] = [part.build(mirrored(half), effort) for part in fitting]
        return min(built, key=lambda schedule: Fraction(schedule.rounds, schedule.chunks or 1))

    def build(problem: Problem, effort: Effort) -> StepSchedule:
        adding, copying, units = halves(problem)
        return joined(backwards(best(adding, effort)), best(copying, effort), units)

    return Algorithm(name, source, frozenset({"allreduce"}), refuse, build)


def _scattered(problem: Problem) -> tuple[Problem, Problem, int]:
    """Return the reduce-scatter and the allgather that take half of the steps each.

    With them come the parts of the buffer. Raises InputError when the chunks cannot be shared out.
    """
    units, chunks = len(ranks_of(problem)), problem.parameters.get("chunks")
    if chunks is not None and chunks % units:
        raise InputError(f"{chunks} chunks cannot be shared out among {units} compute nodes")
    inner = {} if chunks is None else {"chunks": chunks // units}
    inner |= {name: x for name, x in problem.parameters.items() if name == "ranks"}
    first, second = _halves(problem)
    adding = replace(problem, task="reduce-scatter", parameters={"steps": first, **inner})
    return adding, replace(problem, task="allgather", parameters={"steps": second, **inner}), units


def _at_centre(problem: Problem) -> tuple[Problem, Problem, int]:
    """Return the reduce to the node in the middle and the broadcast from it, in half of the steps each."""
    root = problem.network.labels[centre(problem.network, ranks_of(problem))]
    inner = {k: v for k, v in problem.parameters.items() if k in ("chunks", "ranks")}
    first, second = _halves(problem)
    adding = replace(problem, task="reduce", parameters={"steps": first, "root": root, **inner})
    return (
        adding,
        replace(problem, task="broadcast", parameters={"steps": second, "source": root, **inner}),
        1,
    )


def _halves(problem: Problem) -> tuple[int, int]:
    steps: int = problem.parameters["steps"]
    return steps // 2, steps - steps // 2


def centre(network: Network, ranks: Sequence[int]) -> int:
    """Return the first of some compute nodes with the least distance to the farthest node."""
    near = neighbours(network)
    return min(ranks, key=lambda v: max(hop_distances(near, v).values()))


def joined(first: StepSchedule, second: StepSchedule, units: int) -> StepSchedule:
    """Return a reduction and a copying task one after the other, with as many chunks as both can be cut into.

    Parameters
    ----------
    first
        The schedule that comes first.
    second
        The schedule that follows it.
    units
        Of C chunks each in both, of which the buffer has as many.
    """
    one, other = first.chunks or 1, second.chunks or 1
    chunks = lcm(one, other)
    steps = first.multiplied(chunks // one).steps + second.multiplied(chunks // other).steps
    return StepSchedule(steps, chunks * units)
