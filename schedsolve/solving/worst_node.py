"""The worst source or root: the greatest least number of rounds over all nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from schedsolve.limits.deadline import deadline
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.search import Clock, Options
from schedsolve.network.orbits import carriers
from schedsolve.problem import Problem
from schedsolve.result import Bound, Result, Status, Value
from schedsolve.schedule import Schedule
from schedsolve.solving.constructions import lower_bounds
from schedsolve.solving.pursuit import GRACE_SECONDS, Pursuit
from schedsolve.solving.verdict import verdict


def solve_worst(model: Model, problem: Problem, options: Options, clock: Clock) -> Result:
    """The greatest least number of rounds over all sources (or roots).

    One node of every orbit under the network's symmetries is pursued, only as far as it can matter: until it
    is proven to need at most as many rounds as some other node needs at least. The symmetries carry its
    schedule over to the other nodes of the orbit.
    """
    bounds: list[Bound] = []
    symmetries: Sequence[Sequence[int]] = ()
    with deadline(max(0.0, clock.left) + GRACE_SECONDS):
        bounds += lower_bounds(model, problem)
        symmetries = model.symmetries(problem)
    lower: Value = max((bound.value for bound in bounds), default=0)
    carried = carriers(problem.network.node_count, symmetries)
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
    status = Status.INFEASIBLE if runs[hardest].hopeless else verdict(problem.asked, lower, upper)
    known = upper is not None and status is not Status.INFEASIBLE
    bounds += [
        replace(bound, node=hardest)
        for bound in runs[hardest].bounds
        if bound.side == "lower" and bound not in bounds
    ]
    if upper is not None and known:
        bounds.append(Bound("upper", upper, "the longest of the schedules of all nodes", by="construction"))
    found = {node: run.schedule for node, run in runs.items() if run.schedule is not None}
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
        schedules=_CarriedOver(found, carried) if known else {},
        horizon=model.horizon(problem),
        interrupted=clock.interrupted,
        exhausted=not clock.over,
    )


class _CarriedOver(Mapping[int, Schedule]):
    """The schedules of all nodes, each made when it is asked for from that of one node of its orbit: all
    together they are many times as long as what was searched.
    """

    def __init__(self, found: Mapping[int, Schedule], carried: Mapping[int, Mapping[int, Sequence[int]]]):
        self._origin = {
            other: (found[node], image) for node, images in carried.items() for other, image in images.items()
        }

    def __getitem__(self, node: int) -> Schedule:
        schedule, image = self._origin[node]
        return schedule.moved(image)

    def __iter__(self) -> Iterator[int]:
        return iter(self._origin)

    def __len__(self) -> int:
        return len(self._origin)
