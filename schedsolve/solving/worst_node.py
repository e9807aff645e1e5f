"""The worst source or root: the greatest least number of rounds over all nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.refutation import problem_symmetries
from schedsolve.modelkit.result import Bound, Result, Status, Value
from schedsolve.modelkit.schedule import AnySchedule
from schedsolve.modelkit.search import Options
from schedsolve.network.orbits import carriers
from schedsolve.solving.best_known import verdict
from schedsolve.solving.clock import Clock
from schedsolve.solving.constructions import lower_bounds
from schedsolve.solving.solve_loop import SolveLoop


def solve_worst(model: Model, problem: Problem, options: Options, clock: Clock) -> Result:
    """Return the greatest least number of rounds over all sources (or roots).

    One node of every orbit under the network's symmetries is solved, only as far as it can matter: until it
    is proven to need at most as many rounds as some other node needs at least. The symmetries carry its
    schedule over to the other nodes of the orbit.
    """
    bounds: list[Bound] = []
    symmetries: Sequence[Sequence[int]] = ()
    with clock.interrupting():
        bounds += lower_bounds(model, problem)
        symmetries = problem_symmetries(problem, 1)
    lower: Value = max((bound.value for bound in bounds), default=0)
    carried = carriers(problem.network.node_count, symmetries)
    loops: dict[int, SolveLoop] = {}
    for node in carried:
        loops[node] = SolveLoop(model, problem.at_node(node), options, clock, floor=lower)
        loops[node].prepare()
        lower = max(lower, loops[node].best.lower)
    known = {node: loop.best for node, loop in loops.items()}
    for i, loop in enumerate(sorted(loops.values(), key=lambda loop: -(loop.best.upper or 0))):
        loop.best.floor = lower
        if not any(best.infeasible for best in known.values()):
            loop.run(schedules_first=i > 0)
        lower = max(lower, loop.best.lower)
    worst = max(known, key=lambda node: (known[node].upper or 0, known[node].lower))
    hardest = max(known, key=lambda node: known[node].lower)
    loops[hardest].certify()
    upper = known[worst].upper if all(best.upper is not None for best in known.values()) else None
    status = Status.INFEASIBLE if known[hardest].infeasible else verdict(problem.asked, lower, upper)
    if status is Status.INFEASIBLE:
        upper = None
    bounds += [
        replace(bound, node=hardest)
        for bound in known[hardest].bounds
        if bound.side == "lower" and bound not in bounds
    ]
    if upper is not None:
        bounds.append(Bound("upper", upper, "the longest of the schedules of all nodes", by="construction"))
    found = {node: best.schedule for node, best in known.items() if best.schedule is not None}
    return Result(
        problem=problem,
        status=status,
        objective=model.objective,
        value=upper,
        lower_bound=None if status is Status.INFEASIBLE else lower,
        bounds=tuple(bounds),
        indexed=known[worst].schedule if upper is not None else None,
        runtime_seconds=clock.elapsed,
        node_index=worst if upper is not None else None,
        indexed_schedules=_CarriedOver(found, carried) if upper is not None else {},
        horizon=model.horizon(problem),
        interrupted=clock.interrupted,
        ended=not clock.over,
        limits={name: why for loop in loops.values() for name, why in loop.limits.items()},
    )


class _CarriedOver(Mapping[int, AnySchedule]):
    """The schedules of all nodes, each made on demand from that of one node of its orbit.

    Together they are many times as long as what was searched.
    """

    def __init__(self, found: Mapping[int, AnySchedule], carried: Mapping[int, Mapping[int, Sequence[int]]]):
        self._origin = {
            other: (found[node], image) for node, images in carried.items() for other, image in images.items()
        }

    def __getitem__(self, node: int) -> AnySchedule:
        schedule, image = self._origin[node]
        return schedule.moved(image)

    def __iter__(self) -> Iterator[int]:
        return iter(self._origin)

    def __len__(self) -> int:
        return len(self._origin)
