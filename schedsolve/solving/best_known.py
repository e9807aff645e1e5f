"""What is known of a problem while it is solved: the bounds on both sides, and the best schedule."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import ceil

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import Bound, Maker, Status, Value
from schedsolve.modelkit.schedule import AnySchedule
from schedsolve.runtime.display.progress import log


@dataclass
class BestKnown:
    """The best bounds and the best schedule of a problem with one value to find.

    Attributes
    ----------
    floor
        An upper bound this low is as good as an optimum.
    lower, upper
        The best bounds; `upper` is None before the first schedule.
    node
        Where the schedule starts or ends, if the problem leaves that open.
    bounds
        All that were found, with their evidence, in order.
    """

    model: Model
    problem: Problem
    floor: Value = 0
    lower: Value = 0
    upper: Value | None = None
    schedule: AnySchedule | None = None
    node: int | None = None
    bounds: list[Bound] = field(default_factory=list)

    @cached_property
    def horizon(self) -> int | None:
        """A value that is enough whenever any value is; None if every problem of the model has a schedule."""
        return self.model.horizon(self.problem)

    @property
    def infeasible(self) -> bool:
        """Whether it is proven that no value suffices."""
        return self.horizon is not None and self.lower > self.horizon

    @property
    def settled(self) -> bool:
        """Whether the question is answered: the bounds meet, or decide the value asked about."""
        lower, upper, asked = self.lower, self.upper, self.problem.asked
        enough = max(lower, self.floor) if asked is None else max(lower, self.floor, asked)
        exceeded = asked is not None and lower > asked
        return self.infeasible or exceeded or (upper is not None and upper <= enough)

    @property
    def status(self) -> Status:
        """The status that follows from the bounds."""
        return Status.INFEASIBLE if self.infeasible else verdict(self.problem.asked, self.lower, self.upper)

    @property
    def goal(self) -> int:
        """The value that would settle the question, rounded up."""
        return ceil(max(self.lower, self.floor, self.problem.asked or 0))

    def is_open(self, value: Value) -> bool:
        """Return whether it is unknown if a value suffices."""
        return self.lower <= value and (self.upper is None or value < self.upper)

    def add_bound(self, bound: Bound) -> None:
        """Add a bound; the evidence of an upper one stands in for a schedule."""
        self.bounds.append(bound)
        if bound.side == "lower":
            if bound.value > self.lower:
                log("DEBUG", "%s", bound)
            self.lower = max(self.lower, bound.value)
        elif self.upper is None or bound.value < self.upper:
            self.upper, self.schedule, self.node = bound.value, None, None

    def add_schedule(self, problem: Problem, schedule: AnySchedule, reason: str, by: Maker) -> None:
        """Replay a schedule, and keep it if it is better than the best one.

        Parameters
        ----------
        problem
            With its source given.
        schedule
            The schedule.
        reason, by
            How the schedule came about.

        Raises
        ------
        AssertionError
            For an illegal schedule.
        """
        schedule = schedule.without_empty_end()
        seen = self.model.replay(problem, schedule)
        if seen.violation:
            raise AssertionError(f"{reason} built an illegal schedule: {seen.violation}")
        if self.upper is None or seen.value < self.upper:
            self.upper, self.schedule = seen.value, schedule
            log("DEBUG", "schedule of value %s: %s", seen.value, reason)
            self.node = problem.sources[0] if self.problem.choice else None
            self.bounds.append(Bound("upper", seen.value, reason, by=by))


def verdict(asked: Value | None, lower: Value, upper: Value | None) -> Status:
    """Return the status that follows from a lower and an upper bound on the least value.

    Parameters
    ----------
    asked
        The value to decide; None if the least is to be found.
    lower
        The best lower bound.
    upper
        The best value known, or None.
    """
    if asked is None:
        return Status.OPTIMAL if upper == lower else Status.BOUNDED
    if lower > asked:
        return Status.INFEASIBLE
    return Status.FEASIBLE if upper is not None and upper <= asked else Status.UNKNOWN
