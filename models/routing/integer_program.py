"""Formulations of the routing model for other solvers.

Variables, all 0 or 1:

- `message_i_a_b_t3_router5`: message i, from a to b, is sent in round 3 and turns at router 5 of its
  turning level; the bits of this number are its upstream ports, the lowest level in the lowest bit.
- `used_t3`: some message is sent in round 3; only if the number of rounds is minimized.

Size, for n processing nodes, k messages and M rounds: at most k M n / 2 variables, and a row per wire
and round.

Source: Strumpen and Krishnamurthy, A collision model for randomized routing in fat-tree networks (JPDC
2005), section 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from schedsolve.modelkit.formulas.integer_program import IntegerProgram, compare
from schedsolve.modelkit.formulas.linear_program import Row
from schedsolve.modelkit.formulation import (
    CnfFormulation,
    FormulationRequest,
    Formulations,
    IntegerFormulation,
    Solved,
    calls_of_rounds,
)
from schedsolve.modelkit.knowledge_rows import used_rounds, used_rounds_come_first
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.runtime.errors import counted

from .claims import routing_formula
from .constructions import ports_to
from .formulation import decode
from .rules import Message, UpstreamPorts, messages_of, turning_level, wires


@dataclass
class Variables:
    """The variables of a program: way[i, t, r] says "message i is sent in round t and turns at router r"."""

    messages: list[Message]
    rounds: int
    program: IntegerProgram = field(default_factory=IntegerProgram)
    used: dict[int, int] = field(default_factory=dict)
    way: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def ports(self, i: int, router: int) -> UpstreamPorts:
        """Return the upstream ports by which message i reaches the router where it turns."""
        return ports_to(router, turning_level(*self.messages[i]))


def every_message_once(x: Variables) -> Iterator[Row]:
    """Every message is sent exactly once, in one round and by one route."""
    for i in range(len(x.messages)):
        yield compare([way for (j, _, _), way in x.way.items() if j == i], "=", constant=1)


def one_message_a_wire(x: Variables) -> Iterator[Row]:
    """In every round at most one message uses a wire, and none does if the round is not used."""
    using: dict[tuple[object, int], list[int]] = {}
    for (i, t, router), way in x.way.items():
        for wire in wires(*x.messages[i], x.ports(i, router)):
            using.setdefault((wire, t), []).append(way)
    for (_, t), ways in using.items():
        yield compare(ways, "<=", [x.used[t]]) if x.used else compare(ways, "<=", constant=1)


FAMILIES: tuple[Callable[[Variables], Iterator[Row]], ...] = (
    every_message_once,
    one_message_a_wire,
    used_rounds_come_first,
)


def integer_formulation(request: FormulationRequest) -> IntegerFormulation:
    """Return the integer program for "`request.limit` rounds suffice", or for the least number up to it."""
    x = Variables(messages_of(request.problem), request.limit)
    times = range(1, x.rounds + 1)
    if request.minimise:
        x.used = used_rounds(x.program, x.rounds)
    calls = {}
    for i, (a, b) in enumerate(x.messages):
        for t in times:
            for router in range(1 << turning_level(a, b)):
                name = f"message_{i}_{a}_{b}_t{t}_router{router}"
                x.way[i, t, router] = x.program.variable(name)
                calls[name] = t, Call(a, b, payload=x.ports(i, router))
    x.program.require(FAMILIES, x)

    def read(value: Callable[[str], float]) -> Solved:
        found = Schedule(calls_of_rounds(calls, value, x.rounds))
        return request.problem, Schedule(tuple(made for made in found.rounds if made))

    return IntegerFormulation(x.program, read, _meaning(request), calls)


def _meaning(request: FormulationRequest) -> str:
    return (
        f"a schedule of at most {counted(request.limit, 'round')}, which says for every message its"
        " round and the router"
        " where it turns"
    )


def cnf_formulation(request: FormulationRequest) -> CnfFormulation:
    """Return the plain formula of the claims, with the names of its variables."""
    f = routing_formula(request.problem, request.limit)
    return CnfFormulation(
        f.cnf, f.names(), lambda true: (request.problem, decode(f, true)), _meaning(request)
    )


FORMULATIONS = Formulations(integer_formulation, cnf_formulation)
