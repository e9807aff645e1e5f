"""Synchronous collectives for other solvers, for a given number of chunks.

Variables, all 0 or 1:

- `chunk_3_held_by_5_after_2`: node 5 holds chunk 3 after step 2.
- `chunk_3_from_4_to_5_in_2`: it is sent there in step 2; with `_via_8_9` behind it, through these switches.
- `step_2_lasts_3`: step 2 lasts 3 rounds at least; every step lasts one. Where the rounds are minimised,
  `step_2_lasts_1` is 1, so that the objective is all rounds, the chunks times the value.

Size, for K chunks of all shipments, N compute nodes, E routes, S steps and R rounds: about K S (N + E) + S R
variables, and as many rows.

Source: Cai et al., Synthesizing optimal collective algorithms (PPoPP 2021), section 3, with a variable for
"holds it after the step" in place of the time of arrival.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice

from schedsolve.errors import InputError
from schedsolve.formulas.integer_program import IntegerProgram, compare
from schedsolve.formulas.linear_program import Row
from schedsolve.modelkit.formulation import (
    CnfFormulation,
    FormulationRequest,
    Formulations,
    IntegerFormulation,
    Solved,
    is_one,
)
from schedsolve.task import with_article

from .claims.compositions import MOST_COMPOSITIONS, compositions, joined
from .claims.formula import steps_formula
from .claims.hops import Route, hop_distances, neighbours, routes
from .rules.collective import Collective, collective_of
from .rules.reductions import REDUCTIONS
from .rules.steps import Send, Step, StepSchedule

MOST_VARIABLES = 500_000


@dataclass
class Variables:
    """The variables of a program: held[c, v, s], sent[c, i, s] of route number i, and longer[s, r], "step s
    lasts r rounds at least", r from 2; counted: the variables of the first rounds, where these are counted.
    """

    collective: Collective
    chunks: int
    steps: int
    rounds: int
    routes: list[Route]
    program: IntegerProgram = field(default_factory=IntegerProgram)
    held: dict[tuple[int, int, int], int] = field(default_factory=dict)
    sent: dict[tuple[int, int, int], int] = field(default_factory=dict)
    longer: dict[tuple[int, int], int] = field(default_factory=dict)
    counted: list[int] = field(default_factory=list)


def who_holds_a_chunk_got_it(x: Variables) -> Iterator[Row]:
    """Who holds a chunk after a step held it before, or it was sent there in the step."""
    into: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for (c, i, s), sent in x.sent.items():
        into[c, x.routes[i].receiver, s].append(sent)
    for (c, v, s), held in x.held.items():
        if v != x.collective.origin_of(c, x.chunks):
            before = [x.held[c, v, s - 1]] if (c, v, s - 1) in x.held else []
            yield compare([held], "<=", [*before, *into[c, v, s]])


def who_sends_a_chunk_held_it(x: Variables) -> Iterator[Row]:
    """Who sends a chunk in a step held it before."""
    for (c, i, s), sent in x.sent.items():
        sender = x.routes[i].sender
        if sender != x.collective.origin_of(c, x.chunks):
            yield compare([sent], "<=", [x.held[c, sender, s - 1]])


def destinations_hold_their_chunks(x: Variables) -> Iterator[Row]:
    """After the last step every destination holds the chunks of its shipments."""
    for number, shipment in enumerate(x.collective.shipments):
        for c in range(number * x.chunks, (number + 1) * x.chunks):
            for v in shipment.destinations:
                known = [x.held[c, v, x.steps]] if (c, v, x.steps) in x.held else []
                yield compare(known, "=", constant=1)


def links_carry_their_bandwidth(x: Variables) -> Iterator[Row]:
    """In every step a link carries at most its bandwidth times the rounds of the step."""
    load: dict[tuple[tuple[int, int], int], list[int]] = defaultdict(list)
    for (_, i, s), sent in x.sent.items():
        for link in x.routes[i].links:
            load[link, s].append(sent)
    for (link, s), sends in load.items():
        bandwidth = Fraction(x.collective.network.bandwidth_of[link])
        longer = {x.longer[s, r]: bandwidth.numerator for r in range(2, x.rounds + 1) if (s, r) in x.longer}
        yield compare(dict.fromkeys(sends, bandwidth.denominator), "<=", longer, bandwidth.numerator)


def rounds_of_a_step_come_in_order(x: Variables) -> Iterator[Row]:
    """A step that lasts r + 1 rounds lasts r."""
    for (s, r), longer in x.longer.items():
        if (s, r - 1) in x.longer:
            yield compare([longer], "<=", [x.longer[s, r - 1]])


def every_step_lasts_a_round(x: Variables) -> Iterator[Row]:
    """Every step lasts a round at least, which the objective counts."""
    for first in x.counted:
        yield compare([first], "=", constant=1)


def all_rounds(x: Variables) -> Iterator[Row]:
    """The rounds of all steps together are at most those asked for, and one a step at least."""
    if x.rounds < x.steps:
        missing = x.program.variable("round_that_is_missing")
        yield compare([missing], ">=", constant=1)
        yield compare([missing], "<=")
    elif x.longer:
        yield compare(list(x.longer.values()), "<=", constant=x.rounds - x.steps)


FAMILIES: tuple[Callable[[Variables], Iterator[Row]], ...] = (
    who_holds_a_chunk_got_it,
    who_sends_a_chunk_held_it,
    destinations_hold_their_chunks,
    links_carry_their_bandwidth,
    rounds_of_a_step_come_in_order,
    every_step_lasts_a_round,
    all_rounds,
)


def integer_formulation(request: FormulationRequest) -> IntegerFormulation:
    """The integer program for "so many rounds suffice for the chunks", or for the least number up to there.

    Raises InputError without a number of chunks, for reductions, and when it would be too large.
    """
    problem = request.problem
    chunks, rounds = _counts(request)
    x = Variables(
        collective_of(problem), chunks, problem.parameters["steps"], rounds, routes(problem.network)
    )
    sends = len(x.collective.wanted) * chunks * x.steps * len(x.routes)
    if sends > MOST_VARIABLES:
        raise InputError(f"the integer program would have more than {MOST_VARIABLES} variables")
    _declare(x)
    if request.minimise:
        x.counted = [x.program.variable(f"step_{s}_lasts_1") for s in range(1, x.steps + 1)]
        x.program.costs = dict.fromkeys([*x.counted, *x.longer.values()], 1)
    x.program.require(FAMILIES, x)
    size = f"{_counted(chunks, 'chunk')} in {_counted(x.steps, 'step')}"
    meaning = f"a schedule of {size} and at most {_counted(rounds, 'round')}"
    return IntegerFormulation(x.program, lambda value: (problem, _decoded(x, value)), meaning, scale=chunks)


def _counts(request: FormulationRequest) -> tuple[int, int]:
    """The chunks and the most rounds of a request. Raises InputError where there are none."""
    problem = request.problem
    chunks: int | None = problem.parameters.get("chunks")
    if problem.task in REDUCTIONS:
        raise InputError(f"{with_article(problem.task)} has no formulation here")
    if chunks is None or request.value is None:
        raise InputError("a formulation of a synchronous schedule needs --chunks C")
    return chunks, int(Fraction(request.value) * chunks // 1)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _name_of_send(chunk: int, route: Route, step: int) -> str:
    via = "".join(f"_{w}" for w in route.switches)
    return f"chunk_{chunk}_from_{route.sender}_to_{route.receiver}_in_{step}{via and '_via' + via}"


def _declare(x: Variables) -> None:
    """Declare all variables that can be of use."""
    near = neighbours(x.collective.network)
    for s in range(1, x.steps + 1):
        for r in range(2, x.rounds - x.steps + 2):
            x.longer[s, r] = x.program.variable(f"step_{s}_lasts_{r}")
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
                    x.sent[c, i, s] = x.program.variable(_name_of_send(c, route, s))


def _decoded(x: Variables, value: Callable[[str], float]) -> StepSchedule:
    """The schedule: of all that is sent to a node, what arrives first."""

    def true(variable: int) -> bool:
        return is_one(value(x.program.variables[variable].name))

    held = {(c, x.collective.origin_of(c, x.chunks)) for c, _, _ in x.sent}
    steps = []
    for s in range(1, x.steps + 1):
        arrived: set[tuple[int, int]] = set()
        sends: dict[Route, list[int]] = defaultdict(list)
        for (c, i, when), sent in x.sent.items():
            got = c, x.routes[i].receiver
            if when == s and true(sent) and got not in held | arrived and (c, x.routes[i].sender) in held:
                arrived.add(got)
                sends[x.routes[i]].append(c)
        held |= arrived
        rounds = 1 + sum(true(longer) for (step, _), longer in x.longer.items() if step == s)
        listed = tuple(Send(r.sender, r.receiver, tuple(c), r.switches) for r, c in sorted(sends.items()))
        steps.append(Step(rounds, listed))
    return StepSchedule(tuple(steps), x.chunks)


def cnf_formulation(request: FormulationRequest) -> CnfFormulation:
    """The plain formulas of the claims for all compositions of the rounds, each behind the variable that says
    that the steps last so long. Raises InputError as `integer_formulation` does.
    """
    problem, (chunks, rounds) = request.problem, _counts(request)
    ways = list(islice(compositions(rounds, problem.parameters["steps"]), MOST_COMPOSITIONS + 1))
    if len(ways) > MOST_COMPOSITIONS:
        raise InputError(f"the rounds have more than {MOST_COMPOSITIONS} compositions into the steps")
    collective, network = collective_of(problem), problem.network
    identity = (tuple(range(network.node_count)),)
    parts = [steps_formula(collective, routes(network), way, chunks, identity) for way in ways]
    names: dict[int, str] = {}
    first = [len(parts)]
    for selector, (way, part) in enumerate(zip(ways, parts, strict=True), 1):
        lasting = f"rounds_{'_'.join(map(str, way))}"
        names[selector] = lasting
        for ((shipment, j), i, step), variable in part.sent.items():
            name = _name_of_send(shipment * chunks + j, part.routes[i], step)
            names[first[-1] + variable] = f"{lasting}_{name}"
        first.append(first[-1] + part.cnf.variable_count)

    def decode(true: set[int]) -> Solved:
        chosen = next(i for i in range(len(parts)) if i + 1 in true)
        return problem, parts[chosen].schedule({variable - first[chosen] for variable in true})

    size = _counted(chunks, "chunk")
    meaning = f"a schedule of {size} with the rounds of the steps that a variable rounds_... names"
    return CnfFormulation(joined([part.cnf for part in parts]), names, decode, meaning)


FORMULATIONS = Formulations(integer_formulation, cnf_formulation)
