"""Solving with forbidden calls: the optimum among the schedules without certain calls in certain rounds.

A lower bound on the problem itself holds all the more when calls are forbidden, as every schedule without
them is one of the problem. What else a solve relies on does not carry over: symmetries, constructions,
theorems that say how much suffices. So beyond that bound each number of rounds is decided by the integer
program of the model, which assumes nothing of the kind, with the variables of the forbidden calls at 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from schedsolve.backends.cpsat import CpSearch, declare_program
from schedsolve.modelkit.formulas.integer_program import Family, compare
from schedsolve.modelkit.formulation import FormulationRequest, Formulations
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import Maker, Result, Status
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.modelkit.search import Decision, Options, Question
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.files.number_reader import plain_integer
from schedsolve.solving.clock import Clock
from schedsolve.solving.integer_programs import CPSAT
from schedsolve.solving.solve_loop import SolveLoop

Forbidden = frozenset[tuple[int, int, int]]
"""Rounds, senders and receivers by number; of a two-way call both directions."""


def solve_without(
    model: Model, problem: Problem, options: Options, clock: Clock, calls: Iterable[Any]
) -> Result:
    """Return the optimum among the schedules without the forbidden calls.

    Parameters
    ----------
    model, problem
        The problem and its model's record.
    options, clock
        How to solve it, and for how long.
    calls
        Pairs (round, call) with rounds from 1; a call is (u, v) by the user's nodes, or a call of a schedule.

    Raises
    ------
    InputError
        If a call is none of the network's, or if the model cannot forbid calls in such a problem.
    """
    kinds = _formulations(model, problem, options)
    forbidden = read_forbidden(problem.network, calls)
    free = SolveLoop(model, problem.with_parameters(rounds=None), options, clock).solve()
    if free.status is not Status.INFEASIBLE:
        free = _restricted(model, problem, options, clock, kinds, free, forbidden)
    # What proves a bound to a checker proves it of the problem in which all calls are allowed.
    bounds = tuple(replace(bound, evidence=None) for bound in free.bounds)
    return replace(free, problem=problem, forbidden=forbidden, bounds=bounds)


def _restricted(
    model: Model,
    problem: Problem,
    options: Options,
    clock: Clock,
    kinds: Formulations,
    free: Result,
    forbidden: Forbidden,
) -> Result:
    """Return the optimum without the forbidden calls, from the result in which all calls are allowed.

    Only the integer program decides. How many rounds suffice whenever any do is said of the problem in which
    all calls are allowed, so there is no horizon.
    """

    def start(question: Question) -> CpSearch:
        formulation = kinds.integer(FormulationRequest(question.problem, question.value))
        numbers = {x.name: number for number, x in enumerate(formulation.program.variables)}
        rows = tuple(
            compare([numbers[name]], "<=")
            for name, (t, call) in formulation.calls.items()
            if is_forbidden(t, call, forbidden)
        )
        if rows:
            family = Family("forbidden_calls", "No forbidden call is made.", rows)
            formulation.program.families.append(family)
        return CpSearch(declare_program(formulation), question.seconds)

    decision = Decision("integer program without the forbidden calls", CPSAT, True, start)
    restricted = replace(model, bounds=lambda _: (), searches=lambda: (decision,), horizon=lambda _: None)
    alone = replace(options, workers=1, backend=None, warm_start=None)
    loop = SolveLoop(restricted, problem, alone, clock)
    for bound in free.bounds:
        if bound.side == "lower":
            loop.best.add_bound(bound)
    if isinstance(free.indexed, Schedule):
        loop.best.add_schedule(free.placed, *_without_forbidden(free, free.indexed, forbidden))
    result = loop.solve()
    assert result.indexed is None or avoids(result.indexed, forbidden)
    return result


def _without_forbidden(free: Result, schedule: Schedule, forbidden: Forbidden) -> tuple[Schedule, str, Maker]:
    """Return a schedule without forbidden calls, and how it came about: put off behind the last of them."""
    if avoids(schedule, forbidden):
        found = next(bound for bound in reversed(free.bounds) if bound.side == "upper")
        return schedule, found.reason, found.by
    idle = max(t for t, _, _ in forbidden)
    later = replace(schedule, rounds=((),) * idle + schedule.rounds)
    return later, f"the schedule without forbidden calls, from round {idle + 1} on", "construction"


def _formulations(model: Model, problem: Problem, options: Options) -> Formulations:
    """Return the formulations of a problem whose calls can be forbidden.

    Raises
    ------
    InputError
        If they cannot, or if a certificate is asked for.
    """
    kinds = model.formulations
    if kinds is None or not kinds.calls_may_be_forbidden or problem.task == "accumulation":
        raise InputError(
            f"calls cannot be forbidden in {model.title} {problem.task}; fix the variables of"
            " `formulation(...).calls` and solve that"
        )
    if problem.choice == "max" or problem.period is not None:
        raise InputError("calls are forbidden for a given source or the best one, and without a period")
    if options.certify:
        raise InputError("there is no certificate for a problem with forbidden calls: no checker reads it")
    return kinds


def read_forbidden(network: Network, calls: Iterable[Any]) -> Forbidden:
    """Return forbidden calls by number.

    Raises
    ------
    InputError
        If one has another form, or is along no link of the network.
    """
    found = set()
    for entry in calls:
        t, call = entry if isinstance(entry, Sequence) and len(entry) == 2 else (None, None)
        t = plain_integer(t)
        if type(t) is not int or t < 1 or not isinstance(call, Sequence) or len(call) < 2:
            raise InputError(f"a forbidden call is (round, (u, v)) with rounds from 1, not {shown(entry)}")
        u, v = network.node(call[0]), network.node(call[1])
        two_way = isinstance(call, Call) and call.two_way
        arcs = {(u, v), (v, u)} if two_way else {(u, v)}
        if not arcs & network.arc_set:
            raise InputError(f"there is no link from {shown(call[0])} to {shown(call[1])}")
        found |= {(t, *arc) for arc in arcs & network.arc_set}
    return frozenset(found)


def is_forbidden(t: int, call: Call, forbidden: Forbidden) -> bool:
    """Return whether a call in round t is forbidden; a two-way call is if either direction is."""
    return (t, call.sender, call.receiver) in forbidden or (
        call.two_way and (t, call.receiver, call.sender) in forbidden
    )


def avoids(schedule: Any, forbidden: Forbidden) -> bool:
    """Return whether a schedule does without the forbidden calls."""
    assert isinstance(schedule, Schedule)
    return not any(
        is_forbidden(t, call, forbidden) for t, calls in enumerate(schedule.rounds, 1) for call in calls
    )
