"""How long a schedule takes on its machine, beside the textbook's algorithms: computed, and as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from schedsolve.errors import InputError
from schedsolve.modelkit.movement import Movement
from schedsolve.models import model_of, movement_of
from schedsolve.problem import Problem
from schedsolve.report.text import problem_line
from schedsolve.report.textbook import textbook
from schedsolve.report.timing import Costs, Timing, timing
from schedsolve.result import Result

MOST_LINES = 40
"""Steps, and links, that are listed."""


@dataclass(frozen=True)
class Times:
    """What a schedule takes, and the textbook's algorithms for the same on the same machine, by name."""

    problem: Problem
    schedule: Timing
    textbook: Mapping[str, Timing]

    @property
    def seconds(self) -> Mapping[str, Fraction]:
        """The seconds of all of them, exactly; the schedule's first, as "this schedule"."""
        return {
            name: each.seconds for name, each in {"this schedule": self.schedule, **self.textbook}.items()
        }

    def __str__(self) -> str:
        """What the command line prints."""
        counted = model_of(self.problem).machines
        lines = [problem_line(self.problem), *_own_lines(self.schedule, counted), *self._beside()]
        return "\n".join(lines)

    def _beside(self) -> list[str]:
        own, lines = self.schedule.seconds, ["the textbook on the same machine:"] if self.textbook else []
        for name, other in self.textbook.items():
            times = f", {float(other.seconds / own):.2f} times as long" if own else ""
            lines.append(f"  {name}: {_s(other.seconds)}, {len(other.steps)} steps{times}")
        return lines


def times(
    result: Result,
    *,
    alpha: float | str | Fraction,
    beta: float | str | Fraction,
    size: int,
    chunks: int | None = None,
) -> Times:
    """How long a result's schedule takes on its machine, beside the textbook's algorithms.

    alpha: seconds of a step. beta: seconds a byte on a link of bandwidth 1. Both are exact as text, such as
    "5e-6". size: bytes of a unit, cut into the chunks. chunks: of a unit, where the schedule leaves that
    open. Raises InputError for costs that are none, and where there is no complete schedule of data that
    move.
    """
    if result.schedule is None:
        raise InputError("there is no schedule whose time could be told")
    movement = movement_of(result.placed, result.schedule, chunks)
    return times_of(result.problem, movement, Costs(Fraction(alpha), Fraction(beta), size))


def times_of(problem: Problem, movement: Movement, costs: Costs) -> Times:
    """The times of a movement. Raises InputError for costs that are none."""
    others = {name: timing(made, costs) for name, made in textbook(movement)}
    return Times(problem, timing(movement, costs), others)


def _s(value: Fraction) -> str:
    return f"{float(value):.4g} s"


def _own_lines(ours: Timing, counted: bool) -> list[str]:
    """The times. counted: whether rounds are counted by what links carry, so that they tell a time too."""
    movement, costs = ours.movement, ours.costs
    labels = movement.network.labels
    lines = [
        f"{costs.size} bytes a unit in {movement.chunks} chunks; alpha {_s(costs.alpha)} a step, beta"
        f" {_s(costs.beta)} a byte",
        f"total {_s(ours.seconds)}: {len(ours.steps)} steps, each as long as its busiest link",
    ]
    if counted:
        lines.append(
            f"by the rounds {_s(ours.seconds_by_rounds)}: S alpha + (R/C) L beta with S = {len(ours.steps)},"
            f" R = {movement.rounds}, C = {movement.chunks}"
        )
    for number, step in enumerate(ours.steps[:MOST_LINES], 1):
        link = step.busiest
        words = "nothing is sent"
        if link is not None:
            name = f"{labels[link[0]]} to {labels[link[1]]}"
            words = f"busiest {name}, {step.loads[link]} chunks"
        lines.append(f"  step {number}: {_s(step.seconds)}; {len(step.loads)} links, {words}")
    if len(ours.steps) > MOST_LINES:
        lines.append(f"  and {len(ours.steps) - MOST_LINES} steps more")
    for link, (count, busy) in list(ours.links.items())[:MOST_LINES]:
        share = f"{float(busy / ours.seconds):.0%} of the time" if ours.seconds else "no time"
        lines.append(f"  link {labels[link[0]]} to {labels[link[1]]}: {count} chunks, {_s(busy)}, {share}")
    if len(ours.links) > MOST_LINES:
        lines.append(f"  and {len(ours.links) - MOST_LINES} links with no more")
    return lines
