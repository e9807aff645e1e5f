"""The integer program of a copying collective: who holds which chunk after which step."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from schedsolve.modelkit.formulas.integer_program import compare
from schedsolve.modelkit.formulas.linear_program import Row
from schedsolve.modelkit.problem import Problem
from schedsolve.runtime.errors import InputError

from ..claims.hops import hop_distances, neighbours, routes
from ..rules.collective import Collective, collective_of
from ..rules.steps import StepSchedule, steps_of_sends
from .steps import SHARED, Steps, name_of_send

MOST_VARIABLES = 500_000


@dataclass
class Copies(Steps):
    """The variables; held[c, v, s]: node v holds chunk c after step s."""

    collective: Collective = field(kw_only=True)
    held: dict[tuple[int, int, int], int] = field(default_factory=dict)


def copying_program(problem: Problem, chunks: int, rounds: int, *, minimise: bool) -> Copies:
    """Return the program for C chunks of every shipment in so many rounds.

    Raises
    ------
    InputError
        When it would be too large.
    """
    collective, ways, steps = collective_of(problem), routes(problem.network), problem.parameters["steps"]
    if len(collective.wanted) * chunks * steps * len(ways) > MOST_VARIABLES:
        raise InputError(f"the integer program would have more than {MOST_VARIABLES} variables")
    x = Copies(problem.network, chunks, steps, rounds, ways, collective=collective)
    _declare(x)
    if minimise:
        x.minimise_rounds()
    x.program.require((*FAMILIES, *SHARED), x)
    return x


def who_holds_a_chunk_got_it(x: Copies) -> Iterator[Row]:
    """Who holds a chunk after a step held it before, or it was sent there in the step."""
    into: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for (c, i, s), sent in x.sent.items():
        into[c, x.routes[i].receiver, s].append(sent)
    for (c, v, s), held in x.held.items():
        if v != x.collective.origin_of(c, x.chunks):
            before = [x.held[c, v, s - 1]] if (c, v, s - 1) in x.held else []
            yield compare([held], "<=", [*before, *into[c, v, s]])


def who_sends_a_chunk_held_it(x: Copies) -> Iterator[Row]:
    """Who sends a chunk in a step held it before."""
    for (c, i, s), sent in x.sent.items():
        sender = x.routes[i].sender
        if sender != x.collective.origin_of(c, x.chunks):
            yield compare([sent], "<=", [x.held[c, sender, s - 1]])


def destinations_hold_their_chunks(x: Copies) -> Iterator[Row]:
    """After the last step every destination holds the chunks of its shipments."""
    for number, shipment in enumerate(x.collective.shipments):
        for c in range(number * x.chunks, (number + 1) * x.chunks):
            for v in shipment.destinations:
                known = [x.held[c, v, x.steps]] if (c, v, x.steps) in x.held else []
                yield compare(known, "=", constant=1)


FAMILIES: tuple[Callable[[Copies], Iterator[Row]], ...] = (
    who_holds_a_chunk_got_it,
    who_sends_a_chunk_held_it,
    destinations_hold_their_chunks,
)


def _declare(x: Copies) -> None:
    """Declare all variables that can be of use."""
    near = neighbours(x.network)
    x.declare_rounds()
    for number, shipment in enumerate(x.collective.shipments):
        distance = hop_distances(near, shipment.origin) if shipment.destinations else {}
        for c in range(number * x.chunks, (number + 1) * x.chunks):
            for v, hops in distance.items():
                for s in range(hops, x.steps + 1) if v != shipment.origin else ():
                    x.held[c, v, s] = x.program.variable(f"chunk_{c}_held_by_{v}_after_{s}")
            for i, route in enumerate(x.routes):
                if route.sender not in distance or route.receiver == shipment.origin:
                    continue
                for s in range(distance[route.sender] + 1, x.steps + 1):
                    x.sent[c, i, s] = x.program.variable(name_of_send(c, route, s))


def copies_of(x: Copies, value: Callable[[str], float]) -> StepSchedule:
    """Return the schedule of a solution: of all that is sent to a node, what arrives first."""
    held = {(c, x.collective.origin_of(c, x.chunks)) for c, _, _ in x.sent}
    sends: dict[int, dict[tuple[int, int, tuple[int, ...]], list[int]]] = {}
    for s in range(1, x.steps + 1):
        arrived: set[tuple[int, int]] = set()
        sends[s] = defaultdict(list)
        for (c, i, when), sent in x.sent.items():
            got = c, x.routes[i].receiver
            if (
                when == s
                and x.is_true(sent, value)
                and got not in held | arrived
                and (c, x.routes[i].sender) in held
            ):
                arrived.add(got)
                sends[s][x.routes[i][:3]].append(c)
        held |= arrived
    return StepSchedule(steps_of_sends(sends, x.lengths(value)), x.chunks)
