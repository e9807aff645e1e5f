"""How long a schedule takes on its machine, compared with the algorithms in use and with what is proven.

Computed, and as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from schedsolve.certify.text.text import problem_line
from schedsolve.machines.known_costs import ASSUMED, known_costs
from schedsolve.machines.movement.movement import Movement
from schedsolve.machines.movement.saved_schedule import movement_of
from schedsolve.machines.optimum import ProvenTime, proven_time
from schedsolve.machines.rivals import Rival, rivals
from schedsolve.machines.timing import CLOCKS, DEPENDENCIES, STEPS, Costs, Timing, timing
from schedsolve.modelkit.problem import Problem, refuse_no_result
from schedsolve.modelkit.result import Result, Status
from schedsolve.models import model_of
from schedsolve.network.assumptions import as_read
from schedsolve.network.graph import Network
from schedsolve.runtime.display.presentation import problem_text
from schedsolve.runtime.errors import InputError, counted, shown
from schedsolve.runtime.files.number_reader import byte_count, measured_number, plain_integer

MOST_SECONDS = 10**9
"""Of a latency, or a byte."""
MOST_LINES = 12
"""Steps, and links, that are listed, unless all are asked for."""


@dataclass(frozen=True, repr=False)
class Times:
    """What a schedule takes, what its rivals take, and the least that is proven.

    All for the same collective on the same machine; rivals by their names.

    source: where alpha and beta are from, when they were not given.
    """

    problem: Problem
    schedule: Timing
    rivals: Mapping[str, Rival]
    proven: ProvenTime | None
    source: str = ""

    def __repr__(self) -> str:
        return f"<Times {problem_text(self.problem)}: {us(self.schedule.seconds)}, {len(self.rivals)} rivals>"

    @property
    def textbook(self) -> Mapping[str, Timing]:
        """The algorithms that know the ranks only, by name."""
        return {name: rival.timing for name, rival in self.rivals.items() if not rival.on_links}

    @property
    def seconds(self) -> Mapping[str, Fraction]:
        """The seconds of all of them, exactly; the schedule's first, as "this schedule"."""
        others = {name: rival.timing.seconds for name, rival in self.rivals.items()}
        return {"this schedule": self.schedule.seconds, **others}

    @property
    def ratio_to_optimum(self) -> float | None:
        """How many times the least time that is proven the schedule takes; None where that is not known."""
        return None if self.proven is None else self.proven.ratio(self.schedule)

    def __str__(self) -> str:
        """Return what the command line prints."""
        return "\n".join(self.lines())

    def lines(self, most: int = MOST_LINES) -> list[str]:
        """Return the verdict, the rivals, and so many steps and links of the schedule."""
        return [
            problem_line(self.problem),
            *self._verdict(),
            *self._beside("laid on the links of the machine:", on_links=True),
            *self._beside("that know the ranks only:", on_links=False),
            *_detail(self.schedule, model_of(self.problem).machines, most),
        ]

    def _verdict(self) -> Iterator[str]:
        ours, read = self.schedule, as_read(self.problem.network.assumptions)
        costs = ours.costs
        origin = f" ({self.source})" if self.source else ""
        yield (
            f"{costs.size} bytes a unit in {counted(ours.movement.chunks, 'chunk')},"
            f" {ours.buffer_bytes} bytes a rank;"
            f" alpha {us(costs.alpha)}, beta {float(costs.beta):.4g} s a byte{origin}"
        )
        how = "each step as long as its busiest link" if ours.clock == STEPS else "by dependencies"
        yield f"total {us(ours.seconds)}: {counted(len(ours.steps), 'step')}, {how}{_bandwidths(ours)}{read}"
        ratio = self.ratio_to_optimum
        if self.proven is not None and ratio is not None:
            ceiling = self.proven.bus_bandwidth(ours)
            bare = ", which counts no latency," if costs.alpha else ","
            told = f"{ratio:.3g} times {self.proven.words}{bare} at which busbw would be {ceiling:.4g} GB/s"
            yield told + read

    def _beside(self, title: str, *, on_links: bool) -> Iterator[str]:
        found = sorted(
            (rival for rival in self.rivals.values() if rival.on_links is on_links),
            key=lambda rival: rival.timing.seconds,
        )
        if found:
            yield title
        for rival in found:
            other, own = rival.timing, self.schedule.seconds
            times = f", {float(other.seconds / own):.2f} times as long" if own else ""
            steps = counted(len(other.steps), "step")
            yield f"  {rival.name}: {us(other.seconds)}, {steps}{_bandwidths(other)}{times}"


def times(
    result: Result,
    *,
    alpha: float | str | Fraction | None = None,
    beta: float | str | Fraction | None = None,
    size: int | str,
    chunks: int | None = None,
    clock: str = DEPENDENCIES,
) -> Times:
    """Return how long a result's schedule takes on its machine, compared with its rivals.

    Parameters
    ----------
    result
        The result.
    alpha
        Seconds of latency of a message.
    beta
        Seconds a byte on a link of bandwidth 1. Both are exact as text, such as "5e-6"; machines that have
        names have costs of their own, which stand where they are not given.
    size
        Bytes of a unit, cut into the chunks; text may have a unit, such as "64MB".
    chunks
        Of a unit, where the schedule leaves that open.
    clock
        "dependencies" or "steps".

    Raises
    ------
    InputError
        For costs that are none, and where there is no complete schedule of data that move.
    """
    refuse_no_result(result)
    if result.indexed is None:
        raise InputError("there is no schedule whose time could be told")
    if clock not in CLOCKS:
        raise InputError(f"a clock is one of {', '.join(CLOCKS)}; not {shown(clock)}")
    latency, price = price_of(alpha, "alpha"), price_of(beta, "beta")
    costs, source = costs_for(result.problem.network, latency, price, size_of(size))
    movement = movement_of(
        result.placed, result.indexed, chunks, in_lockstep=clock == STEPS, latency=costs.latency
    )
    proven = proven_time(movement, result if result.status is Status.OPTIMAL else None)
    return times_of(result.problem, movement, costs, clock, proven, source)


def size_of(given: int | str) -> int:
    """Return a number of bytes, which as text may have a unit.

    Raises
    ------
    InputError
        For anything else.
    """
    count = byte_count(given) if isinstance(given, str) else plain_integer(given)
    if type(count) is not int or count < 1:
        raise InputError(f"a size is bytes from 1 on, such as 64MB; not {shown(given)}")
    return count


def price_of(given: float | str | Fraction | None, name: str) -> Fraction | None:
    """Return the seconds that an option gives, exactly, or None where none are given.

    Raises
    ------
    InputError
        For anything else.
    """
    if given is None:
        return None
    try:
        value = measured_number(given) if isinstance(given, str) else Fraction(given)
    except (TypeError, ValueError, OverflowError):
        value = None
    if value is None or not 0 <= value <= MOST_SECONDS:
        raise InputError(f"--{name} takes seconds from 0 on, such as 5e-6, not {shown(given)}")
    return value


def costs_for(
    network: Network, alpha: Fraction | None, beta: Fraction | None, size: int, *, assumed: bool = True
) -> tuple[Costs, str]:
    """Return alpha and beta, the machine's own where they are not given, and where those are from.

    Those of a network that is not a known machine are `ASSUMED`.

    Raises
    ------
    InputError
        For such a network, where nothing is to be assumed.
    """
    if alpha is not None and beta is not None:
        return Costs(alpha, beta, size), ""
    own = known_costs(network)
    if own is None and not assumed:
        raise InputError(
            f"{network.name or 'this network'} has no costs of its own: give --alpha and --beta, such as"
            " --alpha 5e-6 --beta 4e-11 (seconds, and seconds a byte)"
        )
    own = own or ASSUMED
    return Costs(own.alpha if alpha is None else alpha, own.beta if beta is None else beta, size), own.source


def times_of(
    problem: Problem,
    movement: Movement,
    costs: Costs,
    clock: str = DEPENDENCIES,
    proven: ProvenTime | None = None,
    source: str = "",
) -> Times:
    """Return the times of a movement.

    Raises
    ------
    InputError
        For costs that are none.
    """
    own = timing(movement, costs, clock)
    return Times(
        problem, own, {rival.name: rival for rival in rivals(movement, costs, clock)}, proven, source
    )


def us(value: Fraction) -> str:
    """Seconds in microseconds."""
    amount = float(value) * 1e6
    return f"{amount:.0f} us" if amount >= 1e4 else f"{amount:.4g} us"


def _bandwidths(timing: Timing) -> str:
    algorithm, bus = timing.algorithm_bandwidth, timing.bus_bandwidth
    return "" if algorithm is None else f", algbw {algorithm:.4g} GB/s, busbw {bus:.4g} GB/s"


def _detail(ours: Timing, by_rounds: bool, most: int) -> Iterator[str]:
    """Yield the steps, where they are what is counted, and the links.

    Parameters
    ----------
    ours
        The times of the schedule itself.
    by_rounds
        Whether rounds are counted by what links carry, so that they tell a time too.
    most
        The most lines of each kind.
    """
    movement, labels = ours.movement, ours.movement.network.labels
    if ours.clock == STEPS:
        if by_rounds:
            yield (
                f"by the rounds {us(ours.seconds_by_rounds)}: S alpha + (R/C) L beta with"
                f" S = {len(ours.steps)}, R = {movement.rounds}, C = {movement.chunks}"
            )
        for number, step in enumerate(ours.steps[:most], 1):
            link = step.busiest
            words = "nothing is sent"
            if link is not None:
                name = f"{labels[link[0]]} to {labels[link[1]]}"
                words = f"busiest {name}, {counted(step.loads[link], 'chunk')}"
            yield f"  step {number}: {us(step.seconds)}; {counted(len(step.loads), 'link')}, {words}"
        yield from _more(len(ours.steps) - most, "more steps")
    for link, (count, busy) in list(ours.links.items())[:most]:
        share = f"{float(busy / ours.seconds):.0%} of the time" if ours.seconds else "no time"
        yield f"  link {labels[link[0]]} to {labels[link[1]]}: {counted(count, 'chunk')}, {us(busy)}, {share}"
    yield from _more(len(ours.links) - most, "more links, none of them busier")


def _more(count: int, what: str) -> Iterator[str]:
    if count > 0:
        yield f"  ... {count} {what}; --full lists all"
