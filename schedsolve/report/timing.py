"""How long data that move take on their machine, step by step and link by link.

A step takes alpha, and as long as its busiest link: its bytes times beta, divided by its bandwidth. So alpha
is the time of a step in which next to nothing is sent, in seconds, and beta the seconds that a byte takes on
a link of bandwidth 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from schedsolve.errors import InputError
from schedsolve.modelkit.movement import Link, Movement


@dataclass(frozen=True)
class Costs:
    """alpha: seconds a step. beta: seconds a byte on a link of bandwidth 1. size: bytes of a unit."""

    alpha: Fraction
    beta: Fraction
    size: int


@dataclass(frozen=True)
class StepTime:
    """A step: the chunks that each link carries, and the seconds that it is busy; the seconds of the step."""

    loads: Mapping[Link, int]
    busy: Mapping[Link, Fraction]
    seconds: Fraction

    @property
    def busiest(self) -> Link | None:
        """The link that is busy longest; None when nothing is sent."""
        return min(self.busy, key=lambda link: (-self.busy[link], link), default=None)


@dataclass(frozen=True)
class Timing:
    """A movement on its machine, priced. steps: in order."""

    movement: Movement
    costs: Costs
    steps: tuple[StepTime, ...]

    @cached_property
    def seconds(self) -> Fraction:
        """All steps, one after another."""
        return sum((step.seconds for step in self.steps), Fraction(0))

    @property
    def seconds_by_rounds(self) -> Fraction:
        """S alpha + (R/C) L beta, with the rounds R that the steps last in their model."""
        movement, costs = self.movement, self.costs
        per_chunk = Fraction(movement.rounds, movement.chunks)
        return len(self.steps) * costs.alpha + per_chunk * costs.size * costs.beta

    @cached_property
    def links(self) -> dict[Link, tuple[int, Fraction]]:
        """Of every link that is used, the chunks that it carries and the seconds that it is busy, busiest
        first.
        """
        total: dict[Link, tuple[int, Fraction]] = {}
        for step in self.steps:
            for link, count in step.loads.items():
                before = total.get(link, (0, Fraction(0)))
                total[link] = before[0] + count, before[1] + step.busy[link]
        return dict(sorted(total.items(), key=lambda item: (-item[1][1], item[0])))


def timing(movement: Movement, costs: Costs) -> Timing:
    """The times of a movement. Raises InputError for costs that are none."""
    if costs.alpha < 0 or costs.beta < 0 or costs.size < 1:
        raise InputError("--alpha and --beta are seconds from 0 on, and --size is bytes from 1 on")
    bandwidth, chunk = movement.network.bandwidth_of, Fraction(costs.size, movement.chunks)
    steps = []
    for step in movement.steps:
        loads: dict[Link, int] = {}
        for transfer in step.transfers:
            for link in transfer.links:
                loads[link] = loads.get(link, 0) + len(transfer.chunks)
        busy = {link: count * chunk * costs.beta / bandwidth[link] for link, count in loads.items()}
        steps.append(StepTime(loads, busy, costs.alpha + max(busy.values(), default=Fraction(0))))
    return Timing(movement, costs, tuple(steps))
