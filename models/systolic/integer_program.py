"""The systolic models for other solvers.

The program is that of the model without a period, with calls shared by rounds that are a period
apart. Its variables are those of that model (`call_u_v_t`, `knows_v_i_t`, `move_u_v_i_t`, `used_t`),
with a call only for every slot t of the period, and no others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from schedsolve.modelkit.formulas.integer_program import compare
from schedsolve.modelkit.formulas.linear_program import Row
from schedsolve.modelkit.formulation import (
    CnfFormulation,
    FormulationRequest,
    Formulations,
    IntegerFormulation,
    Solved,
    is_one,
)
from schedsolve.modelkit.knowledge_rows import at_start
from schedsolve.modelkit.schedule import Schedule
from schedsolve.models.matching.claims.formula import rounds_formula
from schedsolve.models.matching.formulation.integer_program import (
    FAMILIES,
    Variables,
    call_meanings,
    declare,
)
from schedsolve.models.matching.formulation.sat import decode as decode_matching
from schedsolve.runtime.errors import counted

from .claims.formula import horizon, nothing_repeats, systolic_formula, without_period
from .constructions.algorithms import repeated
from .constructions.useful_calls import only_useful_slots
from .formulation import decode, decode_connection
from .rules import is_edge_colouring, period_of


def one_call_an_edge(x: Variables) -> Iterator[Row]:
    """With edge colouring every edge is called at most once in a period, whichever way."""
    if is_edge_colouring(x.problem):
        for u, v in x.network.edges:
            calls = [call for (link, _), call in x.call.items() if link in ((u, v), (v, u))]
            yield compare(calls, "<=", constant=1)


def _limited(request: FormulationRequest) -> FormulationRequest:
    """Return the request with its limit reduced to the number of rounds within which everything happens."""
    rounds = min(request.limit, horizon(request.problem))
    return FormulationRequest(request.problem, rounds, request.minimise)


def integer_formulation(request: FormulationRequest) -> IntegerFormulation:
    """Return the integer program for "`limit` rounds suffice with period p", or for the least number."""
    x = declare(_limited(request), period=period_of(request.problem))
    x.program.require((*FAMILIES, one_call_an_edge), x)

    def read(value: Callable[[str], float]) -> Solved:
        slots = [
            [link for link in x.links if is_one(value(x.program.variables[x.call[link, t]].name))]
            for t in range(1, x.slots + 1)
        ]
        problem = at_start(x.problem, value)
        if problem.task == "gossip":
            return problem, only_useful_slots(problem, repeated(problem, slots))
        return decode_connection(problem, slots)

    return IntegerFormulation(x.program, read, _meaning(request), call_meanings(x))


def _meaning(request: FormulationRequest) -> str:
    backwards = " run backwards" if request.problem.task == "accumulation" else ""
    return (
        f"the calls of a period of {counted(period_of(request.problem), 'round')}, which complete the task"
        f"{backwards} within {counted(request.limit, 'round')}; the variables call_u_v_t that are 1 are"
        " made in round t"
        " and every period later"
    )


def cnf_formulation(request: FormulationRequest) -> CnfFormulation:
    """Return the plain formula of the claims, with the names of its variables."""
    problem, rounds = request.problem, _limited(request).limit
    if nothing_repeats(problem, rounds):
        plain = rounds_formula(without_period(problem), rounds)

        def read(true: set[int]) -> Solved:
            placed, schedule = decode_matching(without_period(problem), plain, true)
            with_period = problem.with_parameters(**placed.parameters)
            return with_period, Schedule(schedule.rounds, period_of(problem))

        return CnfFormulation(plain.cnf, plain.names(), read, _meaning(request))
    formula = systolic_formula(problem, rounds)
    return CnfFormulation(
        formula.cnf, formula.names(), lambda true: decode(problem, formula, true), _meaning(request)
    )


FORMULATIONS = Formulations(integer_formulation, cnf_formulation)
