"""How long data that move take on their machine, by one of two clocks.

By dependencies (`movement/link_clock.py`), a transfer starts as soon as its sender has the data and the
links are free, in the order of the program, and arrives alpha after its last byte. In steps, all ranks
wait for each other: a step takes alpha, and as long as its busiest link. beta is the seconds that a byte
takes on a link of bandwidth 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from schedsolve.machines.movement.collectives import ONE_UNIT
from schedsolve.machines.movement.finer_movement import messages_of
from schedsolve.machines.movement.link_clock import Run, run
from schedsolve.machines.movement.movement import Link, Movement
from schedsolve.runtime.errors import InputError

DEPENDENCIES, STEPS = "dependencies", "steps"
CLOCKS = (DEPENDENCIES, STEPS)


@dataclass(frozen=True)
class Costs:
    """alpha: seconds of latency.

    Attributes
    ----------
    beta
        Seconds a byte on a link of bandwidth 1.
    size
        Bytes of a unit.
    """

    alpha: Fraction
    beta: Fraction
    size: int

    @property
    def latency(self) -> Fraction:
        """Return alpha in times of a unit over a link of bandwidth 1; 0 where these are 0."""
        return self.alpha / (self.beta * self.size) if self.beta else Fraction(0)


LONG_MESSAGES = Costs(Fraction(0), Fraction(1), 1)
"""What a program is measured with where no costs are given: bandwidth alone."""


@dataclass(frozen=True)
class StepTime:
    """A step: the chunks that each link carries, and the seconds that it is busy.

    The seconds of the step, when all ranks wait for each other.
    """

    loads: Mapping[Link, int]
    busy: Mapping[Link, Fraction]
    seconds: Fraction

    @property
    def busiest(self) -> Link | None:
        """The link that is busy longest; None when nothing is sent."""
        return min(self.busy, key=lambda link: (-self.busy[link], link), default=None)


@dataclass(frozen=True)
class Timing:
    """A movement on its machine, priced.

    Attributes
    ----------
    clock
        One of `CLOCKS`.
    """

    movement: Movement
    costs: Costs
    clock: str = STEPS

    @cached_property
    def steps(self) -> tuple[StepTime, ...]:
        """The steps in order."""
        bandwidth, costs = self.movement.network.bandwidth_of, self.costs
        chunk = Fraction(costs.size, self.movement.chunks) * costs.beta
        # Few numbers of chunks and bandwidths differ, and fractions take long.
        times: dict[tuple[int, Fraction | int], Fraction] = {}
        steps = []
        for step in self.movement.steps:
            loads: dict[Link, int] = {}
            for transfer in step.transfers:
                for link in pairwise((transfer.sender, *transfer.between, transfer.receiver)):
                    loads[link] = loads.get(link, 0) + len(transfer.chunks)
            busy = {}
            for link, count in loads.items():
                kind = count, bandwidth[link]
                if kind not in times:
                    times[kind] = count * chunk / bandwidth[link]
                busy[link] = times[kind]
            steps.append(StepTime(loads, busy, costs.alpha + max(set(busy.values()), default=Fraction(0))))
        return tuple(steps)

    @cached_property
    def seconds(self) -> Fraction:
        """The time of the last arrival, or, in steps, of all steps, one after another."""
        if self.clock == STEPS:
            return sum((step.seconds for step in self.steps), Fraction(0))
        return self._run.seconds

    @cached_property
    def _run(self) -> Run:
        network, costs = self.movement.network, self.costs
        per_byte = Fraction(costs.size, self.movement.chunks) * costs.beta
        per_chunk = {link: per_byte / Fraction(b) for link, b in network.bandwidth_of.items()}
        return run(messages_of(self.movement), per_chunk, costs.alpha)

    @cached_property
    def busy_times(self) -> dict[Link, list[tuple[float, float]]]:
        """Of every link that is used, when it begins and ends to be busy, in seconds.

        Busy times that meet are one.
        """
        found: dict[Link, list[tuple[float, float]]] = {}
        for link, first, last in self._crossings():
            spans = found.setdefault(link, [])
            if spans and spans[-1][1] == first:
                spans[-1] = spans[-1][0], last
            else:
                spans.append((first, last))
        return found

    def _crossings(self) -> Iterator[tuple[Link, float, float]]:
        if self.clock == STEPS:
            start = Fraction(0)
            for step in self.steps:
                for link, busy in step.busy.items():
                    yield link, float(start + self.costs.alpha), float(start + self.costs.alpha + busy)
                start += step.seconds
            return
        for link, spans in self._run.busy.items():
            for first, last in spans:
                yield link, float(first * self._run.tick), float(last * self._run.tick)

    @property
    def seconds_by_rounds(self) -> Fraction:
        """S alpha + (R/C) L beta, with the rounds R that the steps last in their model."""
        movement, costs = self.movement, self.costs
        per_chunk = Fraction(movement.rounds, movement.chunks)
        return len(self.steps) * costs.alpha + per_chunk * costs.size * costs.beta

    @property
    def buffer_bytes(self) -> int:
        """The size that nccl-tests names: of the larger buffer of a rank."""
        one = self.movement.collective in ONE_UNIT
        return self.costs.size * (1 if one else self.movement.layout.ranks)

    @property
    def algorithm_bandwidth(self) -> float | None:
        """algbw, as nccl-tests defines it, in GB/s; None where nothing takes time."""
        return float(self.buffer_bytes / self.seconds) / 1e9 if self.seconds else None

    @property
    def bus_bandwidth(self) -> float | None:
        """busbw, as nccl-tests defines it, in GB/s; None where nothing takes time."""
        found = self.algorithm_bandwidth
        return None if found is None else found * float(bus_factor(self.movement))

    @cached_property
    def links(self) -> dict[Link, tuple[int, Fraction]]:
        """Return the chunks and the busy seconds of every link that is used, busiest first."""
        total: dict[Link, tuple[int, Fraction]] = {}
        for step in self.steps:
            for link, count in step.loads.items():
                before = total.get(link, (0, Fraction(0)))
                total[link] = before[0] + count, before[1] + step.busy[link]
        return dict(sorted(total.items(), key=lambda item: (-item[1][1], item[0])))


def bus_factor(movement: Movement) -> Fraction:
    """Return busbw / algbw of a collective (nccl-tests, doc/PERFORMANCE.md)."""
    n = movement.layout.ranks
    if movement.collective in ("broadcast", "reduce"):
        return Fraction(1)
    return Fraction(n - 1, n) * (2 if movement.collective == "allreduce" else 1)


def timing(movement: Movement, costs: Costs, clock: str = DEPENDENCIES) -> Timing:
    """Return the times of a movement.

    Raises
    ------
    InputError
        For costs that are none.
    """
    if costs.alpha < 0 or costs.beta < 0 or costs.size < 1:
        raise InputError("--alpha and --beta are seconds from 0 on, and --size is bytes from 1 on")
    return Timing(movement, costs, clock)
